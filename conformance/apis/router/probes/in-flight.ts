import { check } from '../../../check.ts';
import { isSuccess } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import { BrokenFixture, Hindered, scenario } from '../../../scenario.ts';
import type { Session } from '../../../scenario.ts';
import { sketch } from '../../../sketch.ts';
import {
  declared,
  isReplayed,
  judgeConflict,
  judgeReplay,
  keyed,
  refuseBroken,
  sketchRun,
} from './idempotency.ts';

export const inFlight = scenario({
  id: 'router.idem.in-flight',
  api: 'router',
  title: 'a key while its call runs',
  permissions: ['billed', 'slow'],
  needs: ['model.slow'],
  lock: 'router.capacity',
  sensitive: true,
  judges: [
    'router.idem.in-flight-409',
    'router.idem.in-flight-retry-after',
    'router.idem.in-flight-then-replay',
    'router.idem.409-error-type',
  ],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 14 },
    during: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2, judgesRefusal: true },
    control: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2, judgesRefusal: true },
  },
  run: async function* (session) {
    const { send, clock, fixtures } = session;
    const { id, input, minMs = 700 } = declared(fixtures.model?.slow, 'model.slow');
    let pair = await overlapping(session);
    refuseBroken('model.slow', pair.first);
    const took = pair.first.endedAt - pair.first.startedAt;
    if (took < minMs * 0.9) {
      throw new BrokenFixture('model.slow', `it ended after ${took} ms, and minMs is ${minMs}`, [
        pair.first.id,
      ]);
    }
    // On a line whose latency jumps, the second may come when the first has ended. That it does so twice is no accident.
    if (pair.during.status !== 409) pair = await overlapping(session);
    const { key, first, during, control } = pair;

    // Document 1, Idempotency key handling, row 1: 409 with Retry-After while the call is in progress. A 429 is about the
    // key where there is room for a call with another one.
    if (isBusy(during) && !(control !== undefined && isSuccess(control))) {
      const why = control === undefined ? '' : `, and ${sketchRun(control)} to a fresh key`;
      throw new Hindered(`the server returned ${during.status} to a key in use${why}`, [during.id]);
    }
    yield check(
      'router.idem.in-flight-409',
      [first, during],
      during.status === 409,
      'status 409 while it runs',
      sketchRun(during),
    );
    if (during.status === 409) {
      const retryAfter = during.header('Retry-After');
      const told =
        retryAfter !== undefined && (/^\d+$/.test(retryAfter) || !Number.isNaN(Date.parse(retryAfter)));
      yield check(
        'router.idem.in-flight-retry-after',
        during,
        told,
        'a Retry-After in seconds or as a date',
        `Retry-After ${sketch(retryAfter)}`,
      );
      yield* judgeConflict(during);
    }

    // Rows 1 and 2: whoever waits and re-sends gets the recorded answer.
    if (!isSuccess(first)) return;
    let last: Exchange | undefined;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      last = await send('run', keyed(id, input, key));
      if (last.status !== 409) break;
      await clock.sleep(1000);
    }
    if (last !== undefined) yield judgeReplay('router.idem.in-flight-then-replay', first, last);
  },
});

// --- internal ---

function isBusy({ status }: Exchange): boolean {
  return status === 429 || status === 503;
}

interface Overlap {
  readonly key: string;
  readonly first: Exchange;
  readonly during: Exchange;
  /** A call with a fresh key beside the first one, where the second found no room. */
  readonly control: Exchange | undefined;
}

/** Two calls with one key, the second while the first runs: `first` is the one that got there first. */
async function overlapping({
  send,
  fixtures,
  freshKey,
  clock,
}: Pick<
  Session<'run' | 'during' | 'control'>,
  'send' | 'fixtures' | 'freshKey' | 'clock'
>): Promise<Overlap> {
  const { id, input, minMs = 700 } = declared(fixtures.model?.slow, 'model.slow');
  const key = freshKey();
  const sent = send('run', keyed(id, input, key));
  await clock.sleep(Math.min(300, minMs / 2));
  const later = await send('during', keyed(id, input, key));
  const control = isBusy(later) ? await send('control', keyed(id, input, freshKey())) : undefined;
  const earlier = await sent;
  if (earlier.status === 409 && isSuccess(later) && !isReplayed(later))
    return { key, first: later, during: earlier, control: undefined };
  // Beside a call that had ended there was more room.
  const isBeside = control !== undefined && control.startedAt < earlier.endedAt;
  return { key, first: earlier, during: later, control: isBeside ? control : undefined };
}
