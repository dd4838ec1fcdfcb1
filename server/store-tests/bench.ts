import assert from 'node:assert/strict';
import type { Store, StoredResponse } from '../../engine/store.ts';

/** A store as the tests use it. */
export interface StoreUnderTest {
  /** The same store as seen by several processes, each with its own connection; one is enough. */
  readonly replicas: readonly [Store, ...Store[]];
  /** Advances the store's clock by this time, in milliseconds. */
  wait(ms: number): Promise<void>;
  /**
   * The length of a short lease, in milliseconds; default: 250. The steps after a claim must finish within
   * it: a store that is too slow for it is tried again with longer ones.
   */
  readonly shortMs?: number;
}

/** The context of a test: its own names, and the replicas in turn. */
export interface Bench extends StoreUnderTest {
  readonly shortMs: number;
  readonly scope: string;
  /** The replicas in turn. */
  readonly any: () => Store;
}

export const LEASE_MS = 60_000;
export const DAY_MS = 86_400_000;
/** Long enough for a claim and the next steps on a busy machine, short enough to wait for. */
export const SHORT_MS = 250;

export const answer: StoredResponse = {
  status: 201,
  headers: [
    ['content-type', 'application/octet-stream'],
    ['x-odd', 'ü "quoted" \\ '],
  ],
  body: new Uint8Array([0, 255, 13, 10, 34, 92, 128]),
};

export async function fenceOf(
  store: Store,
  scope: string,
  key: string,
  hash = 'h',
  leaseMs = LEASE_MS,
): Promise<string> {
  const claim = await store.claim(scope, key, hash, leaseMs);
  assert.equal(claim.state, 'new');
  return claim.state === 'new' ? claim.fence : '';
}

export async function stateOf(store: Store, scope: string, key: string, hash = 'h'): Promise<string> {
  return (await store.claim(scope, key, hash, LEASE_MS)).state;
}

/** The possible ends of a claim. */
export const endBy = {
  record: (store: Store, fence: string) => store.record(fence, answer, DAY_MS),
  consume: (store: Store, fence: string) => store.consume(fence, DAY_MS),
  park: (store: Store, fence: string) => store.park(fence, DAY_MS),
  release: (store: Store, fence: string) => store.release(fence),
};
export type End = keyof typeof endBy;
export const everyEnd = Object.keys(endBy) as End[];

export type StoreTests = Readonly<Record<string, (bench: Bench) => Promise<void>>>;
