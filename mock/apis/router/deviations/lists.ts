import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { badCursorGets, cursorIgnored, defaultLimit, endlessEmptyPages, servedEntries } from './parts.ts';
import { along, breaks, parameter, refused, when } from '../../../deviations/wire.ts';
import type { Answer } from '../../../call/answer.ts';
import { isRecord } from '../../../../contract/index.ts';

type JsonRecord = Record<string, unknown>;

const list = ['listModels'];

const page =
  (change: (page: JsonRecord, seen: DeviationView) => unknown): NonNullable<Deviation['onReply']> =>
  (answer, seen) =>
    onJson(answer, 200, (body) => change(body, seen));

/** Changes one entry of the catalogue, on whatever page it stands. */
const oneEntry =
  (change: (entry: JsonRecord) => unknown): NonNullable<Deviation['onReply']> =>
  (answer) =>
    onJson(answer, 200, (body) => ({
      ...body,
      data: entriesOf(body).map((entry) => (entry['id'] === 'acme/upscale_4x' ? change(entry) : entry)),
    }));

/** Changes the last entry of the catalogue. */
const lastEntry = (change: (entry: JsonRecord) => unknown): NonNullable<Deviation['onReply']> =>
  page((body) =>
    body['has_more'] === false && entriesOf(body).length > 0
      ? { ...body, data: [...entriesOf(body).slice(0, -1), change(entriesOf(body).at(-1) ?? {})] }
      : body,
  );

/** A served page with another echo of its limit. */
const echo =
  (limit: number): ((answer: Answer) => Answer) =>
  (answer) =>
    onJson(answer, 200, (body) => ({ ...body, limit }));

const asked = (seen: DeviationView): number => Number(parameter(seen, 'limit') ?? Number.NaN);

const joined = (why: string): Deviation['alsoFails'] => along(why, 'router.ids.id-is-join');

const tooLong = 'a'.repeat(70);

/** Entries of the catalogue. */
const entries: readonly Deviation[] = [
  breaks('router.ids.provider-pattern', 'upper-case', {
    operations: list,
    alsoFails: joined('the ID keeps the true provider'),
    onReply: oneEntry((entry) => ({ ...entry, provider: 'Acme' })),
  }),
  breaks('router.ids.model-pattern', 'double-separator', {
    operations: list,
    alsoFails: joined('the ID keeps the true model'),
    onReply: oneEntry((entry) => ({ ...entry, model: 'flux..pro' })),
  }),
  breaks('router.ids.model-pattern', 'upper-case', {
    operations: list,
    alsoFails: joined('the ID keeps the true model'),
    onReply: oneEntry((entry) => ({ ...entry, model: 'Flux' })),
  }),
  breaks('router.ids.id-pattern', 'too-long', {
    operations: list,
    alsoFails: joined('the longer ID is no longer made of its parts'),
    onReply: oneEntry((entry) => ({ ...entry, id: `acme/${'a'.repeat(189)}` })),
  }),
  breaks('router.ids.id-is-join', 'other-provider', {
    operations: list,
    onReply: oneEntry((entry) => ({ ...entry, id: `elsewhere/${String(entry['model'])}` })),
  }),
  breaks('router.ids.per-segment-bound', 'long-provider', {
    operations: list,
    alsoFails: along('the length is part of the pattern rule as well', 'router.ids.provider-pattern'),
    onReply: oneEntry(({ model }) => ({ id: `${tooLong}/${String(model)}`, provider: tooLong, model })),
  }),
  breaks('router.ids.no-variant', 'variant-listed', {
    operations: list,
    alsoFails: joined('three parts are not the join of two'),
    onReply: oneEntry((entry) => ({ ...entry, id: `${String(entry['id'])}/fast` })),
  }),
  breaks('router.list.entry-exact', 'billing', {
    operations: list,
    onReply: oneEntry((entry) => ({ ...entry, billing: {} })),
  }),
  breaks('router.list.entry-required', 'no-model', {
    operations: list,
    onReply: oneEntry(({ id, provider }) => ({ id, provider })),
  }),
];

const noWholeSet = along('a walk that goes wrong shows no whole set', 'router.list.walk-sizes-agree');

const leadsNowhere = along(
  'the cursor leads nowhere',
  'router.list.second-page-progress',
  'router.list.walk-terminates',
  'router.list.cursor-accepted',
);

