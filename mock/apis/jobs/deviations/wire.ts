import { policyFor } from '../../../../contract/index.ts';
import type { ErrorCodesPolicy } from '../../../../contract/policies/error-codes.ts';
import { readErrorCode } from '../../../../contract/policies/error-codes.ts';
import type { Answer } from '../../../call/answer.ts';
import { onJson, type Deviation, type DeviationView } from '../../../deviations/deviation.ts';
import { onEvents } from '../../../deviations/on-frames.ts';
import { withJson } from '../../../deviations/wire.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export const submitting = ['submitJob'];
export const reading = ['getJob'];
export const cancelling = ['cancelJob'];
export const watching = ['streamJobEvents'];

/** A UUID that names no job. */
export const strangeId = '00000000-0000-4000-8000-000000000000';

const success = [200, 201, 202];

/** Changes the job in answers for which the condition holds. */
export function onJob(
  change: (job: JsonRecord, seen: DeviationView) => unknown,
  holds: (job: JsonRecord, seen: DeviationView) => boolean = () => true,
): NonNullable<Deviation['onReply']> {
  return (answer, seen) =>
    onJson(answer, success, (job) => ('status' in job && holds(job, seen) ? change(job, seen) : job));
}

/** Changes the job in status events for which the condition holds. */
export function onStatusEvents(
  change: (job: JsonRecord) => unknown,
  holds: (job: JsonRecord) => boolean = () => true,
): NonNullable<Deviation['onReply']> {
  return (answer, seen) =>
    onEvents(answer, eventNamesOf(seen)?.status ?? '', (job) => (holds(job) ? change(job) : job));
}

/** Changes one job after the other wherever it is shown: in answers and in status events. */
export function onEveryJob(
  change: (job: JsonRecord) => unknown,
  holds?: (job: JsonRecord) => boolean,
): NonNullable<Deviation['onReply']> {
  const [inAnswers, inEvents] = [onJob(change, holds), onStatusEvents(change, holds)];
  return async (answer, seen) => inEvents(await inAnswers(answer, seen), seen);
}

export function isQueued({ status }: JsonRecord): boolean {
  return status === 'queued';
}

export function isRunning({ status }: JsonRecord): boolean {
  return status === 'running';
}

/** Whether a job has come to its end, in whichever way. */
export function isOver({ completed_at: end }: JsonRecord): boolean {
  return typeof end === 'string';
}

/** Milliseconds from a time of a job to the call. */
export function since(job: JsonRecord, member: string, { startedAt }: DeviationView): number {
  return startedAt - Date.parse(String(job[member]));
}

/** The names of the events, as the behaviour sheet states them. */
export function eventNamesOf({ operation }: DeviationView): Readonly<Record<string, string>> | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'event-stream')?.events;
}

/** The part that an error plays. */
export function plays(answer: Answer, seen: DeviationView, role: string): boolean {
  const policy = codesOf(seen);
  if (policy === undefined || answer.body.kind !== 'json') return false;
  return readErrorCode(policy, answer.body.value) === policy.roles[role];
}

/** The same error with the code of another part. */
export function asThough(answer: Answer, seen: DeviationView, role: string): Answer {
  return onError(answer, (error) => ({ ...error, code: codesOf(seen)?.roles[role] ?? 'error' }));
}

/** Changes what stands in the body of an error. */
export function onError(answer: Answer, change: (error: JsonRecord) => unknown): Answer {
  return onJson(answer, 'any', (body) => ({ ...body, error: change(body['error'] as JsonRecord) }));
}

export function refusedWith(answer: Answer, status: number): Answer {
  return withJson(answer, status, { error: { code: 'deviant', message: 'Deviant on purpose.' } });
}

// --- internal ---

function codesOf({ operation }: DeviationView): ErrorCodesPolicy | undefined {
  return operation === undefined ? undefined : policyFor(operation, 'error-codes');
}
