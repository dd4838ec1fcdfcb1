import { expect, test, vi } from 'vitest';
import { refusingEviction } from '../../server/redis-eviction.ts';

const told = (policy: string): string => `# Memory\r\nmaxmemory:100\r\nmaxmemory_policy:${policy}\r\n`;

test.each(['allkeys-lru', 'allkeys-random', 'volatile-lru', 'volatile-ttl'])(
  '%s is refused',
  async (policy) => {
    const permitted = refusingEviction(() => Promise.resolve(told(policy)));
    await expect(permitted('a')).rejects.toThrow(`maxmemory-policy ${policy}`);
  },
);

test.each(['', told('noeviction'), '# Memory'])('an engine that says %j is used', async (text) => {
  await expect(refusingEviction(() => Promise.resolve(text))('a')).resolves.toBeUndefined();
});

test('the engine is asked once for many claims, and again after it could not be reached', async () => {
  const ask = vi.fn(() => Promise.resolve(told('noeviction')));
  const permitted = refusingEviction(ask);
  await Promise.all([permitted('a'), permitted('b')]);
  await permitted('c');
  expect(ask).toHaveBeenCalledTimes(1);
  const away = vi.fn(() => Promise.reject(new Error('away')));
  const unsure = refusingEviction(away);
  await unsure('a');
  await unsure('b');
  expect(away).toHaveBeenCalledTimes(2);
});
