import { check } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { SendOptions } from '../../../scenarios/scenario.ts';
import { sketchAnswer } from '../../../exchanges/sketch.ts';
import { bodyOf, endGrace, eventNames, events, read, sketchRefusal, submit } from './job.ts';

/**
 * RFC 8259, section 2: whitespace between tokens has no meaning, and a letter may be escaped (section 7). RFC 9112,
 * section 7.1: a recipient reads chunks. It may demand a length with 411.
 */
const SPELLINGS: readonly (readonly [
  what: string,
  spell: (body: unknown) => string,
  options?: Pick<SendOptions, 'contentType' | 'isChunked'>,
])[] = [
  ['over many lines', (body) => `\n\t${JSON.stringify(body, null, 2)}\n`],
  [
    'in UTF-8, and saying so',
    (body) => JSON.stringify(body),
    { contentType: 'application/json; charset=UTF-8' },
  ],
  [
    'with an escaped letter in a name, in chunks',
    (body) => JSON.stringify(body).replace(/"([a-z])/, (_, letter: string) => `"${escaped(letter)}`),
    { isChunked: true },
  ],
];

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Rules that oracles judge by the stream and the read of a short job. */
const OF_A_SHORT_JOB = ['jobs.job.started-at-set', 'jobs.sse.terminal-before-end'] as const;

/** How long its stream is watched, in milliseconds. */
const WATCHED_MS = 10_000;

export const spellings = scenario({
  id: 'jobs.submit.spellings',
  api: 'jobs',
  title: 'one submission, spelled in several ways',
  permissions: ['jobs'],
  needs: ['job.ok'],
  judges: ['jobs.submit.201', ...OF_A_SHORT_JOB],
  severalCases: ['jobs.submit.201'],
  searches: OF_A_SHORT_JOB,
  requests: {
    plain: submit,
    spelled: { ...submit, times: SPELLINGS.length },
    odd: submit,
    events,
    read,
  },
  run: async function* ({ send, watch, fixtures }) {
    const body = bodyOf(fixtures, 'tiny') ?? bodyOf(fixtures, 'ok');
    const plain = await send('plain', { body });
    if (!isSuccess(plain)) throw new BrokenFixture('job.ok', sketchAnswer(plain), [plain.id]);
    // A short job has the same life as a long one: oracles judge what its stream and its read show.
    const fill = { id: String(member(plain.json, 'id')) };
    await watch('events', { fill, timeoutMs: WATCHED_MS, grace: endGrace(eventNames(fixtures)) });
    await send('read', { fill });
    for (const [what, spell, options = {}] of SPELLINGS) {
      const spelled = await send('spelled', { ...options, body: spell(body) });
      if (options.isChunked === true && spelled.status === 411) continue;
      // Document 3, Submit request, row body: JSON.
      yield check(
        'jobs.submit.201',
        [plain, spelled],
        isSuccess(spelled) || spelled.status >= 429,
        `a success for the same graph ${what}`,
        sketchRefusal(spelled),
      );
    }
    // For the shape of its errors: some databases cannot store NUL, which a string of JSON may contain.
    await send('odd', { body: JSON.stringify(body).replace(/"(?=[^"]*$)/, '\\u0000"') });
  },
});
