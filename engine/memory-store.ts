import { memoryCapacity, type SeenStore } from './memory-capacity.ts';
import { memoryKeys, type MemoryStoreOptions } from './memory-keys.ts';
import type { AtOnce, InProcess, Store, StoredResponse } from './store.ts';

/** A store that answers at once. */
export type LocalStore<Copy = StoredResponse> = SeenStore & InProcess & AtOnce<Store<Copy>>;

/** A store for one process. Its content is lost with the process, and no other process sees it. */
export function memoryStore(options: MemoryStoreOptions = {}): Store & InProcess & SeenStore {
  const store = memoryStoreOf(options);
  const { claim, renew, prepare, record, consume, park, release, enter, stay, leave } = store;
  return {
    ...store,
    ...{ claim: later(claim), renew: later(renew), prepare: later(prepare), record: later(record) },
    ...{ consume: later(consume), park: later(park), release: later(release) },
    ...{ enter: later(enter), stay: later(stay), leave: later(leave) },
  };
}

/** The same store without promises, for copies of answers of any type. */
export function memoryStoreOf<Copy extends Pick<StoredResponse, 'headers'>>(
  options: MemoryStoreOptions<Copy>,
): LocalStore<Copy> {
  return { ...memoryKeys(options), ...memoryCapacity(options.now ?? Date.now) };
}

// --- internal ---

/** The same as a promise, which rejects with any thrown error. */
function later<Asked extends readonly unknown[], Told>(
  work: (...asked: Asked) => Told,
): (...asked: Asked) => Promise<Told> {
  return (...asked) =>
    new Promise((resolve) => {
      resolve(work(...asked));
    });
}
