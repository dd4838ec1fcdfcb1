import { check, observed, undecided } from '../../../scenarios/check.ts';
import { watchDelays, whyTooLate } from '../../../scenarios/delays.ts';
import { isObject, isSuccess, member } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { StreamEvent } from '../../../http/event-stream.ts';
import type { Check, Observation, Session, Watched } from '../../../scenarios/scenario.ts';
import { TERMINAL } from '../wire/job.ts';
import { followed } from './connections.ts';
import { REUSE, isReuse } from './keys.ts';
import { judgeConnects } from './life.ts';
import {
  CANCEL,
  LIFE_MS,
  MOST_READS,
  bodyOf,
  eventNames,
  events,
  keyed,
  read,
  readUntil,
  sketchRefusal,
  statusOf,
  statusesIn,
  submit,
  submitted,
} from './job.ts';
import type { EventNames } from './job.ts';
import { BESIDE_MS } from './snapshot.ts';
import { ending, judgeStart, judgeSteps, judgeStream, sketchStream } from './stream-end.ts';

/** From the cancellation to the first read after it, in milliseconds. */
const PAUSE_MS = 50;

/** A stream that polls for changes has seen a state that lasts this long, in milliseconds. */
const LASTING_MS = 1000;

/** The number of reads of a running job without progress. */
const MOST_WAITS = 20;

export const cancellation = scenario({
  id: 'jobs.life.cancellation',
  api: 'jobs',
  title: 'a running job that is cancelled',
  permissions: ['jobs', 'slow'],
  needs: ['job.slow'],
  budgetMs: LIFE_MS,
  sensitive: true,
  judges: [
    'jobs.cancel.200',
    'jobs.cancel.canceling',
    'jobs.cancel.eventually-canceled',
    'jobs.state.canceled-via-canceling',
    'jobs.state.legal-path',
    'jobs.cancel.terminal',
    'jobs.cancel.queued',
    'jobs.sse.connect-terminal',
    'jobs.sse.ends-after-terminal',
    'jobs.sse.snapshot-progress',
    'jobs.idem.duplicate-422',
  ],
  searches: ['jobs.sse.snapshot-progress'],
  severalCases: [
    'jobs.sse.connect-terminal',
    'jobs.sse.ends-after-terminal',
    'jobs.state.canceled-via-canceling',
  ],
  requests: {
    submit: { ...submit, times: 3 },
    again: submit,
    read: { ...read, times: 2 * MOST_READS + MOST_WAITS + 24 },
    events: { ...events, times: 7 },
    cancel: { method: 'POST', target: CANCEL, as: 'jobOwner', times: 4 },
  },
  run: async function* (session) {
    const { fixtures } = session;
    const names = eventNames(fixtures);
    const key = session.freshKey();
    const { exchange: made, id } = await submitted(session, 'submit', 'slow', key);
    const fill = { id };
    const watching = followed(session, id, names, []);
    // Another job, which is not cancelled.
    const other = await submitted(session, 'submit', 'slow', session.freshKey());
    const running = await readUntil(session, 'read', id, {
      holds: (job) => !['queued', ''].includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 100,
    });
    if (statusOf(running.last.json) !== 'running') {
      throw new BrokenFixture('job.slow', `it went from queued to ${statusOf(running.last.json)}`, [
        running.last.id,
      ]);
    }
    const delays = watchDelays(session.clock);
    // After some progress, a cancellation could lose more.
    await readUntil(session, 'read', id, {
      holds: (job) => member(job, 'progress') !== null || statusOf(job) !== 'running',
      times: MOST_WAITS,
      pauseMs: 100,
    });
    // A stream that is opened now cannot have this progress as news.
    await session.clock.sleep(2 * BESIDE_MS);
    const answer = await session.send('cancel', { fill });
    const lateness = whyTooLate(delays());
    const joining = followed(session, id, names, []);
    // Document 3, POST …/cancel: 200 with the job.
    yield check(
      'jobs.cancel.200',
      answer,
      answer.status === 200 && isObject(answer.json),
      'status 200 with the job',
      sketchRefusal(answer),
    );
    const told = statusOf(answer.json);
    // Document 3, States and transitions, row 6.
    if (isSuccess(answer) && isObject(answer.json)) {
      const stopping = told === 'canceling' || told === 'canceled';
      // A job that was looked at too late may have ended before.
      yield lateness !== undefined && TERMINAL.includes(told) && !stopping
        ? undecided('jobs.cancel.canceling', answer, lateness)
        : check(
            'jobs.cancel.canceling',
            answer,
            stopping,
            'status canceling, or canceled already',
            `status ${told}`,
          );
    }
    // Read at once, and a second request while the job is canceling: oracles check whether either contradicts
    // the first one.
    const atOnce = await session.send('read', { fill: { id } });
    await session.send('cancel', { fill: { id } });
    await session.clock.sleep(PAUSE_MS);
    const meanwhile = await session.send('read', { fill: { id } });
    const ended = await readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 500,
    });
    const status = statusOf(ended.last.json);
    const rule = 'jobs.cancel.eventually-canceled';
    const stayed = `still ${status} after ${(MOST_READS * 500) / 1000} s`;
    // Row 7. A job may have ended before its cancellation, and the contract leaves open what causes failure
    // or expiry.
    if (status === 'canceled' || (!ended.reached && status === 'canceling'))
      yield check(rule, [answer, ended.last], ended.reached, 'status canceled in the end', stayed);
    else yield undecided(rule, ended.last, ended.reached ? `it was ${status} first` : stayed);

    // What is open while the job is canceling ends with it, whenever it was opened.
    for (const each of [watching, joining]) {
      const seen = yield* ending(session, each, ended.reached ? ended.last : undefined);
      for (const one of seen === undefined ? [] : judgeStream(seen, names, id))
        if (one.kind === 'check' && one.rule === 'jobs.sse.ends-after-terminal') yield one;
    }
    const watched = await watching.whole;
    const { exchange, events: seen } = watched;
    const path = statusesIn(seen, names);
    yield* judgeStart(watched, names);
    // The contract leaves open whether such a job keeps its progress. The read shows whether it still has any.
    if (statusOf(atOnce.json) === 'canceling' && isObject(member(atOnce.json, 'progress')))
      yield* judgeJoined(await joining.whole, watched, names);
    // The authoritative reads by themselves, and the stream by itself: how one lags behind the other is open.
    yield judgeSteps(
      [told, ...[meanwhile, ...ended.seen].map(({ json }) => statusOf(json))],
      [answer, ended.last],
    );
    yield judgeSteps(path, [exchange]);
    if (path.includes('canceled')) {
      // Rows 6 and 7: there is no other transition to canceled. Some answer must have shown it, at least that
      // of the cancellation.
      const via = [told, ...path, ...ended.seen.map(({ json }) => statusOf(json))].includes('canceling');
      const reached = 'jobs.state.canceled-via-canceling';
      // The duration of canceling is open: it may be over before a read.
      if (!via && told === 'canceled') yield undecided(reached, answer, 'canceled when the cancel answered');
      else yield check(reached, [exchange, answer], via, 'canceling before canceled', path.join(', '));
      // GET …/events, item 1: updates. A short state may be over before the stream polls.
      const later = ended.seen.find(
        ({ json, startedAt }) => statusOf(json) === 'canceling' && startedAt >= answer.endedAt + LASTING_MS,
      );
      if (told === 'canceling' && later !== undefined)
        yield check(
          reached,
          [exchange, answer, later],
          path.includes('canceling'),
          'canceling on the stream, as on the read',
          path.join(', '),
        );
    }
    // The effect of cancelling a job that is queued or has ended is not documented.
    const late = await session.send('cancel', { fill: { id } });
    yield observed('jobs.cancel.terminal', late, sketchRefusal(late));
    // The job stays the same on each later read: an oracle compares them.
    if (ended.reached) await session.send('read', { fill: { id } });
    if (ended.reached) {
      yield* judgeConnects(session, id);
      // Document 3, Idempotency-Key rules on submit, item 2: the end of a job does not free its key.
      const again = await session.send('again', keyed(bodyOf(fixtures, 'slow'), key));
      yield check('jobs.idem.duplicate-422', [made, again], isReuse(again), REUSE, sketchRefusal(again));
    }
    // Document 3, States and transitions, row 6: only its own cancellation makes a job canceling.
    const beside = await session.send('read', { fill: { id: other.id } });
    if (isSuccess(beside))
      yield check(
        'jobs.state.legal-path',
        [answer, beside],
        !['canceling', 'canceled'].includes(statusOf(beside.json)),
        'no cancellation of another job',
        statusOf(beside.json),
      );
    yield* cancelledEarly(session);
  },
});