/** Pages and their sizes. */
const pages: readonly Deviation[] = [
  breaks('router.cursor.shape', 'colon', {
    operations: list,
    alsoFails: [...noWholeSet, ...leadsNowhere],
    onReply: page((body) => ('next_cursor' in body ? { ...body, next_cursor: 'a:b' } : body)),
  }),
  breaks('router.cursor.shape', 'too-long', {
    operations: list,
    alsoFails: [...noWholeSet, ...leadsNowhere],
    onReply: page((body) => ('next_cursor' in body ? { ...body, next_cursor: 'A'.repeat(513) } : body)),
  }),
  breaks('router.list.body-required', 'text-has-more', {
    operations: list,
    alsoFails: along(
      'what has_more promises cannot be read',
      'router.list.cursor-iff-more',
      'router.list.cursor-omitted-not-null',
    ),
    onReply: page((body) => ({ ...body, has_more: String(body['has_more']) })),
  }),
  breaks('router.list.body-required', 'no-limit', {
    operations: list,
    alsoFails: along(
      'there is no echo to compare with',
      'router.list.limit-range',
      'router.list.data-at-most-limit',
      'router.list.limit-default',
      'router.list.limit-honoured',
      'router.list.limit-clamped',
      'router.list.limit-clamped-huge',
      'router.list.limit-zero',
      'router.list.limit-negative',
    ),
    onReply: page(({ limit: _, ...body }) => body),
  }),
  breaks('router.list.data-at-most-limit', 'one-more', {
    operations: list,
    onReply: page((body) => ({ ...body, data: [...entriesOf(body), ...entriesOf(body).slice(-1)] })),
  }),
  breaks('router.list.limit-range', 'zero', {
    operations: list,
    alsoFails: along(
      'no page fits a limit of zero, and none was asked for',
      'router.list.data-at-most-limit',
      'router.list.limit-default',
      'router.list.limit-honoured',
      'router.list.limit-zero',
      'router.list.limit-negative',
    ),
    onReply: when((_, seen) => parameter(seen, 'cursor') !== undefined, echo(0)),
  }),
  breaks('router.list.cursor-iff-more', 'missing', {
    operations: list,
    alsoFails: [
      ...noWholeSet,
      ...along(
        'no cursor is there to be judged or cut',
        'router.cursor.shape',
        'router.list.second-page-progress',
        'router.list.cursor-truncated-400',
        'router.list.walk-terminates',
        'router.list.cursor-accepted',
      ),
    ],
    onReply: page(({ next_cursor: _, ...body }) => body),
  }),
  breaks('router.list.cursor-iff-more', 'on-last', {
    operations: list,
    onReply: page((body) => (body['has_more'] === false ? { ...body, next_cursor: 'AAAA' } : body)),
  }),
  breaks('router.list.cursor-omitted-not-null', 'null', {
    operations: list,
    onReply: page((body) => ('next_cursor' in body ? body : { ...body, next_cursor: null })),
  }),
  breaks('router.list.limit-default', '50', {
    operations: list,
    alsoFails: along(
      'the default is what it selects',
      'router.list.limit-zero',
      'router.list.limit-negative',
    ),
    replaces: { router: defaultLimit(50) },
  }),
  breaks('router.list.limit-honoured', 'raised', {
    operations: list,
    onReply: when((_, seen) => asked(seen) > 0 && asked(seen) < 20, echo(20)),
  }),
  breaks('router.list.limit-honoured', 'serves-20', {
    operations: list,
    replaces: { router: servedEntries(20) },
  }),
  breaks('router.list.limit-clamped', '400', {
    operations: list,
    onReply: when(
      (_, seen) => asked(seen) > 100 && asked(seen) < 1e9,
      (answer, seen) => refused(answer, seen, 400, 'badInput'),
    ),
  }),
  breaks('router.list.limit-clamped', 'echo', {
    operations: list,
    alsoFails: along('what is echoed is above 100', 'router.list.limit-range'),
    onReply: when(
      (_, seen) => asked(seen) > 100 && asked(seen) < 1e9,
      (answer, seen) => echo(asked(seen))(answer),
    ),
  }),
  breaks('router.list.limit-clamped-huge', '500', {
    operations: list,
    onReply: when(
      (_, seen) => asked(seen) >= 1e9,
      (answer, seen) => refused(answer, seen, 500, 'internal'),
    ),
  }),
  breaks('router.list.limit-clamped-huge', '400', {
    operations: list,
    onReply: when(
      (_, seen) => asked(seen) >= 1e9,
      (answer, seen) => refused(answer, seen, 400, 'badInput'),
    ),
  }),
  breaks('router.list.limit-zero', '400', {
    operations: list,
    onReply: when(
      (_, seen) => asked(seen) === 0,
      (answer, seen) => refused(answer, seen, 400, 'badInput'),
    ),
  }),
  breaks('router.list.limit-zero', 'one', {
    operations: list,
    alsoFails: along('a later page holds more than is echoed', 'router.list.data-at-most-limit'),
    onReply: when((_, seen) => asked(seen) === 0, echo(1)),
  }),
  breaks('router.list.limit-negative', '400', {
    operations: list,
    onReply: when(
      (_, seen) => asked(seen) < 0,
      (answer, seen) => refused(answer, seen, 400, 'badInput'),
    ),
  }),
  breaks('router.list.limit-negative', 'absolute', {
    operations: list,
    alsoFails: along('a later page holds more than is echoed', 'router.list.data-at-most-limit'),
    onReply: when(
      (_, seen) => asked(seen) < 0,
      (answer, seen) => echo(-asked(seen))(answer),
    ),
  }),
];

