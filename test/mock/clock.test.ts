import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock, realClock, virtualClock, type VirtualClockOptions } from '../../mock/index.ts';

/** So long that a clock that moves by itself has moved. */
const aMoment = (): Promise<void> => virtualClock().sleep(1);

test('a virtual clock advances to the next sleeper when the process is idle', async () => {
  const clock = virtualClock({ startAt: 1_000 });
  await clock.sleep(24 * 3_600_000);
  expect(clock.now()).toBe(1_000 + 24 * 3_600_000);
});

test('sleepers wake in the order of their times; those with equal times in the order of their calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50), { minLength: 1, maxLength: 20 }), async (delays) => {
      const clock = virtualClock({ startAt: 0 });
      const woken: [delay: number, index: number, at: number][] = [];
      await Promise.all(
        delays.map(async (delay, index) => {
          await clock.sleep(delay);
          woken.push([delay, index, clock.now()]);
        }),
      );
      const expected = delays
        .map((delay, index) => [delay, index, delay] as const)
        .sort(([a, i], [b, j]) => a - b || i - j);
      expect(woken).toStrictEqual(expected);
    }),
  );
});

test('a clock does not advance while it is held', async () => {
  const clock = virtualClock({ startAt: 0 });
  const release = clock.hold();
  const slept = clock.sleep(1);
  await aMoment();
  expect(clock.now()).toBe(0);
  release();
  await slept;
  expect(clock.now()).toBe(1);
});

test('without auto, a clock advances only manually, and wakes sleepers that start on the way', async () => {
  const clock = virtualClock({ startAt: 0, auto: false });
  const woken: number[] = [];
  const twice = (async () => {
    await clock.sleep(10);
    woken.push(clock.now());
    await clock.sleep(10);
    woken.push(clock.now());
  })();
  await aMoment();
  expect(woken).toStrictEqual([]);
  await clock.advance(15);
  expect(woken).toStrictEqual([10]);
  expect(clock.now()).toBe(15);
  await clock.advance(5);
  expect(woken).toStrictEqual([10, 20]);
  await twice;
});

test('an aborted sleep rejects with the reason, and the clock does not wait for it', async () => {
  const clock = virtualClock({ startAt: 0, auto: false });
  const gone = new AbortController();
  const slept = clock.sleep(10, gone.signal);
  expect(clock.nextWake()).toBe(10);
  gone.abort(new Error('gone'));
  await expect(slept).rejects.toThrow('gone');
  expect(clock.nextWake()).toBeUndefined();
  await expect(clock.sleep(10, gone.signal)).rejects.toThrow('gone');
});

test('a real clock can be advanced, stopped and accelerated', async () => {
  const clock = realClock();
  const day = clock.sleep(24 * 3_600_000);
  const before = clock.now();
  await clock.advance(24 * 3_600_000);
  await day;
  expect(clock.now()).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
  clock.speed = 0;
  const stopped = clock.now();
  await realClock().sleep(1);
  expect(clock.now()).toBe(stopped);
  clock.speed = 1_000_000;
  await clock.sleep(60_000);
  expect(clock.now()).toBeGreaterThanOrEqual(stopped + 60_000);
});

test('a clock that starts with speed 0 has its first time, however late it is read', () => {
  const performanceNow = vi.spyOn(performance, 'now');
  onTestFinished(() => {
    performanceNow.mockRestore();
  });
  let passed = 0;
  performanceNow.mockImplementation(() => (passed += 7));
  expect([realClock(1_000, 0).now(), realClock(1_000, 1).now()]).toStrictEqual([1_000, 1_007]);
  expect(() => realClock(1_000, -1)).toThrow(/^"speed" is a number/);
});

test('it moves on by an ISO 8601 duration', async () => {
  const clock = virtualClock({ startAt: 0, auto: false });
  await clock.advance('PT25H');
  await clock.advance('P1DT0.5S');
  expect(clock.now()).toBe(49 * 3_600_000 + 500);
});

const durations = ['1h', '', 'P1Y', '25', Number.NaN, Infinity, -1, 1e300, null, undefined, {}, new Date(0)];

test.each(durations)('a clock refuses to advance by %j', async (duration) => {
  const mock = createMock({ clock: virtualClock({ startAt: 0, auto: false }) });
  const { clock } = mock;
  await expect(clock.advance(duration as number)).rejects.toThrow(
    /^"advance" is a number of milliseconds from 0 up or an ISO 8601 duration such as "PT25H", got /,
  );
  expect([clock.now(), clock.speed]).toStrictEqual([0, 0]);
  mock.close();
});

test('it never moves past the last time that a date can have', async () => {
  const clock = virtualClock({ startAt: 8.64e15 - 1, auto: false });
  await expect(clock.advance(2)).rejects.toThrow(RangeError);
  expect(clock.now()).toBe(8.64e15 - 1);
});

test.each([Number.NaN, Infinity, -1, 1_000_001, '2', null])('%j is not a speed', (speed) => {
  const clock = realClock();
  expect(() => (clock.speed = speed as number)).toThrow(/^"speed" is a number from 0 to 1000000, got /);
  expect(clock.speed).toBe(1);
});

test.each([Number.NaN, Infinity, 9e15, '2026-01-05', new Date(0)])('%j is not a valid time', (time) => {
  const clock = virtualClock({ startAt: 5, auto: false });
  expect(() => {
    clock.setTo(time as number);
  }).toThrow(/^"time" is a time in epoch milliseconds, got /);
  expect(clock.now()).toBe(5);
});

test.each([{ startAt: Number.NaN }, { startAt: '2026-01-05' }, { startAt: new Date(0) }, { auto: 'no' }])(
  'options that make no clock are refused: %j',
  (options) => {
    expect(() => virtualClock(options as VirtualClockOptions)).toThrow(RangeError);
  },
);

test.each([Number.NaN, Infinity])('a sleep of %j is refused', async (milliseconds) => {
  const clock = virtualClock({ startAt: 0 });
  await expect(clock.sleep(milliseconds)).rejects.toThrow(RangeError);
  await clock.sleep(1);
  expect(clock.now()).toBe(1);
});

test.each([0, -5])('to sleep for %i ms takes no time, also on a clock that stands still', async (ms) => {
  await expect(virtualClock({ auto: false }).sleep(ms)).resolves.toBeUndefined();
});
