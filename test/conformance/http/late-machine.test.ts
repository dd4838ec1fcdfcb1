import { performance } from 'node:perf_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { complete } from '../../../conformance/http/receive.ts';
import type { Clock, WireResponse } from '../../../conformance/http/transport.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const REQUEST = { method: 'GET', target: '/', headers: [], body: undefined, as: 'none' };

async function* text(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(new TextEncoder().encode('{}'));
}

/**
 * A request with a limit of a second, on a machine that stood still and wakes so much too late.
 *
 * @param isAnswered whether the answer, which came in time, is read in the next moment
 */
async function afterStandstill(lateMs: number, isAnswered: boolean): Promise<readonly [string, number[]]> {
  const sleeps: number[] = [];
  let arrive: (response: WireResponse) => void = () => undefined;
  const arrival = new Promise<WireResponse>((resolve) => (arrive = resolve));
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: (milliseconds, signal) => {
      sleeps.push(milliseconds);
      now += milliseconds + (sleeps.length === 1 ? lateMs : 0);
      if (sleeps.length === 1 || !isAnswered) return Promise.resolve();
      arrive({ status: 200, headers: [], body: text() });
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
      });
    },
  };
  const bounds = { clock, timeoutMs: 1_000, signals: [], take: () => undefined };
  const { answer, fault } = await complete(() => arrival, REQUEST, bounds);
  return [String(answer?.status ?? fault), sleeps];
}

test.each<[string, number, boolean, string, readonly number[]]>([
  ['a machine that stood still reads what came meanwhile', 9_000, true, '200', [1_000, 1_000]],
  ['it waits for no more than was allowed', 9_000, false, 'silent', [1_000, 1_000]],
  ['it waits as much longer as it was late', 600, false, 'silent', [1_000, 600]],
  ['a machine that is in time waits no longer', 100, false, 'silent', [1_000]],
])('%s', async (_, lateMs, isAnswered, ended, sleeps) => {
  expect(await afterStandstill(lateMs, isAnswered)).toEqual([ended, sleeps]);
});

test.each<[string, number, number, string, readonly number[]]>([
  [
    'a machine whose timers are in time, but that gave no processor, reads on',
    2_500,
    900,
    '200',
    [1_000, 1_000],
  ],
  ['it waits as much longer as it got none', 1_500, 800, '200', [1_000, 700]],
  ['a process that was busy with its own work waits no longer', 2_500, 2_400, 'silent', [1_000]],
  ['nor does one whose other threads were busy', 100, 3_000, 'silent', [1_000]],
])('%s', async (_, activeMs, usedMs, ended, sleeps) => {
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((since) => ({
    idle: 0,
    active: since === undefined ? 0 : activeMs,
    utilization: 0,
  }));
  vi.spyOn(process, 'cpuUsage').mockImplementation((since) => ({
    user: since === undefined ? 0 : usedMs * 1_000,
    system: 0,
  }));
  expect(await afterStandstill(0, ended === '200')).toEqual([ended, sleeps]);
});
