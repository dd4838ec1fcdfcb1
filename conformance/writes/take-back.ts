import { openSession } from '../sessions/session.ts';
import type { SessionHost } from '../sessions/session-host.ts';
import type { MadeEntry, WriteLedger } from './ledger.ts';
import { isSuccess } from '../exchanges/exchange.ts';
import { removalPlan, showingPlan } from './made-thing.ts';

/**
 * Removes what the run made, the newest first: of one scenario, or of all. What cannot be removed stays in the ledger with the
 * reason. An interrupted run removes nothing more.
 */
export async function takeBack(host: SessionHost, ledger: WriteLedger, scenario?: string): Promise<void> {
  for (const entry of ledger.remaining(scenario)) {
    if (host.signal.aborted) return;
    entry.why = await whyNotRemoved(host, entry);
  }
}

// --- internal ---

/** What prevented the removal of a thing; empty if it is gone. */
async function whyNotRemoved(host: SessionHost, { thing, scenario, why }: MadeEntry): Promise<string> {
  const { api, removal } = thing;
  const plan = removalPlan(thing);
  if (removal === undefined || plan === undefined)
    return why || (thing.addresses.length === 0 ? 'its answer shows no address' : 'no operation removes it');
  const signal =
    host.health === undefined ? host.signal : AbortSignal.any([host.signal, host.health.signalOf(host, api)]);
  const shows = showingPlan(thing);
  const requests = { remove: plan, ...(shows === undefined ? {} : { show: shows }) };
  const owner = { id: scenario, api, requests, mayPost: false, extend: host.extendAll };
  const session = openSession(host, owner, signal);
  try {
    const options = removal.options(session);
    const seen = await session.send('remove', options);
    host.excludeFromOracles?.([seen.id]);
    if (shows !== undefined && !isSuccess(seen))
      host.excludeFromOracles?.([(await session.send('show', options)).id]);
    return `${seen.request.method} ${seen.request.target} answered ${seen.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
