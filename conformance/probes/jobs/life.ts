import { check, observed, undecided } from '../../check.ts';
import { isObject, member } from '../../exchange.ts';
import type { Exchange } from '../../exchange.ts';
import { BrokenFixture, scenario } from '../../scenario.ts';
import type { Check, Observation, Session, Watched } from '../../scenario.ts';
import { sketch } from '../../sketch.ts';
import {
  CANCEL,
  EVENTS,
  READ,
  REQUIRED,
  SUBMIT,
  TERMINAL,
  endGrace,
  eventNames,
  isOver,
  isSuccess,
  jobIn,
  readUntil,
  sketchRefusal,
  statusOf,
  statusesIn,
  submitted,
} from './job.ts';
import type { EventNames } from './job.ts';

const submit = { method: 'POST', target: SUBMIT, as: 'jobOwner', times: 1 } as const;
const read = { method: 'GET', target: READ, as: 'jobOwner', times: 1 } as const;
const events = { method: 'GET', target: EVENTS, as: 'jobOwner', times: 1 } as const;

/** A job of the fixtures is cheap; this is where patience ends. */
const LIFE_MS = 120_000;
const MOST_READS = 120;

export const wholeLife = scenario({
  id: 'jobs.life.success',
  api: 'jobs',
  title: 'a good job from its submission to its end, watched and read',
  permissions: ['jobs'],
  needs: ['job.ok'],
  budgetMs: 2 * LIFE_MS,
  judges: [
    'jobs.submit.201',
    'jobs.submit.queued',
    'jobs.submit.durable',
    'jobs.read.ok',
    'jobs.read.same-id',
    'jobs.read.authoritative',
    'jobs.state.legal-path',
    'jobs.state.terminal-final',
    'jobs.state.success',
    'jobs.urls.resolvable',
    'jobs.sse.content-type',
    'jobs.sse.frames',
    'jobs.sse.ends-after-terminal',
    'jobs.sse.nothing-after-terminal',
    'jobs.sse.terminal-before-end',
    'jobs.sse.status-carries-job',
    'jobs.sse.connect-terminal',
    'jobs.sse.known-kinds',
    'jobs.job.completed-at',
    'jobs.job.expires-at-stable',
  ],
  requests: {
    submit,
    read: { ...read, times: MOST_READS + 8 },
    events: { ...events, times: 2 },
    link: { method: 'GET', target: '{path}', as: 'jobOwner', times: 4 },
  },
  run: async function* (session) {
    const { send, fixtures, clock } = session;
    const names = eventNames(fixtures);
    const { exchange: made, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    const fill = { id };
    // Document 3, States and transitions, row 1, and POST /api/v2/jobs: 201, queued, durably recorded.
    yield check('jobs.submit.201', made, made.status === 201, 'status 201', String(made.status));
    const first = statusOf(made.json);
    if (first === 'running') yield undecided('jobs.submit.queued', made, 'it was running already');
    else
      yield check('jobs.submit.queued', made, first === 'queued', 'status queued', `status ${sketch(first)}`);

    const at = await send('read', { fill });
    yield check(
      'jobs.submit.durable',
      [made, at],
      isSuccess(at),
      'a job that can be read at once',
      sketchRefusal(at),
    );

    const watched = await session.watch('events', { fill, timeoutMs: LIFE_MS, grace: endGrace(names) });
    const after = await readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 500,
    });
    const { last } = after;
    // Document 3, GET /api/v2/jobs/{id}: a Job, the one that was asked for. The number of the status is not shown.
    const isJob = REQUIRED.some((name) => name in (isObject(last.json) ? last.json : {}));
    yield check('jobs.read.ok', last, isJob, 'a job');
    if (isJob)
      yield check(
        'jobs.read.same-id',
        last,
        member(last.json, 'id') === id,
        `id ${id}`,
        `id ${sketch(member(last.json, 'id'))}`,
      );
    const end = statusOf(last.json);
    if (after.reached) {
      // Document 3, States and transitions, row 3.
      yield check('jobs.state.success', last, end === 'succeeded', 'status succeeded', `status ${end}`);
    } else if (isJob) {
      yield end !== '' && !['queued', 'running', 'canceling'].includes(end)
        ? check('jobs.state.success', last, false, 'status succeeded', `status ${end}`)
        : undecided('jobs.state.success', last, `still ${end} after ${LIFE_MS / 1000} s`);
    }
    yield* judgeStream(watched, names, id);
    yield* judgeAuthority(watched, names, last);
    yield judgePath([made, ...after.seen], watched, names);
    yield observed(
      'jobs.job.completed-at',
      last,
      `${end}: completed_at ${member(last.json, 'completed_at') === null ? 'null' : 'set'}`,
    );
    const stable = member(made.json, 'expires_at') === member(last.json, 'expires_at');
    yield observed('jobs.job.expires-at-stable', [made, last], stable ? 'the same at the end' : 'changed');
    if (!TERMINAL.includes(end)) return;

    // Document 3, States and transitions, terminal states: none is left again.
    const later: Exchange[] = [];
    for (let count = 0; count < 3; count += 1) {
      later.push(await send('read', { fill }));
      await clock.sleep(500);
    }
    const readable = later.filter(isSuccess);
    const final = readable.every(({ json }) => statusOf(json) === end);
    if (isJob)
      yield check(
        'jobs.state.terminal-final',
        [last, ...readable],
        final,
        `${end} for good`,
        readable.map(({ json }) => statusOf(json)).join(', '),
      );

    // Document 3, GET …/events, items 1 and 2: the snapshot, which ends the stream.
    const late = await session.watch('events', { fill, timeoutMs: 10_000 });
    const told = isOver(late.events, names) && late.ended === 'end';
    yield check(
      'jobs.sse.connect-terminal',
      late.exchange,
      told,
      'the terminal status, and the end of the stream',
      sketchStream(late, names),
    );
    yield* judgeLinks(session, last, id);
  },
});

