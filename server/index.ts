/** What the stores of generated servers are, for those who write one or pass one in. */
export { memoryStore, type MemoryStoreOptions } from '../engine/memory-store.ts';
export type {
  Bounds,
  CapacityStore,
  Claim,
  Entry,
  IdempotencyStore,
  Store,
  StoredResponse,
} from '../engine/store.ts';
