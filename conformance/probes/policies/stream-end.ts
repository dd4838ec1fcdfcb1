import type { PolicyOf } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlan, Session } from '../../scenarios/scenario.ts';
import { inputFor } from '../document/input.ts';
import type { Values } from '../own-api.ts';
import type { Facts } from './facts.ts';
import { actionsBelow, waysOf } from './lifecycle-calls.ts';
import { resourcesIn } from './resources.ts';

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

/** `undefined` if no calls lead from the initial state to a terminal one. */
export function wayToEnd(facts: Facts<Lifecycle>, reader: Operation): WayToEnd | undefined {
  const { api, policy } = facts;
  const calls = shortestWay(policy, actionsBelow(facts, reader));
  if (calls === undefined) return undefined;
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

// --- internal ---

/** The fewest calls that lead from the initial state to a terminal one. */
function shortestWay(policy: Lifecycle, actions: readonly Operation[]): readonly Operation[] | undefined {
  const ways: { readonly state: string; readonly calls: readonly Operation[] }[] = [
    { state: policy.initial, calls: [] },
  ];
  const seen = new Set([policy.initial]);
  for (const { state, calls } of ways) {
    if (policy.terminal.includes(state)) return calls.length === 0 ? undefined : calls;
    for (const action of actions)
      for (const { from, to } of waysOf(policy, action)) {
        if (from !== state || seen.has(to)) continue;
        seen.add(to);
        ways.push({ state: to, calls: [...calls, action] });
      }
  }
  return undefined;
}