/** Document 3, GET …/events. The names of the events are not shown: without one that is known, nothing is judged. */
function* judgeStream(watched: Watched, names: EventNames, id: string): Generator<Check | Observation> {
  const { exchange, events: seen, ended } = watched;
  const type = exchange.header('Content-Type') ?? 'nothing';
  yield check(
    'jobs.sse.content-type',
    exchange,
    /^text\/event-stream\b/i.test(type),
    'text/event-stream',
    type,
  );
  const kinds = [...new Set(seen.map(({ name }) => name))];
  yield observed('jobs.sse.known-kinds', exchange, kinds.join(', ') || 'no events');
  if (seen.length === 0) return;
  const framed = seen.every(({ name, hasData }) => name !== '' && hasData);
  yield check(
    'jobs.sse.frames',
    exchange,
    framed,
    'event and data in every frame',
    kinds.map((kind) => kind || 'a frame without a name').join(', '),
  );
  if (!seen.some(({ name }) => name === names.status)) {
    for (const rule of [
      'jobs.sse.ends-after-terminal',
      'jobs.sse.nothing-after-terminal',
      'jobs.sse.terminal-before-end',
      'jobs.sse.status-carries-job',
    ]) {
      yield undecided(rule, exchange, `no event is called ${names.status}; say the names in sse.eventNames`);
    }
    return;
  }
  const statuses = seen.filter(({ name }) => name === names.status);
  // Item 5: the job object, in the event.
  const whole = statuses.every((event) => {
    const job = jobIn(event, id);
    return job !== undefined && REQUIRED.filter((name) => name in job).length >= REQUIRED.length - 1;
  });
  yield check(
    'jobs.sse.status-carries-job',
    exchange,
    whole,
    'the job in every status event',
    sketch(statuses[0]?.data),
  );
  // Item 2: the terminal status event, then the end, and nothing between them.
  const told = statusesIn(seen, names);
  const over = told.some((status) => TERMINAL.includes(status));
  if (over) {
    yield check(
      'jobs.sse.ends-after-terminal',
      exchange,
      ended === 'end',
      'the end of the stream',
      `the stream: ${ended}`,
    );
    const index = seen.findIndex(
      (event) => event.name === names.status && TERMINAL.includes(statusesIn([event], names)[0] ?? ''),
    );
    const trailing = seen.length - 1 - index;
    yield check(
      'jobs.sse.nothing-after-terminal',
      exchange,
      trailing === 0,
      'no event after it',
      `${trailing} more`,
    );
  }
  if (ended === 'end') {
    yield check(
      'jobs.sse.terminal-before-end',
      exchange,
      over,
      'a terminal status before the end',
      told.join(', '),
    );
  } else if (ended === 'cut') yield undecided('jobs.sse.terminal-before-end', exchange, 'the stream was cut');
}

/** Document 3, What the service does, bullet 3: the read has the last word; a moment later at the latest. */
function* judgeAuthority(
  { exchange, events: seen }: Watched,
  names: EventNames,
  last: Exchange,
): Generator<Check> {
  const told = statusesIn(seen, names).find((status) => TERMINAL.includes(status));
  if (told === undefined || last.endedAt - exchange.endedAt > 2000) {
    if (told !== undefined)
      yield check(
        'jobs.read.authoritative',
        [exchange, last],
        false,
        `${told} on the read after the stream`,
        'only after more than 2 s',
      );
    return;
  }
  yield check(
    'jobs.read.authoritative',
    [exchange, last],
    statusOf(last.json) === told,
    `${told} on the read after the stream`,
    statusOf(last.json),
  );
}

