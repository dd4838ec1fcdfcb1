import { expect, test } from 'vitest';
import { memoryStore } from '../../generated/router/server.ts';
import { countedRouter } from './counted-router.ts';

test('router.idem.replay: a process that dies before the record of an answer that left: a retry elsewhere waits for the replay', async () => {
  const store = memoryStore();
  const dead = (): Promise<never> => Promise.reject(new Error('this process is dead'));
  const dying = countedRouter({ ...store, record: dead, renew: dead });
  const other = countedRouter(store);
  const first = await dying.run('a');
  expect(first.status).toBe(200);
  // Its lease is five seconds, and it is never released.
  const again = await other.run('a');
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toStrictEqual([
    200,
    first.text,
    'true',
  ]);
  expect(other.runs()).toBe(0);
});
