import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised } from '../../scenario.ts';
import { sketchAnswer } from '../../sketch.ts';
import type { Probes, OperationFacts } from './facts.ts';
import { keyedCalls } from './keyed.ts';

/** A key whose answer is recorded and replayed. */
export function replayProbes(
  facts: OperationFacts<Extract<PolicyOf<'idempotency'>, { mode: 'replay' }>>,
): Probes {
  const { operation, policy } = facts;
  const { name: mark, value: marked } = policy.replayHeader;
  const calls = keyedCalls(facts.api, operation, policy.requestHeader);
  const isMarked = (seen: Exchange): boolean => seen.header(mark) === marked;
  const replays = (first: Exchange, seen: Exchange): boolean =>
    seen.status === first.status && isMarked(seen) && Buffer.compare(seen.bytes, first.bytes) === 0;
  const title = `${operation.method.toUpperCase()} ${operation.path}`;
  return {
    scenarios: [
      ...facts.scenario(['first-use', 'replayed', 'mismatch'], {
        id: `idempotency.${operation.id}.retries`,
        title: `${title}: one key, several times`,
        permissions: ['writes'],
        severalCases: facts.ids('replayed', 'first-use'),
        requests: calls.requests(5),
        async *run(session) {
          const call = await calls.start(session);
          const key = session.freshKey();
          const first = await call.first(key);
          yield* facts.judge(
            'first-use',
            first,
            !isMarked(first),
            `an answer without ${mark}: ${marked}`,
            marks(first, mark),
          );
          for (let time = 0; time < 2; time += 1) {
            const again = await call.send(key);
            yield* facts.judge(
              'replayed',
              [first, again],
              replays(first, again),
              `${first.status} with the same body and ${mark}: ${marked}`,
              `${sketchAnswer(again)}, ${marks(again, mark)}`,
            );
          }
          // What can be done once for each resource is done with another one.
          const fresh = await (await calls.start(session)).send(session.freshKey());
          yield* facts.judge(
            'first-use',
            fresh,
            isSuccess(fresh) && !isMarked(fresh),
            `a success without ${mark}: ${marked}`,
          );
          const other = await call.sendOther(key);
          if (other === undefined)
            throw new NotExercised(
              `bodies.${operation.id}`,
              'no second body is known that differs from the first one',
            );
          yield* facts.status('mismatch', other, policy.mismatch.status, `and no ${mark}`, !isMarked(other));
        },
      }),
      ...facts.scenario(['in-flight'], {
        id: `idempotency.${operation.id}.race`,
        title: `${title}: one key, twice at once`,
        permissions: ['writes'],
        requests: calls.requests(6),
        async *run(session) {
          const call = await calls.start(session);
          const { inFlight } = policy;
          for (let time = 0; time < 3; time += 1) {
            const seen = await call.race(session.freshKey(), 2);
            const ran = seen.filter((one) => isSuccess(one) && !isMarked(one));
            const refused = seen.filter((one) => one.answer !== undefined && !isSuccess(one));
            if (ran.length > 1)
              yield* facts.judge(
                'in-flight',
                seen,
                false,
                'one call that runs',
                `${ran.length} calls with one key ran`,
              );
            const [second] = refused;
            if (second === undefined || ran.length !== 1) continue;
            const hasAdvice = !inFlight.retryAfter || second.header('retry-after') !== undefined;
            const what = inFlight.retryAfter ? 'with Retry-After' : 'for the call that meets the first one';
            yield* facts.status('in-flight', second, inFlight.status, what, hasAdvice);
            return;
          }
          throw new NotExercised(
            'an occasion',
            'the calls did not overlap: each had ended before the next one arrived',
          );
        },
      }),
    ],
  };
}

// --- internal ---

function marks(seen: Exchange, mark: string): string {
  const value = seen.header(mark);
  return value === undefined ? `without ${mark}` : `${mark}: ${value}`;
}
