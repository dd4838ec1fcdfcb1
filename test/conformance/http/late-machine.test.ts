import { expect, test } from 'vitest';
import { complete } from '../../../conformance/http/receive.ts';
import type { Clock, WireResponse } from '../../../conformance/http/transport.ts';

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
