/** The stores of generated servers: the interface, for your own store, and the types of the built-in ones. */
export { memoryStore } from '../engine/memory-store.ts';
export type { MemoryStoreOptions } from '../engine/memory-keys.ts';
export type {
  Bounds,
  CapacityStore,
  Claim,
  Entry,
  IdempotencyStore,
  Store,
  StoredResponse,
} from '../engine/store.ts';
