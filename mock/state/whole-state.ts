import type { Assembly } from '../assembly.ts';
import { readChanges } from './changes.ts';
import type { Clock, SteerableClock } from './clock.ts';
import type { DataFile } from './data-file.ts';
import type { DurableState, StateChange } from './durable-state.ts';

/** The state of all APIs of a mock, as changes. With a data folder, the folder has it as well. */
export class WholeState {
  readonly #assembly: () => Assembly | undefined;
  readonly #data: DataFile | undefined;

  constructor(assembly: () => Assembly | undefined, data: DataFile | undefined) {
    this.#assembly = assembly;
    this.#data = data;
  }

  /** Repeats all stored changes. The time is set to at least the latest of them. */
  async load(assembly: Assembly, clock: Clock): Promise<void> {
    if (this.#data === undefined) return;
    const batches = this.#data.load();
    for (const { changes } of batches)
      for (const change of changes) for (const { durable } of assembly.apis) durable?.restore(change);
    const behind = (batches.at(-1)?.at ?? 0) - clock.now();
    if (behind > 0 && 'advance' in clock) await (clock as SteerableClock).advance(behind);
    this.#data.rewrite(changesOf(assembly));
  }

  /** @throws {Error} if the mock is still loading */
  snapshot(): readonly StateChange[] {
    return [...changesOf(this.#loaded())];
  }

  /**
   * Replaces all state.
   *
   * @throws {RangeError} for invalid changes, with their place; then nothing has changed
   */
  restore(changes: readonly StateChange[]): void {
    const assembly = this.#loaded();
    const known = readChanges(changes);
    const commits = assembly.apis.flatMap(({ durable }) => prepared(durable, known) ?? []);
    // Everything was built successfully: from here on, nothing can fail.
    for (const commit of commits) commit();
    this.#data?.rewrite(changesOf(assembly));
  }

  reset(): void {
    const assembly = this.#assembly();
    if (assembly === undefined) return;
    for (const api of assembly.apis) api.reset();
    this.#data?.rewrite(changesOf(assembly));
  }

  /** Shortens the file in the data folder, if it has become long. */
  shorten(): void {
    const assembly = this.#assembly();
    if (this.#data?.isLong === true && assembly !== undefined) this.#data.rewrite(changesOf(assembly));
  }

  #loaded(): Assembly {
    return requireLoaded(this.#assembly());
  }
}

/** @throws {Error} if the mock is still loading */
export function requireLoaded(assembly: Assembly | undefined): Assembly {
  if (assembly === undefined) throw new Error('the mock is still loading: await mock.ready() first');
  return assembly;
}

// --- internal ---

function* changesOf({ apis }: Assembly): Generator<StateChange> {
  for (const { durable } of apis) yield* durable?.snapshot() ?? [];
}

function prepared(
  durable: DurableState | undefined,
  changes: readonly StateChange[],
): (() => void) | undefined {
  try {
    return durable?.prepare(changes);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new RangeError(`The state cannot be restored: ${message}`, { cause: error });
  }
}