/** Walks from page to page. */
const walks: readonly Deviation[] = [
  breaks('router.list.walk-terminates', 'loop', {
    operations: list,
    alsoFails: noWholeSet,
    onReply: when(
      (_, seen) => parameter(seen, 'cursor') !== undefined,
      page((body, seen) =>
        body['has_more'] === false
          ? { ...body, has_more: true, next_cursor: parameter(seen, 'cursor') }
          : body,
      ),
    ),
  }),
  breaks('router.list.second-page-progress', 'cursor-ignored', {
    operations: list,
    alsoFails: [
      ...noWholeSet,
      ...along(
        'a cursor that nobody reads is never refused',
        'router.list.cursor-malformed-400',
        'router.list.cursor-truncated-400',
        'router.list.cursor-expired-400',
        'router.list.cursor-no-fallback',
      ),
      ...along('page one has no end', 'router.list.walk-terminates'),
    ],
    replaces: { router: cursorIgnored },
  }),
  breaks('router.list.walk-sizes-agree', 'last-skipped', {
    operations: list,
    onReply: when(
      (_, seen) => asked(seen) > 1 && asked(seen) < 50,
      page((body) => ({ ...body, data: entriesOf(body).slice(0, -1) })),
    ),
  }),
  breaks('router.list.cursor-accepted', '400', {
    operations: list,
    alsoFails: [
      ...noWholeSet,
      ...along(
        'there is no page behind a cursor',
        'router.list.second-page-progress',
        'router.list.walk-terminates',
      ),
    ],
    onReply: when(
      (answer, seen) => answer.status === 200 && parameter(seen, 'cursor') !== undefined,
      (answer, seen) => refused(answer, seen, 400, 'badInput'),
    ),
  }),
  breaks('router.list.cursor-accepted', 'last-page-404', {
    operations: list,
    alsoFails: [...noWholeSet, ...along('a walk without a last page', 'router.list.walk-terminates')],
    onReply: (answer, seen) =>
      parameter(seen, 'cursor') !== undefined &&
      answer.body.kind === 'json' &&
      isRecord(answer.body.value) &&
      answer.body.value['has_more'] === false
        ? refused(answer, seen, 404, 'badInput')
        : answer,
  }),
  breaks('router.list.has-more', 'never', {
    operations: list,
    alsoFails: [
      ...noWholeSet,
      ...along(
        'nothing leads on from the first page',
        'router.list.second-page-progress',
        'router.list.cursor-accepted',
        'router.list.cursor-truncated-400',
        'router.cursor.shape',
      ),
    ],
    onReply: page(({ next_cursor: _, ...body }) => ({ ...body, has_more: false })),
  }),
  breaks('router.list.readable-listed', 'left-out', {
    operations: list,
    onReply: page((body) => ({ ...body, data: entriesOf(body).filter(({ id }) => id !== 'mock/ok') })),
  }),
  breaks('router.list.unreleased-excluded', 'slot', {
    operations: list,
    alsoFails: along('an empty slot is no entry', 'router.list.entry-required'),
    onReply: lastEntry(() => ({ id: null, provider: null, model: null })),
  }),
  breaks('router.list.unreleased-excluded', 'listed', {
    operations: list,
    onReply: lastEntry(() => ({ id: 'mock/hidden', provider: 'mock', model: 'hidden' })),
  }),
  breaks('router.list.page-describes-after-exclusion', 'endless', {
    operations: list,
    alsoFails: [
      ...noWholeSet,
      ...along(
        'a walk without end has no last page',
        'router.list.walk-terminates',
        'router.list.cursor-omitted-not-null',
        'router.list.has-more',
        'router.list.readable-listed',
      ),
    ],
    replaces: { router: endlessEmptyPages },
  }),
  breaks('router.list.ids-readable', '404', {
    operations: ['getModel'],
    onReply: when(
      (answer, seen) => answer.status === 200 && !seen.request.path.includes('/mock/'),
      (answer, seen) => refused(answer, seen, 404, 'unknownModel'),
    ),
  }),
];

