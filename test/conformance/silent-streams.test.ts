import { expect, test } from 'vitest';
import type { Transport } from '../../conformance/index.ts';
import { judgeMock } from '../kill-matrix/matrix.ts';
import { jobsOn } from '../kill-matrix/settings.ts';

const RULE = 'jobs.sse.connect-terminal';

/** Streams with an old event id have no response at all, not even a head. */
function silent(times: number): (inner: Transport) => Transport {
  let left = times;
  return (inner) => async (request) => {
    const isResumed = request.headers.some(([name]) => name.toLowerCase() === 'last-event-id');
    if (!isResumed || (left -= 1) < 0) return inner(request);
    return new Promise((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error), {
        once: true,
      });
    });
  };
}

test.each([
  ['fail', 'is silent each time', Infinity],
  ['pass', 'is silent once', 1],
])(`${RULE}: is a %s if a stream with an old event id %s`, async (verdict, _, times) => {
  const report = await judgeMock({ ...jobsOn({ surface: 'cloud' }), line: silent(times) }, [], [RULE]);
  expect(report.rules.find(({ id }) => id === RULE)?.verdict).toBe(verdict);
});
