import type { PolicyOf } from '../../../contract/index.ts';
import { withHeaders } from '../../call/answer.ts';
import type { Replacements } from '../replacements.ts';
import type { WayToBreak } from './broken.ts';
import { isSuccess, otherThan } from './keys.ts';

type Precondition = NonNullable<Replacements['precondition']>;

/**
 * Ways to mishandle a change that names a version.
 *
 * @param read the operation that shows the versions, where there is one
 */
export function versionWays(
  policy: PolicyOf<'conditional-write'>,
  read: string | undefined,
): readonly WayToBreak[] {
  const way = (
    name: string,
    variant: string,
    precondition: Precondition,
    more: Partial<WayToBreak> = {},
  ): WayToBreak => ({ case: name, variant, ...more, parts: { replaces: { precondition } } });
  const refusing = (holds: (header: string) => boolean): Precondition => {
    return (honest) => (facts, header, current) =>
      header !== undefined && holds(header.trim()) ? 'mismatch' : honest(facts, header, current);
  };
  let refusals = 0;
  return [
    way('mismatch', 'taken', met('mismatch'), { along: [[['weak'], 'a weak tag is another one']] }),
    way(
      'mismatch',
      'taken-the-second-time',
      (honest) => (facts, header, current) => {
        const verdict = honest(facts, header, current);
        if (verdict !== 'mismatch') return verdict;
        refusals += 1;
        return refusals % 2 === 0 ? 'met' : verdict;
      },
      { along: [[['weak'], 'a weak tag is another one']] },
    ),
    {
      case: 'mismatch',
      variant: 'another-status',
      along: [[['weak'], 'a weak tag is refused in the same way']],
      beside: [
        ['error-codes', ['status'], 'the code belongs to the status that it should be'],
        ['error-buckets', ['status'], 'the bucket belongs to the status that it should be'],
      ],
      document: [[['status'], 'the status may be none that the document declares']],
      parts: {
        onReply: (answer) =>
          answer.status === policy.mismatch.status
            ? { ...answer, status: otherThan(policy.mismatch.status) }
            : answer,
      },
    },
    way(
      'weak',
      'taken',
      (honest) => (facts, header, current) => honest(facts, header?.replace(/^W\//, ''), current),
    ),
    way(
      'list',
      'one-tag',
      refusing((header) => header.includes(',')),
    ),
    way(
      'any',
      'literal',
      refusing((header) => header === '*'),
    ),
    way(
      'current',
      'refused',
      refusing((header) => header !== '*' && !header.includes(',')),
      {
        beside: [['resource', ['deleted'], 'what is there cannot be deleted']],
      },
    ),
    ...(policy.required === undefined ? [] : [way('required', 'taken', met('required'))]),
    ...(read === undefined
      ? []
      : [
          {
            case: 'changed',
            variant: 'one-tag-for-ever',
            beside: [
              ['conditional-get', ['current', 'weak', 'list'], 'the tag that is shown is none'],
              ['conditional-write', ['changed'], 'other changes leave the tag as it is too'],
            ],
            parts: {
              operations: [...policy.operations, read],
              replaces: {
                precondition: (honest) => (facts, header, current) =>
                  honest(
                    facts,
                    current === undefined ? header : header?.replaceAll(ONE_TAG, current),
                    current,
                  ),
              },
              onReply: (answer) => (isSuccess(answer) ? withHeaders(answer, [['ETag', ONE_TAG]]) : answer),
            },
          } satisfies WayToBreak,
          {
            case: 'changed',
            variant: 'another-tag-each-time',
            along: [
              [['current', 'list'], 'the tag that is shown is none'],
              [['mismatch', 'weak', 'required'], 'a tag seems to change by a refusal'],
            ],
            beside: [
              [
                'conditional-get',
                ['current', 'weak', 'list', 'kept-headers'],
                'the tag that is shown is none',
              ],
              ['resource', ['deleted'], 'what is there cannot be deleted'],
              [
                'conditional-write',
                ['current', 'list', 'mismatch', 'weak', 'required', 'changed'],
                'other changes see such tags too',
              ],
            ],
            parts: {
              operations: [read],
              onReply: (answer) =>
                isSuccess(answer) ? withHeaders(answer, [['ETag', `"${String((refusals += 1))}"`]]) : answer,
            },
          } satisfies WayToBreak,
        ]),
  ];
}

// --- internal ---

const ONE_TAG = '"one-tag-for-ever"';

/** A verdict that counts as if the version were the present one. */
function met(verdict: 'mismatch' | 'required'): Precondition {
  return (honest) => (facts, header, current) => {
    const found = honest(facts, header, current);
    return found === verdict ? 'met' : found;
  };
}
