import { canonical } from '../../../contract/canonical-json.ts';
import { check } from '../../scenarios/check.ts';
import { member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { operation } from '../../explore/model.ts';
import type { ModelOperation } from '../../explore/model.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import { answerTo, isServed, judgeCaller } from './explore-callers.ts';
import type { CatalogueReader } from './explore-callers.ts';
import { bucketOf, isRefusal, sketchRefusal } from './probes/answers.ts';
import { inQuery } from './probes/catalogue.ts';
import { CURSOR, judgePage, pageRules } from './wire/page-shape.ts';

/** A cursor, with the request whose answer contained it. */
interface Issued {
  readonly cursor: string;
  readonly limit: string;
  readonly page: Exchange;
}

export interface PageWalk {
  /** In order of receipt. */
  readonly cursors: Issued[];
}

export const listRules = [
  ...pageRules,
  'router.list.limit-default',
  'router.list.limit-honoured',
  'router.list.limit-clamped',
  'router.list.limit-zero',
  'router.list.limit-negative',
  'router.list.cursor-accepted',
  'router.list.second-page-progress',
  'router.list.cursor-empty-400',
  'router.list.cursor-malformed-400',
  'router.list.cursor-truncated-400',
  'router.list.cursor-overlong-400',
  'router.list.cursor-no-fallback',
];

type ListOperation = ModelOperation<PageWalk, `list ${CatalogueReader}`>;

/** Document 1, GET /v1/models: pages of every size, from the start and from a cursor. */
export const listing: ListOperation = operation({
  factors: {
    limit: ['2', 'none', '1', '20', '100', '0', '-3', '101', '5000'],
    cursor: ['none', 'last', 'first'],
  },
  sends: () => ({ 'list valid': 3 }),
  isPossible: ({ cursors }, { cursor }) => cursor === 'none' || cursors.length > 0,
  perform: async function* ({ state, session, choices: { limit, cursor: kind } }) {
    const issued = kind === 'none' ? undefined : kind === 'first' ? state.cursors[0] : state.cursors.at(-1);
    const ask = (cursor: string | undefined): Promise<Exchange> =>
      answerTo(session as Session, 'list valid', { fill: { query: query(limit, cursor) } });
    const page = await ask(issued?.cursor);
    const isOwn = issued?.limit === limit;
    if (issued !== undefined && page.status === 400)
      return yield* judgeRefused(page, kind === 'last' && isOwn, async () => {
        const next = member((await ask(undefined)).json, 'next_cursor');
        return typeof next === 'string' && CURSOR.test(next) ? ask(next) : undefined;
      });
    yield* judgePage(page);
    // Changing the limit between pages is open.
    if (issued === undefined || isOwn) yield* judgeLimit(page, limit);
    if (issued !== undefined && isOwn) yield* judgeProgress(issued, page);
    const next = member(page.json, 'next_cursor');
    if (typeof next === 'string' && CURSOR.test(next)) state.cursors.push({ cursor: next, limit, page });
  },
});

/** The same place, rule 2: cursors that no server has issued. */
export const listingBadly: ListOperation = operation({
  factors: {
    cursor: ['empty', 'foreign', 'cut', 'lengthened', 'overlong'],
    limit: ['none', '2', '0', '101'],
  },
  sends: () => ({ 'list valid': 1 }),
  isPossible: ({ cursors }, { cursor }) =>
    cursor === 'cut' || cursor === 'lengthened' ? cursors.length > 0 : true,
  perform: async function* ({ state, session, choices: { limit, cursor: kind } }) {
    const cursor = badCursor(kind, state.cursors.at(-1)?.cursor ?? '');
    const page = await answerTo(session as Session, 'list valid', { fill: { query: query(limit, cursor) } });
    yield* judgeBadCursor(BAD[kind], page);
  },
});

/** Document 1, Authentication: pages for all callers. */
export function listingAs(callers: readonly CatalogueReader[]): ListOperation {
  return operation({
    factors: { as: callers, cursor: ['none', 'last', 'foreign', 'empty'], limit: ['none', '2', '0'] },
    sends: ({ as }): Partial<Record<`list ${CatalogueReader}`, number>> => ({ [`list ${as}`]: 1 }),
    perform: async function* ({ state, session, choices: { as, cursor: kind, limit } }) {
      const isBad = kind === 'foreign' || kind === 'empty';
      const cursor = isBad ? badCursor(kind, '') : kind === 'last' ? state.cursors.at(-1)?.cursor : undefined;
      const page = await answerTo(session as Session, `list ${as}`, {
        fill: { query: query(limit, cursor) },
      });
      yield* judgeCaller(page, as, cursor === undefined && limit === 'none' ? undefined : 400);
      if (!isServed(page, as)) return;
      if (isBad) yield* judgeBadCursor(BAD[kind], page);
      else if (cursor === undefined) yield* judgeLimit(page, limit);
    },
  });
}

// --- internal ---

/** Document 1, GET /v1/models, rule 2. */
const BAD = {
  cut: 'router.list.cursor-truncated-400',
  lengthened: 'router.list.cursor-malformed-400',
  empty: 'router.list.cursor-empty-400',
  foreign: 'router.list.cursor-malformed-400',
  overlong: 'router.list.cursor-overlong-400',
} as const;

function badCursor(kind: keyof typeof BAD, issued: string): string {
  switch (kind) {
    case 'empty':
      return '';
    case 'cut':
      return issued.slice(0, -1);
    case 'lengthened':
      return `${issued}A`;
    case 'foreign':
      return 'no cursor!';
    case 'overlong':
      return 'A'.repeat(513);
  }
}

function query(limit: string, cursor: string | undefined): string {
  return [
    ...(limit === 'none' ? [] : [`limit=${limit}`]),
    ...(cursor === undefined ? [] : [`cursor=${inQuery(cursor)}`]),
  ].join('&');
}

function* judgeBadCursor(rule: string, page: Exchange): Generator<Check> {
  // A proxy may refuse a long target: that is not the router's answer.
  if (page.status === 414 || (page.status === 431 && bucketOf(page) === undefined)) return;
  const expected = 'status 400, bucket invalid_input';
  yield check(rule, page, isRefusal(page, 400, 'invalid_input'), expected, sketchRefusal(page));
  yield check('router.list.cursor-no-fallback', page, page.status !== 200, 'a refusal and not a page');
}

/**
 * The same place, parameter cursor (inference): the cursor advances. Entries may be repeated, but not the
 * whole page.
 */
function* judgeProgress(issued: Issued, page: Exchange): Generator<Check> {
  const data = member(page.json, 'data');
  if (page.status !== 200 || !Array.isArray(data) || data.length === 0) return;
  const isSame = canonical(member(issued.page.json, 'data')) === canonical(data);
  const expected = 'other entries than on the page that had the cursor';
  yield check('router.list.second-page-progress', [issued.page, page], !isSame, expected);
}

/**
 * A catalogue that was rebuilt may invalidate a cursor, but one that is used at once must be accepted.
 *
 * @param isNew whether the cursor is the newest one, with the original limit
 */
async function* judgeRefused(
  page: Exchange,
  isNew: boolean,
  again: () => Promise<Exchange | undefined>,
): AsyncGenerator<Check> {
  const second = isNew ? await again() : undefined;
  if (second === undefined) return;
  yield check(
    'router.list.cursor-accepted',
    [page, second],
    second.status !== 400,
    'a page for the cursor that the page before has just given',
    sketchRefusal(second),
  );
}

/** Document 1, GET /v1/models, parameter limit. */
function* judgeLimit(page: Exchange, limit: string): Generator<Check> {
  const asked = limit === 'none' ? undefined : Number(limit);
  const [rule, served] =
    asked === undefined
      ? (['router.list.limit-default', 20] as const)
      : asked === 0
        ? (['router.list.limit-zero', 20] as const)
        : asked < 0
          ? (['router.list.limit-negative', 20] as const)
          : asked > 100
            ? (['router.list.limit-clamped', 100] as const)
            : (['router.list.limit-honoured', asked] as const);
  const holds = page.status === 200 && member(page.json, 'limit') === served;
  yield check(rule, page, holds, `status 200 and limit ${served} echoed`);
}
