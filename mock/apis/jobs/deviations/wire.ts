import { isRecord, policyFor } from '../../../../contract/index.ts';
import type { ErrorCodesPolicy } from '../../../../contract/policies/error-codes.ts';
import { readErrorCode } from '../../../../contract/policies/error-codes.ts';
import { breaks } from '../../../deviations/breaks.ts';
import { asJson, both, onBody, type AnswerChange } from '../../../deviations/changes.ts';
import type { Condition } from '../../../deviations/conditions.ts';
import type { DeviationView } from '../../../deviations/deviation.ts';
import { onEvents } from '../../../deviations/on-frames.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export const onSubmit = breaks('submitJob');
export const onRead = breaks('getJob');
export const onCancel = breaks('cancelJob');
export const onWatch = breaks('streamJobEvents');

/** A UUID that is not the id of a job. */
export const unknownJobId = '00000000-0000-4000-8000-000000000000';

const success = [200, 201, 202];

/** Changes the job in answers for which the condition holds. */
export function onJob(
  change: (job: JsonRecord, seen: DeviationView) => unknown,
  holds: (job: JsonRecord, seen: DeviationView) => boolean = () => true,
): AnswerChange {
  return onBody(success, (job, seen) => ('status' in job && holds(job, seen) ? change(job, seen) : job));
}

/** Changes the job in status events for which the condition holds. */
export function onStatusEvents(
  change: (job: JsonRecord) => unknown,
  holds: (job: JsonRecord) => boolean = () => true,
): AnswerChange {
  return onEvents(
    (seen) => eventNamesOf(seen)?.['status'],
    (job) => (holds(job) ? change(job) : job),
  );
}

/** Changes one job after the other, in answers and in status events. */
export function onEveryJob(
  change: (job: JsonRecord) => unknown,
  holds?: (job: JsonRecord) => boolean,
): AnswerChange {
  return both(onJob(change, holds), onStatusEvents(change, holds));
}

export function isQueued({ status }: JsonRecord): boolean {
  return status === 'queued';
}

export function isRunning({ status }: JsonRecord): boolean {
  return status === 'running';
}

/** Whether a job has ended, in any way. */
export function isOver({ completed_at: end }: JsonRecord): boolean {
  return typeof end === 'string';
}

/** Milliseconds between a timestamp of a job and the call. */
export function since(job: JsonRecord, member: string, { startedAt }: DeviationView): number {
  return startedAt - Date.parse(String(job[member]));
}

/** The names of the events, as the behaviour sheet states them. */
export function eventNamesOf({ operation }: DeviationView): Readonly<Record<string, string>> | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'event-stream')?.events;
}

/** Errors with a role in the contract. */
export function plays(role: string): Condition {
  return ({ body }, seen) => {
    const policy = codesOf(seen);
    return (
      policy !== undefined && body.kind === 'json' && readErrorCode(policy, body.value) === policy.roles[role]
    );
  };
}

/** The same error with the code of another role. */
export function withCodeOfRole(role: string): AnswerChange {
  return onError((error, seen) => ({ ...error, code: codesOf(seen)?.roles[role] ?? 'error' }));
}

/** Changes the body of an error. */
export function onError(change: (error: JsonRecord, seen: DeviationView) => unknown): AnswerChange {
  return onBody('any', (body, seen) => ({ ...body, error: change(body['error'] as JsonRecord, seen) }));
}

export function refusedWith(status: number): AnswerChange {
  return asJson(status, { error: { code: 'deviant', message: 'Deviant on purpose.' } });
}

/** Answers with a job for which the condition holds. */
export function job(holds: (job: JsonRecord, seen: DeviationView) => boolean): Condition {
  return ({ body }, seen) => body.kind === 'json' && isRecord(body.value) && holds(body.value, seen);
}

// --- internal ---

function codesOf({ operation }: DeviationView): ErrorCodesPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'error-codes');
}
