import { isRecord } from '../../../../contract/index.ts';
import type { Answer } from '../../../call/answer.ts';
import { onJson, type Deviation } from '../../../deviations/deviation.ts';
import { along, breaks, parameter, refused, when } from '../../../deviations/wire.ts';
import { cursorIgnored, defaultLimit, endlessEmptyPages, servedEntries } from './parts.ts';
import { asked, entriesOf, lastEntry, list, page } from './list-pages.ts';

/** A served page with another echo of its limit. */
const echo =
  (limit: number): ((answer: Answer) => Answer) =>
  (answer) =>
    onJson(answer, 200, (body) => ({ ...body, limit }));

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
    alsoFails: [
      ...along('a later page holds more than is echoed', 'router.list.data-at-most-limit'),
      ...along('the limit that is echoed is out of its range', 'router.list.limit-range'),
    ],
    onReply: when(
      (_, seen) => asked(seen) < 0,
      (answer, seen) => echo(-asked(seen))(answer),
    ),
  }),
];

/** Walks from page to page. */
const walks: readonly Deviation[] = [
  breaks('router.list.walk-sizes-agree', 'usual-size-loses-one', {
    operations: list,
    onReply: page((body, seen) =>
      Number.isNaN(asked(seen)) && parameter(seen, 'cursor') !== undefined
        ? { ...body, data: entriesOf(body).slice(1) }
        : body,
    ),
  }),
  breaks('router.list.limit-honoured', '99-is-100', {
    operations: list,
    onReply: when((_, seen) => asked(seen) === 99, echo(100)),
  }),
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

export const routerListDeviations: readonly Deviation[] = [...pages, ...walks];
