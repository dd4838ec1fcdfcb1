import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlan, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { Values } from '../own-api.ts';
import type { Facts } from './facts.ts';
import { actionsBelow, callsTo, waysOf } from './lifecycle-ways.ts';
import { resourcesIn } from './resources.ts';
import { lifecyclesShown } from './shown-lifecycle.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/** The calls that bring a new resource to a terminal state, and the read that shows it. */
export interface WayToEnd {
  readonly requests: Readonly<Record<string, RequestPlan>>;
  /**
   * Makes the calls.
   *
   * @returns the read that shows the terminal state; `undefined` if a call was refused or had another effect
   */
  readonly go: (session: Session, values: Values) => Promise<Exchange | undefined>;
}

/** With the fewest calls, and with the most where a longer way leads through other states; none if no calls lead to an end. */
export function waysToEnd(facts: Facts<Lifecycle>, reader: Operation): readonly WayToEnd[] {
  const { policy } = facts;
  const actions = actionsBelow(facts, reader);
  const shortest =
    [...callsTo(policy, actions)].find(([state]) => policy.terminal.includes(state))?.[1] ?? [];
  if (shortest.length === 0) return [];
  const longest = longestWay(policy, actions);
  return [shortest, ...(longest.length > shortest.length ? [longest] : [])].map((calls) =>
    wayBy(facts, reader, calls),
  );
}

/** The same for what a read shows; none if no lifecycle of it is known. */
export function waysToEndOf(facts: Facts, reader: Operation): readonly WayToEnd[] {
  const [lifecycle] = lifecyclesShown(facts.api, reader);
  return lifecycle === undefined ? [] : waysToEnd(facts.about(lifecycle), reader);
}

// --- internal ---

function wayBy(facts: Facts<Lifecycle>, reader: Operation, calls: readonly Operation[]): WayToEnd {
  const { api, policy } = facts;
  const names = calls.map((one, index) => [one, `end ${index} ${one.id}`] as const);
  return {
    requests: {
      ...Object.fromEntries(names.map(([one, name]) => [name, api.plan(one)])),
      'read of the end': api.plan(reader),
    },
    go: async (session, values) => {
      for (const [one, name] of names)
        if (!isSuccess(await session.send(name, inputFor(api, one, session, values)))) return undefined;
      const seen = await session.send('read of the end', inputFor(api, reader, session, values));
      const [shown] = resourcesIn(api, seen, policy.schema);
      const state = at(shown?.value, policy.property);
      return typeof state === 'string' && policy.terminal.includes(state) ? seen : undefined;
    },
  };
}

/** The most calls, up to a bound, that lead to a terminal state without a state twice; none if all ways have more. */
function longestWay(policy: Lifecycle, actions: readonly Operation[]): readonly Operation[] {
  let longest: readonly Operation[] = [];
  const begun: { readonly states: readonly string[]; readonly calls: readonly Operation[] }[] = [
    { states: [policy.initial], calls: [] },
  ];
  for (const { states, calls } of begun) {
    const state = states.at(-1) ?? '';
    if (policy.terminal.includes(state)) {
      if (calls.length > longest.length) longest = calls;
      continue;
    }
    if (calls.length === MOST_CALLS || begun.length > MOST_WAYS) continue;
    for (const action of actions)
      for (const { from, to } of waysOf(policy, action))
        if (from === state && !states.includes(to))
          begun.push({ states: [...states, to], calls: [...calls, action] });
  }
  return longest;
}

const MOST_CALLS = 4;
const MOST_WAYS = 200;
