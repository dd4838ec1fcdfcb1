import { canonical } from '../../../../contract/canonical-json.ts';
import { check } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { NotExercised, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { bucketOf, isRefusal, sketchRefusal } from './answers.ts';
import { inQuery } from './catalogue.ts';

const everyBadCursor = ['router.list.cursor-never-500', 'router.list.cursor-no-fallback'] as const;

/** Document 1, GET /v1/models, rule 2: 400 `invalid_input`, never a 500, never silently page one. */
function* judgeBadCursor(rule: string, answer: Exchange): Generator<Check> {
  // A proxy may refuse a long target: that is not the router's answer.
  if ([414, 431].includes(answer.status) && bucketOf(answer) === undefined) return;
  yield check(
    rule,
    answer,
    isRefusal(answer, 400, 'invalid_input'),
    'status 400, bucket invalid_input',
    sketchRefusal(answer),
  );
  yield check(
    'router.list.cursor-never-500',
    answer,
    answer.status !== 500,
    'anything but a 500',
    sketchRefusal(answer),
  );
  yield check('router.list.cursor-no-fallback', answer, answer.status !== 200, 'a refusal and not a page');
}

/**
 * The same rule: a cursor leads on from its page, also after others were refused. Whether it is still valid then is
 * open.
 */
async function* judgeStillThere(
  first: Exchange,
  follow: (cursor: string) => Promise<Exchange>,
): AsyncGenerator<Check> {
  const cursor = member(first.json, 'next_cursor');
  const [entry] = entriesOn(first);
  if (typeof cursor !== 'string' || cursor === '' || entry === undefined) return;
  const next = await follow(inQuery(cursor));
  if (next.status !== 200) return;
  const isFirst = canonical(entriesOn(next)[0]) === canonical(entry);
  const expected = 'the page behind the cursor, after others were refused';
  yield check('router.list.cursor-no-fallback', [first, next], !isFirst, expected, 'the first page');
}

function entriesOn(page: Exchange): readonly unknown[] {
  const data = member(page.json, 'data');
  return Array.isArray(data) ? (data as readonly unknown[]) : [];
}

/** How often a good cursor follows a bad one at once. */
const PAIRS = 2;

export const badCursors = scenario({
  id: 'router.list.bad-cursors',
  api: 'router',
  title: 'cursors that no server issued',
  judges: [
    'router.list.cursor-empty-400',
    'router.list.cursor-malformed-400',
    'router.list.cursor-overlong-400',
    ...everyBadCursor,
  ],
  severalCases: [
    'router.list.cursor-never-500',
    'router.list.cursor-no-fallback',
    'router.list.cursor-empty-400',
    'router.list.cursor-malformed-400',
    'router.list.cursor-overlong-400',
  ],
  requests: {
    empty: { method: 'GET', target: '/v1/models?cursor=', as: 'valid', times: 1 },
    emptyWithLimit: { method: 'GET', target: '/v1/models?cursor=&limit=5', as: 'valid', times: 1 },
    emptyBehindLimit: { method: 'GET', target: '/v1/models?limit=5&cursor=', as: 'valid', times: 1 },
    malformed: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 16 + PAIRS },
    overlong: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 1 },
    overlongOfMany: { method: 'GET', target: '/v1/models?limit=500&cursor={cursor}', as: 'valid', times: 1 },
    undecodable: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 2 },
    first: { method: 'GET', target: '/v1/models?limit=1', as: 'valid', times: 1 },
    next: { method: 'GET', target: '/v1/models?limit=1&cursor={cursor}', as: 'valid', times: 2 + PAIRS },
  },
  run: async function* ({ send, random }) {
    const first = await send('first');
    const follow = (cursor: string): Promise<Exchange> => send('next', { fill: { cursor } });
    for (const name of ['empty', 'emptyWithLimit', 'emptyBehindLimit'] as const)
      yield* judgeBadCursor('router.list.cursor-empty-400', await send(name));
    yield* judgeStillThere(first, follow);
    const invented = Array.from({ length: 8 }, () => randomCursor(random));
    // The longest and the shortest possible ones.
    const odd = ['!!!', '%00', '%20%20', 'zzzz', 'a%2Fb%3Fc', '%F0%9F%92%A5', '~', 'A'.repeat(512)];
    for (const cursor of [...odd, ...invented]) {
      yield* judgeBadCursor(
        'router.list.cursor-malformed-400',
        await send('malformed', { fill: { cursor } }),
      );
    }
    yield* judgeStillThere(first, follow);
    // A gateway may refuse a target with a broken escape, so it is open which server refuses it.
    for (const cursor of ['%zz', '%']) {
      const answer = await send('undecodable', { fill: { cursor } });
      yield check(
        'router.list.cursor-no-fallback',
        answer,
        answer.status !== 200,
        'a refusal and not a page',
      );
    }
    for (const [name, length] of [
      ['overlong', 8000],
      ['overlongOfMany', 513],
    ] as const) {
      const answer = await send(name, { fill: { cursor: 'A'.repeat(length) } });
      yield* judgeBadCursor('router.list.cursor-overlong-400', answer);
    }
    // Several times, because another scenario may ask for a page in between.
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const answer = await send('malformed', { fill: { cursor: 'zzzz' } });
      yield* judgeBadCursor('router.list.cursor-malformed-400', answer);
      yield* judgeStillThere(first, follow);
    }
  },
});

