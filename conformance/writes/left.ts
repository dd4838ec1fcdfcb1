import { storeExchange } from '../exchanges/evidence.ts';
import { makeExchange } from '../exchanges/exchange.ts';
import type { Masker } from '../../contract/secrecy/index.ts';
import { compose } from '../sessions/compose.ts';
import type { Target } from '../target/target.ts';
import type { LeftThing, StoredExchange } from '../verdicts/report.ts';
import type { MadeEntry, WriteLedger } from './ledger.ts';
import { removalPlan } from './made-thing.ts';

/** What a run leaves on the server, in the order of its making. */
export function leftOn(target: Target, ledger: WriteLedger, hide: Masker): readonly LeftThing[] {
  return ledger
    .remaining()
    .toReversed()
    .map(({ thing, why }): LeftThing => {
      const { api, operation, exchange, addresses } = thing;
      const [address] = addresses;
      const removal = removalOf(target, thing);
      return {
        ...{ api, operation, exchange },
        ...(address === undefined ? {} : { address: hide(address) }),
        why: hide(why || 'the run ended before it was taken back'),
        ...(removal === undefined ? {} : { removal }),
      };
    });
}

// --- internal ---

/** The request that removes a thing, as it can be sent later. */
function removalOf(target: Target, thing: MadeEntry['thing']): StoredExchange['request'] | undefined {
  const plan = removalPlan(thing);
  const { api, exchange: id, removal } = thing;
  if (plan === undefined || removal?.needsContract === true) return undefined;
  const times = { startedAt: 0, endedAt: 0 };
  const nothing = { answer: undefined, failure: undefined };
  try {
    const options = removal?.options({ fixtures: target.fixtures, freshKey: () => crypto.randomUUID() });
    const request = compose(target, api, plan, options ?? {});
    const exchange = makeExchange({ id, api, scenario: '', request, ...nothing, ...times });
    return storeExchange(exchange, 0, { masks: target.masks, secrecy: target.secrecy }).request;
  } catch {
    // Its operation is left out by the user, or it needs a value that is not known: `why` states it.
    return undefined;
  }
}
