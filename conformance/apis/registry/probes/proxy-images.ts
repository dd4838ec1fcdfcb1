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

/** A PNG file with a comment. */
function commented(png: string, letters: number): string {
  const bytes = Buffer.from(png, 'base64');
  const comment = Buffer.concat([Buffer.from('tEXtComment\0'), Buffer.alloc(letters, 'tally ')]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(comment.length - 4);
  sum.writeUInt32BE(crc32(comment));
  const [head, rest] = [bytes.subarray(0, PNG_HEAD), bytes.subarray(PNG_HEAD)];
  return Buffer.concat([head, length, comment, sum, rest]).toString('base64');
}

/** The first of them with a comment: as long as a photograph. */
function longPicture(): string {
  return commented(PIXELS[0], 90_000);
}

/** Bytes of the signature and of the first chunk of a PNG file. */
const PNG_HEAD = 33;

/** Longer than a short text, and far from any maximum size. */
const LETTERS = 200;
const SHORT = 10_000;

/** The same picture with a comment, if it is small and of a known kind: a JPEG, GIF or PNG file. */
function lengthened(picture: string): string | undefined {
  const bytes = Buffer.from(picture, 'base64');
  const comment = Buffer.alloc(LETTERS, 'tally ');
  if (picture.length > SHORT) return undefined;
  // After the mark of the beginning; its length counts itself.
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) {
    const head = Buffer.from([0xff, 0xfe, 0, LETTERS + 2]);
    return Buffer.concat([bytes.subarray(0, 2), head, comment, bytes.subarray(2)]).toString('base64');
  }
  // Before the mark of the end.
  if (bytes.toString('latin1').startsWith('GIF89a') && bytes.at(-1) === 0x3b) {
    const extension = Buffer.concat([Buffer.from([0x21, 0xfe, LETTERS]), comment, Buffer.from([0, 0x3b])]);
    return Buffer.concat([bytes.subarray(0, -1), extension]).toString('base64');
  }
  return bytes.toString('latin1').startsWith('\u0089PNG') ? commented(picture, LETTERS) : undefined;
}

export const encodings = scenario({
  id: 'proxy.skin.encodings',
  api: 'registry',
  title: 'images with every character of Base64 and every ending, and a long one',
  permissions: ['billed'],
  needs: ['proxy.partner', 'proxy.image'],
  judges: ['proxy.skin.image-forms'],
  severalCases: ['proxy.skin.image-forms'],
  requests: { run: { method: 'POST', target: ROUTE, as: 'valid', times: PIXELS.length + 3 } },
  run: async function* ({ send, fixtures }) {
    const own = fixtures.proxy?.image?.base64;
    if (own === undefined) return;
    const longer = lengthened(own);
    if (longer !== undefined) {
      const answer = await send('run', {
        fill: partner(fixtures),
        body: { ...whole(fixtures), image: longer },
      });
      const control = isSuccess(answer)
        ? undefined
        : await send('run', { fill: partner(fixtures), body: whole(fixtures) });
      // Document 2, Skin enhancer request, row image: Base64, and a comment does not change a picture. A status that
      // speaks of size, of haste or of the server itself says nothing about the form.
      const isRefused = answer.status >= 400 && answer.status < 500 && ![413, 429].includes(answer.status);
      if (control !== undefined && isSuccess(control) && isRefused)
        yield check(
          'proxy.skin.image-forms',
          [control, answer],
          false,
          'a success for an accepted image with a comment',
          String(answer.status),
        );
    }
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
      // RFC 3986, section 3.1: a scheme in any case.
      'HTTP://tallystick.invalid:8443/portrait.jpg',
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
