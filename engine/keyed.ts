import type { Outgoing } from './answer.ts';
import { passOnAborts, untilAborted } from './aborts.ts';
import { type Course, type Hold, keyLost, type Made, WITHOUT_KEY } from './course.ts';
import type { ServerCaller } from './handler.ts';
import {
  claimReplay,
  claimSingleUse,
  hashOf,
  type KeyClaim,
  type KeyContext,
  type OwnedKey,
} from './keys.ts';
import { type Ports, Refused, storeAway } from './ports.ts';
import { Refusal } from './refusal.ts';
import type { ServedApi, ServedOperation } from './served-api.ts';
import type { StoredResponse } from './store.ts';

/** The key of a call by its headers, so far as it counts. */
export function keyOf({ idempotency }: ServedOperation, headers: Headers): string | undefined {
  if (idempotency === undefined) return undefined;
  const key = headers.get(idempotency.requestHeader) ?? undefined;
  return key === '' && idempotency.mode === 'single-use' ? undefined : key;
}

/**
 * Answers a call as its key wants it: with the recorded answer, with a conflict, or by the work.
 *
 * @param work what makes the answer of a call that owns its key, or has none; it never rejects
 * @throws {Refused | Refusal} where the key is no key, or the store does not answer
 */
export async function keyed<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  course: Course<Caller>,
  work: (hold: Hold) => Promise<Made>,
): Promise<{ readonly answer: Outgoing; readonly replayed: boolean }> {
  const { operation, key } = course;
  const policy = operation.idempotency;
  if (policy === undefined || key === undefined)
    return fresh((await whileWanted(ports, course, WITHOUT_KEY, work(WITHOUT_KEY))).answer);
  if (policy.mode === 'replay' && (key.length === 0 || key.length > LONGEST_KEY))
    throw new Refused(ports.refused('badInput', `A key has 1 to ${String(LONGEST_KEY)} characters.`));
  const claimed = await claim(ports, course, key);
  ports.report(course.request, { policy: 'idempotency', decision: decisionOf(claimed) });
  if (claimed.owned === true) {
    const owned = claimed.key;
    // A submission goes on when its caller leaves: what it made is there in any case.
    const making = policy.mode === 'replay' ? whileWanted(ports, course, owned, work(owned)) : work(owned);
    return fresh(await settling(ports, course, owned, await making));
  }
  if (policy.mode === 'single-use') {
    const message = 'This key was used before: look for what came of its first use, or take a new key.';
    throw new Refusal(policy.reuse.code, message, { status: policy.reuse.status });
  }
  const { claim: other } = claimed;
  switch (other.state) {
    case 'recorded': {
      const headers = new Headers(
        other.response.headers.map(([name, value]): [string, string] => [name, value]),
      );
      headers.set(policy.replayHeader.name, policy.replayHeader.value);
      const { status, body } = other.response;
      return { answer: { status, headers, body }, replayed: true };
    }
    case 'inFlight': {
      const { status, retryAfter } = policy.inFlight;
      throw conflict(ports, status, IN_FLIGHT, retryAfter ? { 'Retry-After': '1' } : {});
    }
    case 'consumed':
      throw conflict(ports, policy.consumed.status, CONSUMED);
    case 'mismatch':
      throw conflict(ports, policy.mismatch.status, MISMATCH);
  }
}

// --- internal ---

const LONGEST_KEY = 255;

const IN_FLIGHT = 'A call with this key is in progress: wait, then send it again with the same key.';
const CONSUMED = 'The call of this key has ended and its answer cannot be replayed: use a new key.';
const MISMATCH = 'This key belongs to a request with another body: use a new key.';

function decisionOf(claimed: KeyClaim): string {
  if (claimed.owned === true) return claimed.key.collecting ? 'collecting' : 'first use';
  const { state } = claimed.claim;
  return { recorded: 'replayed', inFlight: 'in flight', consumed: 'consumed', mismatch: 'mismatch' }[state];
}

