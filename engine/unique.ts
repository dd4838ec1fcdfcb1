import { uniquenessClaim } from '../contract/policies/uniqueness.ts';
import type { LooseReply, ServerCaller } from './handler.ts';
import { hashOf } from './keys.ts';
import { keepLease } from './lease.ts';
import { persist, within } from './patience.ts';
import type { Ports } from './ports.ts';
import { statedRefusal } from './refusal.ts';
import type { ServedUnique } from './served-api.ts';
import { LONGEST_MS } from './store.ts';
import { storeUnavailable } from './store-unavailable.ts';
import type { ReadyCall } from './versions.ts';
import { decode } from './wire-values.ts';

/**
 * Does the work of a call, unless a unique value in its body is already in use. If the call fails, the value
 * stays free.
 *
 * @throws {Refusal} as the sheet states
 * @throws {Refused} if the store does not answer
 */
export async function unlessTaken<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  ready: ReadyCall<Caller>,
  work: () => LooseReply | Promise<LooseReply>,
): Promise<LooseReply> {
  const { course, call } = ready;
  const { unique = [] } = course.operation;
  // A call that collects an earlier result counts as the earlier call.
  if (unique.length === 0 || call.collecting) return work();
  const held: Held[] = [];
  let isGiven = false;
  try {
    for (const one of unique) {
      const own = await taken(ports, ready, one);
      if (own === undefined) continue;
      if (own !== TAKEN) {
        held.push(own);
        continue;
      }
      course.note({ policy: 'uniqueness', case: 'taken' });
      throw statedRefusal(ports.api, one.refusal, `${one.member} is given already.`);
    }
    const reply = await work();
    isGiven = reply.status < 300;
    return reply;
  } finally {
    for (const own of held) await own.end(isGiven);
  }
}

// --- internal ---

/** A value that a running call has claimed. */
interface Held {
  /** @param isGiven whether the value stays in use */
  readonly end: (isGiven: boolean) => Promise<unknown>;
}

const TAKEN = Symbol('taken');

async function taken<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  { course, input, call }: ReadyCall<Caller>,
  unique: ServedUnique,
): Promise<Held | typeof TAKEN | undefined> {
  const { operation, segments } = course;
  const { member, isOfThings } = unique;
  const claim = uniquenessClaim(unique, input['body'], (name) => decode(segments[name] ?? ''));
  // Without a value, there is nothing to claim.
  if (claim.everywhere === '') return undefined;
  const known = ports.options.isTaken;
  if (known !== undefined && Object.hasOwn(known, operation.id))
    return (await known[operation.id]?.(member, input, call)) === true ? TAKEN : undefined;
  if (isOfThings === true) return undefined;
  const scope = JSON.stringify([ports.api.name, operation.id, 'unique', member]);
  return heldIn(ports, course, scope, await hashOf('', '', new TextEncoder().encode(claim.within)));
}

async function heldIn<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  { operation }: ReadyCall<Caller>['course'],
  scope: string,
  key: string,
): Promise<Held | typeof TAKEN> {
  const { limits } = ports;
  const { store, isHere } = ports.values;
  const { storeTimeoutMs } = limits;
  const leaseMs = isHere ? LONGEST_MS : limits.leaseMs(operation);
  const onFailure = (error: unknown): void => {
    ports.tell({ kind: 'store', operation: operation.id, error });
  };
  const settle = (fence: string, isGiven: boolean): Promise<unknown> =>
    persist(
      () => within(isGiven ? store.consume(fence, LONGEST_MS) : store.release(fence), storeTimeoutMs),
      storeTimeoutMs,
      onFailure,
    );
  const sentAt = performance.now();
  try {
    const claim = await within(store.claim(scope, key, '', leaseMs), storeTimeoutMs, (late) => {
      if (late.state === 'new') void settle(late.fence, false);
    });
    if (claim.state !== 'new') return TAKEN;
    const { fence } = claim;
    const renew = (): Promise<boolean> | boolean => store.renew(fence, leaseMs);
    const stop = isHere
      ? undefined
      : keepLease({ ...{ leaseMs, storeTimeoutMs, sentAt, renew, onFailure }, onLost: () => undefined });
    return {
      end: (isGiven) => {
        stop?.();
        return settle(fence, isGiven);
      },
    };
  } catch (error) {
    return storeUnavailable(ports, operation, error);
  }
}
