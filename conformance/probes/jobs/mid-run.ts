import { check, undecided } from '../../check.ts';
import { isObject, member, parseJson } from '../../exchange.ts';
import type { StreamEvent } from '../../event-stream.ts';
import type { Exchange } from '../../exchange.ts';
import { BrokenFixture, scenario } from '../../scenario.ts';
import type { Check, Session, WatchOptions, Watched } from '../../scenario.ts';
import {
  EVENTS,
  READ,
  SUBMIT,
  TERMINAL,
  endGrace,
  eventNames,
  isOver,
  readUntil,
  statusOf,
  statusesIn,
  submitted,
} from './job.ts';
import type { EventNames } from './job.ts';

const submit = { method: 'POST', target: SUBMIT, as: 'jobOwner', times: 1 } as const;
const events = { method: 'GET', target: EVENTS, as: 'jobOwner', times: 1 } as const;
const read = { method: 'GET', target: READ, as: 'jobOwner', times: 1 } as const;

/** How long a snapshot may take, in milliseconds. */
const SNAPSHOT_MS = 5000;
const LIFE_MS = 120_000;

/** So many connections are opened beside the one that follows the job all along. */
const CONNECTIONS = 3;

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
  ],
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
    const connect = (options: Partial<WatchOptions> = {}): Promise<Watched> =>
      session.watch('events', {
        fill: { id },
        timeoutMs: SNAPSHOT_MS,
        until: (seen) => isOver(seen, names) || hasAll(seen, [names.status, names.progress]),
        ...options,
      });

    const follower = follow(session, id, names, [names.progress, names.progress]);
    if (!(await follower.moving)) {
      const { exchange, events: seen } = await follower.whole;
      if (isOver(seen, names))
        throw new BrokenFixture('job.slow', 'it ended before it made any progress twice', [exchange.id]);
      const why = `no two events are called ${names.progress}; say the names in sse.eventNames`;
      for (const rule of ['jobs.sse.snapshot-status', 'jobs.sse.snapshot-progress', 'jobs.sse.no-resume'])
        yield undecided(rule, exchange, why);
      return;
    }
    const plain: Watched[] = [];
    const resumed: Watched[] = [];
    for (let count = 0; count < CONNECTIONS; count += 1) {
      plain.push(await connect());
      const old = ['1', '0'][count];
      if (old !== undefined) resumed.push(await connect({ headers: [['Last-Event-ID', old]] }));
      await session.clock.sleep(PAUSE_MS);
    }
    const whole = await follower.whole;
    yield* judgeSnapshot('jobs.sse.snapshot-status', names.status, plain, whole, names);
    yield* judgeSnapshot('jobs.sse.snapshot-progress', names.progress, plain, whole, names);
    yield* judgeResume(resumed, whole, names);
    yield* judgeProgress(plain, whole, names);
    const { seen: reads } = await reading;
    yield* judgeOutputs(reads);
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
      const { exchange } = await follower.whole;
      yield undecided('jobs.sse.snapshot-preview', exchange, `no event is called ${names.preview}`);
      return;
    }
    const plain: Watched[] = [];
    for (let count = 0; count < CONNECTIONS; count += 1) {
      plain.push(
        await session.watch('events', {
          fill: { id },
          timeoutMs: SNAPSHOT_MS,
          until: (seen) => isOver(seen, names) || hasAll(seen, [names.preview]),
        }),
      );
    }
    yield* judgeSnapshot('jobs.sse.snapshot-preview', names.preview, plain, await follower.whole, names);
  },
});

// --- internal ---

const PAUSE_MS = 200;

/** Events this close to the opening of a stream belong to its snapshot, in milliseconds. */
const AT_ONCE_MS = 150;

/** A stream from the beginning to the end, and whether these events came in it. */
function follow(
  session: Session<'events'>,
  id: string,
  names: EventNames,
  wanted: readonly string[],
): { readonly moving: Promise<boolean>; readonly whole: Promise<Watched> } {
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
  });
  whole.then(
    () => tell(false),
    () => tell(false),
  );
  return { moving, whole };
}

function hasAll(seen: readonly StreamEvent[], wanted: readonly string[]): boolean {
  return [...new Set(wanted)].every(
    (name) =>
      seen.filter((event) => event.name === name).length >= wanted.filter((one) => one === name).length,
  );
}

function dataOf({ data }: StreamEvent): string {
  return JSON.stringify(parseJson(data)) ?? data;
}

/**
 * Whether an event came because something happened, and not because somebody connected: it did not come at once, and the
 * stream that was open all along had it after the other one was opened.
 */
function isNews(event: StreamEvent, { exchange, events: seen }: Watched, whole: Watched): boolean {
  const opened = Math.max(exchange.startedAt, seen[0]?.at ?? 0);
  if (event.at - opened <= AT_ONCE_MS) return false;
  return whole.events.some(
    (one) => one.name === event.name && one.at >= exchange.startedAt && dataOf(one) === dataOf(event),
  );
}

/** Document 3, GET …/events, item 1: on connect, without waiting for a change. */
function* judgeSnapshot(
  rule: string,
  name: string,
  connections: readonly Watched[],
  whole: Watched,
  names: EventNames,
): Generator<Check> {
  // What a stream tells of a job that is over is another matter.
  const midway = connections.filter(({ events: seen }) => !isOver(seen, names));
  if (midway.length === 0) {
    yield undecided(rule, whole.exchange, 'the job was over before a second stream was open');
    return;
  }
  const told = midway.map((connection) =>
    connection.events.some((event) => event.name === name && !isNews(event, connection, whole)),
  );
  const first = midway[0]?.events.map((event) => event.name) ?? [];
  yield check(
    rule,
    midway.map(({ exchange }) => exchange),
    told.includes(true),
    `an event ${name} on connect`,
    `${midway.length} streams opened, none with it at once; the first had: ${first.join(', ') || 'nothing'}`,
  );
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
      (event) => event.name === names.progress && !isNews(event, connection, whole),
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
    'outputs that never become fewer',
    sizes.filter((size, index) => size !== sizes[index - 1]).join(', '),
  );
}
