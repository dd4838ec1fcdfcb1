/** The states of a resource and the ways between them (document 3, "States and transitions"). */
export interface LifecyclePolicy {
  readonly kind: 'lifecycle';
  /** The schema and the property that holds the state. */
  readonly schema: string;
  readonly property: string;
  readonly states: readonly string[];
  readonly initial: string;
  readonly terminal: readonly string[];
  /** Only what the contract states; it leaves the conditions of some ways open. */
  readonly transitions: readonly Transition[];
}

export interface Transition {
  readonly from: string;
  readonly to: string;
  /** Its cause, in one word. */
  readonly on: string;
}

/** A state that the contract does not know is not terminal: a client continues to watch. */
export function isTerminal(policy: Pick<LifecyclePolicy, 'terminal'>, state: unknown): boolean {
  return typeof state === 'string' && policy.terminal.includes(state);
}

/** The state after an event, or `undefined` where the contract states no such way. */
export function nextState(policy: LifecyclePolicy, from: string, on: string): string | undefined {
  return policy.transitions.find((way) => way.from === from && way.on === on)?.to;
}

/** Whether a later look may find `to` after `from`: states in between can pass unseen. A state reaches itself. */
export function isReachable(policy: LifecyclePolicy, from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const state of reached) {
    for (const way of policy.transitions) if (way.from === state) reached.add(way.to);
  }
  return reached.has(to);
}
