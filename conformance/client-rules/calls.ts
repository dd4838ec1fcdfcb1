import { findPolicy } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import { gotHeader, isAnsweredBefore, isOverBefore, isStatus, sameCall, sentHeader } from './exchange.ts';
import type { ClientCheck, ClientExchange } from './exchange.ts';

/** How a client repeats calls that cost money: which keys it sends, and which calls it does not repeat. */
export function* judgeCalls(
  contract: Contract,
  exchanges: readonly ClientExchange[],
  isWhole: boolean,
): Generator<ClientCheck> {
  const idempotency = findPolicy(contract, 'idempotency');
  if (idempotency?.mode !== 'replay') return;
  const calls = exchanges.filter(
    ({ operation }) => operation !== undefined && idempotency.operations.includes(operation),
  );
  const keyOf = (call: ClientExchange): string | undefined => sentHeader(call, idempotency.requestHeader);
  const doubtful: ClientCheck[] = [];
  for (const [index, call] of calls.entries()) {
    const before = calls.slice(0, index);
    const made = keyCheck(call, before, keyOf, idempotency.release);
    const again = made.got === ANOTHER_KEY && !isWhole;
    if (!again) yield made;
    else if (isAtOnce(made)) doubtful.push(made);
    yield* conflictCheck(call, calls.slice(index + 1), keyOf);
  }
  if (doubtful.length >= AGAIN_BY_CHANCE) yield* doubtful;
  yield* judgeBuckets(contract, calls, idempotency.operations);
}

// --- internal ---

type KeyOf = (call: ClientExchange) => string | undefined;

const RECOMMENDED = 'router.idem.recommended';
const ANOTHER_KEY = 'another key on another attempt';

/** People also repeat a call a while after it has failed. A program does so at once, each time. */
const AGAIN_BY_CHANCE = 3;
const AT_ONCE_MS = 10_000;

function isAtOnce({ exchanges: [call, failed] }: ClientCheck): boolean {
  return call !== undefined && failed !== undefined && call.at - failed.at - failed.durationMs < AT_ONCE_MS;
}

/** A separate key for each call, and the same key for all of its attempts. */
function keyCheck(
  call: ClientExchange,
  before: readonly ClientExchange[],
  keyOf: KeyOf,
  release: readonly (number | string)[],
): ClientCheck {
  const key = keyOf(call);
  const told = { rule: RECOMMENDED, expected: 'a separate key for each call, the same for all its attempts' };
  if (key === undefined || key === '') return { ...told, holds: false, exchanges: [call], got: 'no key' };
  const same = before.filter((one) => keyOf(one) === key && one.caller === call.caller);
  const other = same.find((one) => !sameCall(one, call));
  if (other !== undefined)
    return { ...told, holds: false, exchanges: [call, other], got: 'the key of a call with another body' };
  const last = same.at(-1);
  const finished = last?.status === 200 && isAnsweredBefore(last, call) ? last : undefined;
  if (finished !== undefined)
    return {
      ...told,
      holds: false,
      exchanges: [call, finished],
      got: 'the key of a call that had succeeded',
    };
  const failed = before.filter((one) => sameCall(one, call) && isOverBefore(one, call)).at(-1);
  const isAttempt =
    failed !== undefined &&
    (failed.delivery !== 'delivered' || isStatus(failed.status, release) || failed.status === 409);
  // Of several concurrent equal calls, each has its own key for its own attempts.
  if (isAttempt && keyOf(failed) !== key && same.length === 0)
    return { ...told, holds: false, exchanges: [call, failed], got: ANOTHER_KEY };
  return {
    ...told,
    holds: true,
    exchanges: [call],
    got: isAttempt ? 'the key of the first attempt' : 'a fresh key',
  };
}

/** A 409 without a time is final for its key; one with a time allows an attempt at that time. */
function* conflictCheck(
  call: ClientExchange,
  after: readonly ClientExchange[],
  keyOf: KeyOf,
): Generator<ClientCheck> {
  const key = keyOf(call);
  if (call.status !== 409 || key === undefined || call.delivery !== 'delivered') return;
  const again = after.find(
    (one) => keyOf(one) === key && one.caller === call.caller && isAnsweredBefore(call, one),
  );
  const told = gotHeader(call, 'retry-after');
  const seconds = Number(told);
  // Only the client knows whether its clock agrees with the server's.
  if (Number.isNaN(seconds) && told !== undefined) return;
  if (told === undefined) {
    yield {
      rule: 'router.idem.consumed-409',
      holds: again === undefined,
      exchanges: again === undefined ? [call] : [again, call],
      expected: 'no further attempt with a key whose 409 is final',
      got: again === undefined ? 'none' : 'the same key again',
    };
    return;
  }
  if (again === undefined) return;
  const waited = again.at - (call.at + call.durationMs);
  yield {
    rule: 'router.idem.in-flight-retry-after',
    // Clocks and timers of two programs differ slightly.
    holds: waited >= seconds * 1000 - TOLERANCE_MS,
    exchanges: [again, call],
    expected: `the next attempt after ${seconds} s, as the 409 said`,
    got: `after ${waited / 1000} s`,
  };
}

const TOLERANCE_MS = 50;

/** A final bucket is final even if its status allows a retry. */
function* judgeBuckets(
  contract: Contract,
  calls: readonly ClientExchange[],
  operations: readonly string[],
): Generator<ClientCheck> {
  const buckets = findPolicy(contract, 'error-buckets');
  const retry = contract.sheet?.policies.find(
    (policy) => policy.kind === 'retry' && policy.operations.some((one) => operations.includes(one)),
  );
  if (buckets === undefined || retry?.kind !== 'retry') return;
  for (const [index, call] of calls.entries()) {
    const bucket = gotHeader(call, buckets.header);
    if (bucket === undefined || retry.finalBuckets?.includes(bucket) !== true) continue;
    const again = calls.slice(index + 1).find((one) => sameCall(one, call) && isAnsweredBefore(call, one));
    yield {
      rule: 'router.run.branch-on-bucket',
      holds: again === undefined,
      exchanges: again === undefined ? [call] : [again, call],
      expected: `no further attempt after ${bucket}`,
      got: again === undefined ? 'none' : `the same call again, after ${call.status} ${bucket}`,
    };
  }
}
