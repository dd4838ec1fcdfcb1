import { afterAll, beforeEach, expect, test } from 'vitest';
import { createMock, listScenarios, virtualClock } from '../../mock/index.ts';

/** How long the latency scenario takes, by every way to ask for it. */
const clock = virtualClock();
const mock = createMock({ clock });
beforeEach(() => {
  mock.reset();
});
afterAll(() => {
  mock.close();
});

async function taken(headers: Record<string, string> = {}): Promise<number> {
  await mock.ready();
  const before = clock.now();
  await mock.fetch('/v1/models', { headers: { 'X-API-Key': 'service-mock-ok', ...headers } });
  return clock.now() - before;
}
const problems = (): string[] =>
  (mock.journal.entries().at(-1)?.trail ?? [])
    .map(({ decision }) => decision)
    .filter((text) => text.includes('"ms"'));

test.each([
  ['a header without a duration', { Prefer: 'scenario=latency' }, 1_000],
  ['a header', { Prefer: 'scenario=latency;ms=1500' }, 1_500],
  [
    'a header with spaces, quotes and other preferences',
    { Prefer: 'respond-async, Scenario="latency" ; MS="20"' },
    20,
  ],
  ['a header that asks for no time at all', { Prefer: 'scenario=latency;ms=0' }, 0],
  ['an hour', { Prefer: 'scenario=latency;ms=3600000' }, 3_600_000],
  ['a key without a duration', { 'X-API-Key': 'service-mock-latency' }, 1_000],
  ['a key', { 'X-API-Key': 'service-mock-latency-1500+alice' }, 1_500],
])('latency: %s', async (_what, headers, want) => {
  expect(await taken(headers)).toBe(want);
  expect(problems()).toStrictEqual([]);
});

test('latency: for the next call', async () => {
  mock.scenarios.force({ name: 'latency', ms: 1_500 });
  expect([await taken(), await taken()]).toStrictEqual([1_500, 0]);
});

test.each(['abc', '', '-5', '1.5', '1s', '3600001', '99999999999'])(
  'latency: "%s" is no duration, which the journal says; it takes as long as usual',
  async (text) => {
    expect(await taken({ Prefer: `scenario=latency;ms=${text}` })).toBe(1_000);
    expect(problems()).toStrictEqual([
      expect.stringContaining(
        '"ms" of latency is a whole number of milliseconds from 0 to 3600000',
      ) as string,
    ]);
  },
);

test.each([-1, 1.5, 3_600_001, Number.NaN, '5' as unknown as number])(
  'latency: %s is refused where it is put in the way of calls',
  (ms) => {
    expect(() => {
      mock.scenarios.force({ name: 'latency', ms });
    }).toThrow('"ms" of latency is a whole number of milliseconds from 0 to 3600000');
  },
);

test('a scenario without a duration names one that has it', async () => {
  expect(() => {
    mock.scenarios.force({ name: 'cut-before', ms: 5 });
  }).toThrow(
    '"ms" says how long, which cut-before does not take. It is for latency, slow-stream, slow-work.',
  );
  await taken({ Prefer: 'scenario=not-rolled-out;ms=5' });
  expect(problems()).toStrictEqual([expect.stringContaining('It is for latency') as string]);
});

test('the listing of a scenario with a duration contains its bounds', async () => {
  const durations = (await listScenarios()).filter(({ ms }) => ms !== undefined);
  expect(durations.map(({ name, ms }) => [name, ms])).toStrictEqual([
    ['latency', { least: 0, most: 3_600_000, usual: 1_000 }],
    ['slow-stream', { least: 0, most: 3_600_000, usual: 1_000 }],
    ['slow-work', { least: 0, most: 3_600_000, usual: 1_000 }],
  ]);
});
