import { check, undecided } from '../../../scenarios/check.ts';
import { isObject, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check, Watched } from '../../../scenarios/scenario.ts';
import { TERMINAL } from '../wire/job.ts';
import { DUPLICATE, REUSE, isReuse } from './keys.ts';
import {
  LIFE_MS,
  bodyOf,
  eventNames,
  events,
  isOver,
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
import { connect, followed } from './connections.ts';
import { judgeSameProgress, judgeTwins, judgeUpdates } from './progress.ts';
import { judgePromptness, judgeSnapshot, causeOf } from './snapshot.ts';
import { ending, judgeStart, judgeStream } from './stream-end.ts';

/** How many connections are opened in addition to the one that follows the whole job. */
const CONNECTIONS = 4;
/** How long a server may take to notice that a stream was left, in milliseconds. */
const LEAVING_MS = 200;

export const midRun = scenario({
  id: 'jobs.sse.mid-run',
  api: 'jobs',
  title: 'streams that are opened while the job runs',
  permissions: ['jobs', 'slow'],
  needs: ['job.slow'],
  budgetMs: 2 * LIFE_MS,
  sensitive: true,
  judges: [
    'jobs.sse.snapshot-status',
    'jobs.sse.snapshot-progress',
    'jobs.sse.no-resume',
    'jobs.sse.progress-complete',
    'jobs.sse.future-updates',
    'jobs.job.outputs-grow',
    'jobs.job.progress-same-data',
    'jobs.job.started-at-set',
    'jobs.sse.ends-after-terminal',
    'jobs.sse.nothing-after-terminal',
    'jobs.sse.terminal-before-end',
    'jobs.sse.status-carries-job',
    'jobs.state.legal-path',
    DUPLICATE,
  ],
  // The oracle of the answers judges each read of the running job.
  searches: ['jobs.job.started-at-set'],
  severalCases: [
    'jobs.sse.no-resume',
    'jobs.sse.snapshot-status',
    'jobs.sse.snapshot-progress',
    'jobs.sse.status-carries-job',
    'jobs.sse.ends-after-terminal',
    'jobs.sse.nothing-after-terminal',
    'jobs.sse.terminal-before-end',
    'jobs.sse.progress-complete',
    'jobs.sse.future-updates',
    'jobs.state.legal-path',
    DUPLICATE,
  ],
  requests: {
    submit,
    again: submit,
    events: { ...events, times: CONNECTIONS + 5 },
    read: { ...read, times: 200 },
  },
  run: async function* (session) {
    const names = eventNames(session.fixtures);
    const key = session.freshKey();
    const { id } = await submitted(session, 'submit', 'slow', key);
    const reading = readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: 200,
      pauseMs: 300,
    });
    reading.catch(() => undefined);
    const follower = followed(session, id, names, [names.progress, names.progress]);
    if (!(await follower.moving)) {
      const { exchange, events: seen } = await follower.whole;
      if (isOver(seen, names))
        throw new BrokenFixture('job.slow', 'it ended before it made any progress twice', [exchange.id]);
      const why = `fewer than two events are named ${names.progress}; set the names in sse.eventNames`;
      for (const rule of ['jobs.sse.snapshot-status', 'jobs.sse.snapshot-progress', 'jobs.sse.no-resume'])
        yield undecided(rule, exchange, why);
      return;
    }
    const second = followed(session, id, names, []);
    const wanted = [names.status, names.progress];
    const [plain, resumed] = await Promise.all([
      connect(session, id, { names, wanted, headers: Array.from({ length: CONNECTIONS }, () => []) }),
      connect(session, id, { names, wanted, headers: ['1', '0'].map((old) => [['Last-Event-ID', old]]) }),
    ]);
    // These streams have ended, which does not concern the others. The server has some time to notice it.
    await session.clock.sleep(LEAVING_MS);
    const third = followed(session, id, names, []);
    const { seen: reads, last, reached } = await reading;
    const end = reached ? last : undefined;
    const whole = yield* ending(session, follower, end);
    const again = yield* ending(session, second, end);
    const late = yield* ending(session, third, end);
    if (whole === undefined) return;
    yield* judgeStream(whole, names, id);
    if (again !== undefined) {
      yield* judgeStream(again, names, id);
      yield* judgeTwins(again, whole, names);
      yield* judgeUpdates(again, whole, names);
    }
    if (late !== undefined) yield* judgeUpdates(late, whole, names);
    yield* judgeStart(whole, names);
    // States and transitions, row 6: only its own cancel makes a job canceling, and not a stream that is closed.
    const stopped = reads.find(({ json }) => ['canceling', 'canceled'].includes(statusOf(json)));
    yield check(
      'jobs.state.legal-path',
      stopped ?? last,
      stopped === undefined,
      'no cancellation of a job that was not cancelled',
      statusOf((stopped ?? last).json),
    );
    yield* judgeSnapshot('jobs.sse.snapshot-status', names.status, plain, whole, names);
    yield* judgeSnapshot('jobs.sse.snapshot-progress', names.progress, plain, whole, names);
    // Item 3: with an old id as well.
    yield* judgeSnapshot('jobs.sse.snapshot-status', names.status, resumed, whole, names);
    yield* judgeSnapshot('jobs.sse.snapshot-progress', names.progress, resumed, whole, names);
    yield* judgePromptness(whole, reads, names);
    yield* judgeResume(resumed, whole, names);
    yield* judgeProgress(plain, whole, names);
    yield* judgeOutputs(reads);
    yield* judgeSameProgress(reads, whole, names);
    // Rules on submit, items 2 and 5: a key is used for much longer than its job runs.
    const duplicate = await session.send('again', keyed(bodyOf(session.fixtures, 'slow'), key));
    yield check(DUPLICATE, duplicate, isReuse(duplicate), REUSE, sketchRefusal(duplicate));
  },
});

