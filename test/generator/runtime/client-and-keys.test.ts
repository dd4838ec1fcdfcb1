import fc from 'fast-check';
import { expect, test } from 'vitest';

import { claimReplayKey, settleReplayKey } from '../../../contract/policies/idempotency-replay.ts';
import type { ReplayOutcome, ReplayRecord } from '../../../contract/policies/idempotency-replay.ts';
import { ApiError, CallError } from '../../../generator/runtime/errors.ts';
import { send } from '../../../generator/runtime/http.ts';
import { replayPolicy } from '../../contract/policies/replay-policy.ts';
import { fakeServer, jsonAnswer, problem, runThing } from './fake-server.ts';
import type { FakeServer, SeenRequest } from './fake-server.ts';

/** What becomes of one request on its way and in the server. */
interface Fate {
  readonly road:
    'good' | 'lost on the way' | 'lost on the way back' | 'cut short' | 'lost at the door' | 'never answered';
  readonly takes: number;
  readonly status: number;
  /** Whether a 504 says that its generation can be collected. */
  readonly collectable: boolean;
  /** Whether the server notices at once that its caller has gone. */
  readonly notices: boolean;
}

const fate = fc.record<Fate>({
  road: fc.constantFrom(
    'good',
    'good',
    'good',
    'lost on the way',
    'lost on the way back',
    'cut short',
    'lost at the door',
    'lost at the door',
    'never answered',
  ),
  takes: fc.oneof(fc.nat(100), fc.nat(60_000), fc.nat(900_000)),
  status: fc.constantFrom(200, 200, 200, 422, 429, 500, 503, 504),
  collectable: fc.boolean(),
  notices: fc.boolean(),
});

interface Books {
  charged: number;
  inFlight: number;
  most: number;
  keys: Set<string | null>;
}

/** A server that keeps its keys by the policy, over a network that keeps nothing safe. */
function worldOf(fates: readonly Fate[]): { server: FakeServer; books: Books } {
  const books: Books = { charged: 0, inFlight: 0, most: 0, keys: new Set() };
  let record: ReplayRecord<string> | undefined;
  let requests = 0;

  const handle = async (request: SeenRequest): Promise<Response> => {
    const { road, takes, status, collectable, notices } = fates[requests % fates.length] as Fate;
    const fence = `attempt ${(requests += 1)}`;
    books.keys.add(request.headers.get('idempotency-key'));
    const gone = new TypeError('fetch failed');
    if (road === 'lost on the way') throw gone;

    const now = server.clock.now();
    const decision = claimReplayKey(replayPolicy, record, { bodyHash: String(request.body), fence, now });
    if (decision.action === 'refuse')
      return problem(decision.status, 'x', decision.retryAfter ? { 'retry-after': '5' } : {});
    if (decision.action === 'replay') return jsonAnswer(decision.response, 200, { 'x-replayed': 'true' });
    record = decision.record;
    books.inFlight += 1;
    books.most = Math.max(books.most, books.inFlight);

    const settle = (outcome: ReplayOutcome<string>): void => {
      const owned = record?.state === 'in-flight' && record.fence === fence;
      if (!owned) return;
      books.inFlight -= 1;
      record = settleReplayKey(replayPolicy, record, { fence, now: server.clock.now() }, outcome);
      if (record?.state === 'recorded' || record?.state === 'consumed') books.charged += 1;
    };
    const marked = status === 504 && collectable;
    // At the door: the server saw its answer leave whole.
    const delivery = road === 'cut short' ? 'short' : 'delivered';
    const finished = server.clock
      .sleep(takes)
      .then(() =>
        settle({ ended: 'answered', status, marked, delivery, copy: status === 200 ? fence : undefined }),
      );
    if (road === 'never answered') return await new Promise<Response>(() => undefined);
    if (road === 'lost on the way back') {
      if (notices) settle({ ended: 'dropped' });
      throw gone;
    }
    await finished;
    if (road !== 'good') throw gone;
    return status === 200 ? jsonAnswer(fence) : problem(status, 'x', marked ? { 'retry-after': '1' } : {});
  };
  const server = fakeServer(Array.from({ length: 2_000 }, () => handle));
  return { server, books };
}

test('a call is charged at most once over any network, and every result is the recorded one', async () => {
  const seen = { results: 0, replays: 0, errors: 0, resent: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 8 }), async (fates) => {
      const { server, books } = worldOf(fates);
      try {
        const answer = await send(server.connection, runThing, { id: 'a', body: { n: 1 } });
        seen.results += 1;
        if (answer.replayed) seen.replays += 1;
        if (answer.attempts > 1) seen.resent += 1;
        expect(books.charged).toBe(1);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        seen.errors += 1;
        // The key lets the caller go on with this very call.
        expect(error.idempotencyKey).toBe('key-1');
        if (error instanceof ApiError && error.status === 409)
          expect(error.retryAfterMs === undefined || error.attempts > 1).toBe(true);
      }
      expect(books.keys).toStrictEqual(new Set(['key-1']));
      expect(books.most).toBeLessThanOrEqual(1);
      expect(books.charged).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200 },
  );
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(5);
});
