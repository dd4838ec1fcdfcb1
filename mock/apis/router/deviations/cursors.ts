import { badCursorGets } from './parts.ts';
import { type Deviation } from '../../../deviations/deviation.ts';
import { along, breaks, parameter, when } from '../../../deviations/wire.ts';
import { asked, list } from './list-pages.ts';

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
export const routerCursorDeviations: readonly Deviation[] = [
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

// --- internal ---

function isOldSeal(cursor: string): boolean {
  // Made of `acme/echo-1`, as that of the fixtures is.
  return /^[\w-]{52}$/.test(cursor);
}