export const previews = scenario({
  id: 'jobs.sse.previews',
  api: 'jobs',
  title: 'a stream that is opened after a preview',
  permissions: ['jobs', 'slow'],
  needs: ['job.preview'],
  budgetMs: LIFE_MS,
  sensitive: true,
  judges: ['jobs.sse.snapshot-preview'],
  severalCases: ['jobs.sse.snapshot-preview'],
  requests: { submit, events: { ...events, times: 2 * CONNECTIONS + 2 } },
  run: async function* (session) {
    const names = eventNames(session.fixtures);
    const rule = 'jobs.sse.snapshot-preview';
    const { id } = await submitted(session, 'submit', 'preview', session.freshKey());
    const follower = followed(session, id, names, [names.preview]);
    const later = followed(session, id, names, [names.preview, names.preview]);
    if (!(await follower.moving)) {
      const { exchange, events: seen } = await follower.whole;
      // Its name is not documented, but the fixtures state it.
      if (isOver(seen, names))
        throw new BrokenFixture('job.preview', `it ended without an event ${names.preview}`, [exchange.id]);
      yield undecided(rule, exchange, `no event is named ${names.preview}`);
      return;
    }
    const previewWanted = {
      names,
      wanted: [names.preview],
      headers: Array.from({ length: CONNECTIONS }, () => []),
    };
    const plain = await connect(session, id, previewWanted);
    // After a second preview, the first one is no longer the most recent. Some jobs send only one.
    const again = (await later.moving) ? await connect(session, id, previewWanted) : [];
    const whole = await follower.whole;
    yield* judgeSnapshot(rule, names.preview, plain, whole, names);
    for (const one of judgeSnapshot(rule, names.preview, again, whole, names))
      if (one.outcome === 'fail') yield one;
  },
});

// --- internal ---

/** Item 3: no resume, so that an old id brings nothing of the past. */
function* judgeResume(connections: readonly Watched[], whole: Watched, names: EventNames): Generator<Check> {
  const past = statusesIn(whole.events, names);
  for (const { exchange, events: seen } of connections) {
    const [now, ...others] = statusesIn(seen, names);
    if (now === undefined) continue;
    const isOld = (status: string): boolean =>
      past.includes(status) && past.indexOf(status) < past.indexOf('running');
    const old = [now, ...others].filter(isOld);
    yield check(
      'jobs.sse.no-resume',
      [whole.exchange, exchange],
      old.length === 0,
      'the snapshot of a plain connect',
      `status events: ${[now, ...others].join(', ')}`,
    );
  }
}

/**
 * Item 4: each progress event is complete. Its inner structure is not documented, so two events are compared:
 * that of a new connection, and the latest one of the other stream at that time.
 */
function* judgeProgress(
  connections: readonly Watched[],
  whole: Watched,
  names: EventNames,
): Generator<Check> {
  const pairs = connections.flatMap((connection) => {
    const snapshot = connection.events.find(
      (event) => event.name === names.progress && causeOf(event, connection, whole) !== 'news',
    );
    const latest = whole.events.findLast(
      ({ name, at }) => snapshot !== undefined && name === names.progress && at <= snapshot.at,
    );
    return snapshot === undefined || latest === undefined ? [] : [[snapshot, latest] as const];
  });
  const partial = pairs.flatMap(([snapshot, latest]) => {
    const [one, other] = [parseJson(snapshot.data), parseJson(latest.data)];
    const missing = [...lacking(one, other), ...lacking(other, one)];
    return missing.length > 0 ? [missing] : [];
  });
  if (pairs.length === 0) return;
  yield check(
    'jobs.sse.progress-complete',
    [...connections.map(({ exchange }) => exchange), whole.exchange],
    partial.length * 2 < pairs.length,
    'the same members in progress events and in the snapshot on connect',
    `${partial.length} of ${pairs.length} lack ${partial[0]?.join(', ') ?? 'nothing'}`,
  );
}

/** The members of one value that the other does not have. */
function lacking(all: unknown, some: unknown): readonly string[] {
  return isObject(all) ? Object.keys(all).filter((name) => !(isObject(some) && name in some)) : [];
}

/** Document 3, Job, introduction: outputs fill incrementally. */
function* judgeOutputs(reads: readonly Exchange[]): Generator<Check> {
  const sizes = reads
    .map(({ json }) => member(json, 'outputs'))
    .flatMap((outputs) => (Array.isArray(outputs) ? [outputs.length] : []));
  const shrunk = sizes.findIndex((size, index) => size < (sizes[index - 1] ?? 0));
  if (sizes.length < 2) return;
  yield check(
    'jobs.job.outputs-grow',
    reads.slice(Math.max(0, shrunk - 1)).slice(0, 2),
    shrunk < 0,
    'outputs that never shrink',
    sizes.filter((size, index) => size !== sizes[index - 1]).join(', '),
  );
}
