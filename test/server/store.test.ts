import { describe, test } from 'vitest';
import { memoryStore } from '../../server/index.ts';
import { storeTests } from '../../server/store-tests.ts';

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
