import { isRecord } from '../../../../contract/index.ts';
import type { Answer } from '../../../call/answer.ts';
import { along, breaks } from '../../../deviations/breaks.ts';
import { refusal, type AnswerChange } from '../../../deviations/changes.ts';
import { not, parameter, path, sends, sendsParameter, status, when } from '../../../deviations/conditions.ts';
import type { Deviation } from '../../../deviations/deviation.ts';
import { asked, asks, entriesOf, lastEntry, onList, onPage } from './list-pages.ts';
import { cursorIgnored, defaultLimit, endlessEmptyPages, endlessLargePages, servedEntries } from './parts.ts';

/** A served page with another echo of its limit. */
const echo = (limit: (asked: number) => number): AnswerChange =>
  onPage((body, seen) => ({ ...body, limit: limit(asked(seen)) }));

const hasCursor = sendsParameter('cursor');
const tooMany = asks((limit) => limit > 100 && limit < 1e9);
const farTooMany = asks((limit) => limit >= 1e9);
const none = asks((limit) => limit === 0);
const lessThanNone = asks((limit) => limit < 0);

const noWholeSet = along('a failed walk does not show the whole set', 'router.list.walk-sizes-agree');

const leadsNowhere = along(
  'the cursor has no page',
  'router.list.second-page-progress',
  'router.list.walk-terminates',
  'router.list.cursor-accepted',
);

/** Deviations of pages and their sizes. */
const pages: readonly Deviation[] = onList({
  'router.cursor.shape~colon': [
    onPage((body) => ('next_cursor' in body ? { ...body, next_cursor: 'a:b' } : body)),
    noWholeSet,
    leadsNowhere,
  ],
  'router.cursor.shape~too-long': [
    onPage((body) => ('next_cursor' in body ? { ...body, next_cursor: 'A'.repeat(513) } : body)),
    noWholeSet,
    leadsNowhere,
    along('the long cursor that is made up is the given one', 'router.list.cursor-overlong-400'),
  ],
  'router.list.body-required~text-has-more': [
    onPage((body) => ({ ...body, has_more: String(body['has_more']) })),
    along(
      'what has_more promises cannot be read',
      'router.list.cursor-iff-more',
      'router.list.cursor-omitted-not-null',
      'router.list.cursor-truncated-400',
    ),
  ],
  'router.list.body-required~no-limit': [
    onPage(({ limit: _, ...body }) => body),
    along(
      'there is no echo to compare with',
      'router.list.limit-range',
      'router.list.limit-default',
      'router.list.limit-honoured',
      'router.list.limit-clamped',
      'router.list.limit-clamped-huge',
      'router.list.limit-zero',
      'router.list.limit-negative',
    ),
  ],
  'router.list.limit-default~with-a-key': when(sends('idempotency-key'), refusal(400, 'badInput')),
  'router.list.data-at-most-limit~one-more': onPage((body) => ({
    ...body,
    data: [...entriesOf(body), ...entriesOf(body).slice(-1)],
  })),
  'router.list.limit-range~zero': [
    when(
      hasCursor,
      echo(() => 0),
    ),
    along(
      'no page fits a limit of zero, and none was asked for',
      'router.list.data-at-most-limit',
      'router.list.limit-default',
      'router.list.limit-honoured',
      'router.list.limit-zero',
      'router.list.limit-negative',
    ),
  ],
  'router.list.cursor-iff-more~missing': [
    onPage(({ next_cursor: _, ...body }) => body),
    noWholeSet,
    along(
      'there is no cursor to judge or to truncate',
      'router.cursor.shape',
      'router.list.second-page-progress',
      'router.list.cursor-truncated-400',
      'router.list.walk-terminates',
      'router.list.cursor-accepted',
    ),
  ],
  'router.list.cursor-iff-more~on-last': onPage((body) =>
    body['has_more'] === false ? { ...body, next_cursor: 'AAAA' } : body,
  ),
  'router.list.cursor-omitted-not-null~null': onPage((body) =>
    'next_cursor' in body ? body : { ...body, next_cursor: null },
  ),
  'router.list.limit-default~50': [
    { router: defaultLimit(50) },
    along('the default is what it selects', 'router.list.limit-zero', 'router.list.limit-negative'),
  ],
  'router.list.limit-honoured~raised': when(
    asks((limit) => limit > 0 && limit < 20),
    echo(() => 20),
  ),
  'router.list.limit-honoured~serves-20': { router: servedEntries(20) },
  'router.list.limit-clamped~400': when(tooMany, refusal(400, 'badInput')),
  'router.list.limit-clamped~echo': [
    when(
      tooMany,
      echo((limit) => limit),
    ),
    along('the echoed limit is above 100', 'router.list.limit-range'),
  ],
  'router.list.limit-clamped-huge~500': when(farTooMany, refusal(500, 'internal')),
  'router.list.limit-clamped-huge~400': when(farTooMany, refusal(400, 'badInput')),
  'router.list.limit-zero~400': when(none, refusal(400, 'badInput')),
  'router.list.limit-zero~one': [
    when(
      none,
      echo(() => 1),
    ),
    along('a later page contains more than the echoed limit', 'router.list.data-at-most-limit'),
  ],
  'router.list.limit-negative~400': when(lessThanNone, refusal(400, 'badInput')),
  'router.list.limit-negative~absolute': [
    when(
      lessThanNone,
      echo((limit) => -limit),
    ),
    along('a later page contains more than the echoed limit', 'router.list.data-at-most-limit'),
    along('the limit that is echoed is out of its range', 'router.list.limit-range'),
  ],
});

