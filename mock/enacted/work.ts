import { type ServerCall } from '../../engine/handler.ts';
import { statedRefusal } from '../../engine/refusal.ts';
import type { ServedApi, ServedOperation } from '../../engine/served-api.ts';
import type { Call } from '../call/call.ts';
import type { Clock } from '../state/clock.ts';

/**
 * The effect of a scenario on the work of an operation, before it answers with the document's example.
 *
 * @throws {Refusal} with a status that the document does not declare for the operation
 */
export async function beforeWork(
  api: ServedApi,
  { responses }: ServedOperation,
  { work, scenario = '' }: Call['facts'],
  { clock, signal }: { readonly clock: Clock } & Pick<ServerCall, 'signal'>,
): Promise<void> {
  if (work?.kind === 'slow') await clock.sleep(work.ms, signal);
  if (work?.kind !== 'status' || declares(responses, work.status)) return;
  const { status } = work;
  throw statedRefusal(api, { status }, `The scenario ${scenario} asks for this status.`);
}

// --- internal ---

function declares(responses: ServedOperation['responses'], status: number): boolean {
  const names = [String(status), `${String(status).slice(0, 1)}XX`, 'default'];
  return Object.keys(responses).some((name) => names.includes(name) || names.includes(name.toUpperCase()));
}
