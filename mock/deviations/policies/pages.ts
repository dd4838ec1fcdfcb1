import { isRecord, type PolicyOf } from '../../../contract/index.ts';
import type { Answer } from '../../call/answer.ts';
import type { WayToBreak } from './broken.ts';
import type { Seen } from './keys.ts';

type Pages = PolicyOf<'pagination'> | PolicyOf<'numbered-pages'>;

/** Ways to mislead who walks a list; those that need a member which pages do not have are left out. */
export function pageWays(policy: Pages): readonly WayToBreak[] {
  const { limitParameter, maximumLimit, defaultLimit } = policy;
  const { items: list, limit, more, next } = namesOf(policy);
  const asked = (seen: Seen, name: string | undefined): string | undefined =>
    seen.request.query.find((pair) => pair.name === name)?.value;
  const limitOf = (seen: Seen): number => Number(asked(seen, limitParameter) ?? Number.NaN);
  const way = (
    name: Pick<WayToBreak, 'case' | 'variant' | 'along'>,
    holds: (seen: Seen) => boolean,
    change: (body: unknown, seen: Seen) => unknown,
  ): WayToBreak => ({
    ...name,
    parts: {
      onReply: (answer, seen) => (holds(seen) ? onBody(answer, (body) => change(body, seen)) : answer),
    },
  });
  const whenLess = (seen: Seen): boolean => limitOf(seen) <= maximumLimit;
  const items = (body: unknown): readonly unknown[] => {
    const found = list === undefined ? body : isRecord(body) ? body[list] : undefined;
    return Array.isArray(found) ? (found as unknown[]) : [];
  };
  const withItems = (body: unknown, found: readonly unknown[]): unknown =>
    list === undefined ? found : put(body, list, found);
  const isFirst = (seen: Seen): boolean => placesOf(policy).every((name) => asked(seen, name) === undefined);
  let first: readonly unknown[] | undefined;
  return [
    ...(limit === undefined
      ? [
          // Only the number of items tells the size of a page.
          way(
            { case: 'limit-default', variant: 'overfull' },
            (seen) => asked(seen, limitParameter) === undefined,
            (body) => withItems(body, repeated(items(body), defaultLimit + 1)),
          ),
          way(
            { case: 'limit-clamped', variant: 'overfull' },
            (seen) => limitOf(seen) > maximumLimit,
            (body) => withItems(body, repeated(items(body), maximumLimit + 1)),
          ),
        ]
      : [
          way(
            { case: 'limit-default', variant: 'another' },
            (seen) => asked(seen, limitParameter) === undefined,
            (body) => put(body, limit, defaultLimit + 1),
          ),
          way({ case: 'limit', variant: 'not-told' }, whenLess, (body, seen) =>
            put(body, limit, limitOf(seen) + 1),
          ),
          way(
            { case: 'limit-clamped', variant: 'not' },
            (seen) => limitOf(seen) > maximumLimit,
            (body, seen) => put(body, limit, limitOf(seen)),
          ),
        ]),
    way(
      { case: 'limit', variant: 'overfull', along: [[['walk'], 'a page repeats its items']] },
      whenLess,
      (body) => withItems(body, [...items(body), ...items(body)]),
    ),
    ...(more === undefined || next === undefined
      ? []
      : [
          way(
            { case: 'more', variant: 'cursor-at-the-end' },
            () => true,
            (body) => (isRecord(body) && body[more] === false ? put(body, next, 'end') : body),
          ),
          way(
            {
              case: 'more',
              variant: 'no-cursor',
              along: [[['walk'], 'a walk cannot go on without a cursor']],
            },
            () => true,
            (body) => put(body, next, undefined),
          ),
        ]),
    way(
      { case: 'walk', variant: 'first-page-again' },
      () => true,
      (body, seen) => {
        if (isFirst(seen)) first = items(body);
        else if (first !== undefined) return withItems(body, first);
        return body;
      },
    ),
  ];
}

// --- internal ---

/** So many items, the first ones again where there are fewer. */
function repeated(items: readonly unknown[], count: number): readonly unknown[] {
  return items.length === 0 ? [] : Array.from({ length: count }, (_, index) => items[index % items.length]);
}

function namesOf({ page }: Pages): {
  readonly items?: string;
  readonly limit?: string;
  readonly more?: string;
  readonly next?: string;
} {
  return page ?? {};
}

/** The parameters that lead to another page than the first. */
function placesOf(policy: Pages): readonly string[] {
  if (policy.kind === 'pagination') return [policy.cursorParameter];
  return [policy.pageParameter, policy.offsetParameter].filter((name) => name !== undefined);
}

/** A body with a member; without it for `undefined`. */
function put(body: unknown, name: string, value: unknown): unknown {
  if (!isRecord(body)) return body;
  const { [name]: _, ...others } = body;
  return value === undefined ? others : { ...others, [name]: value };
}

function onBody(answer: Answer, change: (body: unknown) => unknown): Answer {
  if (answer.status !== 200 || answer.body.kind !== 'json') return answer;
  return { ...answer, body: { kind: 'json', value: change(answer.body.value) } };
}