/** Document 3, States and transitions: reachability only, since reads may miss states and some edges are open. */
function judgePath(
  reads: readonly Exchange[],
  { exchange, events: seen }: Watched,
  names: EventNames,
): Check {
  const path = [
    ...reads.slice(0, 1).map(({ json }) => statusOf(json)),
    ...statusesIn(seen, names),
    ...reads.slice(1).map(({ json }) => statusOf(json)),
  ];
  const back = path.findIndex(
    (status, index) =>
      status === 'queued' &&
      path.slice(0, index).some((earlier) => earlier === 'running' || earlier === 'canceling'),
  );
  const shown = path.filter((status, index) => status !== path[index - 1]).join(', ');
  return check(
    'jobs.state.legal-path',
    [exchange, ...reads.slice(-1)],
    back < 0,
    'no way back into the queue',
    shown,
  );
}

/** Document 3, Job, rules for urls: resolved against the origin of the request. Only links to the job itself are followed. */
async function* judgeLinks(session: Session<'link'>, last: Exchange, id: string): AsyncGenerator<Check> {
  const links = stringsIn(member(last.json, 'urls')).filter((link) =>
    link.replace(/[?#].*$/, '').endsWith(`/api/v2/jobs/${id}`),
  );
  for (const link of links.slice(0, 2)) {
    const path = /^https?:\/\/[^/]+(\/.*)$/i.exec(link)?.[1] ?? link;
    const answer = await session.send('link', { fill: { path: below(session, path) } });
    const same = isSuccess(answer) && member(answer.json, 'id') === id;
    yield check(
      'jobs.urls.resolvable',
      [last, answer],
      same,
      `the job behind ${link}`,
      sketchRefusal(answer),
    );
  }
}

export const mountedLinks = scenario({
  id: 'jobs.urls.mounted',
  api: 'jobs',
  title: 'links of a job below a mount prefix',
  permissions: ['jobs'],
  needs: ['job.ok', 'job.mountPrefix'],
  judges: ['jobs.urls.mount-prefix'],
  requests: { submit },
  run: async function* (session) {
    const { exchange } = await submitted(session, 'submit', 'ok', session.freshKey());
    const prefix = String(session.fixtures.job?.['mountPrefix']);
    for (const link of stringsIn(member(exchange.json, 'urls')).filter(
      (one) => one.startsWith('/') && !one.startsWith('//'),
    )) {
      // Document 3, Job, rules for urls, item 1: it includes the prefix already.
      yield check(
        'jobs.urls.mount-prefix',
        exchange,
        link.startsWith(`${prefix}/`),
        `a link that begins with ${prefix}/`,
        link,
      );
    }
  },
});

export const failure = scenario({
  id: 'jobs.life.failure',
  api: 'jobs',
  title: 'a job that fails',
  permissions: ['jobs'],
  needs: ['job.fail'],
  budgetMs: LIFE_MS,
  judges: ['jobs.state.failure', 'jobs.job.error-on-failed', 'jobs.job.failed-not-http-error'],
  requests: { submit, read: { ...read, times: MOST_READS } },
  run: async function* (session) {
    const { id } = await submitted(session, 'submit', 'fail', session.freshKey());
    let last: Exchange | undefined;
    for (let count = 0; count < MOST_READS; count += 1) {
      last = await session.send('read', { fill: { id } });
      if (!isSuccess(last) || TERMINAL.includes(statusOf(last.json))) break;
      await session.clock.sleep(500);
    }
    if (last === undefined) return;
    // Document 3, Errors, item 1: reported in the job, not as an error of HTTP.
    yield check(
      'jobs.job.failed-not-http-error',
      last,
      isSuccess(last),
      'a success, with the failed job',
      sketchRefusal(last),
    );
    if (!isSuccess(last)) return;
    const status = statusOf(last.json);
    if (!TERMINAL.includes(status)) {
      yield undecided('jobs.state.failure', last, `still ${status}`);
      return;
    }
    // Document 3, States and transitions, row 4.
    yield check('jobs.state.failure', last, status === 'failed', 'status failed', `status ${status}`);
    if (status === 'failed') {
      const error = member(last.json, 'error');
      yield check(
        'jobs.job.error-on-failed',
        last,
        isObject(error),
        'an object error',
        `error ${sketch(error)}`,
      );
    }
  },
});

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
    'jobs.cancel.terminal',
  ],
  requests: {
    submit,
    read: { ...read, times: 2 * MOST_READS },
    events,
    cancel: { method: 'POST', target: CANCEL, as: 'jobOwner', times: 2 },
  },
  run: async function* (session) {
    const { fixtures, clock } = session;
    const names = eventNames(fixtures);
    const { id } = await submitted(session, 'submit', 'slow', session.freshKey());
    const watching = session.watch('events', { fill: { id }, timeoutMs: LIFE_MS, grace: endGrace(names) });
    const running = await readUntil(session, 'read', id, {
      holds: (job) => statusOf(job) !== 'queued',
      times: MOST_READS,
      pauseMs: 100,
    });
    if (statusOf(running.last.json) !== 'running') {
      throw new BrokenFixture('job.slow', `it went from queued to ${statusOf(running.last.json)}`, [
        running.last.id,
      ]);
    }
    await clock.sleep(200);
    const answer = await session.send('cancel', { fill: { id } });
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
      yield check(
        'jobs.cancel.canceling',
        answer,
        stopping,
        'status canceling, or canceled already',
        `status ${told}`,
      );
    }
    const ended = await readUntil(session, 'read', id, {
      holds: (job) => TERMINAL.includes(statusOf(job)),
      times: MOST_READS,
      pauseMs: 500,
    });
    const status = statusOf(ended.last.json);
    // Row 7. A job may have won the race against its cancellation.
    if (!ended.reached) {
      const stuck = check(
        'jobs.cancel.eventually-canceled',
        [answer, ended.last],
        false,
        'status canceled in the end',
        `still ${status} after ${(MOST_READS * 500) / 1000} s`,
      );
      yield status === 'canceling'
        ? stuck
        : undecided('jobs.cancel.eventually-canceled', ended.last, `still ${status}`);
    } else if (status === 'succeeded')
      yield undecided('jobs.cancel.eventually-canceled', ended.last, 'it had succeeded first');
    else
      yield check(
        'jobs.cancel.eventually-canceled',
        [answer, ended.last],
        status === 'canceled',
        'status canceled',
        `status ${status}`,
      );

    const { exchange, events: seen } = await watching;
    if (status === 'canceled') {
      const path = [...statusesIn(seen, names)];
      const via = path.includes('canceling');
      if (path.includes('canceled')) {
        yield check(
          'jobs.state.canceled-via-canceling',
          [exchange, answer],
          via,
          'canceling before canceled',
          path.join(', '),
        );
      }
    }
    // What cancelling a job that has ended does is not shown.
    const late = await session.send('cancel', { fill: { id } });
    yield observed('jobs.cancel.terminal', late, sketchRefusal(late));
  },
});

