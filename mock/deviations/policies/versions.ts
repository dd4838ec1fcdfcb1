import type { PolicyOf } from '../../../contract/index.ts';
import { withHeader, type AnswerChange } from '../changes.ts';
import { isSuccess, status, when } from '../conditions.ts';
import type { Replacements } from '../replacements.ts';
import { alongCases, anotherStatus, alongPolicy, withOtherStatus, type Ways } from './broken.ts';

type Precondition = NonNullable<Replacements['precondition']>;

/**
 * Ways to mishandle a change that names a version.
 *
 * @param shown the operations that show and create the things, if there are any
 */
export function versionWays(
  policy: PolicyOf<'conditional-write'>,
  { read, create }: { readonly read?: string | undefined; readonly create?: string | undefined },
): Ways {
  const refusing = (holds: (header: string) => boolean): { readonly precondition: Precondition } => ({
    precondition: (honest) => (facts, asked, current) =>
      asked.ifMatch !== undefined && holds(asked.ifMatch.trim()) ? 'mismatch' : honest(facts, asked, current),
  });
  let count = 0;
  const counted: AnswerChange = (answer, seen) => {
    count += 1;
    return withHeader('ETag', `"${String(count)}"`)(answer, seen);
  };
  const everySecond = (refused: 'mismatch' | 'exists'): { readonly precondition: Precondition } => ({
    precondition: (honest) => (facts, asked, current) => {
      const verdict = honest(facts, asked, current);
      if (verdict !== refused) return verdict;
      count += 1;
      return count % 2 === 0 ? 'met' : verdict;
    },
  });
  const undeletable = alongPolicy('resource', 'an existing thing cannot be deleted', 'deleted');
  return {
    'mismatch~taken': [met('mismatch'), alongCases('a weak tag is another one', 'weak')],
    'mismatch~taken-the-second-time': [
      everySecond('mismatch'),
      alongCases('a weak tag is another one', 'weak'),
    ],
    'mismatch~another-status': [
      withOtherStatus(policy.mismatch.status),
      alongCases('a weak tag is refused in the same way', 'weak'),
      policy.exists?.status === policy.mismatch.status
        ? alongCases('an excluded version is refused in the same way', 'exists')
        : [],
      anotherStatus,
    ],
    'weak~taken': {
      precondition: (honest) => (facts, asked, current) =>
        honest(facts, { ...asked, ifMatch: asked.ifMatch?.replace(/^W\//, '') }, current),
    },
    'list~one-tag': refusing((header) => header.includes(',')),
    'any~literal': refusing((header) => header === '*'),
    'current~refused': [refusing((header) => header !== '*' && !header.includes(',')), undeletable],
    ...(policy.required === undefined ? {} : { 'required~taken': met('required') }),
    ...(policy.exists === undefined
      ? {}
      : {
          'exists~replaced': met('exists'),
          'exists~replaced-the-second-time': everySecond('exists'),
          'exists~only-the-star': {
            precondition: (honest) => (facts, asked, current) =>
              honest(facts, asked.ifNoneMatch?.trim() === '*' ? asked : { ifMatch: asked.ifMatch }, current),
          },
        }),
    ...(read === undefined || create === undefined
      ? {}
      : {
          'changed~another-tag-of-a-creation': [
            { operations: [create], onReply: when(status(201), withHeader('ETag', ONE_TAG)) },
            alongPolicy('conditional-write', 'other changes see such a creation too', 'changed'),
          ] as const,
        }),
    ...(read === undefined
      ? {}
      : {
          'changed~one-tag-for-ever': [
            {
              operations: [...policy.operations, read],
              precondition: (honest) => (facts, asked, current) => {
                const own = (header: string | undefined): string | undefined =>
                  current === undefined ? header : header?.replaceAll(ONE_TAG, current);
                const { ifMatch, ifNoneMatch } = asked;
                return honest(facts, { ifMatch: own(ifMatch), ifNoneMatch: own(ifNoneMatch) }, current);
              },
              onReply: when(isSuccess, withHeader('ETag', ONE_TAG)),
            },
            alongPolicy(
              'conditional-get',
              'the returned tag is not valid',
              'current',
              'weak',
              'list',
              'kept-headers',
            ),
            alongPolicy('conditional-write', 'other changes do not change the tag either', 'changed'),
            alongPolicy('conditional-get', 'the tag of a read stays after a change as well', 'changed'),
          ],
          'changed~another-tag-each-time': [
            { operations: [read], onReply: when(isSuccess, counted) },
            alongCases('the returned tag is not valid', 'current', 'list'),
            alongCases('a tag seems to change by a refusal', 'mismatch', 'weak', 'required', 'exists'),
            alongPolicy(
              'conditional-get',
              'the returned tag is not valid',
              ...['current', 'weak', 'list', 'kept-headers'],
            ),
            undeletable,
            alongPolicy(
              'conditional-write',
              'other changes see such tags too',
              ...['current', 'list', 'mismatch', 'weak', 'required', 'exists', 'changed'],
            ),
          ],
        }),
  } satisfies Ways;
}

// --- internal ---

const ONE_TAG = '"one-tag-for-ever"';

/** Treats the version in the request as the current one. */
function met(verdict: 'mismatch' | 'required' | 'exists'): { readonly precondition: Precondition } {
  return {
    precondition: (honest) => (facts, asked, current) => {
      const found = honest(facts, asked, current);
      return found === verdict ? 'met' : found;
    },
  };
}
