import { check, observed, undecided } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { sketchRefusal } from './answers.ts';
import { catalogue, walkPages } from './catalogue.ts';
import type { Walk } from './catalogue.ts';
import { CURSOR, judgePage, pageRules } from '../wire/page-shape.ts';

const MOST_PAGES = 50;
/** As many as the catalogue may have. */
const MOST_LARGE_PAGES = 20;
/** Empty pages behind the end of a shorter walk, of which a few may be chance. */
const FEWEST_BEYOND = 5;

export const walkOfHundreds = scenario({
  id: 'router.list.walk',
  api: 'router',
  title: 'the whole catalogue in pages of 100',
  judges: [...pageRules, 'router.list.walk-terminates', 'router.availability.served'],
  uses: [catalogue],
  requests: { odd: { method: 'GET', target: '/v1/models?limit={limit}', as: 'valid', times: 4 } },
  run: async function* ({ obtain, send, fixtures }) {
    const { pages, entries, ended } = await obtain(catalogue);
    const [first] = pages;
    if (first !== undefined)
      yield observed('router.availability.served', first, `GET /v1/models returned ${first.status}`);
    for (const page of pages) yield* judgePage(page);
    yield* judgeEnd(pages, ended);
    // For the shape of its errors: the answer to a limit that is not an integer is not documented.
    for (const limit of ['+5', '1.5', 'ten', '']) await send('odd', { fill: { limit } });
    const { ok } = fixtures.model ?? {};
    if (ok !== undefined && entries.length === 0 && ended === 'end')
      throw new BrokenFixture(
        'model.ok',
        `the catalogue lists no model, not even ${ok.id}`,
        pages.map(({ id }) => id),
      );
  },
});

export const smallPages = scenario({
  id: 'router.list.small-pages',
  api: 'router',
  title: 'the catalogue in small pages, and in pages of the usual size',
  judges: [
    ...pageRules,
    'router.list.walk-terminates',
    'router.list.cursor-accepted',
    'router.list.has-more',
    'router.list.second-page-progress',
    'router.list.walk-sizes-agree',
  ],
  severalCases: [...pageRules, 'router.list.cursor-accepted', 'router.list.walk-terminates'],
  uses: [catalogue],
  requests: {
    first: { method: 'GET', target: '/v1/models?limit={limit}', as: 'valid', times: 14 },
    next: {
      method: 'GET',
      target: '/v1/models?limit={limit}&cursor={cursor}',
      as: 'valid',
      times: 6 * MOST_PAGES + 2 * MOST_LARGE_PAGES,
    },
    usual: { method: 'GET', target: '/v1/models', as: 'valid', times: 2 },
    usualNext: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 2 * MOST_PAGES },
    again: { method: 'GET', target: '/v1/models?limit=100', as: 'valid', times: 1 },
  },
  run: async function* (session) {
    const { send } = session;
    const hundreds = await session.obtain(catalogue);
    // Three to a page, or enough that a large catalogue needs no more pages than planned.
    const size = Math.min(50, Math.max(3, Math.ceil(hundreds.entries.length / (MOST_PAGES - 10))));
    const ones = yield* followed(session, 1, 5);
    const few = yield* followed(session, size, MOST_PAGES);
    const usual = yield* followed(session, 20, MOST_PAGES, { first: 'usual', next: 'usualNext' });
    // Limits that the server replaces: the next page begins where the served one ended.
    const isLong = (size: number): boolean => hundreds.ended === 'end' && hundreds.entries.length > size;
    const replaced = [
      ...(isLong(100) ? [yield* followed(session, 500, MOST_LARGE_PAGES)] : []),
      ...(isLong(20) ? [yield* followed(session, 0, MOST_PAGES)] : []),
    ];
    for (const { pages } of [ones, few, usual, ...replaced]) for (const page of pages) yield* judgePage(page);
    yield* judgeEnd(few.pages, few.ended);
    yield* judgeEnd(usual.pages, usual.ended);
    yield* judgeUnending(hundreds, [few, usual]);

    // Document 1, GET /v1/models, parameter cursor (inference): a cursor leads to the next page.
    const [one, two] = ones.pages;
    if (one !== undefined && two !== undefined) {
      const differs = sketch(member(one.json, 'data')) !== sketch(member(two.json, 'data'));
      yield two.status === 200
        ? check('router.list.second-page-progress', [one, two], differs, 'another entry on page two')
        : undecided('router.list.second-page-progress', [one, two], `no page two: ${sketchRefusal(two)}`);
    }

    // Document 1, GET /v1/models, rule 1 (inference): the sets are equal; order and repetition are not
    // documented.
    if (hundreds.ended !== 'end') return;
    const whole = idsOf(hundreds.entries);
    yield* judgeHasMore(ones, whole, () => send('again'));
    for (const small of [ones, few, usual, ...replaced]) {
      if (small.ended !== 'end') continue;
      const missing = differing(whole, idsOf(small.entries));
      if (missing.length > 0) {
        // The catalogue may have been rebuilt meanwhile; only a persistent difference counts.
        const again = await walkPages(
          session,
          { first: 'first', next: 'next' },
          100,
          hundreds.pages.length + 1,
        );
        if (again.ended !== 'end' || differing(whole, idsOf(again.entries)).length > 0) continue;
      }
      yield check(
        'router.list.walk-sizes-agree',
        [...small.pages.slice(0, 3), ...hundreds.pages.slice(0, 1)],
        missing.length === 0,
        'the same models in pages of every size',
        missing.length === 0
          ? `${whole.size} models`
          : `only in one of them: ${missing.slice(0, 3).join(', ')}`,
      );
      if (missing.length > 0) return;
    }
  },
});

