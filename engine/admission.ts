import { admitCall } from '../contract/policies/capacity.ts';
import type { Course, Hold } from './course.ts';
import type { ServerCall, ServerCaller } from './handler.ts';
import { keepLease } from './lease.ts';
import { within } from './patience.ts';
import { type Ports, Refused, storeAway } from './ports.ts';

/**
 * Lets a call in, unless its caller holds as much as it may. What collects an earlier call's result is let in.
 *
 * @returns what gives its place back
 * @throws {Refused} when the call would go over a bound, or the store does not answer
 */
export async function enter<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  { operation, caller, key, request }: Course<Caller>,
  hold: Hold,
  input: Readonly<Record<string, unknown>>,
  call: ServerCall<Caller>,
): Promise<() => Promise<void>> {
  const { api, store, limits, tell, refused } = ports;
  const { capacity } = ports.options;
  const stated = operation.capacity?.calls;
  if (operation.capacity === undefined || (capacity === undefined && stated === undefined))
    return () => Promise.resolve();
  const cents = (await capacity?.cents?.(input, call, operation.id)) ?? 0;
  if (hold.collecting) return () => Promise.resolve();
  const bounds = capacity?.bounds(caller, operation.id) ?? { calls: stated };
  const leaseMs = limits.leaseMs(operation);
  const { storeTimeoutMs } = limits;
  const told = (error: unknown): void => {
    tell({ kind: 'store', operation: operation.id, error });
  };
  const sentAt = performance.now();
  const scope = JSON.stringify([api.name, caller.id]);
  const entry = await within(store.enter(scope, cents, bounds, leaseMs), storeTimeoutMs, (late) => {
    if (late.admitted) void store.leave(late.ticket).catch(told);
  }).catch((error: unknown) => storeAway(ports, operation, error));
  if (entry.admitted === true) {
    const stop = keepLease({
      ...{ leaseMs, storeTimeoutMs, sentAt, told },
      lost: (error) => {
        tell({ kind: 'lost', operation: operation.id, what: 'capacity', caller: caller.id, key, error });
      },
      renew: () => store.stay(entry.ticket, leaseMs),
    });
    return async () => {
      stop();
      await within(store.leave(entry.ticket), storeTimeoutMs).catch(told);
    };
  }
  const admission = admitCall(entry.held, bounds, cents);
  ports.report(request, {
    policy: 'capacity',
    decision: admission.admitted === false ? `refused: ${admission.bound}` : 'refused',
  });
  const { spendHeaders } = api;
  const spend = admission.admitted === false && admission.bound === 'spend' ? admission.spend : undefined;
  throw new Refused(
    refused('capacity', spend === undefined ? TOO_MANY : TOO_DEAR, {
      status: operation.capacity.status,
      headers:
        spendHeaders === undefined || spend === undefined
          ? {}
          : {
              [spendHeaders.limit]: String(spend.limit),
              [spendHeaders.current]: String(spend.current),
              [spendHeaders.remaining]: String(spend.remaining),
            },
    }),
  );
}

// --- internal ---

const TOO_DEAR =
  'The committed spend of your running calls is at its bound: send it again when one of them has finished.';
const TOO_MANY =
  'The number of your concurrent calls is at its bound: send it again when one of them has finished.';
