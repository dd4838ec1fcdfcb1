import { afterEach, expect, test } from 'vitest';
import { createMock, virtualClock, type Mock } from '../../mock/index.ts';
import { countRequest } from '../../mock/scenarios/requested-scenarios.ts';

/** A mock that runs for weeks keeps what the contract asks for, and no more. */
let mock: Mock | undefined;
afterEach(() => mock?.close());

test('the oldest of very many counters are dropped, and the others continue', () => {
  const requestCounts = new Map<string, number>();
  for (let number = 0; number < 30_000; number += 1) countRequest(requestCounts, String(number));
  expect(requestCounts.size).toBeLessThanOrEqual(10_000);
  expect(countRequest(requestCounts, '29999')).toBe(1);
});

test('the journal is bounded by the size of bodies as well, and keeps the latest', async () => {
  mock = createMock({ clock: virtualClock({ auto: false }) });
  const body = new Uint8Array(9 * 2 ** 20);
  for (let number = 1; number <= 20; number += 1) {
    const rawHeaders = ['Authorization', 'Bearer service-mock-ok'];
    const { settle } = await mock.handle({ method: 'POST', target: '/v1/none', rawHeaders, body });
    settle('delivered');
  }
  expect(mock.journal.entries().map(({ number }) => number)).toStrictEqual([14, 15, 16, 17, 18, 19, 20]);
});

test('a query of a hundred thousand fields is judged in time that grows with its length', async () => {
  const mock = createMock({ clock: virtualClock() });
  await mock.ready();
  const answer = await mock.fetch(`http://localhost/v1/models?${'limit=1&'.repeat(100_000)}`, {
    headers: { 'X-API-Key': 'service-mock-ok' },
  });
  expect(answer.status).toBeLessThan(500);
  mock.close();
});