/** The other forms of a credential (document 1, Authentication, items 2 and 3). */
const FORMS = ['apiKey', 'apiKeyAsBearer', 'jwt'] as const;
const MADE_UP = ['', '!!!', 'zzzz'] as const;
const byForm = {
  method: 'GET',
  target: '/v1/models?cursor={cursor}',
  times: MADE_UP.length,
  isOptional: true,
  judgesCredential: true,
} as const;

export const badCursorsByForm = scenario({
  id: 'router.list.bad-cursors-by-form',
  api: 'router',
  title: 'cursors that no server issued, with each form of a credential',
  judges: ['router.list.cursor-empty-400', 'router.list.cursor-malformed-400', ...everyBadCursor],
  searches: ['router.list.cursor-empty-400', 'router.list.cursor-malformed-400', ...everyBadCursor],
  requests: {
    apiKey: { ...byForm, as: 'apiKey' },
    apiKeyAsBearer: { ...byForm, as: 'apiKeyAsBearer' },
    jwt: { ...byForm, as: 'jwt' },
  },
  run: async function* ({ send, knows }) {
    for (const form of FORMS.filter((one) => knows(one)))
      for (const cursor of MADE_UP) {
        const answer = await send(form, { fill: { cursor } });
        // Other rules cover a form that is refused.
        if (answer.status === 401 || answer.status === 403) break;
        const rule = cursor === '' ? 'router.list.cursor-empty-400' : 'router.list.cursor-malformed-400';
        yield* judgeBadCursor(rule, answer);
      }
  },
});

