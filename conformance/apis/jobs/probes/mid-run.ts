import { check, undecided } from '../../../check.ts';
import { isObject, member, parseJson } from '../../../exchange.ts';
import type { StreamEvent } from '../../../event-stream.ts';
import type { Exchange } from '../../../exchange.ts';
import { BrokenFixture, scenario } from '../../../scenario.ts';
import type { Check, Session, Watched } from '../../../scenario.ts';
import { TERMINAL } from '../wire/job.ts';
import {
  LIFE_MS,
  endGrace,
  eventNames,
  events,
  isOver,
  read,
  readUntil,
  statusOf,
  statusesIn,
  submit,
  submitted,
} from './job.ts';
import type { EventNames } from './job.ts';
import { judgeSameProgress } from './progress.ts';
import { judgeStream } from './stream-end.ts';

/** How long a snapshot may take, in milliseconds. */
const SNAPSHOT_MS = 5000;

/** So many connections are opened beside the one that follows the job all along. */
const CONNECTIONS = 4;

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
    'jobs.job.outputs-grow',
    'jobs.job.progress-same-data',
    'jobs.sse.ends-after-terminal',
    'jobs.sse.nothing-after-terminal',
    'jobs.sse.terminal-before-end',
    'jobs.sse.status-carries-job',
    'jobs.state.legal-path',
  ],
  severalCases: ['jobs.sse.no-resume', 'jobs.sse.snapshot-status'],
  requests: {
    submit,
    events: { ...events, times: CONNECTIONS + 3 },
    read: { ...read, times: 200 },
  },
  run: async function* (session) {
    const names = eventNames(session.fixtures);
    const { id } = await submitted(session, 'submit', 'slow', session.freshKey());
    const reading = readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: 200,
      pauseMs: 300,
    });
    reading.catch(() => undefined);
    const follower = follow(session, id, names, [names.progress, names.progress]);
    if (!(await follower.moving)) {
      const { exchange, events: seen } = await follower.whole;
      if (isOver(seen, names))
        throw new BrokenFixture('job.slow', 'it ended before it made any progress twice', [exchange.id]);
      const why = `fewer than two events are named ${names.progress}; set the names in sse.eventNames`;
      for (const rule of ['jobs.sse.snapshot-status', 'jobs.sse.snapshot-progress', 'jobs.sse.no-resume'])
        yield undecided(rule, exchange, why);
      return;
    }
    const wanted = [names.status, names.progress];
    const [plain, resumed] = await Promise.all([
      connect(session, id, { names, wanted, headers: Array.from({ length: CONNECTIONS }, () => []) }),
      connect(session, id, { names, wanted, headers: ['1', '0'].map((old) => [['Last-Event-ID', old]]) }),
    ]);
    const { seen: reads, last, reached } = await reading;
    const whole = await within(session, OVERDUE_MS, follower.whole);
    if (whole === undefined) {
      // Items 1 and 2: future updates, up to the terminal status. The read has had it for a while.
      if (reached)
        yield check(
          'jobs.sse.ends-after-terminal',
          last,
          false,
          'the end of a stream that was open all along',
          `still open ${OVERDUE_MS / 1000} s after the read said ${statusOf(last.json)}`,
        );
      follower.hangUp();
      return;
    }
    yield* judgeStream(whole, names, id);
    // Item 1: updates, and rows 2 and 3 of the states. This job ran for long enough to be told of it.
    const path = statusesIn(whole.events, names);
    if (path[0] === 'queued' && path.length > 1)
      yield check(
        'jobs.state.legal-path',
        whole.exchange,
        path.includes('running'),
        'running, of a job that made progress',
        path.join(', '),
      );
    yield* judgeSnapshot('jobs.sse.snapshot-status', names.status, plain, whole, names);
    yield* judgeSnapshot('jobs.sse.snapshot-progress', names.progress, plain, whole, names);
    // Item 3: with an old id as well.
    yield* judgeSnapshot('jobs.sse.snapshot-status', names.status, resumed, whole, names);
    yield* judgeResume(resumed, whole, names);
    yield* judgeProgress(plain, whole, names);
    yield* judgeOutputs(reads);
    yield* judgeSameProgress(reads, whole, names);
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
  requests: { submit, events: { ...events, times: CONNECTIONS + 1 } },
  run: async function* (session) {
    const names = eventNames(session.fixtures);
    const { id } = await submitted(session, 'submit', 'preview', session.freshKey());
    const follower = follow(session, id, names, [names.preview]);
    if (!(await follower.moving)) {
      const { exchange, events: seen } = await follower.whole;
      // Its name is not shown either, but the fixtures say what it is here.
      if (isOver(seen, names))
        throw new BrokenFixture('job.preview', `it ended without an event ${names.preview}`, [exchange.id]);
      yield undecided('jobs.sse.snapshot-preview', exchange, `no event is named ${names.preview}`);
      return;
    }
    const plain = await connect(session, id, {
      names,
      wanted: [names.preview],
      headers: Array.from({ length: CONNECTIONS }, () => []),
    });
    yield* judgeSnapshot('jobs.sse.snapshot-preview', names.preview, plain, await follower.whole, names);
  },
});

