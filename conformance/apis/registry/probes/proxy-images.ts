import { crc32 } from 'node:zlib';
import { check } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { ROUTE, partner, whole } from './proxy.ts';

/**
 * Pictures of one pixel. The encoding of the first has only letters and digits; those of the others contain a
 * plus and a slash, and end with zero, one and two equals signs.
 */
const PIXELS = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNwUWgCAAGSAOdl3CLBAAAAAElFTkSuQmCC',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNY+YoPAAPhAaLu78B/AAAAAElFTkSuQmCC',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAABXRFWHRhAGJjZEG8fm8AAAAMSURBVHicY/h4KBsABMYCH+OBsTMAAAAASUVORK5CYII=',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAABHRFWHRhAGJjt25/6QAAAAxJREFUeJxj+HgoGwAExgIf44GxMwAAAABJRU5ErkJggg==',
] as const;

/** The first of them with a comment: as long as a photograph. */
function longPicture(): string {
  const bytes = Buffer.from(PIXELS[0], 'base64');
  const comment = Buffer.concat([Buffer.from('tEXtComment\0'), Buffer.alloc(90_000, 'tally ')]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(comment.length - 4);
  sum.writeUInt32BE(crc32(comment));
  const [head, rest] = [bytes.subarray(0, PNG_HEAD), bytes.subarray(PNG_HEAD)];
  return Buffer.concat([head, length, comment, sum, rest]).toString('base64');
}

/** Bytes of the signature and of the first chunk of a PNG file. */
const PNG_HEAD = 33;

export const encodings = scenario({
  id: 'proxy.skin.encodings',
  api: 'registry',
  title: 'images with every character of Base64 and every ending, and a long one',
  permissions: ['billed'],
  needs: ['proxy.partner', 'proxy.image'],
  judges: ['proxy.skin.image-forms'],
  severalCases: ['proxy.skin.image-forms'],
  requests: { run: { method: 'POST', target: ROUTE, as: 'valid', times: PIXELS.length + 1 } },
  run: async function* ({ send, fixtures }) {
    if (fixtures.proxy?.image?.base64 === undefined) return;
    const answers: Exchange[] = [];
    for (const image of [...PIXELS, longPicture()])
      answers.push(await send('run', { fill: partner(fixtures), body: { ...whole(fixtures), image } }));
    const [one] = answers.filter(isSuccess);
    // The minimum size of a picture is not documented: if all are refused, that may be the reason.
    if (one === undefined) return;
    // Document 2, Skin enhancer request, row image: Base64 (RFC 4648, section 4). A maximum size is not
    // documented either.
    for (const answer of answers.filter(({ status }) => status !== 413))
      yield check(
        'proxy.skin.image-forms',
        [one, answer],
        isSuccess(answer),
        'a success for an image like an accepted one',
        String(answer.status),
      );
  },
});

export const badImages = scenario({
  id: 'proxy.skin.bad-images',
  api: 'registry',
  title: 'images that are neither Base64 nor an HTTPS address',
  permissions: ['negatives'],
  needs: ['proxy.partner'],
  judges: ['proxy.skin.image-refused'],
  severalCases: ['proxy.skin.image-refused'],
  requests: { bad: { method: 'POST', target: ROUTE, as: 'valid', times: 19 } },
  run: async function* ({ send, fixtures }) {
    const long = longPicture();
    // Document 2, Skin enhancer request, row image (inference): a string in one of two forms. The status is not shown.
    for (const image of [
      7,
      true,
      'http://tallystick.invalid/portrait.jpg',
      'http://tallystick.invalid:8443/portrait.jpg',
      'ftp://tallystick.invalid/portrait.jpg',
      'file:///portrait.jpg',
      'https://tallystick.invalid/a portrait.jpg',
      'https://',
      'not an image!',
      'aGVs*bG8=',
      'aG==aGVs',
      'aGVsb',
      ' https://tallystick.invalid/portrait.jpg',
      '//tallystick.invalid/portrait.jpg',
      ['aGVsbG8='],
      { url: 'https://tallystick.invalid/portrait.jpg' },
      // A check may be limited to the beginning.
      `${long}*`,
      `${long.slice(0, -8)}!${long.slice(-7)}`,
      `http://tallystick.invalid/${'portrait/'.repeat(400)}`,
    ]) {
      const answer = await send('bad', { fill: partner(fixtures), body: { ...whole(fixtures), image } });
      yield check(
        'proxy.skin.image-refused',
        answer,
        !isSuccess(answer),
        `no success for the image ${sketch(image)}`,
        String(answer.status),
      );
    }
  },
});
