// @module-tag long
import fc from 'fast-check';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createRouter, ApiError, creditsUsed, isReplay } from '../../generated/router/index.ts';
import { attach } from '../../generated/server-runtime/node.ts';
import {
  answered,
  billedRouter,
  DAY_MS,
  effects,
  expectBalancedLedger,
  type Answered,
} from './billed-router.ts';
import { until } from '../until.ts';

const call = fc.record({
  key: fc.constantFrom('a', 'a', 'a', 'b', undefined),
  effect: fc.constantFrom('result', 'result', 'result', 'provider-timeout', 'provider-timeout', ...effects),
  /** When its caller goes away. */
  leaves: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    'at once',
    'when it has arrived',
    'when it is at work',
  ),
  /** Whether the next one is sent while this one runs. */
  isOverlapped: fc.constantFrom(false, false, true),
  /** What passes before it, in milliseconds. */
  after: fc.constantFrom(0, 0, 1_000, DAY_MS - 1_000, DAY_MS),
});

/** Short: what ends by it has to be waited for. */
const DEADLINE_MS = 20;

test('router.idem.charged-once: on a generated server over sockets, however callers leave and overlap, a key is charged at most once', async () => {
  const seen = { charged: 0, replayed: 0, paidBefore: 0, left: 0, conflicts: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 2, maxLength: 10 }), async (calls) => {
      const router = billedRouter(DEADLINE_MS);
      const http = createHttpServer();
      attach(router.server, http);
      let arrived = 0;
      http.on('request', () => (arrived += 1));
      await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
      const client = createRouter({
        baseUrl: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`,
        credentials: { ApiKeyAuth: 'service-x' },
        // What the server tells to wait for is left to the next call.
        clock: { now: router.now, sleep: () => Promise.reject(new Error('no more attempts')) },
      });
      const answers: Answered[] = [];
      const ends: Promise<void>[] = [];
      for (const { key, effect, leaves, isOverlapped, after } of calls) {
        router.pass(after);
        const gone = new AbortController();
        const sentAt = router.now();
        const [before, runsBefore] = [arrived, router.runs()];
        let isOver = false;
        const hear = (end: unknown): void => {
          const isHeard =
            end instanceof ApiError || (end as { headers?: unknown }).headers instanceof Headers;
          if (!isHeard) {
            seen.left += 1;
            return;
          }
          const answer = end as ApiError;
          const heard = answered(key, answer.status, answer.headers, sentAt);
          expect([isReplay(answer), creditsUsed(answer) !== undefined]).toStrictEqual([
            heard.replayed,
            heard.stamped,
          ]);
          answers.push(heard);
        };
        const end = client
          .runModel(
            { provider: 'acme', model: 'painter', body: {} },
            {
              ...{ retries: 0, signal: gone.signal, headers: { 'X-Effect': effect }, timeoutMs: 60_000 },
              ...(key === undefined ? {} : { idempotencyKey: key }),
            },
          )
          .then(hear, hear)
          .finally(() => (isOver = true));
        ends.push(end);
        if (leaves !== undefined) {
          if (leaves === 'when it has arrived')
            await until('the call arrives', () => isOver || arrived > before);
          if (leaves === 'when it is at work')
            await until('the call is at work', () => isOver || router.runs() > runsBefore);
          gone.abort(new Error('the caller went away'));
        }
        if (!isOverlapped) await end;
      }
      await Promise.all(ends);
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      expectBalancedLedger(router, answers);
      seen.charged += router.charges.length;
      for (const { status, stamped, replayed } of answers) {
        if (replayed) seen.replayed += 1;
        else if (status === 200 && !stamped) seen.paidBefore += 1;
        if (status === 409) seen.conflicts += 1;
      }
    }),
    { numRuns: 100 },
  );
  // A law that is never put to the test proves nothing.
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
});