const fallback = (why: string): Deviation['alsoFails'] => along(why, 'router.list.cursor-no-fallback');
const crash = (why: string): Deviation['alsoFails'] => along(why, 'router.list.cursor-never-500');

const everyBadCursor = [
  'router.list.cursor-empty-400',
  'router.list.cursor-malformed-400',
  'router.list.cursor-overlong-400',
  'router.list.cursor-truncated-400',
  'router.list.cursor-expired-400',
] as const;

/** Cursors that no server gave. */
const cursors: readonly Deviation[] = [
  breaks('router.list.cursor-empty-400', 'first-page', {
    operations: list,
    alsoFails: fallback('the first page is the fallback'),
    replaces: { router: badCursorGets('first-page', 'empty') },
  }),
  breaks('router.list.cursor-empty-400', '404', {
    operations: list,
    onReply: when(
      (answer, seen) => answer.status === 400 && parameter(seen, 'cursor') === '',
      (answer) => ({ ...answer, status: 404 }),
    ),
  }),
  breaks('router.list.cursor-malformed-400', 'first-page', {
    operations: list,
    alsoFails: fallback('the first page is the fallback'),
    replaces: { router: badCursorGets('first-page', 'malformed') },
  }),
  breaks('router.list.cursor-malformed-400', '500', {
    operations: list,
    alsoFails: crash('it is a 500'),
    replaces: { router: badCursorGets('internal-error', 'malformed') },
  }),
  breaks('router.list.cursor-overlong-400', 'first-page', {
    operations: list,
    alsoFails: fallback('the first page is the fallback'),
    replaces: { router: badCursorGets('first-page', 'overlong') },
  }),
  breaks('router.list.cursor-truncated-400', 'first-page', {
    operations: list,
    alsoFails: [
      ...fallback('the first page is the fallback'),
      ...along(
        'a cursor that was made up and one that was cut look alike',
        'router.list.cursor-malformed-400',
        'router.list.cursor-expired-400',
      ),
    ],
    replaces: { router: badCursorGets('first-page', 'forged') },
  }),
  breaks('router.list.cursor-truncated-400', '404', {
    operations: list,
    alsoFails: along('a cursor with a character more is asked for alike', 'router.list.cursor-malformed-400'),
    onReply: when(
      (answer, seen) => answer.status === 400 && asked(seen) === 1,
      (answer) => ({ ...answer, status: 404 }),
    ),
  }),
  breaks('router.list.cursor-expired-400', '404', {
    operations: list,
    // Sealed like a good one, and asked for without a limit: a cursor of an earlier life.
    onReply: when(
      (answer, seen) =>
        answer.status === 400 &&
        seen.request.search.startsWith('?cursor=') &&
        isOldSeal(parameter(seen, 'cursor') ?? ''),
      (answer) => ({ ...answer, status: 404 }),
    ),
  }),
  breaks('router.list.cursor-never-500', 'crash', {
    operations: list,
    alsoFails: along('a 500 is no 400', ...everyBadCursor),
    replaces: { router: badCursorGets('internal-error') },
  }),
  breaks('router.list.cursor-no-fallback', 'first-page', {
    operations: list,
    alsoFails: along('the first page is no 400', ...everyBadCursor),
    replaces: { router: badCursorGets('first-page') },
  }),
];

export const routerListDeviations: readonly Deviation[] = [...entries, ...pages, ...walks, ...cursors];

// --- internal ---

function entriesOf(body: JsonRecord): readonly JsonRecord[] {
  const { data } = body;
  return Array.isArray(data) ? (data as JsonRecord[]) : [];
}

function isOldSeal(cursor: string): boolean {
  // Made of `acme/echo-1`, as that of the fixtures is.
  return /^[\w-]{52}$/.test(cursor);
}
