import { isRecord } from '../../../../contract/index.ts';
import type { Answer } from '../../../call/answer.ts';
import { badCursorGets, lostAfterRefusal } from './parts.ts';
import { along, bySearch } from '../../../deviations/breaks.ts';
import { asJson, asStatus, refusal, type AnswerChange } from '../../../deviations/changes.ts';
import { parameter, sendsParameter, status, when, type Condition } from '../../../deviations/conditions.ts';
import type { Deviation, DeviationView } from '../../../deviations/deviation.ts';
import { asks, onList } from './list-pages.ts';

const fallback = along('the first page is the fallback', 'router.list.cursor-no-fallback');

const everyBadCursor = [
  'router.list.cursor-empty-400',
  'router.list.cursor-malformed-400',
  'router.list.cursor-overlong-400',
  'router.list.cursor-truncated-400',
  'router.list.cursor-expired-400',
] as const;

/** A cursor fails for a caller that it was not given to. */
function failsForOthers(): AnswerChange {
  const owners = new Map<string, string>();
  return (answer, seen) => {
    const caller = JSON.stringify(['authorization', 'x-api-key'].map((name) => seen.request.header(name)));
    const cursor = parameter(seen, 'cursor');
    const owner = owners.get(cursor ?? '');
    const { body } = answer;
    const next = body.kind === 'json' && isRecord(body.value) ? body.value['next_cursor'] : undefined;
    if (typeof next === 'string' && !owners.has(next)) owners.set(next, caller);
    return owner === undefined || owner === caller ? answer : refusal(500, 'internal')(answer, seen);
  };
}

const asksForOne = asks((limit) => limit === 1);

/** Cursors that the server never returned. */
export const routerCursorDeviations: readonly Deviation[] = onList({
  'router.list.cursor-empty-400~first-page': [{ router: badCursorGets('first-page', 'empty') }, fallback],
  'router.list.cursor-empty-400~404': when(
    [status(400), (_, seen) => parameter(seen, 'cursor') === ''],
    asStatus(404),
  ),
  'router.list.cursor-malformed-400~first-page': [
    { router: badCursorGets('first-page', 'malformed') },
    fallback,
  ],
  'router.list.cursor-malformed-400~500': [
    { router: badCursorGets('internal-error', 'malformed') },
    along('it is a 500', 'router.list.cursor-never-500'),
  ],
  'router.list.cursor-malformed-400~offset': [
    when([status(400), isCursor(/^\d+$/), asksForOne], asJson(200, { data: [], has_more: false, limit: 1 })),
    along('a page is not a refusal', 'router.list.cursor-no-fallback'),
    bySearch('a number that was cut from a cursor is an offset as well', 'router.list.cursor-truncated-400'),
  ],
  'router.list.cursor-malformed-400~decoded-twice': [
    when(
      [status(400), isCursor(/^%[0-9a-f]{2}/i), asksForOne],
      asJson(200, { data: [], has_more: false, limit: 1 }),
    ),
    along('a page is not a refusal', 'router.list.cursor-no-fallback'),
  ],
  'router.list.cursor-malformed-400~longest-crashes': [
    when([status(400), isCursor(/^.{512}$/)], refusal(500, 'internal')),
    along('it is a 500', 'router.list.cursor-never-500'),
  ],
  'router.list.cursor-overlong-400~first-page': [
    { router: badCursorGets('first-page', 'overlong') },
    fallback,
  ],
  'router.list.cursor-overlong-400~of-many': [
    when(
      [status(400), isCursor(/^A{513}$/), asks((limit) => limit > 100)],
      asJson(200, { data: [], has_more: false, limit: 100 }),
    ),
    along('a page is not a refusal', 'router.list.cursor-no-fallback'),
  ],
  'router.list.cursor-truncated-400~first-page': [
    { router: badCursorGets('first-page', 'forged') },
    fallback,
    along(
      'a cursor that was made up and one that was cut look alike',
      'router.list.cursor-malformed-400',
      'router.list.cursor-expired-400',
    ),
  ],
  'router.list.cursor-truncated-400~404': [
    when([status(400), asksForOne], asStatus(404)),
    along(
      'other cursors that no page has given are asked for alike',
      ...['malformed', 'empty', 'overlong'].map((kind) => `router.list.cursor-${kind}-400`),
    ),
  ],
  // Sealed like a valid one, and sent without a limit: a cursor of an earlier process.
  'router.list.cursor-expired-400~404': [
    when([status(400), isOldSeal], asStatus(404)),
    along('one that lost its end has the same form', 'router.list.cursor-truncated-400'),
  ],
  'router.list.cursor-expired-400~with-a-limit': when(
    [status(400), isCursor(/^[\w-]{52}$/), sendsParameter('limit'), asks((limit) => limit === 5)],
    asStatus(404),
  ),
  'router.list.cursor-never-500~crash': [
    { router: badCursorGets('internal-error') },
    along('a 500 is not a 400', ...everyBadCursor),
  ],
  'router.list.cursor-never-500~of-another-caller': [
    failsForOthers(),
    along('a caller who may list gets a 500 with the cursor of another', 'router.run.403-forbidden'),
  ],
  'router.list.cursor-no-fallback~after-a-refusal': [
    { router: lostAfterRefusal },
    bySearch('the first page comes again in a walk', 'router.list.second-page-progress'),
  ],
  'router.list.cursor-no-fallback~first-page': [
    { router: badCursorGets('first-page') },
    along('the first page is not a 400', ...everyBadCursor),
  ],
});

// --- internal ---

function isCursor(pattern: RegExp): Condition {
  return (_, seen) => pattern.test(parameter(seen, 'cursor') ?? '');
}

function isOldSeal(_: Answer, seen: DeviationView): boolean {
  // Derived from `acme/echo-1`, like that of the fixtures.
  return seen.request.search.startsWith('?cursor=') && /^[\w-]{52}$/.test(parameter(seen, 'cursor') ?? '');
}
