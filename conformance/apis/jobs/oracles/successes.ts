import { check, unlessUnreadable } from '../../../check.ts';
import { readEvents } from '../../../event-stream.ts';
import { isSuccess, member } from '../../../exchange.ts';
import type { Exchange } from '../../../exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenario.ts';
import { sketch } from '../../../sketch.ts';
import { TERMINAL, isWholeJob, jobIn } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';

const RULES = {
  submit: ['jobs.submit.201', 'jobs.submit.queued'],
  read: ['jobs.read.same-id'],
  cancel: ['jobs.cancel.200'],
  stream: ['jobs.sse.status-carries-job', 'jobs.sse.nothing-after-terminal', 'jobs.sse.terminal-before-end'],
} as const;

/** What each operation promises for every success, whatever the request was about. */
function* look(exchange: Exchange): Generator<Check | Observation> {
  const place = placeOf(exchange);
  if (place === undefined || !isSuccess(exchange)) return;
  const { is, id = '' } = place;
  if (is === 'submit') yield* unlessUnreadable(exchange, RULES.submit, lookAtSubmission(exchange));
  if (is === 'read') yield* unlessUnreadable(exchange, RULES.read, lookAtRead(exchange, id));
  if (is === 'cancel') yield* unlessUnreadable(exchange, RULES.cancel, lookAtCancel(exchange, id));
  const type = exchange.header('Content-Type') ?? '';
  if (is === 'stream' && /event-stream/i.test(type))
    yield* unlessUnreadable(exchange, RULES.stream, lookAtStream(exchange, id));
}

/** Document 3, POST /api/v2/jobs: 201, created and queued. It may have begun before the answer was written. */
function* lookAtSubmission(exchange: Exchange): Generator<Check> {
  const { status, json } = exchange;
  yield check(RULES.submit[0], exchange, status === 201, 'status 201', String(status));
  const told = member(json, 'status');
  const isNew = told === 'queued' || told === 'running';
  if (told !== 'running')
    yield check(RULES.submit[1], exchange, isNew, 'a job that is queued', `status ${sketch(told)}`);
}

/** Document 3, GET /api/v2/jobs/{id}: the job that was asked for. Whether it is a job at all is judged where one is known. */
function* lookAtRead(exchange: Exchange, id: string): Generator<Check> {
  const { json } = exchange;
  if (isWholeJob(json)) yield check(RULES.read[0], exchange, isNamed(json, id), `id ${id}`);
}

/** Document 3, POST /api/v2/jobs/{id}/cancel: 200, with the current state of the job. */
function* lookAtCancel(exchange: Exchange, id: string): Generator<Check> {
  const { status, json } = exchange;
  if (!isWholeJob(json)) return;
  const fits = status === 200 && isNamed(json, id);
  yield check(RULES.cancel[0], exchange, fits, `status 200 with the job ${id}`);
}

/** Document 3, GET …/events, items 2 and 5: it carries this job, and ends with the status that ends it. */
function* lookAtStream(exchange: Exchange, id: string): Generator<Check> {
  const events = readEvents(new TextDecoder().decode(exchange.bytes), 0);
  const jobs = events.map((event) => jobIn(event)).map((job) => (isWholeJob(job) ? job : undefined));
  for (const job of jobs)
    if (job !== undefined)
      yield check(RULES.stream[0], exchange, isNamed(job, id), `the job ${id}`, `id ${sketch(job['id'])}`);
  const end = jobs.findIndex((job) => TERMINAL.includes(String(job?.['status'])));
  // Where no event carries a job, another rule is broken, or the status is told in a way of its own.
  const isReadable = events.length === 0 || jobs.some((job) => job !== undefined);
  if (end < 0 && exchange.ended === 'end' && isReadable)
    yield check(RULES.stream[2], exchange, false, 'a terminal status before the end', sketchJobs(jobs));
  if (end < 0) return;
  const [next] = events.slice(end + 1);
  yield check(
    RULES.stream[1],
    exchange,
    next === undefined,
    'no event after the terminal status',
    next?.name ?? 'nothing',
  );
}

function sketchJobs(jobs: readonly unknown[]): string {
  return jobs.map((job) => String(member(job, 'status') ?? '')).join(', ') || 'no event';
}

/** What is no UUID breaks a rule of its own. */
function isNamed(job: unknown, id: string): boolean {
  const told = member(job, 'id');
  return typeof told !== 'string' || told.length !== id.length || told.toLowerCase() === id.toLowerCase();
}

export const successes: Oracle = { api: 'jobs', judges: Object.values(RULES).flat(), look };
