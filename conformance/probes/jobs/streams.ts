import { check, undecided } from '../../check.ts';
import { isObject, member, parseJson } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { BrokenFixture, scenario } from '../../scenario.ts';
import type { Check, Watched } from '../../scenario.ts';
import { sketch } from '../../sketch.ts';
import {
  EVENTS,
  READ,
  SUBMIT,
  TERMINAL,
  endGrace,
  eventNames,
  isSuccess,
  readUntil,
  statusOf,
  statusesIn,
  submitted,
} from './job.ts';
import type { EventNames } from './job.ts';

const submit = { method: 'POST', target: SUBMIT, as: 'jobOwner', times: 1 } as const;
const events = { method: 'GET', target: EVENTS, as: 'jobOwner', times: 1 } as const;

/** How long a snapshot may take, in milliseconds. */
const SNAPSHOT_MS = 5000;
const LIFE_MS = 120_000;

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
    events: { ...events, times: 5 },
    read: { method: 'GET', target: READ, as: 'jobOwner', times: 200 },
  },
  run: async function* (session) {
    const { fixtures } = session;
    const names = eventNames(fixtures);
    const { id } = await submitted(session, 'submit', 'slow', session.freshKey());
    const fill = { id };
    const reading = readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: 200,
      pauseMs: 300,
    });
    const progressed = await session.watch('events', {
      fill,
      timeoutMs: LIFE_MS,
      until: (seen) => seen.some(({ name }) => name === names.progress),
    });
    if (progressed.ended === 'end')
      throw new BrokenFixture('job.slow', 'it ended before any progress', [progressed.exchange.id]);
    if (progressed.ended !== 'enough') {
      const why = `no event is called ${names.progress}; say the names in sse.eventNames`;
      for (const rule of ['jobs.sse.snapshot-status', 'jobs.sse.snapshot-progress', 'jobs.sse.no-resume'])
        yield undecided(rule, progressed.exchange, why);
      return;
    }

    // Document 3, GET …/events, item 1: the status and the latest progress on connect, without waiting for a change.
    const snapshot = await session.watch('events', {
      fill,
      timeoutMs: SNAPSHOT_MS,
      until: (seen) => hasBoth(seen, names),
    });
    const now = snapshotOf(snapshot);
    yield check(
      'jobs.sse.snapshot-status',
      snapshot.exchange,
      now.includes(names.status),
      'a status event on connect',
      now.join(', ') || 'nothing at once',
    );
    yield check(
      'jobs.sse.snapshot-progress',
      snapshot.exchange,
      now.includes(names.progress),
      'a progress event on connect',
      now.join(', ') || 'nothing at once',
    );

    // Item 3: no resume, so that an old id changes nothing: one status, the present one.
    for (const old of ['1', '0']) {
      const resumed = await session.watch('events', {
        fill,
        headers: [['Last-Event-ID', old]],
        timeoutMs: SNAPSHOT_MS,
        until: (seen) => hasBoth(seen, names),
      });
      const kinds = snapshotOf(resumed).filter((name) => name === names.status);
      yield check(
        'jobs.sse.no-resume',
        [snapshot.exchange, resumed.exchange],
        kinds.length <= 1,
        'the snapshot of a plain connect',
        `${kinds.length} status events at once: ${statusesIn(resumed.events, names).join(', ')}`,
      );
    }

    const rest = await session.watch('events', { fill, timeoutMs: LIFE_MS, grace: endGrace(names) });
    yield* judgeProgress([progressed, snapshot, rest], names);
    // Document 3, Job, introduction: outputs fill incrementally.
    const { seen: reads } = await reading;
    const sizes = reads
      .map(({ json }) => member(json, 'outputs'))
      .flatMap((outputs) => (Array.isArray(outputs) ? [outputs.length] : []));
    const shrunk = sizes.findIndex((size, index) => size < (sizes[index - 1] ?? 0));
    if (sizes.length > 1) {
      yield check(
        'jobs.job.outputs-grow',
        reads.slice(Math.max(0, shrunk - 1)).slice(0, 2),
        shrunk < 0,
        'outputs that never become fewer',
        sizes.filter((size, index) => size !== sizes[index - 1]).join(', '),
      );
    }
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
  requests: { submit, events: { ...events, times: 2 } },
  run: async function* (session) {
    const names = eventNames(session.fixtures);
    const { id } = await submitted(session, 'submit', 'preview', session.freshKey());
    const seen = await session.watch('events', {
      fill: { id },
      timeoutMs: LIFE_MS,
      until: (list) => list.some(({ name }) => name === names.preview),
    });
    if (seen.ended !== 'enough') {
      yield undecided('jobs.sse.snapshot-preview', seen.exchange, `no event is called ${names.preview}`);
      return;
    }
    // Document 3, GET …/events, item 1: the most recent preview, if any.
    const again = await session.watch('events', {
      fill: { id },
      timeoutMs: SNAPSHOT_MS,
      until: (list) => list.some(({ name }) => name === names.preview),
    });
    const now = snapshotOf(again);
    yield check(
      'jobs.sse.snapshot-preview',
      [seen.exchange, again.exchange],
      now.includes(names.preview),
      'a preview event on connect',
      now.join(', ') || 'nothing at once',
    );
  },
});

