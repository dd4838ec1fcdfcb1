import type { Exchange } from './recorder.ts';

/** What is wrong with a walk over a list, rule by rule; nothing where the client keeps the rule. */
export const walkFaults = {
  cursor: (exchanges: readonly Exchange[]): string[] =>
    followed(exchanges).flatMap(([before, after]) =>
      query(after).get('cursor') === page(before).next_cursor ? [] : [`another cursor: ${after.target}`],
    ),
  limit: (exchanges: readonly Exchange[]): string[] =>
    followed(exchanges).flatMap(([before, after]) =>
      query(after).get('limit') === String(page(before).limit) ? [] : [`another limit: ${after.target}`],
    ),
  end: (exchanges: readonly Exchange[]): string[] => {
    const last = exchanges.at(-1);
    return last !== undefined && page(last).has_more === false ? [] : ['stopped before the last page'];
  },
};

/** Pages that hold fewer entries than they could while there are more to come. */
export function shortPages(exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.filter((exchange) => {
    const { data, limit, has_more: more } = page(exchange);
    return more && data.length < limit;
  });
}

/** What is wrong with the keys of the attempts of one logical call. */
export function keyFaults(exchanges: readonly Exchange[]): string[] {
  const keys = exchanges.map(({ headers }) => headers['idempotency-key']);
  if (keys.length < 2) return ['no second attempt, so nothing is shown'];
  if (keys.some((key) => key === undefined || key === '')) return ['an attempt without a key'];
  return new Set(keys).size === 1 ? [] : ['another key on another attempt'];
}

/** What is wrong with an answer to "might a refusal be charged?", value by value. */
export function chargeFaults(mightBe: (value: string) => boolean, values: readonly string[]): string[] {
  return values.filter((value) => mightBe(value) !== (value !== 'no'));
}

// --- internal ---

interface Page {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly limit: number;
  readonly next_cursor?: string;
}

function page({ answer }: Exchange): Page {
  return JSON.parse(answer) as Page;
}

function query({ target }: Exchange): URLSearchParams {
  return new URL(target, 'http://any').searchParams;
}

/** Each request with the one before it. */
function followed(exchanges: readonly Exchange[]): (readonly [Exchange, Exchange])[] {
  return exchanges.slice(1).flatMap((after, index) => {
    const before = exchanges[index];
    return before === undefined ? [] : [[before, after] as const];
  });
}