function fresh(answer: Outgoing): { readonly answer: Outgoing; readonly replayed: boolean } {
  return { answer, replayed: false };
}

function conflict(
  { refused }: Pick<Ports, 'refused'>,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refused {
  return new Refused(refused('badInput', message, { status, headers }));
}

async function claim<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  { operation, caller, request, bytes }: Course<Caller>,
  key: string,
): Promise<KeyClaim> {
  const { api, store, limits, now, tell } = ports;
  const context: KeyContext = {
    ...{ store, key, now },
    scope: JSON.stringify([api.name, operation.id, caller.id]),
    leaseMs: limits.leaseMs(operation),
    storeTimeoutMs: limits.storeTimeoutMs,
    told: (error) => {
      tell({ kind: 'store', operation: operation.id, error });
    },
    lost: (error) => {
      tell({ kind: 'lost', operation: operation.id, what: 'key', caller: caller.id, key, error });
    },
  };
  const policy = operation.idempotency;
  const asked =
    policy?.mode === 'replay'
      ? claimReplay(context, policy, await hashOf(request.method, request.target, bytes))
      : claimSingleUse(context, policy as Exclude<typeof policy, undefined>);
  return asked.catch((error: unknown) => storeAway(ports, operation, error));
}

/** The work of a call, given up when its caller goes away or its key is lost. */
async function whileWanted<Caller extends ServerCaller>(
  { refused, outgoing }: Ports<Caller>,
  { request, operation }: Course<Caller>,
  { lost }: Hold,
  work: Promise<Made>,
): Promise<Made> {
  // Nobody waits for it any more once it is given up.
  work.catch(() => undefined);
  const either = new AbortController();
  passOnAborts([request.signal, lost], either);
  const ended = untilAborted(either.signal);
  try {
    const made = await Promise.race([work, ended.aborted]);
    if (made !== undefined) return made;
    const reply = request.signal.aborted
      ? refused('disconnected', 'The caller went away.')
      : keyLost({ refused });
    return { answer: await outgoing(operation, reply), hadNoEffect: false, isReplayable: true };
  } finally {
    ended.forget();
  }
}

/** What becomes of the key is decided by what becomes of the answer. */
async function settling<Caller extends ServerCaller>(
  ports: Ports<Caller>,
  { request, operation, ended }: Course<Caller>,
  key: OwnedKey,
  made: Made,
): Promise<Outgoing> {
  const { answer, hadNoEffect } = made;
  const isGone = request.signal.aborted;
  const copy = copyOf(ports.api, made, ports.limits.replayCapBytes);
  const isFreed = operation.idempotency?.mode === 'single-use' || key.isFreedBy(answer);
  // Whether the answer arrives, this process may not live to know: it is kept before it leaves.
  const isHeld = key.lost?.aborted !== true && (isFreed || isGone || (await key.prepare(answer, copy)));
  if (!isHeld) {
    await key.settle({ delivery: 'dropped', answer: undefined, copy: undefined, hadNoEffect });
    return ports.outgoing(operation, keyLost(ports));
  }
  if (isFreed) {
    // Before the answer leaves: its caller may submit again as soon as it arrives.
    await key.settle({ delivery: 'delivered', answer, copy, hadNoEffect });
  } else {
    ended.push((delivery) =>
      key.settle({ delivery: isGone ? 'dropped' : delivery, answer, copy, hadNoEffect }),
    );
  }
  return answer;
}

/** A faithful copy, if there can be one: none of a stream, none of what is longer than the cap. */
function copyOf(
  { creditsHeader }: ServedApi,
  { answer: { status, headers, body }, isReplayable }: Made,
  cap: number,
): StoredResponse | undefined {
  if (!isReplayable || !(body instanceof Uint8Array) || body.length > cap) return undefined;
  const credits = creditsHeader?.toLowerCase();
  return { status, headers: [...headers].filter(([name]) => name !== credits), body };
}