/** Document 3, Job, rules for logs, items 1 and 3. */
export const printed = scenario({
  id: 'jobs.logs.finished',
  api: 'jobs',
  title: 'what finished jobs have printed',
  permissions: ['jobs'],
  needs: ['surface', 'job.ok'],
  budgetMs: LIFE_MS,
  judges: ['jobs.logs.surface'],
  surfaces: ['cloud', 'self-hosted'],
  requests: { submit, read: { method: 'GET', target: READ, as: 'jobOwner', times: 120 } },
  run: async function* (session) {
    yield* judgeAbsence(await finished(session, 'ok'), 'jobs.logs.surface', 'this surface');
  },
});

export const withheld = scenario({
  id: 'jobs.logs.demo',
  api: 'jobs',
  title: 'what finished jobs of a demo have printed',
  permissions: ['jobs'],
  needs: ['surface', 'job.ok'],
  budgetMs: LIFE_MS,
  judges: ['jobs.logs.demo-withheld'],
  surfaces: ['demo'],
  requests: { submit, read: { method: 'GET', target: READ, as: 'jobOwner', times: 120 } },
  run: async function* (session) {
    yield* judgeAbsence(await finished(session, 'ok'), 'jobs.logs.demo-withheld', 'a demo');
  },
});

export const beforeTheEnd = scenario({
  id: 'jobs.logs.before-the-end',
  api: 'jobs',
  title: 'what jobs print before they end',
  permissions: ['jobs', 'slow'],
  needs: ['surface', 'job.slow'],
  budgetMs: LIFE_MS,
  judges: ['jobs.logs.not-before-finish'],
  surfaces: ['serverless'],
  requests: { submit, read: { method: 'GET', target: READ, as: 'jobOwner', times: 120 } },
  run: async function* (session) {
    const { seen } = await finished(session, 'slow');
    for (const answer of seen.filter(({ json }) => !TERMINAL.includes(statusOf(json)))) {
      const absent = !(isObject(answer.json) && 'logs' in answer.json);
      yield check(
        'jobs.logs.not-before-finish',
        answer,
        absent,
        'no logs before the end',
        `${statusOf(answer.json)} with logs`,
      );
    }
  },
});

export const successAndFailure = scenario({
  id: 'jobs.logs.success-and-failure',
  api: 'jobs',
  title: 'what a good and a bad job have printed',
  permissions: ['jobs'],
  needs: ['surface', 'job.ok', 'job.fail'],
  budgetMs: 2 * LIFE_MS,
  judges: ['jobs.logs.success-and-failure'],
  surfaces: ['serverless'],
  requests: {
    submit: { ...submit, times: 2 },
    read: { method: 'GET', target: READ, as: 'jobOwner', times: 240 },
  },
  run: async function* (session) {
    const good = await finished(session, 'ok');
    const bad = await finished(session, 'fail');
    const has = ({ last }: typeof good): boolean => isObject(member(last.json, 'logs'));
    // Document 3, Job, rules for logs, item 2 (inference): where populated, for success and failure alike.
    if (!has(good)) yield undecided('jobs.logs.success-and-failure', good.last, 'the good job has no logs');
    else
      yield check(
        'jobs.logs.success-and-failure',
        [good.last, bad.last],
        has(bad),
        'logs on the failed job as well',
        `${statusOf(bad.last.json)} without logs`,
      );
  },
});

const LONGEST_LIFE_MS = 30 * 24 * 3_600_000;

