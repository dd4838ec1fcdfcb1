/** The states of a resource and the transitions between them (document 3, "States and transitions"). */
export interface LifecyclePolicy {
  readonly kind: 'lifecycle';
  /** The schema and the property that contain the state. */
  readonly schema: string;
  readonly property: string;
  readonly states: readonly string[];
  readonly initial: string;
  readonly terminal: readonly string[];
  /** Only the transitions that the contract states; it leaves the conditions of some open. */
  readonly transitions: readonly Transition[];
  /** The refusal of a call that brings about no transition of the present state. */
  readonly refusal?: { readonly status: number; readonly bucket?: string };
}

export interface Transition {
  readonly from: string;
  readonly to: string;
  /** The cause, in one word. */
  readonly on: string;
}

/** An unknown state is not terminal, so a client continues to poll. */
export function isTerminal(policy: Pick<LifecyclePolicy, 'terminal'>, state: unknown): boolean {
  return typeof state === 'string' && policy.terminal.includes(state);
}

/**
 * The transitions that a call brings about: those whose cause is the last part of its path, or its id, such as `capture` of
 * `POST /payments/{id}/capture`.
 */
export function waysCausedBy(
  { transitions }: Pick<LifecyclePolicy, 'transitions'>,
  { id, path }: { readonly id: string; readonly path: string },
): readonly Transition[] {
  const names = [path.split(/[/:]/).at(-1) ?? '', id].map(plain);
  return transitions.filter(({ on }) => names.includes(plain(on)));
}

/** The state after an event, or `undefined` where the contract states no such way. */
export function nextState(policy: LifecyclePolicy, from: string, on: string): string | undefined {
  return policy.transitions.find((way) => way.from === from && way.on === on)?.to;
}

/**
 * Whether a later read may show `to` after `from`: states in between may be missed. A state reaches itself.
 */
export function isReachable(policy: LifecyclePolicy, from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const state of reached) {
    for (const way of policy.transitions) if (way.from === state) reached.add(way.to);
  }
  return reached.has(to);
}

// --- internal ---

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
