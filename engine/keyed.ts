import type { Choices } from './choices.ts';
import {
  consumedRefusal,
  type KeyRefusal,
  type ReplayPolicy,
} from '../contract/policies/idempotency-replay.ts';
import { type Course, type CallClaim, type WorkResult, WITHOUT_KEY } from './course.ts';
import { type KeyCase, KEY_LOST, Refused } from './decision.ts';
import { claimReplay, claimSingleUse } from './keys.ts';
import type { KeyClaim, OwnedKey } from './owned-key.ts';
import type { KeyPorts } from './key-context.ts';
import type { Cause } from './refusal.ts';
import type { ServedOperation } from './served-api.ts';
import { type StoreObserver, storeUnavailable } from './store-unavailable.ts';
import type { StoredResponse } from './store.ts';

/** The functions for answers that the ledger of keys needs. */
export interface KeyedAnswers<Answer, Copy> {
  header(answer: Answer, name: string): string | undefined;
  /** An exact copy of an answer, without the parts that are never replayed; `undefined` if it cannot be copied. */
  copy(made: WorkResult<Answer>): Copy | undefined;
  /** The answer to a retry, with the header that marks it. */
  /** @param mark the header that marks the answer as a replay; `undefined` for none */
  replay(copy: Copy, mark: { readonly name: string; readonly value: string } | undefined): Answer;
}

/** The surroundings that calls with keys need. */
export interface KeyedPorts<Answer, Copy, Called extends Course> extends KeyPorts<Copy>, StoreObserver {
  readonly choices: Pick<Choices, 'keyLength' | 'retryAfter'>;
  readonly answers: KeyedAnswers<Answer, Copy>;
  /** The owner and the purpose of the key. */
  readonly keyScope: (course: Called) => string;
  /** The hash by which requests with one key are compared. */
  readonly hash: (course: Called) => string | Promise<string>;
}

/**
 * The key of a call, if it applies.
 *
 * @param header the value of the header
 */
export function keyOf(
  { idempotency }: ServedOperation,
  header: (name: string) => string | null | undefined,
): string | undefined {
  if (idempotency === undefined) return undefined;
  const key = header(idempotency.requestHeader) ?? undefined;
  return key === '' && idempotency.mode === 'single-use' ? undefined : key;
}

/**
 * Answers a call by the state of its key: with the recorded answer, with a conflict, or by doing the work.
 * Header lines with the same name arrive joined by a comma and a space (RFC 9110, section 5.3). A key that
 * could be two keys is refused, because a retry with one of them would be charged again.
 *
 * @param work makes the answer of a call that owns its key, or has none
 * @throws {Refused} if the key is malformed or belongs to another call, or if the store does not answer
 */
export async function keyed<
  Answer extends { readonly status: number },
  Copy = StoredResponse,
  Called extends Course = Course,
>(
  ports: KeyedPorts<Answer, Copy, Called>,
  course: Called,
  work: (hold: CallClaim) => Promise<WorkResult<Answer>>,
): Promise<{ readonly answer: Answer; readonly replayed: boolean }> {
  const { operation, key } = course;
  const policy = operation.idempotency;
  if (policy === undefined || key === undefined) return fresh((await work(WITHOUT_KEY)).answer);
  if (/^,|, |,$/.test(key)) {
    const message = `Send one ${policy.requestHeader}, and no comma at an end of it or before a space.`;
    throw conflict('no-key', message, {});
  }
  const { retryAfter } = ports.choices;
  const keyLength = { ...ports.choices.keyLength, ...operation.keyLength };
  if (policy.mode === 'replay' && (key.length < keyLength.minimum || key.length > keyLength.maximum)) {
    const message = `A key has ${String(keyLength.minimum)} to ${String(keyLength.maximum)} characters.`;
    throw conflict('no-key', message, {});
  }
  const claiming = claim(ports, course, key);
  const claimed = claiming instanceof Promise ? await claiming : claiming;
  if (claimed.owned === true) {
    const owned = claimed.key;
    course.note({ policy: 'idempotency', case: owned.collecting ? 'collecting' : 'first-use' });
    let made: WorkResult<Answer>;
    try {
      made = await work(owned);
    } catch (error) {
      await freed(owned, course, false);
      throw owned.isSpent && policy.mode === 'replay' ? spent(policy, retryAfter.consumed) : error;
    }
    if (owned.isSpent && policy.mode === 'replay') {
      await freed(owned, course, false);
      throw spent(policy, retryAfter.consumed);
    }
    return fresh(await settling(ports, course, owned, made));
  }
  if (policy.mode === 'single-use') throw conflict('used', USED, policy.reuse);
  const { claim: other } = claimed;
  switch (other.state) {
    case 'recorded': {
      course.note({ policy: 'idempotency', case: 'replayed' });
      return { answer: ports.answers.replay(other.response, policy.replayHeader), replayed: true };
    }
    case 'inFlight': {
      const { inFlight } = policy;
      throw conflict('in-flight', IN_FLIGHT, {
        ...named(inFlight),
        wait: inFlight.retryAfter ? retryAfter.inFlight : null,
      });
    }
    case 'consumed':
      throw spent(policy, retryAfter.consumed, CONSUMED);
    case 'mismatch':
      throw conflict('mismatch', MISMATCH, { ...named(policy.mismatch), wait: retryAfter.mismatch });
  }
}

