import type { PolicyOf } from '../../../contract/index.ts';
import type { Answer } from '../../call/answer.ts';
import { onJson } from '../deviation.ts';
import type { Way } from './broken.ts';
import type { Seen } from './keys.ts';

/** Ways to mislead who walks a list. */
export function pageWays(policy: PolicyOf<'pagination'>): readonly Way[] {
  const { page, limitParameter, cursorParameter, maximumLimit } = policy;
  const asked = (seen: Seen, name: string): string | undefined =>
    seen.request.query.find((pair) => pair.name === name)?.value;
  const limitOf = (seen: Seen): number => Number(asked(seen, limitParameter) ?? Number.NaN);
  const reply =
    (holds: (seen: Seen) => boolean, change: (body: Record<string, unknown>, seen: Seen) => unknown) =>
    (answer: Answer, seen: Seen): Answer =>
      holds(seen) ? onJson(answer, 200, (body) => change(body, seen)) : answer;
  const items = (body: Record<string, unknown>): readonly unknown[] =>
    Array.isArray(body[page.items]) ? (body[page.items] as unknown[]) : [];
  let first: readonly unknown[] | undefined;
  return [
    {
      case: 'limit-default',
      variant: 'another',
      parts: {
        onReply: reply(
          (seen) => asked(seen, limitParameter) === undefined,
          (body) => ({ ...body, [page.limit]: policy.defaultLimit + 1 }),
        ),
      },
    },
    {
      case: 'limit',
      variant: 'not-told',
      parts: {
        onReply: reply(
          (seen) => limitOf(seen) <= maximumLimit,
          (body, seen) => ({ ...body, [page.limit]: limitOf(seen) + 1 }),
        ),
      },
    },
    {
      case: 'limit',
      variant: 'overfull',
      along: [[['walk'], 'a page repeats its items']],
      parts: {
        onReply: reply(
          (seen) => limitOf(seen) <= maximumLimit,
          (body) => ({ ...body, [page.items]: [...items(body), ...items(body)] }),
        ),
      },
    },
    {
      case: 'limit-clamped',
      variant: 'not',
      parts: {
        onReply: reply(
          (seen) => limitOf(seen) > maximumLimit,
          (body, seen) => ({ ...body, [page.limit]: limitOf(seen) }),
        ),
      },
    },
    {
      case: 'more',
      variant: 'cursor-at-the-end',
      parts: {
        onReply: reply(
          () => true,
          (body) => (body[page.more] === false ? { ...body, [page.next]: 'end' } : body),
        ),
      },
    },
    {
      case: 'more',
      variant: 'no-cursor',
      parts: {
        onReply: reply(
          () => true,
          ({ [page.next]: _, ...body }) => body,
        ),
      },
    },
    {
      case: 'walk',
      variant: 'first-page-again',
      parts: {
        onReply: (answer, seen) =>
          onJson(answer, 200, (body) => {
            if (asked(seen, cursorParameter) === undefined) first = items(body);
            else if (first !== undefined) return { ...body, [page.items]: first };
            return body;
          }),
      },
    },
  ];
}
