import type { PolicyOf } from '../../../contract/index.ts';
import { withHeader, type AnswerChange } from '../changes.ts';
import { isSuccess, when } from '../conditions.ts';
import type { Replacements } from '../replacements.ts';
import { alongCases, anotherStatus, alongPolicy, withOtherStatus, type Ways } from './broken.ts';

type Precondition = NonNullable<Replacements['precondition']>;

/**
 * Ways to mishandle a change that names a version.
 *
 * @param read the operation that shows the versions, if there is one
 */
export function versionWays(policy: PolicyOf<'conditional-write'>, read: string | undefined): Ways {
  const refusing = (holds: (header: string) => boolean): { readonly precondition: Precondition } => ({
    precondition: (honest) => (facts, header, current) =>
      header !== undefined && holds(header.trim()) ? 'mismatch' : honest(facts, header, current),
  });
  let count = 0;
  const counted: AnswerChange = (answer, seen) => {
    count += 1;
    return withHeader('ETag', `"${String(count)}"`)(answer, seen);
  };
  const everySecond: Precondition = (honest) => (facts, header, current) => {
    const verdict = honest(facts, header, current);
    if (verdict !== 'mismatch') return verdict;
    count += 1;
    return count % 2 === 0 ? 'met' : verdict;
  };
  const undeletable = alongPolicy('resource', 'an existing thing cannot be deleted', 'deleted');
  return {
    'mismatch~taken': [met('mismatch'), alongCases('a weak tag is another one', 'weak')],
    'mismatch~taken-the-second-time': [
      { precondition: everySecond },
      alongCases('a weak tag is another one', 'weak'),
    ],
    'mismatch~another-status': [
      withOtherStatus(policy.mismatch.status),
      alongCases('a weak tag is refused in the same way', 'weak'),
      anotherStatus,
    ],
    'weak~taken': {
      precondition: (honest) => (facts, header, current) =>
        honest(facts, header?.replace(/^W\//, ''), current),
    },
    'list~one-tag': refusing((header) => header.includes(',')),
    'any~literal': refusing((header) => header === '*'),
    'current~refused': [refusing((header) => header !== '*' && !header.includes(',')), undeletable],
    ...(policy.required === undefined ? {} : { 'required~taken': met('required') }),
    ...(read === undefined
      ? {}
      : {
          'changed~one-tag-for-ever': [
            {
              operations: [...policy.operations, read],
              precondition: (honest) => (facts, header, current) =>
                honest(facts, current === undefined ? header : header?.replaceAll(ONE_TAG, current), current),
              onReply: when(isSuccess, withHeader('ETag', ONE_TAG)),
            },
            alongPolicy('conditional-get', 'the returned tag is not valid', 'current', 'weak', 'list'),
            alongPolicy('conditional-write', 'other changes do not change the tag either', 'changed'),
          ],
          'changed~another-tag-each-time': [
            { operations: [read], onReply: when(isSuccess, counted) },
            alongCases('the returned tag is not valid', 'current', 'list'),
            alongCases('a tag seems to change by a refusal', 'mismatch', 'weak', 'required'),
            alongPolicy(
              'conditional-get',
              'the returned tag is not valid',
              ...['current', 'weak', 'list', 'kept-headers'],
            ),
            undeletable,
            alongPolicy(
              'conditional-write',
              'other changes see such tags too',
              ...['current', 'list', 'mismatch', 'weak', 'required', 'changed'],
            ),
          ],
        }),
  } satisfies Ways;
}

// --- internal ---

const ONE_TAG = '"one-tag-for-ever"';

/** Treats the version in the request as the current one. */
function met(verdict: 'mismatch' | 'required'): { readonly precondition: Precondition } {
  return {
    precondition: (honest) => (facts, header, current) => {
      const found = honest(facts, header, current);
      return found === verdict ? 'met' : found;
    },
  };
}