// --- internal ---

const PAUSE_MS = 200;

/** One stream may have been opened at an unlucky moment. */
const FEWEST = 2;

/** Events this close to the opening of a stream belong to its snapshot, in milliseconds. */
const AT_ONCE_MS = 150;

/** Two streams have the same event this close to each other, in milliseconds. */
const BESIDE_MS = 30;

/** A stream may end so much later than a read says that the job has, in milliseconds. */
const OVERDUE_MS = 10_000;

/** A value, if it comes in time. */
async function within<Value>(
  { clock }: Pick<Session, 'clock'>,
  milliseconds: number,
  coming: Promise<Value>,
): Promise<Value | undefined> {
  const settled = new AbortController();
  const late = clock.sleep(milliseconds, settled.signal).catch(() => undefined);
  try {
    return await Promise.race([coming, late.then(() => undefined)]);
  } finally {
    settled.abort();
  }
}

/** A stream from the beginning to the end, and whether these events came in it. */
function follow(
  session: Session<'events'>,
  id: string,
  names: EventNames,
  wanted: readonly string[],
): { readonly moving: Promise<boolean>; readonly whole: Promise<Watched>; readonly hangUp: () => void } {
  const leaving = new AbortController();
  let tell: (moving: boolean) => void = () => undefined;
  const moving = new Promise<boolean>((resolve) => (tell = resolve));
  const whole = session.watch('events', {
    fill: { id },
    timeoutMs: LIFE_MS,
    until: (seen) => {
      if (hasAll(seen, wanted)) tell(true);
      return false;
    },
    grace: endGrace(names),
    signal: leaving.signal,
  });
  whole.then(
    () => tell(false),
    () => tell(false),
  );
  return { moving, whole, hangUp: () => leaving.abort(new Error('the suite has seen enough')) };
}

/** Opens streams one after the other, without waiting for what each of them brings. */
function connect(
  session: Session<'events'>,
  id: string,
  options: {
    readonly names: EventNames;
    readonly wanted: readonly string[];
    /** Those of each stream. */
    readonly headers: readonly (readonly (readonly [name: string, value: string])[])[];
  },
): Promise<readonly Watched[]> {
  const { names, wanted, headers } = options;
  return Promise.all(
    headers.map(async (own, index) => {
      // Not right behind the event that was waited for.
      await session.clock.sleep(2 * BESIDE_MS + index * PAUSE_MS);
      return session.watch('events', {
        fill: { id },
        headers: own,
        timeoutMs: SNAPSHOT_MS,
        until: (seen) => isOver(seen, names) || hasAll(seen, wanted),
      });
    }),
  );
}

function hasAll(seen: readonly StreamEvent[], wanted: readonly string[]): boolean {
  return [...new Set(wanted)].every(
    (name) =>
      seen.filter((event) => event.name === name).length >= wanted.filter((one) => one === name).length,
  );
}

function dataOf(event: StreamEvent): string {
  let data = dataOfEvent.get(event);
  if (data === undefined) {
    data = JSON.stringify(parseJson(event.data)) ?? event.data;
    dataOfEvent.set(event, data);
  }
  return data;
}

const dataOfEvent = new WeakMap<StreamEvent, string>();

/** When a stream had an event of this name with this data for the last time. */
function lastTime(watched: Watched, { name }: StreamEvent, data: string): number {
  let times = timesOf.get(watched);
  if (times === undefined) {
    times = new Map(watched.events.map((event) => [`${event.name}\n${dataOf(event)}`, event.at]));
    timesOf.set(watched, times);
  }
  return times.get(`${name}\n${data}`) ?? Number.NEGATIVE_INFINITY;
}

const timesOf = new WeakMap<Watched, ReadonlyMap<string, number>>();

/**
 * Why an event came. What the stream that was open all along had as well, after the other one was opened, is `news`: it
 * came because something happened, and not because somebody connected. What came at once may be either.
 */
