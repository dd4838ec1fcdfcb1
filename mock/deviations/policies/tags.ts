import type { PolicyOf } from '../../../contract/index.ts';
import type { Answer } from '../../call/answer.ts';
import { withHeaders, withoutHeaders } from '../../call/answer.ts';
import type { WayToBreak } from './broken.ts';
import { isSuccess, remembering, type Seen, withPolicy } from './keys.ts';

/** Ways to mishandle a conditional read. */
export function tagWays(policy: PolicyOf<'conditional-get'>, id: string): readonly WayToBreak[] {
  const others = ['weak', 'list', 'any'];
  const wholeWhere = (holds: (tags: string) => boolean): WayToBreak['parts'] =>
    remembering((first, answer, seen) =>
      answer.status === policy.status && first !== undefined && holds(tagsOf(seen)) ? first : answer,
    );
  const onSpared = (change: (answer: Answer) => Answer): WayToBreak['parts'] => ({
    onReply: (answer) => (answer.status === policy.status ? change(answer) : answer),
  });
  return [
    {
      case: 'current',
      variant: 'ignored',
      along: [[[...others, 'kept-headers', 'changed'], 'no read is spared its body']],
      parts: withPolicy(id, ({ conditional: _, responses: { 304: spared, ...responses }, ...operation }) => ({
        ...operation,
        responses,
      })),
    },
    {
      case: 'current',
      variant: 'whole',
      parts: wholeWhere((tags) => !isWeak(tags) && !tags.includes(',') && tags !== '*'),
    },
    { case: 'weak', variant: 'strong', parts: wholeWhere(isWeak) },
    { case: 'list', variant: 'one-tag', parts: wholeWhere((tags) => tags.includes(',')) },
    { case: 'any', variant: 'literal', parts: wholeWhere((tags) => tags === '*') },
    {
      case: 'changed',
      variant: 'spared',
      parts: {
        onReply: (answer, seen) =>
          tagsOf(seen) !== '' && isSuccess(answer)
            ? { ...answer, status: policy.status, body: { kind: 'none' } }
            : answer,
      },
    },
    {
      case: 'kept-headers',
      variant: 'lost',
      parts: onSpared((answer) => withoutHeaders(answer, ...policy.keptHeaders)),
    },
    {
      case: 'kept-headers',
      variant: 'another-tag',
      parts: onSpared((answer) => withHeaders(answer, [['ETag', '"another"']])),
    },
  ];
}

// --- internal ---

function tagsOf({ request }: Seen): string {
  return request.header('if-none-match')?.trim() ?? '';
}

function isWeak(tags: string): boolean {
  return tags.startsWith('W/') && !tags.includes(',');
}