// --- internal ---

/**
 * Document 1, GET /v1/models, parameter cursor: a cursor from the previous page gives the next page. Cursors
 * may become invalid when the catalogue is rebuilt, which does not happen during every walk.
 */
async function* followed(
  session: Session<'first' | 'next' | 'usual' | 'usualNext'>,
  limit: number,
  most: number,
  names: Parameters<typeof walkPages<'first' | 'next' | 'usual' | 'usualNext'>>[1] = {
    first: 'first',
    next: 'next',
  },
): AsyncGenerator<Check, Walk> {
  const isRefused = ({ pages }: Walk): boolean => pages.length > 1 && pages.at(-1)?.status !== 200;
  let walked = await walkPages(session, names, limit, most);
  if (isRefused(walked)) walked = await walkPages(session, names, limit, most);
  const [before, last] = walked.pages.slice(-2);
  // Another rule covers an invalid cursor.
  if (before !== undefined && last !== undefined && CURSOR.test(String(member(before.json, 'next_cursor'))))
    yield check(
      'router.list.cursor-accepted',
      [before, last],
      !isRefused(walked),
      'a page for the cursor that the page before has just given',
      isRefused(walked) ? `${sketchRefusal(last)} to the cursor of page ${walked.pages.length - 1}` : '200',
    );
  return walked;
}

/**
 * Document 1, RouterModelListResponse, row has_more: whether another page exists. A violation is a first page
 * of one entry that claims to be the last, while a page of 100 announces more, before and after it.
 */
async function* judgeHasMore(
  { pages, ended }: Walk,
  whole: ReadonlySet<string>,
  again: () => Promise<Exchange>,
): AsyncGenerator<Check> {
  const [first] = pages;
  if (first === undefined || whole.size < 2) return;
  const isLast = pages.length === 1 && ended === 'end';
  const later = isLast ? await again() : undefined;
  const data = member(later?.json, 'data');
  const isSure = Array.isArray(data) && idsOf(data).size > 1;
  if (isLast && !isSure) return;
  yield check(
    'router.list.has-more',
    later === undefined ? first : [first, later],
    !isLast,
    `has_more true on a page of one entry where the catalogue has ${whole.size}`,
    `has_more ${String(member(first.json, 'has_more'))}`,
  );
}

/**
 * Document 1, GET /v1/models, rule 1: a walk ends with `has_more` false. A walk that the suite's own limit
 * ended decides nothing.
 */
function* judgeEnd(pages: readonly Exchange[], ended: Walk['ended']): Generator<Check> {
  const last = pages.at(-1);
  if (ended === 'cap' || last === undefined) return;
  if (ended === 'broken') {
    const what = last.status === 200 ? 'is not a page that leads on' : `was ${sketchRefusal(last)}`;
    yield undecided('router.list.walk-terminates', last, `answer ${pages.length} of the walk ${what}`);
    return;
  }
  yield check(
    'router.list.walk-terminates',
    pages,
    ended === 'end',
    'a list that ends, without a repeated cursor',
    ended === 'end' ? `${pages.length} pages` : `the cursor of page ${pages.length} had come before`,
  );
}

/**
 * The same rule: a catalogue that smaller pages have walked to its end has no more of the larger ones. Some of
 * them may be empty; one empty page after another, beyond the end of the smaller ones, is no list that ends.
 */
function* judgeUnending(large: Walk, smaller: readonly Walk[]): Generator<Check> {
  const counts = smaller.filter(({ ended }) => ended === 'end').map(({ pages }) => pages.length);
  if (large.ended !== 'cap' || counts.length === 0) return;
  const beyond = large.pages.slice(Math.min(...counts));
  const isEmpty = ({ json }: Exchange): boolean => sketch(member(json, 'data')) === '[]';
  if (beyond.length < FEWEST_BEYOND || !beyond.every(isEmpty)) return;
  yield check(
    'router.list.walk-terminates',
    large.pages.slice(-3),
    false,
    `an end within the ${Math.min(...counts)} smaller pages that the whole catalogue takes`,
    `${beyond.length} empty pages after it, each with has_more`,
  );
}

function idsOf(entries: readonly unknown[]): ReadonlySet<string> {
  return new Set(entries.map((entry) => sketch(member(entry, 'id'))));
}

function differing(a: ReadonlySet<string>, b: ReadonlySet<string>): readonly string[] {
  return [...[...a].filter((id) => !b.has(id)), ...[...b].filter((id) => !a.has(id))];
}