/** Deviations between consecutive pages. */
const walks: readonly Deviation[] = [
  ...onList({
    'router.list.walk-sizes-agree~usual-size-loses-one': when(
      [asks((limit) => Number.isNaN(limit)), hasCursor],
      onPage((body) => ({ ...body, data: entriesOf(body).slice(1) })),
    ),
    'router.list.limit-honoured~99-is-100': when(
      asks((limit) => limit === 99),
      echo(() => 100),
    ),
    'router.list.walk-terminates~loop': [
      when(
        hasCursor,
        onPage((body, seen) =>
          body['has_more'] === false
            ? { ...body, has_more: true, next_cursor: parameter(seen, 'cursor') }
            : body,
        ),
      ),
      noWholeSet,
    ],
    'router.list.walk-terminates~large-pages-endless': [
      { router: endlessLargePages },
      noWholeSet,
      along('a walk without end has no last page', 'router.list.has-more', 'router.list.readable-listed'),
    ],
    'router.list.second-page-progress~cursor-ignored': [
      { router: cursorIgnored },
      noWholeSet,
      along(
        'a cursor that is not read is never refused',
        'router.list.cursor-malformed-400',
        'router.list.cursor-truncated-400',
        'router.list.cursor-expired-400',
        'router.list.cursor-no-fallback',
      ),
      along('page one has no end', 'router.list.walk-terminates'),
    ],
    'router.list.second-page-progress~one-walk-at-a-time': oneWalkAtATime(),
    'router.list.walk-sizes-agree~last-skipped': when(
      asks((limit) => limit > 1 && limit < 50),
      onPage((body) => ({ ...body, data: entriesOf(body).slice(0, -1) })),
    ),
    'router.list.cursor-accepted~400': [
      when([status(200), hasCursor], refusal(400, 'badInput')),
      noWholeSet,
      along('a cursor has no page', 'router.list.second-page-progress', 'router.list.walk-terminates'),
    ],
    'router.list.cursor-accepted~last-page-404': [
      when([hasCursor, isLastPage], refusal(404, 'badInput')),
      noWholeSet,
      along('a walk without a last page', 'router.list.walk-terminates'),
    ],
    'router.list.has-more~never': [
      onPage(({ next_cursor: _, ...body }) => ({ ...body, has_more: false })),
      noWholeSet,
      along(
        'nothing leads on from the first page',
        'router.list.second-page-progress',
        'router.list.cursor-accepted',
        'router.list.cursor-truncated-400',
        'router.cursor.shape',
      ),
    ],
    'router.list.readable-listed~left-out': onPage((body) => ({
      ...body,
      data: entriesOf(body).filter(({ id }) => id !== 'mock/ok'),
    })),
    'router.list.unreleased-excluded~slot': [
      lastEntry(() => ({ id: null, provider: null, model: null })),
      along('an empty slot is not an entry', 'router.list.entry-required'),
    ],
    'router.list.unreleased-excluded~listed': lastEntry(() => ({
      id: 'mock/hidden',
      provider: 'mock',
      model: 'hidden',
    })),
    'router.list.page-describes-after-exclusion~endless': [
      { router: endlessEmptyPages },
      noWholeSet,
      along(
        'a walk without end has no last page',
        'router.list.walk-terminates',
        'router.list.cursor-omitted-not-null',
        'router.list.has-more',
        'router.list.readable-listed',
      ),
    ],
  }),
  ...breaks('getModel')({
    'router.list.ids-readable~404': when([status(200), not(path(/\/mock\//))], refusal(404, 'unknownModel')),
  }),
];

export const routerListDeviations: readonly Deviation[] = [...pages, ...walks];

// --- internal ---

function isLastPage({ body }: Answer): boolean {
  return body.kind === 'json' && isRecord(body.value) && body.value['has_more'] === false;
}

/** A cursor leads to an empty page after another walk has begun. */
function oneWalkAtATime(): AnswerChange {
  let latest: number | undefined;
  return (answer, seen) => {
    const limit = asked(seen);
    if (!hasCursor(answer, seen)) latest = limit;
    else if (limit === 2 && latest === 7) return onPage((body) => ({ ...body, data: [] }))(answer, seen);
    return answer;
  };
}
