import { check } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, Hindered, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Session } from '../../../scenarios/scenario.ts';
import { retryAfterMs } from '../../../http/retry-after.ts';
import { watchDelays } from '../../../scenarios/delays.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import {
  declared,
  isReplayed,
  judgeConflict,
  judgeReplay,
  keyed,
  withAnotherMember,
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
    'router.idem.mismatch-409',
  ],
  severalCases: ['router.idem.in-flight-409', 'router.idem.in-flight-retry-after'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 14 },
    during: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 6, judgesRefusal: true },
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
    // With varying latency, the second call may arrive after the first has ended. If this happens twice, and this
    // machine was not late, it is not a coincidence.
    let inTime = 0;
    for (let pairs = 1; pair.during.status !== 409; pairs += 1) {
      if (pair.isInTime) inTime += 1;
      const isBusyTwice = pairs >= 2 && isBusy(pair.during);
      if (inTime >= 2 || isBusyTwice) break;
      if (pairs >= MOST_PAIRS)
        throw new Hindered('this machine is too busy to send a call in time, while another one runs', [
          ...[pair.first.id, pair.during.id],
        ]);
      pair = await overlapping(session);
    }
    const { key, first, during, control } = pair;

    // Document 1, Idempotency key handling, row 1: 409 with Retry-After while the call is in progress. A 429
    // concerns the key if there is capacity for a call with another key.
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
      yield judgeWait(during);
      yield* judgeConflict(during);
    }
    // Every retry during the run is a conflict; with another body, either kind of conflict is right.
    const { again, other } = pair;
    if (again !== undefined && again.endedAt <= first.endedAt && !isBusy(again)) {
      yield check(
        'router.idem.in-flight-409',
        [first, again],
        again.status === 409,
        'status 409 while it runs, once more',
        sketchRun(again),
      );
      if (again.status === 409) yield judgeWait(again);
    }
    if (other !== undefined && isSuccess(first) && !isBusy(other))
      yield check(
        'router.idem.mismatch-409',
        [first, other],
        other.status === 409,
        'status 409 for another body while the first one runs',
        sketchRun(other),
      );

    // Rows 1 and 2: a caller that waits and sends again gets the recorded answer.
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

/** How often two calls are sent that overlap. */
const MOST_PAIRS = 4;

function isBusy({ status }: Exchange): boolean {
  return status === 429 || status === 503;
}

interface Overlap {
  readonly key: string;
  readonly first: Exchange;
  readonly during: Exchange;
  /** A call with a new key in parallel with the first one, if the second was refused for lack of capacity. */
  readonly control: Exchange | undefined;
  /** The second call again, and one with another body, if the second was refused. */
  readonly again: Exchange | undefined;
  readonly other: Exchange | undefined;
  /** Whether the second call was sent well before the first one ended, also if it was late. */
  readonly isInTime: boolean;
}

/** Document 1, Idempotency key handling, row 1: 409 carrying Retry-After. */
function judgeWait(during: Exchange): Check {
  return check(
    'router.idem.in-flight-retry-after',
    during,
    retryAfterMs(during, during.endedAt) !== undefined,
    'a Retry-After in seconds or as a date',
    `Retry-After ${sketch(during.header('Retry-After'))}`,
  );
}

/** Two calls with one key, the second while the first runs: `first` is the one that arrived first. */
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
  const lateMs = watchDelays(clock);
  const sent = send('run', keyed(id, input, key));
  await clock.sleep(Math.min(300, minMs / 2));
  const later = await send('during', keyed(id, input, key));
  const control = isBusy(later) ? await send('control', keyed(id, input, freshKey())) : undefined;
  const isRefused = later.status === 409;
  const again = isRefused ? await send('during', keyed(id, input, key)) : undefined;
  const other = isRefused ? await send('during', keyed(id, withAnotherMember(input), key)) : undefined;
  const earlier = await sent;
  const late = lateMs();
  const isWithin = (since: number): boolean => earlier.endedAt - since - late > minMs / 4;
  const isInTime = isWithin(later.startedAt);
  if (earlier.status === 409 && isSuccess(later) && !isReplayed(later))
    return {
      key,
      first: later,
      during: earlier,
      control: undefined,
      again: undefined,
      other: undefined,
      isInTime,
    };
  // The capacity of a call that had ended was available again.
  const isBeside = control !== undefined && control.startedAt < earlier.endedAt;
  return {
    key,
    first: earlier,
    during: later,
    control: isBeside ? control : undefined,
    // An answer to a call that had ended may be heard first.
    again: again?.status === 409 || isWithin(again?.endedAt ?? Infinity) ? again : undefined,
    other,
    isInTime,
  };
}
