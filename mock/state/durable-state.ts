import type { Form } from '../../contract/index.ts';
import type { Formed } from '../../contract/form.ts';

/** One change of a mock's state, as JSON. Which parts there are, and what else a change holds, is up to each API. */
export type StateChange = { readonly part: string } & Readonly<Record<string, unknown>>;

/** Takes down a change. Those of one moment are kept together or not at all. */
export type RecordChange = (change: StateChange) => void;

/** State that outlives its process. */
export interface DurableState {
  /** The changes that make this state out of a fresh one. */
  readonly snapshot: () => Iterable<StateChange>;
  /** Makes a change that `snapshot` or `RecordChange` gave in the present state; those of other parts are left alone. */
  readonly restore: (change: StateChange) => void;
  /**
   * Makes a fresh state of these changes. The returned function puts it in place of the present one; until then nothing
   * has changed.
   *
   * @throws when a change cannot be made
   */
  readonly prepare: (changes: readonly StateChange[]) => () => void;
  /** The state itself, for the same API after its document was read again. */
  readonly present?: () => unknown;
}

/** An API that keeps a state: how it is written down, taken over and forgotten. */
export interface Keeping {
  readonly durable: DurableState;
  readonly restoreFrom: (earlier: { readonly durable?: DurableState }) => void;
  readonly reset: () => void;
}

/** The changes of a state whose forms these are, by their part. */
export type ChangeOf<Forms> = {
  [Part in keyof Forms & string]: { readonly part: Part } & Omit<Formed<Forms[Part]>, 'part'>;
}[keyof Forms & string];

/** How the state of an API is written down, and made of what was written. */
interface Written<State, Forms> {
  readonly fresh: () => State;
  readonly snapshot: (state: State) => Iterable<ChangeOf<Forms>>;
  /** Makes a change in a state, by its part. */
  readonly restoring: { readonly [Part in keyof Forms]: (state: State, change: Formed<Forms[Part]>) => void };
  /** Takes down what happens in a state from now on; left out where nothing outlives the process. */
  readonly keep?: RecordChange | undefined;
  readonly watch?: (state: State, keep: (change: ChangeOf<Forms>) => void) => void;
  /** Another state takes the place of this one, for this reason. */
  readonly close?: (state: State, why: Error) => void;
  /**
   * The state with which an earlier one goes on where that of a contract that was read again is present: itself when left
   * out. `undefined`: its changes are made in the present one.
   */
  readonly carried?: (earlier: State, present: State) => State | undefined;
}

/** The state of an API as one that outlives its process. */
export function keeping<State, Forms>(
  api: { state: State },
  { fresh, snapshot, restoring, keep, watch, close, carried = (earlier) => earlier }: Written<State, Forms>,
): Keeping {
  const restoreIn = (state: State, change: StateChange): void => {
    if (!Object.hasOwn(restoring, change.part)) return;
    // Each change from outside was checked by the form of its part.
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

/** The form of a change with these members, all of which it has. */
export function changeOf<const Members extends Readonly<Record<string, Form>>>(
  members: Members,
): {
  readonly members: Members & { readonly part: 'string' };
  readonly required: readonly (keyof Members & string)[];
} {
  return { members: { part: 'string', ...members }, required: Object.keys(members) };
}

/** Bytes as JSON. */
export function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function bytesOfText(text: unknown): Uint8Array {
  return Buffer.from(String(text), 'base64');
}

/** The value of a text that was kept as JSON; `undefined` if it is not JSON. */
export function valueOfText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
