import type { Form } from '../../contract/index.ts';
import type { Formed } from '../../contract/form.ts';

/** One change of a mock's state, as JSON. Each API defines its parts and the other members of a change. */
export type StateChange = { readonly part: string } & Readonly<Record<string, unknown>>;

/** Records changes. Those of one moment are stored together or not at all. */
export type RecordChange = (change: StateChange) => void;

/** State that outlives its process. */
export interface DurableState {
  /** The changes that produce this state from a fresh one. */
  readonly snapshot: () => Iterable<StateChange>;
  /**
   * Applies a change from `snapshot` or `RecordChange` to the current state; changes of other parts are
   * ignored.
   */
  readonly restore: (change: StateChange) => void;
  /**
   * Builds a state from these changes. The returned function makes it the current one; until then nothing has
   * changed.
   *
   * @throws when a change cannot be applied
   */
  readonly prepare: (changes: readonly StateChange[]) => () => void;
  /** The state itself, for the same API after its document was read again. */
  readonly present?: () => unknown;
}

/** An API with state: how the state is stored, taken over and cleared. */
export interface Keeping {
  readonly durable: DurableState;
  readonly restoreFrom: (earlier: { readonly durable?: DurableState }) => void;
  readonly reset: () => void;
}

/** The forms of the changes of the state, by part. */
export type ChangeOf<Forms> = {
  [Part in keyof Forms & string]: { readonly part: Part } & Omit<Formed<Forms[Part]>, 'part'>;
}[keyof Forms & string];

/** How the state of an API is serialised and restored. */
interface Written<State, Forms> {
  readonly fresh: () => State;
  readonly snapshot: (state: State) => Iterable<ChangeOf<Forms>>;
  /** Applies a change to a state, by its part. */
  readonly restoring: { readonly [Part in keyof Forms]: (state: State, change: Formed<Forms[Part]>) => void };
  /** Starts recording the changes of a state; left out if nothing outlives the process. */
  readonly keep?: RecordChange | undefined;
  readonly watch?: (state: State, keep: (change: ChangeOf<Forms>) => void) => void;
  /** Another state replaces this one, for this reason. */
  readonly close?: (state: State, why: Error) => void;
  /**
   * The state that continues after the contract was read again; default: the earlier state itself.
   * `undefined`: the changes of the earlier state are applied to the current one.
   */
  readonly carried?: (earlier: State, present: State) => State | undefined;
}

/** The state of an API as a durable state. */
export function keeping<State, Forms>(
  api: { state: State },
  { fresh, snapshot, restoring, keep, watch, close, carried = (earlier) => earlier }: Written<State, Forms>,
): Keeping {
  const restoreIn = (state: State, change: StateChange): void => {
    if (!Object.hasOwn(restoring, change.part)) return;
    // Each change from outside has been validated by the form of its part.
    const restore = restoring[change.part as keyof Forms] as (state: State, change: StateChange) => void;
    restore(state, change);
  };
  const observe = (state: State): void => {
    if (keep !== undefined) watch?.(state, keep as (change: ChangeOf<Forms>) => void);
  };
  observe(api.state);
  const durable: DurableState = {
    present: () => api.state,
    snapshot: () => snapshot(api.state) as Iterable<StateChange>,
    restore: (change) => {
      restoreIn(api.state, change);
    },
    prepare: (changes) => {
      const next = fresh();
      for (const change of changes) restoreIn(next, change);
      return () => {
        close?.(api.state, new Error('the mock was reset'));
        api.state = next;
        observe(next);
      };
    },
  };
  return {
    durable,
    restoreFrom: ({ durable: earlier }) => {
      const state = earlier?.present?.() as State | undefined;
      if (state === undefined) return;
      const next = carried(state, api.state);
      if (next !== undefined) {
        api.state = next;
        observe(next);
        return;
      }
      for (const change of snapshot(state)) restoreIn(api.state, change as unknown as StateChange);
      close?.(state, new Error('the contract has changed'));
    },
    reset: () => {
      durable.prepare([])();
    },
  };
}

/** The form of a change with these members, all of them required but those in `optional`. */
export function changeOf<
  const Members extends Readonly<Record<string, Form>>,
  const Optional extends Readonly<Record<string, Form>> = Record<never, Form>,
>(
  members: Members,
  optional?: Optional,
): {
  readonly members: Members & Optional & { readonly part: 'string' };
  readonly required: readonly (keyof Members & string)[];
} {
  const others = optional ?? ({} as Optional);
  return { members: { part: 'string', ...members, ...others }, required: Object.keys(members) };
}

/** Bytes as JSON. */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function bytesOfText(text: unknown): Uint8Array {
  return Buffer.from(String(text), 'base64');
}

/** The value of a stored JSON text; `undefined` if it is not JSON. */
export function valueOfText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
