import { join } from 'node:path';
import type { Contract } from '../contract/model.ts';
import { assemble, type Assembly } from './assembly.ts';
import { readBaseUrl } from './base-url.ts';
import type { Handle } from './call/exchange.ts';
import { handleOf } from './call/handle.ts';
import { PendingCalls, type Pending } from './call/open-calls.ts';
import { checkOptions } from './checked-options.ts';
import { activeDeviations } from './deviations/index.ts';
import { fetchOf, type Fetch } from './fetch.ts';
import { mergeFixtures, type Fixtures } from './fixtures.ts';
import { Journal } from './journal/journal.ts';
import type { MockOptions } from './options.ts';
import { reloadsOf, type Reloads } from './reloads.ts';
import { ForcedScenarios, type ScenarioSteering } from './scenarios/forced-scenarios.ts';
import type { Clock, SteerableClock } from './state/clock.ts';
import { realClock, startOfSeeded } from './state/clocks.ts';
import { DataFile } from './state/data-file.ts';
import type { StateChange } from './state/durable-state.ts';
import { idsOf } from './state/ids.ts';
import { snapshotsOf, type Snapshots } from './state/snapshots.ts';
import { requireLoaded, WholeState } from './state/whole-state.ts';

/** A server without a socket. */
export interface Mock {
  readonly handle: Handle;
  /** The base URL for clients. No socket listens there, only `fetch` answers. */
  readonly url: string;
  /**
   * Has the parameters of the global `fetch`, so that a client can use it instead; a path is relative to
   * `url`. It rejects when the mock cuts the connection, as the global one does.
   */
  readonly fetch: Fetch;
  /**
   * The same with another base address, such as `https://api.example.com/base`: links and upload addresses in
   * answers then begin with it. Requests to other addresses are answered too.
   */
  readonly fetchBelow: (baseUrl: string) => Fetch;
  /**
   * Resolves when everything is loaded; rejects when a contract cannot be served. Requests wait for it
   * automatically.
   */
  ready(): Promise<void>;
  /** Clears all state: keys, catalogue edits, cursors, jobs, publications, forced scenarios, journal. */
  reset(): void;
  /**
   * The changes that turn a fresh state into this one, as JSON. It does not include the journal, forced scenarios,
   * and bytes of archives.
   */
  snapshot(): readonly StateChange[];
  /**
   * Replaces all state by that of a snapshot. Journal and forced scenarios are cleared, unless `keep` is
   * true.
   *
   * @throws {RangeError} for invalid changes, with their place; then nothing has changed
   */
  restore(changes: readonly StateChange[], options?: { readonly keep?: boolean }): void;
  /** Named snapshots of the state: in memory, and in the data folder if there is one. */
  readonly snapshots: Snapshots;
  /**
   * Replaces the documents of `contracts`, and the copies in `ownContracts`. Open calls end by the old
   * documents; no state is lost. If it rejects, nothing has changed.
   */
  reload(contracts: readonly Contract[], ownContracts?: readonly Contract[]): Promise<void>;
  /** The results of document changes, for pages and tools. */
  readonly reloads: Reloads;
  /** The fixtures file of the suite for this mock. Call it when the mock is ready. */
  fixtures(): Fixtures;
  /** How many calls reached each model since the last reset, by model id. */
  dispatches(): Readonly<Record<string, number>>;
  /** Scenarios for the next calls. */
  readonly scenarios: ScenarioSteering;
  readonly clock: Clock;
  readonly journal: Journal;
  /** The open calls. */
  readonly pending: Pending;
  /** Ends everything that still waits: its callers are cut off. */
  close(): void;
}

/**
 * Creates a mock. It returns at once and loads in the background.
 *
 * @throws {RangeError} for a deviation or a scenario that does not exist, and for a data folder that is in use
 * @throws {TypeError} for an option of another type
 */
export function createMock(options?: Steered): SteerableMock;
export function createMock(options: MockOptions): Mock;
export function createMock(options: MockOptions = {}): Mock {
  return startAssembly(options).mock;
}

