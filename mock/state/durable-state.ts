import type { Form } from '../../contract/index.ts';

/** One change of a mock's state, as JSON. Which parts there are, and what else a change holds, is up to each API. */
export type StateChange = { readonly part: string } & Readonly<Record<string, unknown>>;

/** Takes down a change. Those of one moment are kept together or not at all. */
export type RecordChange = (change: StateChange) => void;

/** State that outlives its process. */
export interface DurableState {
  /** The changes that make this state out of a fresh one. */
  readonly snapshot: () => Iterable<StateChange>;
  /** Makes a change that `dump` or `Keep` gave in the present state; those of other parts are left alone. */
  readonly restore: (change: StateChange) => void;
  /**
   * Makes a fresh state of these changes. The returned function puts it in place of the present one; until then nothing
   * has changed.
   *
   * @throws when a change cannot be made
   */
  readonly prepare: (changes: readonly StateChange[]) => () => void;
}

/** The form of a change with these members, all of which it has. */
export function changeOf(members: Readonly<Record<string, Form>>): Form {
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
