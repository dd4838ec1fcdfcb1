import { describe, expect, test } from 'vitest';
import { afterwards, keyed, run, told } from '../fixtures/second-server/client.ts';
import type { Case, Fixtures } from '../fixtures/second-server/client.ts';
import { start } from './start.ts';
import { until } from '../until.ts';

describe('idempotency keys', () => {
  test.each<[keyof Fixtures['model'], string, number]>([
    ['ok', '200 replayed', 1],
    ['reject422', '422 replayed', 1],
    ['policy', '451 replayed', 1],
    ['hugeOutput', '409', 1],
    ['5xx', '500', 2],
    ['503', '503', 2],
    ['425', '425', 2],
    ['deadline', '504', 2],
    ['providerTimeout', '504', 2],
  ])(
    'after %s the same key says %s, and the partner was called %i times',
    async (name, second, dispatches) => {
      const { server, fixtures } = await start();
      const model = fixtures.model[name] as Case;
      const first = await run(server, model, keyed('k'));
      expect(told(first)).not.toContain('replayed');
      const again = await run(server, model, keyed('k'));
      expect([told(again), server.dispatches(model.id)]).toEqual([second, dispatches]);
      if (second.endsWith('replayed')) expect(again.text).toBe(first.text);
    },
  );

  test('a key in flight gets 409 with Retry-After, and a replay afterwards', async () => {
    const { server, fixtures } = await start();
    const first = run(server, fixtures.model.slow, keyed('k'));
    await until('the calls reach the model', () => server.dispatches(fixtures.model.slow.id) === 1);
    expect(told(await run(server, fixtures.model.slow, keyed('k')))).toBe('409 wait');
    expect(told(await first)).toBe('200');
    expect(told(await run(server, fixtures.model.slow, keyed('k')))).toBe('200 replayed');
  });

  test('another body is refused, and the record stays', async () => {
    const { server, fixtures } = await start();
    const { id, input } = fixtures.model.ok;
    await run(server, { id, input }, keyed('k'));
    expect(told(await run(server, { id, input: { ...input, more: 1 } }, keyed('k')))).toBe('409');
    expect(told(await run(server, { id, input }, keyed('k')))).toBe('200 replayed');
  });

  test('another account has keys of its own', async () => {
    const { server, fixtures } = await start();
    await run(server, fixtures.model.ok, keyed('k'));
    const other = { ...keyed('k'), 'x-api-key': fixtures.cred.secondAccount };
    expect(told(await run(server, fixtures.model.ok, other))).toBe('200');
  });

  test('a caller that disconnects releases its key', async () => {
    const { server, fixtures } = await start();
    const hangUp = new AbortController();
    const lost = run(server, fixtures.model.slow, keyed('k'), hangUp.signal).catch(() => 'lost');
    await until('the calls reach the model', () => server.dispatches(fixtures.model.slow.id) === 1);
    hangUp.abort();
    expect(await lost).toBe('lost');
    expect(await afterwards(() => run(server, fixtures.model.slow, keyed('k')))).toBe('200');
    expect(server.dispatches(fixtures.model.slow.id)).toBe(2);
  });

  test('a timeout with Retry-After is collected with the same key, without a second dispatch', async () => {
    const { server, fixtures } = await start({ collects: true });
    const { providerTimeout } = fixtures.model;
    expect(told(await run(server, providerTimeout, keyed('k')))).toBe('504 wait');
    expect(told(await run(server, providerTimeout, keyed('k')))).toBe('200');
    expect(told(await run(server, providerTimeout, keyed('k')))).toBe('200 replayed');
    expect(server.dispatches(providerTimeout.id)).toBe(1);
  });

  test('a record is forgotten after 24 hours', async () => {
    let time = 0;
    const { server, fixtures } = await start({ now: () => time });
    await run(server, fixtures.model.ok, keyed('k'));
    time = 24 * 3_600_000 - 1;
    expect(told(await run(server, fixtures.model.ok, keyed('k')))).toBe('200 replayed');
    time += 1;
    expect(told(await run(server, fixtures.model.ok, keyed('k')))).toBe('200');
  });
});
