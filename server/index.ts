/** The stores of generated servers: the interface, for your own store, and the types of the built-in ones. */
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