// --- internal ---

const IN_FLIGHT = 'A call with this key is in progress: wait, then send it again with the same key.';
const CONSUMED = 'The call of this key has ended and its answer cannot be replayed: use a new key.';
const OUTCOME_UNKNOWN =
  'This key is used up: it was charged, and the record of its outcome is lost. Find its result, or use a new key.';
const MISMATCH = 'This key belongs to a request with another body: use a new key.';
const USED = 'This key was used before: find the result of its first use, or use a new key.';

function fresh<Answer>(answer: Answer): { readonly answer: Answer; readonly replayed: boolean } {
  return { answer, replayed: false };
}

/** A refusal of the sheet, whose name is the code of the error. */
function named({ status, bucket }: KeyRefusal): { readonly status: number; readonly code?: string } {
  return { status, ...(bucket === undefined ? {} : { code: bucket }) };
}

function spent(policy: ReplayPolicy, wait: number | null, message = OUTCOME_UNKNOWN): Refused {
  return conflict('consumed', message, { ...named(consumedRefusal(policy)), wait });
}

function conflict(
  which: KeyCase,
  message: string,
  {
    status,
    code,
    wait = null,
  }: { readonly status?: number; readonly code?: string; readonly wait?: number | null },
): Refused {
  const cause: Cause = 'badInput';
  return new Refused({
    ...{ cause, message, decision: { policy: 'idempotency', case: which } },
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(wait === null ? {} : { headers: { 'Retry-After': String(wait) } }),
  });
}

/** @throws {Refused} if the store does not answer */
function claim<Answer, Copy, Called extends Course>(
  ports: KeyedPorts<Answer, Copy, Called>,
  course: Called,
  key: string,
): KeyClaim<Copy> | Promise<KeyClaim<Copy>> {
  const { operation, caller } = course;
  const { limits, tell } = ports;
  const context = {
    ports,
    key,
    scope: ports.keyScope(course),
    leaseMs: limits.leaseMs(operation),
    onFailure: (error: unknown) => {
      tell({ kind: 'store', operation: operation.id, error });
    },
    onLost: (error?: unknown) => {
      tell({ kind: 'lost', operation: operation.id, what: 'key', caller: caller.id, key, error });
    },
  };
  const policy = operation.idempotency as Exclude<ServedOperation['idempotency'], undefined>;
  const away = (error: unknown): never => storeUnavailable(ports, operation, error);
  try {
    if (policy.mode === 'single-use') return orElse(claimSingleUse(context, policy), away);
    const hash = ports.hash(course);
    return typeof hash === 'string'
      ? orElse(claimReplay(context, policy, hash), away)
      : hash.then((made) => orElse(claimReplay(context, policy, made), away), away);
  } catch (error) {
    return away(error);
  }
}

function orElse<Value>(
  work: Promise<Value> | Value,
  failed: (error: unknown) => never,
): Promise<Value> | Value {
  return work instanceof Promise ? work.catch(failed) : work;
}

/** The delivery of the answer decides the state of the key. */
async function settling<Answer extends { readonly status: number }, Copy, Called extends Course>(
  { answers }: KeyedPorts<Answer, Copy, Called>,
  course: Called,
  key: OwnedKey<Copy>,
  made: WorkResult<Answer>,
): Promise<Answer> {
  const { answer, hadNoEffect, isForgotten = false } = made;
  const policy = course.operation.idempotency;
  if (isForgotten) {
    await freed(key, course, true);
    return answer;
  }
  const isGone = course.hasGone();
  const copy = policy?.mode === 'replay' ? answers.copy(made) : undefined;
  const marker = policy?.mode === 'replay' ? policy.collecting?.marker : undefined;
  const isMarked = marker !== undefined && answers.header(answer, marker) !== undefined;
  const head = { status: answer.status, isMarked };
  const isFreed = policy?.mode === 'single-use' || key.isFreedBy(head);
  // This process may die before it knows whether the answer arrives, so it stores the answer before sending
  // it.
  const isHeld = key.lost?.aborted !== true && (isFreed || isGone || (await key.prepare(head, copy)));
  if (!isHeld) {
    await freed(key, course, hadNoEffect);
    throw new Refused(KEY_LOST);
  }
  const end = (delivery: Parameters<OwnedKey['settle']>[0]['delivery']): Promise<void> | void =>
    key.settle({ delivery, head, copy, hadNoEffect, course });
  // Before the answer is sent, because its caller may submit again as soon as it arrives.
  if (isFreed) await end('delivered');
  else course.ended.push((delivery) => end(isGone ? 'dropped' : delivery));
  return answer;
}

/** The call ends without an answer that can be stored for its key. */
function freed<Copy>(key: OwnedKey<Copy>, course: Course, hadNoEffect: boolean): Promise<void> | void {
  return key.settle({ delivery: 'dropped', head: undefined, copy: undefined, hadNoEffect, course });
}
