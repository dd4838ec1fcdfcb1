import type { PolicyOf } from '../../../contract/index.ts';
import { withoutHeaders } from '../../call/answer.ts';
import { asNothing, withHeader, type AnswerChange } from '../changes.ts';
import { isSuccess, status, when } from '../conditions.ts';
import type { DeviationView } from '../deviation.ts';
import { alongCases, firstAgain, type Ways } from './broken.ts';
import { withPolicy } from './keys.ts';

/** Ways to mishandle a conditional read. */
export function tagWays(policy: PolicyOf<'conditional-get'>, id: string): Ways {
  const isSpared = status(policy.status);
  const wholeWhere = (holds: (tags: string) => boolean): AnswerChange =>
    firstAgain([isSpared, (_, seen) => holds(tagsOf(seen))]);
  return {
    'current~ignored': [
      withPolicy(id, ({ conditional: _, responses: { 304: spared, ...responses }, ...operation }) => ({
        ...operation,
        responses,
      })),
      alongCases('no read is spared its body', 'weak', 'list', 'any', 'kept-headers', 'changed'),
    ],
    'current~whole': wholeWhere((tags) => !isWeak(tags) && !tags.includes(',') && tags !== '*'),
    'weak~strong': wholeWhere(isWeak),
    'list~one-tag': wholeWhere((tags) => tags.includes(',')),
    'any~literal': wholeWhere((tags) => tags === '*'),
    'changed~spared': when([isSuccess, (_, seen) => tagsOf(seen) !== ''], asNothing(policy.status)),
    'kept-headers~lost': when(isSpared, (answer) => withoutHeaders(answer, ...policy.keptHeaders)),
    'kept-headers~another-tag': when(isSpared, withHeader('ETag', '"another"')),
  };
}

// --- internal ---

function tagsOf({ request }: DeviationView): string {
  return request.header('if-none-match')?.trim() ?? '';
}

function isWeak(tags: string): boolean {
  return tags.startsWith('W/') && !tags.includes(',');
}
