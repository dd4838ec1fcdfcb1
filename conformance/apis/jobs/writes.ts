import { isSuccess, member } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { moduleWrites } from '../../writes/module-writes.ts';
import { CANCEL, EVENTS, READ, SUBMIT, statusOf } from './probes/job.ts';
import { jobsIn } from './wire/course.ts';
import { TERMINAL } from './wire/job.ts';
import { placeOf } from './wire/place.ts';

/**
 * Document 3: a submission makes a job, and a cancellation is all that takes it back. A job that has ended is kept until it
 * expires, and no operation removes it.
 */
export const jobsWrites = moduleWrites(
  'jobs',
  [
    { operation: 'submitJob', method: 'POST', path: SUBMIT, effect: 'creates', idMade: jobMade },
    { operation: 'cancelJob', method: 'POST', path: CANCEL, effect: 'changes' },
    { operation: 'getJob', method: 'GET', path: READ, effect: 'reads' },
    { operation: 'streamJobEvents', method: 'GET', path: EVENTS, effect: 'reads' },
  ],
  {
    isOver,
    // Idempotency-Key rules, 4: a job may have been created.
    mayExistAfter: (status) => status >= 500,
    removal: { removes: { method: 'POST', target: CANCEL, as: 'jobOwner' }, shows: READ },
  },
);

// --- internal ---

function jobMade({ json }: Exchange): string | undefined {
  const id = member(json, 'id');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** The effect of a cancellation on a queued job is open: only one that runs on is not cancelled. */
function isOver(exchange: Exchange, id: string): boolean {
  const place = placeOf(exchange);
  if (place === undefined || !isSuccess(exchange)) return false;
  if (place.is === 'cancel') return statusOf(exchange.json) !== 'running';
  return [...jobsIn(exchange, place)].some((job) => job['id'] === id && TERMINAL.includes(statusOf(job)));
}
