import { type ServerCall } from '../../engine/handler.ts';
import type { PreconditionRefusal } from '../../contract/policies/conditional-write.ts';
import { Refusal } from '../../engine/refusal.ts';
import type { ServedApi, ServedOperation } from '../../engine/served-api.ts';
import type { Call } from '../call/call.ts';
import type { Clock } from '../state/clock.ts';

/**
 * What a scenario does to the work of an operation before the document's example is its answer.
 *
 * @throws {Refusal} with a status that the document does not declare for the operation
 */
export async function beforeWork(
  { errors }: ServedApi,
  { responses }: ServedOperation,
  { work, scenario = '' }: Call['facts'],
  { clock, signal }: { readonly clock: Clock } & Pick<ServerCall, 'signal'>,
): Promise<void> {
  if (work?.kind === 'slow') await clock.sleep(work.ms, signal);
  if (work?.kind !== 'status' || declares(responses, work.status)) return;
  const { status } = work;
  throw new Refusal(reasonFor(errors, status), `The scenario ${scenario} asks for this status.`, { status });
}

/** The refusal that a policy states, or the usual one: its status and its word. */
export function refusalFor(
  errors: ServedApi['errors'],
  stated: PreconditionRefusal | undefined,
  usual: number,
  message: string,
): Refusal {
  const status = stated?.status ?? usual;
  return new Refusal(stated?.bucket ?? reasonFor(errors, status), message, { status });
}

// --- internal ---

function declares(responses: ServedOperation['responses'], status: number): boolean {
  const names = [String(status), `${String(status).slice(0, 1)}XX`, 'default'];
  return Object.keys(responses).some((name) => names.includes(name) || names.includes(name.toUpperCase()));
}

/** The code or bucket that the sheet has for a status; else a word for it. */
function reasonFor(errors: ServedApi['errors'], status: number): string {
  const stated =
    errors.kind === 'buckets' ? errors.policy.buckets : errors.kind === 'codes' ? errors.policy.codes : [];
  return stated.find((error) => error.status === status)?.name ?? `status_${String(status)}`;
}