/** Reads a finished job a minute before it expires; `undefined` where that is too far away. */
async function shortlyBeforeExpiry(
  session: Parameters<typeof readUntil<'read' | 'submit'>>[0],
): Promise<{ readonly last: Exchange; readonly late: Exchange | undefined }> {
  const { last } = await finished(session, 'ok');
  const wait = Date.parse(String(member(last.json, 'expires_at'))) - session.clock.now() - 60_000;
  if (!Number.isFinite(wait) || wait > LONGEST_LIFE_MS) return { last, late: undefined };
  await session.clock.sleep(Math.max(0, wait));
  return { last, late: await session.send('read', { fill: { id: String(member(last.json, 'id')) } }) };
}

export const readableToTheEnd = scenario({
  id: 'jobs.read.until-expiry',
  api: 'jobs',
  title: 'a job shortly before it expires',
  permissions: ['jobs', 'long'],
  needs: ['job.ok'],
  budgetMs: 2 * LONGEST_LIFE_MS,
  judges: ['jobs.read.until-expiry'],
  requests: { submit, read: { method: 'GET', target: READ, as: 'jobOwner', times: 121 } },
  run: async function* (session) {
    const { last, late } = await shortlyBeforeExpiry(session);
    if (late === undefined) {
      yield undecided('jobs.read.until-expiry', last, 'it expires in more than thirty days');
      return;
    }
    // Document 3, Job, introduction: durable until expires_at.
    yield check(
      'jobs.read.until-expiry',
      [last, late],
      isSuccess(late),
      'the job until expires_at',
      String(late.status),
    );
  },
});

export const logsToTheEnd = scenario({
  id: 'jobs.logs.until-expiry',
  api: 'jobs',
  title: 'the logs of a job shortly before it expires',
  permissions: ['jobs', 'long'],
  surfaces: ['serverless'],
  needs: ['job.ok'],
  budgetMs: 2 * LONGEST_LIFE_MS,
  judges: ['jobs.logs.lifetime'],
  requests: { submit, read: { method: 'GET', target: READ, as: 'jobOwner', times: 121 } },
  run: async function* (session) {
    const { last, late } = await shortlyBeforeExpiry(session);
    if (late === undefined || !isSuccess(late) || !isObject(member(last.json, 'logs'))) return;
    // Document 3, Job, rules for logs, item 2: they live as long as the job.
    yield check(
      'jobs.logs.lifetime',
      [last, late],
      isObject(member(late.json, 'logs')),
      'the logs as long as the job',
      `logs ${sketch(member(late.json, 'logs'))}`,
    );
  },
});

// --- internal ---

type Finished = Awaited<ReturnType<typeof readUntil>>;

async function finished(
  session: Parameters<typeof readUntil<'read' | 'submit'>>[0],
  fixture: string,
): Promise<Finished> {
  const { id } = await submitted(session, 'submit', fixture, session.freshKey());
  return readUntil(session, 'read', id, {
    holds: (job) => TERMINAL.includes(statusOf(job)),
    times: 120,
    pauseMs: 500,
  });
}

function* judgeAbsence({ last }: Finished, rule: string, where: string): Generator<Check> {
  const absent = !(isObject(last.json) && 'logs' in last.json);
  yield check(rule, last, absent, `no member logs on ${where}`, `logs ${sketch(member(last.json, 'logs'))}`);
}

function hasBoth(seen: Watched['events'], names: EventNames): boolean {
  return [names.status, names.progress].every((wanted) => seen.some(({ name }) => name === wanted));
}

/** The names of the events that came with the connection, before anything could have changed. */
function snapshotOf({ exchange, events: seen }: Watched): readonly string[] {
  const first = seen[0];
  if (first === undefined) return [];
  return seen
    .filter(({ at }) => at - Math.max(first.at, exchange.startedAt) <= AT_ONCE_MS)
    .map(({ name }) => name);
}

/** Events of a snapshot come together; a job that runs makes news less often. */
const AT_ONCE_MS = 150;

/** Document 3, GET …/events, item 4: each progress event is complete. Its inner structure is not shown. */
function* judgeProgress(watches: readonly Watched[], names: EventNames): Generator<Check> {
  const [first, ...later] = watches
    .flatMap(({ events: seen }) => seen.filter(({ name }) => name === names.progress))
    .map(({ data }) => parseJson(data));
  const exchanges: readonly Exchange[] = watches.map(({ exchange }) => exchange);
  if (!isObject(first) || later.length === 0) return;
  const wanted = Object.keys(first);
  const partial = later.find((data) => !isObject(data) || wanted.some((name) => !(name in data)));
  yield check(
    'jobs.sse.progress-complete',
    exchanges,
    partial === undefined,
    `every progress event with ${wanted.join(', ')}`,
    partial === undefined ? `${later.length + 1} whole events` : sketch(partial),
  );
}