function originOf(event: StreamEvent, connection: Watched, whole: Watched): 'snapshot' | 'news' | 'either' {
  const opened = openedAt(connection);
  if (lastTime(whole, event, dataOf(event)) < opened - BESIDE_MS) return 'snapshot';
  if (event.at - opened > AT_ONCE_MS) return 'news';
  // The same data as before and after: where nothing changes, this is how things stand.
  const before = whole.events.findLast(({ name, at }) => name === event.name && at < opened - BESIDE_MS);
  return before !== undefined && dataOf(before) === dataOf(event) ? 'snapshot' : 'either';
}

function openedAt({ exchange, events: seen }: Watched): number {
  return Math.max(exchange.startedAt, seen[0]?.at ?? 0);
}

/** Document 3, GET …/events, item 1: on connect, without waiting for a change. */
function* judgeSnapshot(
  rule: string,
  name: string,
  connections: readonly Watched[],
  whole: Watched,
  names: EventNames,
): Generator<Check> {
  // What a stream says about a job that is over is another matter.
  const over = whole.events.find((event) => isOver([event], names))?.at ?? Number.POSITIVE_INFINITY;
  const midway = connections.filter((connection) => openedAt(connection) + AT_ONCE_MS < over);
  const told = midway.flatMap((connection) => {
    const found = connection.events.filter((event) => event.name === name);
    const origins = found.map((event) => originOf(event, connection, whole));
    if (origins.includes('snapshot')) return [true];
    return origins.includes('either') ? [] : [false];
  });
  if (!told.includes(true) && told.length < FEWEST) {
    yield undecided(rule, whole.exchange, 'too few streams could be opened between two events');
    return;
  }
  const stale = midway.filter((connection) => isStale(connection, whole, name));
  // One stream may have been opened at an unlucky moment.
  if (name !== names.status && stale.length * 2 > midway.length && stale.length >= FEWEST) {
    yield check(
      rule,
      stale.map(({ exchange }) => exchange),
      false,
      `the latest ${name} on connect`,
      `an earlier one on ${stale.length} of ${midway.length} streams`,
    );
    return;
  }
  const first = midway[0]?.events.map((event) => event.name) ?? [];
  yield check(
    rule,
    midway.map(({ exchange }) => exchange),
    told.includes(true),
    `an event ${name} on connect`,
    `${told.length} streams opened, none with it; the first had: ${first.join(', ') || 'nothing'}`,
  );
}

/**
 * Whether a stream began with what the other one had been told before it was told something else: the contract promises the
 * latest. The two are given time to be told the same.
 */
function isStale(connection: Watched, whole: Watched, name: string): boolean {
  const [told] = connection.events.filter((event) => event.name === name);
  if (told === undefined || originOf(told, connection, whole) === 'news') return false;
  const opened = openedAt(connection);
  const before = whole.events.filter((event) => event.name === name && event.at < opened - AT_ONCE_MS);
  const same = whole.events.findLast((event) => event.name === name && dataOf(event) === dataOf(told));
  const latest = before.at(-1);
  return latest !== undefined && same !== undefined && same.at < latest.at && dataOf(latest) !== dataOf(told);
}

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
 * Item 4: each progress event is complete. Its inner structure is not shown, so that one event is held against another:
 * what a stream tells on connect, against the latest that the other stream had been told by then.
 */
function* judgeProgress(
  connections: readonly Watched[],
  whole: Watched,
  names: EventNames,
): Generator<Check> {
  const pairs = connections.flatMap((connection) => {
    const snapshot = connection.events.find(
      (event) => event.name === names.progress && originOf(event, connection, whole) !== 'news',
    );
    const latest = whole.events.findLast(
      ({ name, at }) => snapshot !== undefined && name === names.progress && at <= snapshot.at,
    );
    return snapshot === undefined || latest === undefined ? [] : [[snapshot, latest] as const];
  });
  const partial = pairs.flatMap(([snapshot, latest]) => {
    const [all, some] = [parseJson(snapshot.data), parseJson(latest.data)];
    const missing = isObject(all) ? Object.keys(all).filter((name) => !(isObject(some) && name in some)) : [];
    return missing.length > 0 ? [missing] : [];
  });
  if (pairs.length === 0) return;
  yield check(
    'jobs.sse.progress-complete',
    [...connections.map(({ exchange }) => exchange), whole.exchange],
    partial.length * 2 < pairs.length,
    'progress events with all that a snapshot on connect has',
    `${partial.length} of ${pairs.length} lack ${partial[0]?.join(', ') ?? 'nothing'}`,
  );
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
