import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../conformance/http/transport.ts';

afterEach(() => vi.useRealTimers());

test('a sleep longer than the longest timer of Node ends at the right time', async () => {
  vi.useFakeTimers();
  const days = 30 * 24 * 60 * 60_000;
  let awake = false;
  void systemClock.sleep(days).then(() => (awake = true));
  await vi.advanceTimersByTimeAsync(days - 1);
  expect(awake).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(awake).toBe(true);
});

test('a signal ends a long sleep in any part of it', async () => {
  vi.useFakeTimers();
  const stop = new AbortController();
  const sleep = systemClock.sleep(60 * 24 * 60 * 60_000, stop.signal);
  const ended = expect(sleep).rejects.toThrow('enough');
  await vi.advanceTimersByTimeAsync(30 * 24 * 60 * 60_000);
  stop.abort(new Error('enough'));
  await ended;
  expect(vi.getTimerCount()).toBe(0);
});