export const truncatedCursors = scenario({
  id: 'router.list.truncated-cursors',
  api: 'router',
  title: 'truncated and lengthened cursors',
  judges: ['router.list.cursor-truncated-400', 'router.list.cursor-malformed-400', ...everyBadCursor],
  severalCases: [
    'router.list.cursor-malformed-400',
    'router.list.cursor-truncated-400',
    'router.list.cursor-never-500',
    'router.list.cursor-no-fallback',
  ],
  requests: {
    first: { method: 'GET', target: '/v1/models?limit=1', as: 'valid', times: 1 },
    truncated: { method: 'GET', target: '/v1/models?limit=1&cursor={cursor}', as: 'valid', times: 7 },
    lengthened: { method: 'GET', target: '/v1/models?limit=1&cursor={cursor}', as: 'valid', times: 8 },
    other: { method: 'GET', target: '/v1/models?limit=1&cursor={cursor}', as: 'valid', times: 3 },
  },
  run: async function* ({ send }) {
    const first = await send('first');
    const cursor = member(first.json, 'next_cursor');
    if (typeof cursor !== 'string' || cursor.length < 2) {
      throw new NotExercised('pages>=2', 'needs pages>=2: the catalogue has a single model');
    }
    // Without its last characters: in some encodings the text is valid again after two, four or eight.
    const lengths = [1, 2, 4, 8].map((count) => cursor.length - count).filter((length) => length > 0);
    for (const length of new Set([...lengths, Math.ceil(cursor.length / 2), 1])) {
      const fill = { cursor: inQuery(cursor.slice(0, length)) };
      yield* judgeBadCursor('router.list.cursor-truncated-400', await send('truncated', { fill }));
    }
    // The same rule: a cursor with additional text is not one that the server issued.
    for (const longer of [
      `${cursor}!`,
      `${cursor} `,
      ` ${cursor}`,
      `${cursor}AAAA`,
      `${cursor}${cursor}`,
      `A${cursor}`,
      // The given one after it is decoded once more.
      `%${Buffer.from(cursor.slice(0, 1)).toString('hex')}${cursor.slice(1)}`,
    ]) {
      if (longer.length > 512) continue;
      const fill = { cursor: inQuery(longer) };
      yield* judgeBadCursor('router.list.cursor-malformed-400', await send('lengthened', { fill }));
    }
    // Neither is one that some parsers truncate. A gateway may refuse such a target.
    const ended = await send('lengthened', { fill: { cursor: `${inQuery(cursor)}%00` } });
    yield check('router.list.cursor-no-fallback', ended, ended.status !== 200, 'a refusal and not a page');
    // Document 1, Identifier schemas, rule 5: neither an offset nor a model ID.
    const [entry] = (member(first.json, 'data') ?? []) as readonly unknown[];
    for (const other of [...(/^\d+$/.test(cursor) ? [] : ['1', '20']), member(entry, 'id')]) {
      if (typeof other !== 'string' || other === cursor) continue;
      const fill = { cursor: inQuery(other) };
      yield* judgeBadCursor('router.list.cursor-malformed-400', await send('other', { fill }));
    }
  },
});

export const sharedCursor = scenario({
  id: 'router.list.shared-cursor',
  api: 'router',
  title: 'a cursor that another account was given',
  needs: ['cred.secondAccount'],
  judges: ['router.list.cursor-never-500'],
  requests: {
    first: { method: 'GET', target: '/v1/models?limit=1', as: 'valid', times: 1 },
    other: { method: 'GET', target: '/v1/models?limit=1&cursor={cursor}', as: 'secondAccount', times: 1 },
  },
  run: async function* ({ send }) {
    const cursor = member((await send('first')).json, 'next_cursor');
    if (typeof cursor !== 'string')
      throw new NotExercised('pages>=2', 'needs pages>=2: the catalogue has a single model');
    const answer = await send('other', { fill: { cursor: inQuery(cursor) } });
    // Document 1, GET /v1/models, rule 2. Its validity for another account is open.
    yield check(
      'router.list.cursor-never-500',
      answer,
      answer.status !== 500,
      'anything but a 500',
      sketchRefusal(answer),
    );
  },
});

export const expiredCursor = scenario({
  id: 'router.list.expired-cursor',
  api: 'router',
  title: 'a cursor that is no longer valid',
  needs: ['cursor.expired'],
  judges: ['router.list.cursor-expired-400', ...everyBadCursor],
  requests: {
    expired: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 1 },
    sized: { method: 'GET', target: '/v1/models?limit=5&cursor={cursor}', as: 'valid', times: 1 },
  },
  severalCases: ['router.list.cursor-expired-400', ...everyBadCursor],
  run: async function* ({ send, fixtures }) {
    const fill = { cursor: encodeURIComponent(fixtures.cursor?.expired ?? '') };
    for (const name of ['expired', 'sized'] as const)
      yield* judgeBadCursor('router.list.cursor-expired-400', await send(name, { fill }));
  },
});

// --- internal ---

const CURSOR_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~-';

/** Well-formed, but not issued by any server. */
function randomCursor(random: () => number): string {
  const length = 3 + Math.floor(random() * 60);
  return Array.from(
    { length },
    () => CURSOR_CHARACTERS[Math.floor(random() * CURSOR_CHARACTERS.length)],
  ).join('');
}
