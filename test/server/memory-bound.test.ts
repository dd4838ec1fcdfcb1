import { expect, test } from 'vitest';
import { memoryStore } from '../../server/index.ts';
import { countedRouter } from './counted-router.ts';

const MIB = 1_048_576;
const answer = (bytes: number) => ({
  status: 200,
  headers: [['A', 'b']] as const,
  body: new Uint8Array(bytes),
});

test('a full store in memory refuses new keys, replays the others, and has room again when they expire', async () => {
  let now = 0;
  const store = memoryStore({ now: () => now, maximumBytes: 10 * MIB });
  const run = async (key: string): Promise<string> => {
    const claim = await store.claim('s', key, 'h', 60_000);
    if (claim.state !== 'new') return claim.state;
    await store.prepare(claim.fence, answer(MIB), 86_400_000);
    await store.record(claim.fence, answer(MIB), 86_400_000);
    return 'ran';
  };
  const outcomes: string[] = [];
  for (let key = 0; key < 30; key += 1)
    outcomes.push(await run(String(key)).catch((error: unknown) => (error as Error).message));
  const ran = outcomes.filter((outcome) => outcome === 'ran').length;
  expect(ran).toBeGreaterThanOrEqual(9);
  expect(ran).toBeLessThanOrEqual(11);
  expect(outcomes.at(-1)).toMatch(
    /^the keys in memory take \d+ bytes, and may take 10485760: raise maximumBytes/,
  );
  expect(await run('0')).toBe('recorded');
  now += 86_400_001;
  expect(await run('new')).toBe('ran');
});

test('small keys are counted too', async () => {
  const store = memoryStore({ maximumBytes: MIB });
  const claims = Array.from({ length: 5_000 }, (_, key) => store.claim('s', String(key), 'h', 60_000));
  const refused = (await Promise.allSettled(claims)).filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(2_500);
});

test('keys that are released leave their room to others', async () => {
  const store = memoryStore({ maximumBytes: MIB });
  for (let key = 0; key < 10_000; key += 1) {
    const claim = await store.claim('s', String(key), 'h', 60_000);
    if (claim.state === 'new') await store.release(claim.fence);
    expect(claim.state).toBe('new');
  }
});

test('a server with a full store answers 503 to a new key, and says why', async () => {
  const { run, findings } = countedRouter(memoryStore({ maximumBytes: 1 }));
  expect((await run('a')).status).toBe(200);
  expect((await run('b')).status).toBe(503);
  expect(findings).toContain('store');
});
