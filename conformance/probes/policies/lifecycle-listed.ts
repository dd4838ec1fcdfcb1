import type { PolicyOf } from '../../../contract/index.ts';
import { at } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check } from '../../scenarios/scenario.ts';
import type { Facts } from './facts.ts';
import type { ShownResource } from './resources.ts';

/**
 * What a list shows of things in one state it shows in each state in which the sheet says that they have it. A list that never
 * shows a member leaves it out, which the sheet allows.
 */
export class ListedMembers {
  /** The first answer in which a place of an operation has shown a member, by both. */
  readonly #shown = new Map<string, Exchange>();
  /** The first answer that lacked one. */
  readonly #lacking = new Map<string, { readonly seen: Exchange; readonly state: string }>();

  *judge(
    facts: Facts<PolicyOf<'lifecycle'>>,
    seen: Exchange,
    { value, place }: ShownResource,
  ): Generator<Check> {
    const { policy } = facts;
    const state = at(value, policy.property);
    if (typeof state !== 'string') return;
    for (const [name, { in: some = [] }] of Object.entries(policy.members ?? {})) {
      if (!some.includes(state)) continue;
      const key = [seen.operation, seen.request.as, namesOfQuery(seen), place, name].join(' ');
      const isThere = (at(value, name) ?? null) !== null;
      if (isThere && !this.#shown.has(key)) this.#shown.set(key, seen);
      if (!isThere && !this.#lacking.has(key)) this.#lacking.set(key, { seen, state });
      const [shown, lacking] = [this.#shown.get(key), this.#lacking.get(key)];
      if (shown === undefined) continue;
      yield* facts.judge(
        'members',
        lacking === undefined ? seen : [shown, lacking.seen],
        lacking === undefined,
        `a value of ${name} in the state ${lacking?.state ?? state}, as the list shows it in another one`,
        `no ${name}`,
      );
    }
  }
}

// --- internal ---

/** A parameter may select what a list shows, and so may the caller. */
function namesOfQuery({ request: { target } }: Exchange): string {
  const [, query = ''] = target.split('?', 2);
  return [...new Set(new URLSearchParams(query).keys())].toSorted().join();
}
