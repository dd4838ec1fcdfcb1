import { type Admission, admitCall } from '../contract/policies/capacity.ts';
import type { Choices } from './choices.ts';
import type { Course, CallClaim } from './course.ts';
import { Refused } from './decision.ts';
import type { KeyPorts } from './key-context.ts';
import { keepLease } from './lease.ts';
import { within } from './patience.ts';
import type { ServedApi } from './served-api.ts';
import { type StoreObserver, storeUnavailable } from './store-unavailable.ts';
import { type EngineStore, type Bounds, type Entry, LONGEST_MS } from './store.ts';

/** The surroundings that counting calls needs. */
export interface AdmissionPorts<Called extends Course> extends Omit<KeyPorts, 'store'>, StoreObserver {
  readonly store: Pick<EngineStore, 'enter' | 'stay' | 'leave'>;
  readonly api: Pick<ServedApi, 'spendHeaders'>;
  readonly choices: Pick<Choices, 'spend'>;
  /** Whose calls are counted together. */
  readonly capacityScope: (course: Called) => string;
}

/** How much of its caller's capacity a call needs. */
export interface RequestedCapacity {
  readonly cents: number;
  readonly bounds: Bounds;
}

/**
 * Admits a call, unless its caller has used up its capacity. A call that collects the result of an earlier one is
 * always admitted.
 *
 * @param asked `undefined` if nothing is counted
 * @returns a function that gives its place back
 * @throws {Refused} when the call would exceed a bound, or the store does not answer
 */
export function enter<Called extends Course>(
  ports: AdmissionPorts<Called>,
  course: Called,
  hold: CallClaim,
  asked: RequestedCapacity | undefined,
): Leave | Promise<Leave> {
  const { operation } = course;
  const { capacity } = operation;
  if (capacity === undefined || asked === undefined || hold.collecting) return NOTHING_TO_RELEASE;
  const { cents, bounds } = asked;
  const admitted = (entered: Entered): Leave => {
    // A test of a member narrows the union even without `strict`, which some users compile with.
    if (!('held' in entered)) return entered.leave;
    const admission = admitCall(entered.held, bounds, cents);
    const spend = spendOf(admission);
    throw new Refused({
      cause: 'capacity',
      message: spend === undefined ? TOO_MANY : TOO_DEAR,
      decision: { policy: 'capacity', case: spend === undefined ? 'calls' : 'spend' },
      status: capacity.status,
      ...(capacity.bucket === undefined ? {} : { code: capacity.bucket }),
      headers: spend === undefined ? {} : spendHeaders(ports, spend, cents),
    });
  };
  if (ports.local === undefined) return leasedTicket(ports, course, asked).then(admitted);
  const { store } = ports;
  const held = (entry: Entry): Entered =>
    entry.admitted === true ? { leave: () => store.leave(entry.ticket) } : entry;
  const entry = store.enter(ports.capacityScope(course), cents, bounds, LONGEST_MS);
  return entry instanceof Promise ? entry.then((known) => admitted(held(known))) : admitted(held(entry));
}

/** Releases the capacity of a call. */
type Leave = () => Promise<void> | void;

// --- internal ---

const NOTHING_TO_RELEASE: Leave = () => undefined;

const TOO_DEAR =
  'The committed spend of your running calls has reached its limit: send the request again when one of them has finished.';
const TOO_MANY =
  'The number of your concurrent calls has reached its limit: send the request again when one of them has finished.';

type Entered =
  | { readonly leave: Leave }
  | { readonly leave?: undefined; readonly held: { readonly calls: number; readonly cents: number } };

/** A place that expires if its process dies. */
async function leasedTicket<Called extends Course>(
  ports: AdmissionPorts<Called>,
  course: Called,
  { cents, bounds }: RequestedCapacity,
): Promise<Entered> {
  const { store, limits, tell } = ports;
  const { operation, caller, key } = course;
  const scope = ports.capacityScope(course);
  const { storeTimeoutMs } = limits;
  const leaseMs = limits.leaseMs(operation);
  const onFailure = (error: unknown): void => {
    tell({ kind: 'store', operation: operation.id, error });
  };
  const sentAt = performance.now();
  const entry = await within(store.enter(scope, cents, bounds, leaseMs), storeTimeoutMs, (late) => {
    if (late.admitted) void Promise.resolve(store.leave(late.ticket)).catch(onFailure);
  }).catch((error: unknown) => storeUnavailable(ports, operation, error));
  if (entry.admitted !== true) return entry;
  const stop = keepLease({
    ...{ leaseMs, storeTimeoutMs, sentAt, onFailure },
    onLost: (error) => {
      tell({ kind: 'lost', operation: operation.id, what: 'capacity', caller: caller.id, key, error });
    },
    renew: () => store.stay(entry.ticket, leaseMs),
  });
  return {
    leave: async () => {
      stop();
      await within(store.leave(entry.ticket), storeTimeoutMs).catch(onFailure);
    },
  };
}

interface Spend {
  readonly limit: number;
  readonly current: number;
  readonly remaining: number;
}

function spendOf(admission: Admission): Spend | undefined {
  return admission.admitted === false && admission.bound === 'spend' ? admission.spend : undefined;
}

/** US cents, on a refusal by spend only. */
function spendHeaders(
  { api, choices }: Pick<AdmissionPorts<Course>, 'api' | 'choices'>,
  { limit, current, remaining }: Spend,
  wanted: number,
): Readonly<Record<string, string>> {
  const names = api.spendHeaders;
  if (names === undefined) return {};
  const { form, remaining: counted } = choices.spend;
  const cents = (amount: number): string => (form === 'integer' ? String(amount) : amount.toFixed(2));
  return {
    [names.limit]: cents(limit),
    [names.current]: cents(current),
    [names.remaining]: cents(counted === 'after this call' ? limit - current - wanted : remaining),
  };
}
