import { describe, test } from 'vitest';
import { memoryStore, type Store } from '../../server/index.ts';
import { storeTests } from '../../server/store-tests.ts';
import { pause } from '../until.ts';

describe('in memory', () => {
  for (const { name, run } of storeTests(() => {
    let now = 0;
    return {
      replicas: [memoryStore({ now: () => now })],
      wait: (ms) => {
        now += ms;
        return Promise.resolve();
      },
    };
  }))
    test.concurrent(name, run);
});

/** The same store, far away: every command takes its time. */
function distant(store: Store, ms: number): Store {
  return new Proxy(store, {
    get: (near, name) => {
      const member: unknown = Reflect.get(near, name, near);
      if (typeof member !== 'function') return member;
      return async (...given: unknown[]): Promise<unknown> => {
        await pause(ms);
        return Reflect.apply(member, near, given) as unknown;
      };
    },
  });
}

describe('a store that is too slow for the first lease that is tried', () => {
  for (const { name, run } of storeTests(() => ({
    replicas: [distant(memoryStore(), 20)],
    wait: pause,
    shortMs: 60,
  })))
    test.concurrent(name, run);
});
