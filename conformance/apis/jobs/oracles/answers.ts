import { check, undecided, unlessUnreadable } from '../../../scenarios/check.ts';
import { readEvents } from '../../../http/event-stream.ts';
import { isObject, isStream, member, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { REQUIRED, STATUSES, TERMINAL, isNodeErrors, jobIn, namesNodes, stringsIn } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';
import type { JobPlace } from '../wire/place.ts';

type JsonRecord = Readonly<Record<string, unknown>>;
type Where = JobPlace['is'];

/** RFC 3339, section 5.6. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** The header of document 1, or another usual name of it. */
const REPLAY_HEADER = /^(?:x-)?idempoten(?:t|cy)-replay(?:ed)?$/i;

const STREAM_RULES = ['jobs.sse.frames', 'jobs.sse.no-id', 'jobs.sse.json-data'];
const JOB_RULES = [
  'jobs.job.required-fields',
  'jobs.job.id-uuid',
  'jobs.job.status-enum',
  'jobs.job.date-times',
  'jobs.job.nullables',
  'jobs.job.outputs-objects',
  'jobs.job.started-at-set',
  'jobs.job.started-at-null-queued',
  'jobs.job.time-order',
  'jobs.job.expires-after-creation',
  'jobs.job.metrics-nullable',
  'jobs.urls.object',
  'jobs.urls.form',
];
const LOGS_RULES = {
  submit: 'jobs.logs.get-only-post',
  cancel: 'jobs.logs.get-only-cancel',
  stream: 'jobs.logs.get-only-stream',
  read: 'jobs.logs.absent-not-null',
} as const;

function* look(exchange: Exchange): Generator<Check | Observation> {
  const place = placeOf(exchange)?.is;
  if (place === undefined) return;
  const { status } = exchange;
  // Document 3, Idempotency-Key rules on submit, item 2: no replay header.
  const replayed = exchange.answer?.headers.find(([name]) => REPLAY_HEADER.test(name));
  yield check(
    'jobs.idem.no-replay-header',
    exchange,
    replayed === undefined,
    'no replay header such as Idempotent-Replayed',
    replayed?.join(': ') ?? 'none',
  );
  // A gateway may itself return other 5xx statuses.
  if (status >= 400 && status <= 500)
    yield* unlessUnreadable(exchange, ['jobs.errors.shape'], lookAtError(exchange));
  if (status < 200 || status >= 300) return;
  if (place !== 'stream') {
    const logs = LOGS_RULES[place];
    yield* unlessUnreadable(exchange, [...JOB_RULES, logs], lookAtAnswer(exchange, place));
    return;
  }
  // Document 3, GET …/events, first sentence.
  const type = exchange.header('Content-Type') ?? 'nothing';
  yield check('jobs.sse.content-type', exchange, isStream(exchange), 'text/event-stream', type);
  if (/event-stream/i.test(type)) {
    const rules = [...STREAM_RULES, ...JOB_RULES, LOGS_RULES.stream];
    yield* unlessUnreadable(exchange, rules, lookAtStream(exchange));
  }
}

/** Document 3, Error body. */
function* lookAtError(exchange: Exchange): Generator<Check> {
  const { status, json } = exchange;
  const error = member(json, 'error');
  const details = member(error, 'details');
  const shaped = typeof member(error, 'code') === 'string' && typeof member(error, 'message') === 'string';
  const legal = details === undefined || details === null || isObject(details);
  yield check('jobs.errors.shape', exchange, shaped && legal, 'error with strings code and message');
  const nodes = member(details, 'node_errors');
  const isOfNoNode = isObject(nodes) && Object.keys(nodes).length > 0 && !namesNodes(nodes, exchange);
  if (
    member(error, 'code') === 'invalid_workflow' &&
    nodes !== undefined &&
    (!isNodeErrors(nodes) || isOfNoNode)
  )
    yield check(
      'jobs.submit.node-errors',
      exchange,
      false,
      'details.node_errors: lists of field and reason by node',
      sketch(nodes),
    );
  if (member(error, 'code') === 'idempotency_key_reuse') {
    // Document 3, Errors, item 2.
    yield check(
      'jobs.errors.reuse-is-422',
      exchange,
      status === 422,
      'idempotency_key_reuse with 422',
      String(status),
    );
  }
}

function* lookAtAnswer(exchange: Exchange, place: Where): Generator<Check> {
  const { json } = exchange;
  if (isObject(json) && ('status' in json || 'id' in json)) yield* lookAtJob(exchange, json, place);
}

function* lookAtStream(exchange: Exchange): Generator<Check> {
  const text = new TextDecoder().decode(exchange.bytes);
  const events = readEvents(text, 0);
  if (events.length > 0) {
    // Document 3, GET …/events, response: frames of event and data.
    const odd = events.find(({ name, hasData }) => name === '' || !hasData);
    const got = odd?.name === '' ? 'a frame without a name' : `an event ${odd?.name} without data`;
    yield check('jobs.sse.frames', exchange, odd === undefined, 'event and data in every frame', got);
  }
  for (const event of events) {
    // Document 3, GET …/events, item 3: events carry no id.
    yield check('jobs.sse.no-id', exchange, !event.hasId, 'no id line', `an event ${event.name} with an id`);
    // Document 3, Events: payloads are JSON.
    if (event.hasData) {
      yield check(
        'jobs.sse.json-data',
        exchange,
        parseJson(event.data) !== undefined,
        'JSON data',
        sketch(event.data),
      );
    }
    const job = jobIn(event);
    if (job !== undefined && 'id' in job) yield* lookAtJob(exchange, job, 'stream');
  }
}

function* lookAtJob(exchange: Exchange, job: JsonRecord, place: Where): Generator<Check> {
  const { id, status, outputs, error, urls } = job;
  // Document 3, Job, table: required, with null where it is allowed.
  const missing = REQUIRED.filter((name) => !(name in job));
  yield check(
    'jobs.job.required-fields',
    exchange,
    missing.length === 0,
    'all required members',
    `without ${missing.join(', ')}`,
  );
  if (id !== undefined) {
    yield check(
      'jobs.job.id-uuid',
      exchange,
      typeof id === 'string' && UUID.test(id),
      'a UUID',
      `id ${sketch(id)}`,
    );
  }
  if (status !== undefined) {
    const known = typeof status === 'string' && STATUSES.includes(status);
    yield check(
      'jobs.job.status-enum',
      exchange,
      known,
      `one of ${STATUSES.join(', ')}`,
      `status ${sketch(status)}`,
    );
  }
  yield* lookAtTimes(exchange, job);
  // Document 3, Job, rows queue_position, progress, outputs, error.
  const position = job['queue_position'];
  const { progress } = job;
  const wrong = [
    position === undefined || position === null || Number.isInteger(position)
      ? ''
      : `queue_position ${sketch(position)}`,
    progress === undefined || progress === null || isObject(progress) ? '' : `progress ${sketch(progress)}`,
    error === undefined || error === null || isObject(error) ? '' : `error ${sketch(error)}`,
    outputs === undefined || Array.isArray(outputs) ? '' : `outputs ${sketch(outputs)}`,
  ].filter((text) => text !== '');
  yield check(
    'jobs.job.nullables',
    exchange,
    wrong.length === 0,
    'integer, objects or null, and an array',
    wrong.join(', '),
  );
  if (Array.isArray(outputs) && outputs.length > 0) {
    yield check(
      'jobs.job.outputs-objects',
      exchange,
      outputs.every(isObject),
      'objects in outputs',
      sketch(outputs),
    );
  }
  // Document 3, Job, row error, and States and transitions, row 4. A probe judges whether a read shows the
  // error.
  if (status === 'failed' && error === null)
    yield check('jobs.job.error-on-failed', exchange, false, 'an object error', 'failed, with error null');
  // The same row (inference): the detail of a failure. An object without members may stand for none.
  if (status === 'succeeded' && isObject(error) && Object.keys(error).length > 0)
    yield check(
      'jobs.job.error-on-failed',
      exchange,
      false,
      'no error of a job that succeeded',
      sketch(error),
    );
  yield* lookAtMetrics(exchange, job);
  if (urls !== undefined) yield* lookAtLinks(exchange, urls, placeOf(exchange)?.id ?? id);
  yield* lookAtLogs(exchange, job, place);
}

function* lookAtTimes(exchange: Exchange, job: JsonRecord): Generator<Check> {
  const names = ['created_at', 'started_at', 'completed_at', 'expires_at'] as const;
  for (const name of names) {
    const value = job[name];
    if (value === undefined) continue;
    const mayBeNull = name === 'started_at' || name === 'completed_at';
    const fits = (value === null && mayBeNull) || (typeof value === 'string' && DATE_TIME.test(value));
    yield check('jobs.job.date-times', exchange, fits, 'an RFC 3339 date-time', `${name} ${sketch(value)}`);
  }
  const started = job['started_at'];
  if ((job['status'] === 'running' || job['status'] === 'succeeded') && started !== undefined) {
    // Document 3, States and transitions, rows 2 and 3: there is no other way to succeeded.
    yield check(
      'jobs.job.started-at-set',
      exchange,
      started !== null,
      'started_at once it runs',
      `started_at ${sketch(started)}`,
    );
  }
  if (job['status'] === 'queued' && started !== undefined) {
    // The same row (inference).
    yield check(
      'jobs.job.started-at-null-queued',
      exchange,
      started === null,
      'started_at null while queued',
      `started_at ${sketch(started)}`,
    );
  }
  const [created, begun, done, expires] = names.map((name) =>
    typeof job[name] === 'string' ? Date.parse(job[name]) : undefined,
  );
  const isTime = (time: number | undefined): time is number => time !== undefined && !Number.isNaN(time);
  const order = [created, begun, done].filter(isTime);
  if (order.length > 1) {
    // Document 3, Job, table (inference).
    yield check(
      'jobs.job.time-order',
      exchange,
      order.every((time, index) => time >= (order[index - 1] ?? time)),
      'created, started, completed',
      sketch(names.map((name) => job[name])),
    );
  }
  if (isTime(created) && isTime(expires)) {
    // Document 3, Job, first sentence: durable from its creation until then.
    yield check(
      'jobs.job.expires-after-creation',
      exchange,
      expires > created,
      'expires_at after created_at',
      `created_at ${sketch(job['created_at'])}, expires_at ${sketch(job['expires_at'])}`,
    );
  }
}

/** Document 3, Job, row metrics: not required; an object whose values may be null. */
function* lookAtMetrics(exchange: Exchange, { metrics, status }: JsonRecord): Generator<Check> {
  if (metrics === undefined) return;
  const duration = member(metrics, 'execution_ms');
  const early = status === 'queued' && duration !== undefined && duration !== null;
  yield check(
    'jobs.job.metrics-nullable',
    exchange,
    isObject(metrics) && !early,
    'an object; execution_ms null before the start',
    `${sketch(status)}: metrics ${sketch(metrics)}`,
  );
}

function* lookAtLinks(exchange: Exchange, urls: unknown, id: unknown): Generator<Check> {
  // Document 3, Job, row urls.
  yield check('jobs.urls.object', exchange, isObject(urls), 'an object urls', `urls ${sketch(urls)}`);
  const links = stringsIn(urls);
  if (links.length > MOST_LINKS)
    yield undecided('jobs.urls.form', exchange, `more than ${MOST_LINKS} links were not looked at`);
  for (const link of links.slice(0, MOST_LINKS)) {
    // Rules for urls, item 1: absolute, or with one slash in front.
    const fits = /^https?:\/\/[^/]/i.test(link) || /^\/(?!\/)/.test(link);
    yield check(
      'jobs.urls.form',
      exchange,
      fits,
      'an absolute link, or one that begins with a single slash',
      link,
    );
    // Document 3, Job, row urls: links of this job.
    const named = LINKED.exec(link)?.[1]?.toLowerCase();
    if (typeof id === 'string' && UUID.test(id) && named !== undefined && named !== id.toLowerCase())
      yield check('jobs.urls.resolvable', exchange, false, `links to the job ${id}`, link);
  }
}

/** Document 3, Job, rules for logs, items 3 and 4: only on the read, and absent if the job has no logs. */
function* lookAtLogs(exchange: Exchange, job: JsonRecord, place: Where): Generator<Check> {
  const there = 'logs' in job;
  const got = there ? `logs ${sketch(job['logs'])}` : 'no logs';
  if (place === 'submit')
    yield check('jobs.logs.get-only-post', exchange, !there, 'no logs on a submission', got);
  if (place === 'cancel')
    yield check('jobs.logs.get-only-cancel', exchange, !there, 'no logs on a cancellation', got);
  if (place === 'stream')
    yield check('jobs.logs.get-only-stream', exchange, !there, 'no logs in a status event', got);
  // Item 3: not while the job has not finished. Probes judge whether a finished job has them.
  const { status } = job;
  const isOpen = typeof status === 'string' && STATUSES.includes(status) && !TERMINAL.includes(status);
  if (place === 'read' && isObject(job['logs']) && isOpen)
    yield check(NOT_BEFORE_FINISH, exchange, false, `no logs while ${status}`, got);
  if (place === 'read')
    yield check(
      'jobs.logs.absent-not-null',
      exchange,
      !there || isObject(job['logs']),
      'an object logs, or none',
      got,
    );
}

const MOST_LINKS = 1000;
const LINKED = /\/api\/v2\/jobs\/([0-9a-f]{8}-[0-9a-f-]{27})(?:[/?#]|$)/i;
const NOT_BEFORE_FINISH = 'jobs.logs.not-before-finish';

export const answers: Oracle = {
  api: 'jobs',
  judges: [
    'jobs.idem.no-replay-header',
    'jobs.errors.shape',
    'jobs.errors.reuse-is-422',
    'jobs.submit.node-errors',
    'jobs.sse.content-type',
    ...STREAM_RULES,
    ...JOB_RULES,
    ...Object.values(LOGS_RULES),
    NOT_BEFORE_FINISH,
    'jobs.urls.resolvable',
    'jobs.job.error-on-failed',
  ],
  look,
};
