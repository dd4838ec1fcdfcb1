import { isSuccess } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { openSession } from '../sessions/session.ts';
import type { SessionHost } from '../sessions/session-host.ts';
import type { MadeEntry, WriteLedger } from './ledger.ts';
import { showingPlan, removalPlan } from './made-thing.ts';
import type { CallOfThing } from './made-thing.ts';

/**
 * Removes what the run made, the newest first: of one scenario, or of all. What cannot be removed stays in the ledger with the
 * reason. An interrupted run removes nothing more.
 */
export async function takeBack(host: SessionHost, ledger: WriteLedger, scenario?: string): Promise<void> {
  for (const entry of ledger.saidRemoved(scenario))
    if (!host.signal.aborted) await whyNotRemoved(host, ledger, entry, { isRemoved: true });
  for (const entry of ledger.remaining(scenario)) {
    if (host.signal.aborted) return;
    entry.why = await whyNotRemoved(host, ledger, entry, { isRemoved: false });
  }
}

// --- internal ---

/**
 * What prevented the removal of a thing; empty if it is gone. A server that answers and removes nothing does so each time:
 * until a read has shown that an operation removes what it says, each removal is looked at.
 */
async function whyNotRemoved(
  host: SessionHost,
  ledger: WriteLedger,
  { thing, scenario, why }: MadeEntry,
  { isRemoved }: { readonly isRemoved: boolean },
): Promise<string> {
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
  let answered = '';
  const send = async (name: keyof typeof requests, { options }: CallOfThing): Promise<Exchange> => {
    const seen = await session.send(name, options(session));
    host.excludeFromOracles?.([seen.id]);
    return seen;
  };
  try {
    const { isDeletion: isDelete } = removal;
    if (!isRemoved) {
      const seen = await send('remove', removal);
      answered = `${seen.request.method} ${seen.request.target} answered ${seen.status}`;
      // What refuses to be ended may have ended by itself. What was deleted may still be there.
      if (isSuccess(seen) !== isDelete) return answered;
    }
    if (removal.shows === undefined || (isDelete && ledger.isProved(thing))) return answered;
    const shown = await send('show', removal.shows);
    if (!isDelete) return answered;
    if (isSuccess(shown)) return `${answered}, and ${shown.request.method} still shows it`;
    ledger.prove(thing);
    return answered;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