export const stranger = scenario({
  id: 'jobs.auth.stranger',
  api: 'jobs',
  title: "another account's job",
  permissions: ['jobs'],
  surfaces: ['cloud', 'serverless'],
  needs: ['job.ok', 'cred.secondAccount'],
  judges: ['jobs.auth.scoped'],
  requests: { submit, stranger: { ...read, as: 'jobStranger' } },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    // Document 3, Authentication, item 1 (account-scoped keys).
    const answer = await session.send('stranger', { fill: { id } });
    yield check(
      'jobs.auth.scoped',
      [exchange, answer],
      !isSuccess(answer),
      'no success',
      sketchRefusal(answer),
    );
  },
});

export const wrongToken = scenario({
  id: 'jobs.auth.wrong-token',
  api: 'jobs',
  title: 'a wrong token on an instance with one of its own',
  permissions: ['jobs'],
  surfaces: ['self-hosted'],
  needs: ['job.ok', 'staticToken'],
  judges: ['jobs.auth.self-hosted-static'],
  requests: { submit, wrong: { ...read, as: 'unusable' } },
  run: async function* (session) {
    const { exchange, id } = await submitted(session, 'submit', 'ok', session.freshKey());
    // Document 3, Authentication, item 2.
    const answer = await session.send('wrong', {
      fill: { id },
      credential: ['Authorization', 'Bearer tallystick-wrong-token'],
    });
    yield check(
      'jobs.auth.self-hosted-static',
      [exchange, answer],
      !isSuccess(answer),
      'no success',
      sketchRefusal(answer),
    );
  },
});

// --- internal ---

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** A path as it must stand below the base URL of the jobs, which is put before every target. */
function below({ fixtures }: Pick<Session, 'fixtures'>, path: string): string {
  const base = fixtures.jobsBaseUrl ?? fixtures.baseUrl;
  const prefix = base === undefined ? '' : new URL(base).pathname.replace(/\/$/, '');
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

function sketchStream({ events: seen, ended }: Watched, names: EventNames): string {
  return `${statusesIn(seen, names).join(', ') || 'no status'}, then: ${ended}`;
}
