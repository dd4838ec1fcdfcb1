import { check, unlessUnreadable } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Oracle } from '../../../oracle.ts';
import type { Check, Observation } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { isNamed, isWholeJob } from '../wire/job.ts';
import { placeOf } from '../wire/place.ts';

const RULES = {
  submit: ['jobs.submit.201', 'jobs.submit.queued'],
  read: ['jobs.read.same-id'],
  cancel: ['jobs.cancel.200'],
} as const;

/** What each operation promises for every success, regardless of the request. */
function* look(exchange: Exchange): Generator<Check | Observation> {
  const place = placeOf(exchange);
  if (place === undefined || !isSuccess(exchange)) return;
  const { is, id = '' } = place;
  if (is === 'submit') yield* unlessUnreadable(exchange, RULES.submit, lookAtSubmission(exchange));
  if (is === 'read') yield* unlessUnreadable(exchange, RULES.read, lookAtRead(exchange, id));
  if (is === 'cancel') yield* unlessUnreadable(exchange, RULES.cancel, lookAtCancel(exchange, id));
}

/**
 * Document 3, POST /api/v2/jobs: 201, created and queued. It may have started before the answer was written.
 */
function* lookAtSubmission(exchange: Exchange): Generator<Check> {
  const { status, json } = exchange;
  yield check(RULES.submit[0], exchange, status === 201, 'status 201', String(status));
  const told = member(json, 'status');
  const isNew = told === 'queued' || told === 'running';
  if (told !== 'running')
    yield check(RULES.submit[1], exchange, isNew, 'a job that is queued', `status ${sketch(told)}`);
}

/**
 * Document 3, GET /api/v2/jobs/{id}: the requested job. Another rule judges whether it is a job, if one is
 * known.
 */
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

export const successes: Oracle = { api: 'jobs', judges: Object.values(RULES).flat(), look };