// --- internal ---

/** Document 3, GET …/events, item 1: the latest progress on connect, while the job is canceling too. */
function* judgeJoined(joined: Watched, watched: Watched, names: EventNames): Generator<Check> {
  const isEarlier = ({ at }: StreamEvent): boolean => at < joined.exchange.startedAt - BESIDE_MS;
  const isProgress = ({ name }: StreamEvent): boolean => name === names.progress;
  const hadProgress = watched.events.some((event) => isProgress(event) && isEarlier(event));
  if (statusesIn(joined.events, names)[0] !== 'canceling' || !hadProgress) return;
  yield check(
    'jobs.sse.snapshot-progress',
    [watched.exchange, joined.exchange],
    joined.events.some(isProgress),
    'the latest progress on connect',
    sketchStream(joined, names),
  );
}

/**
 * A job that is cancelled immediately after its submission. The effect is not documented; if it makes the job
 * canceling, row 7 is the only transition.
 */
async function* cancelledEarly(
  session: Session<'submit' | 'cancel' | 'read' | 'events'>,
): AsyncGenerator<Check | Observation, void> {
  const names = eventNames(session.fixtures);
  const { exchange: made, id } = await submitted(session, 'submit', 'slow', session.freshKey());
  const fill = { id };
  const following = session.watch('events', {
    fill,
    timeoutMs: 10_000,
    until: (seen) => !PENDING.includes(statusesIn(seen, names).at(-1) ?? 'queued'),
  });
  const early = await session.send('cancel', { fill });
  const told = statusOf(early.json);
  const got = `${sketchRefusal(early)}, from ${statusOf(made.json)} to ${told}`;
  yield observed('jobs.cancel.queued', early, got);
  const after = await readUntil(session, 'read', id, {
    holds: (job) => !PENDING.includes(statusOf(job)),
    times: 20,
    pauseMs: 250,
  });
  const reads = after.seen.map(({ json }) => statusOf(json));
  yield judgeSteps([...(isSuccess(early) ? [told] : []), ...reads], [early, after.last]);
  const { exchange, events: seen } = await following;
  yield judgeSteps(statusesIn(seen, names), [exchange]);
}

const PENDING = ['queued', 'canceling'];
