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
  /** Members that have a value in some states, and none in others: they are null or left out. */
  readonly members?: Readonly<Record<string, MemberStates>>;
  /**
   * Members that stay as they are after the end: of lists the number of items, of objects that they are there. Other
   * members can change, such as an address that is signed again.
   */
  readonly frozen?: readonly string[];
  readonly times?: LifeTimes;
  /** The refusal of a call that brings about no transition of the present state. */
  readonly refusal?: { readonly status: number; readonly bucket?: string };
}

/** The states in which a member has a value, and those in which it has none; in all others it can have one. */
export interface MemberStates {
  readonly in?: readonly string[];
  readonly notIn?: readonly string[];
}

/** The members with the times of a thing. */
export interface LifeTimes {
  /** Each is set once, never changes afterwards, and is not before the one named before it. The first is the creation. */
  readonly order: readonly string[];
  /** The time until which the thing can be read, after its creation. */
  readonly expiry?: string;
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