/** A mock whose clock can be moved, as the default clock can. */
export type SteerableMock = Mock & { readonly clock: SteerableClock };

/** Options with a clock that can be controlled: the default one, or one of the same kind. */
export type Steered = MockOptions & { readonly clock?: SteerableClock };

/** A mock with its parts, for the servers around it. */
export function startAssembly(options: MockOptions): {
  readonly mock: Mock;
  readonly assembly: Promise<Assembly>;
} {
  checkOptions(options);
  const clock = options.clock ?? realClock(options.seed === undefined ? undefined : startOfSeeded);
  const ids = idsOf(options.seed);
  const publicUrl = options.publicUrl === undefined ? undefined : readBaseUrl('publicUrl', options.publicUrl);
  const deviationsOf = activeDeviations(options.deviations ?? [], options.contracts, options.modules);
  const openCalls = new PendingCalls();
  const journal = new Journal({ capacity: options.journalSize ?? 1_000 });
  let loaded: Assembly | undefined;
  const hold = (): (() => void) =>
    'hold' in clock && typeof clock.hold === 'function'
      ? (clock.hold as () => () => void)()
      : () => undefined;
  // A clock that moves by itself would run ahead while files are being read.
  const release = hold();
  const steering = new ForcedScenarios(options.scenarios);
  const data = options.data === undefined ? undefined : new DataFile(options.data, () => clock.now());
  const state = new WholeState(() => loaded, data);
  const loading = assemble(
    { ...options, ...(publicUrl === undefined ? {} : { publicUrl }) },
    clock,
    ids,
    steering,
    data === undefined ? undefined : (change) => data.keep(change),
    deviationsOf,
  )
    .then(async (value) => {
      await state.load(value, clock);
      loaded = value;
      return value;
    })
    .finally(() => {
      release();
    });
  // Callers of ready() get the rejection. This avoids an unhandledRejection if ready() is not called.
  loading.catch(() => undefined);

  const url = publicUrl ?? 'http://mock.localhost';
  const handle = handleOf({
    ...{ clock, ids, journal, openCalls },
    assembly: () => loaded ?? loading,
    ended: () => {
      state.shorten();
    },
  });
  const mock: Mock = {
    handle,
    url,
    fetch: fetchOf(handle, url, hold),
    fetchBelow: (baseUrl) => fetchOf(handle, readBaseUrl('The base URL', baseUrl), hold),
    ready: async () => void (await loading),
    reset() {
      ids.reset();
      state.reset();
      steering.reset();
      journal.clear();
    },
    snapshot: () => state.snapshot(),
    restore(changes, { keep = false } = {}) {
      state.restore(changes);
      if (keep) return;
      steering.reset();
      journal.clear();
    },
    snapshots: snapshotsOf(
      {
        present: () => ({ at: clock.now(), scenarios: steering.forced(), changes: mock.snapshot() }),
        become: (state, clockToo) => {
          const now = clock.now();
          const setTo = (time: number): void => {
            if ('setTo' in clock) (clock as SteerableClock).setTo(time);
          };
          // First, so that events after that time are still in the future.
          setTo(clockToo === 'keep' ? Math.max(now, state.at) : state.at);
          try {
            mock.restore(state.changes);
          } catch (error) {
            setTo(now);
            throw error;
          }
          steering.restore(state.scenarios);
        },
      },
      options.data === undefined ? undefined : join(options.data, 'snapshots'),
    ),
    reload: async (contracts, ownContracts) => (await loading).reload(contracts, ownContracts),
    reloads: reloadsOf(() => clock.now()),
    fixtures: () => mergeFixtures(requireLoaded(loaded).apis.map((api) => api.fixtures())),
    dispatches: () =>
      Object.fromEntries(
        requireLoaded(loaded).apis.flatMap(({ control }) => [...(control?.dispatches?.() ?? [])]),
      ),
    scenarios: steering,
    clock,
    journal,
    pending: openCalls,
    close: () => {
      openCalls.close(new Error('the mock is closing'));
      data?.close();
    },
  };
  return { mock, assembly: loading };
}
