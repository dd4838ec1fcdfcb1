import { check, undecided } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { unlessLate, watchDelays, whyTooLate } from '../../../scenarios/delays.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Hindered } from '../../../scenarios/scenario.ts';
import { RACE_TIMES, judgeLost, rounds } from '../../../scenarios/race.ts';
import type { Round } from '../../../scenarios/race.ts';
import {
  declared,
  isReplayed,
  judgeConflict,
  judgeReplay,
  keyed,
  refuseBroken,
  sketchRun,
} from './idempotency.ts';
import { judgeFreshRun } from './runs.ts';

export const race = scenario({
  id: 'router.idem.race',
  api: 'router',
  title: 'concurrent requests with one key',
  permissions: ['billed'],
  needs: ['model.ok'],
  lock: 'router.capacity',
  fillsCapacity: true,
  sensitive: true,
  judges: ['router.idem.race-one-winner', 'router.idem.409-error-type'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: RACE_TIMES, judgesRefusal: true },
  },
  run: async function* (session) {
    const { id, input } = declared(session.fixtures.model?.ok, 'model.ok');
    let open: Round | undefined;
    let decided = false;
    for await (const round of rounds(session, 'run', () => keyed(id, input, session.freshKey()))) {
      const { answers, answered, lost } = round;
      const [refused] = answered.filter((answer) => answer.status !== 409 && !isSuccess(answer));
      if (refused !== undefined) refuseBroken('model.ok', refused);
      // Document 1, Idempotency key handling, introduction and row 1: a key is charged at most once, and a
      // call in progress owns it: one of the calls runs, the others get a 409 or its replay. Two runs decide,
      // regardless of the other answers; a single run decides if all calls were answered.
      const winners = answered.filter((answer) => answer.status !== 409 && !isReplayed(answer));
      for (const answer of answered) if (answer.status === 409) yield* judgeConflict(answer);
      if (lost.length > 0 && winners.length < 2) {
        open = round;
        continue;
      }
      yield check(
        'router.idem.race-one-winner',
        winners.length > 0 ? winners : answers,
        winners.length === 1,
        `one run for ${answers.length} requests with one key`,
        `round ${round.number}: ${winners.length} of ${answers.length} ran`,
      );
      if (winners.length !== 1) return;
      decided = true;
    }
    if (!decided && open !== undefined)
      yield judgeLost('router.idem.race-one-winner', open, 'one run, and 409 or its replay for the others');
  },
});

export const droppedConnection = scenario({
  id: 'router.idem.dropped-connection',
  api: 'router',
  title: 'a key whose caller hung up',
  permissions: ['billed', 'slow'],
  needs: ['model.slow'],
  lock: 'router.capacity',
  sensitive: true,
  judges: ['router.idem.release-on-drop', 'router.idem.replay'],
  searches: ['router.idem.replay'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 29 },
    stranger: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'secondAccount',
      times: 2,
      isOptional: true,
      judgesRefusal: true,
    },
  },
  run: async function* ({ send, fixtures, freshKey, clock, knows }) {
    const { id, input, minMs = 700 } = declared(fixtures.model?.slow, 'model.slow');
    const { ok } = fixtures.model ?? {};
    let key = freshKey();
    let ofStranger = ok !== undefined && knows('secondAccount') ? keyed(ok.id, ok.input, key) : undefined;
    const before = ofStranger === undefined ? undefined : await send('stranger', ofStranger);
    let lateMs = 0;
    const dropped = async (): Promise<Exchange> => {
      const delays = watchDelays(clock);
      const hangUp = new AbortController();
      const running = send('run', { ...keyed(id, input, key), signal: hangUp.signal });
      await clock.sleep(Math.min(300, minMs / 2));
      hangUp.abort(new Error('the caller hangs up'));
      return running.finally(() => (lateMs = Math.max(lateMs, delays())));
    };
    let first = await dropped();
    if (first.status === 409 && ofStranger !== undefined) {
      // A key may belong to all callers: then this one is in use.
      ofStranger = undefined;
      key = freshKey();
      first = await dropped();
    }
    const answered = (seen: Exchange): BrokenFixture | Hindered => {
      const fault = 'it had answered before the caller hung up';
      return unlessLate(new BrokenFixture('model.slow', fault, [seen.id]), lateMs, seen);
    };
    if (first.answer !== undefined) throw answered(first);
    // The record of another caller does not belong to this call.
    if (ofStranger !== undefined && before !== undefined && isSuccess(before) && !isReplayed(before))
      yield judgeReplay('router.idem.replay', before, await send('stranger', ofStranger));
    // A second attempt. If the key is still in use, it gets a 409 at once.
    await clock.sleep(Math.max(250, minMs / 4));
    const second = await dropped();
    // The record of a call that was answered is rightly replayed.
    if (isSuccess(second) && !isReplayed(second)) throw answered(second);
    // Document 1, Idempotency key handling, row 4: released, a fresh run. Row 5 may be read as saying that
    // the key is consumed, so a lasting 409 decides nothing; a replay of the lost result is wrong in both
    // readings.
    let last: Exchange | undefined;
    let answersIn = Infinity;
    for (let attempt = 0; attempt < 24; attempt += 1) {
      last = await send('run', keyed(id, input, key));
      if (last.status !== 409) break;
      answersIn = Math.min(answersIn, last.endedAt - last.startedAt);
      await clock.sleep(Math.max(250, minMs / 4));
    }
    if (last === undefined) return;
    if (last.status === 409) {
      // A call without an answer for as long as several of these take was running: the first drop had
      // released the key, and the second one did not.
      const isRun = second.answer === undefined && second.endedAt - second.startedAt > 3 * answersIn;
      yield isRun
        ? check(
            'router.idem.release-on-drop',
            [first, second, last],
            false,
            'a fresh run after the second drop, as after the first one',
            sketchRun(last),
          )
        : undecided('router.idem.release-on-drop', [first, last], 'the key stays in use, with 409');
      return;
    }
    const late = isReplayed(last) ? whyTooLate(lateMs) : undefined;
    yield late === undefined
      ? judgeFreshRun('router.idem.release-on-drop', first, last)
      : undecided('router.idem.release-on-drop', [first, last], late);
    if (!isSuccess(last)) return;
    // A late result of the first call must not replace anything.
    await clock.sleep(minMs);
    yield judgeReplay('router.idem.replay', last, await send('run', keyed(id, input, key)));
  },
});
