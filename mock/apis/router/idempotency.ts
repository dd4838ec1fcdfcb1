import { createHash } from 'node:crypto';
import {
  claimReplayKey,
  settleReplayKey,
  type ReplayDecision,
  type ReplayPolicy,
  type ReplayRecord,
} from '../../../contract/policies/idempotency-replay.ts';
import { bodyText, headerOf, withHeaders, withoutHeaders, type Answer } from '../../answer.ts';
import type { Behaviour, Call } from '../../call.ts';
import type { FrontRequest } from '../../front.ts';
import type { Delivery } from '../../exchange.ts';
import { keyId } from '../../store.ts';
import type { Switches } from '../switches.ts';
import { refuse, roleOf, type Router } from './context.ts';
import { keepKey } from './lasting.ts';

/**
 * Runs a call at most once at a time per key, replays what was recorded, and refuses what conflicts (document 1,
 * "Idempotency key handling"). What becomes of the key is decided when it is known whether the answer reached the
 * caller, not when it was made.
 */
export function idempotency(router: Router): Behaviour {
  return async (call, next) => {
    const policy = deviantPolicy(router.facts.idempotency, call.switches);
    const key = keyOf(policy, call);
    if (key === undefined || call.switches.keysIgnored === true) return next();
    const { minimumLength, maximumLength } = router.assume('A-09');
    if (key.length < minimumLength || key.length > maximumLength) {
      const detail = `An idempotency key has ${String(minimumLength)} to ${String(maximumLength)} characters.`;
      return refuse(router, call, { role: 'badInput', detail, because: 'A-09' });
    }
    call.facts.idempotencyKey = key;
    const id = keyId(call.facts.caller?.scope ?? '', key);
    const decision = await claim(router, policy, call, id);
    switch (decision.action) {
      case 'replay':
        return replay(router, call, decision.response);
      case 'refuse':
        return refusal(router, call, decision);
      case 'collect':
        call.facts.collecting = true;
        call.note('key', 'collects the running generation', 'A-15');
        break;
      case 'dispatch':
        call.note('key', 'claimed');
    }
    return dispatch(router, policy, call, id, next);
  };
}

// --- internal ---

function keyOf(policy: ReplayPolicy, call: Call): string | undefined {
  if (call.operation === undefined || !policy.operations.includes(call.operation.id)) return undefined;
  const key = call.request.header(policy.requestHeader.toLowerCase());
  if (key === undefined && call.switches.keylessReplay === true)
    return `keyless ${hashOf(call.request, 'bytes')}`;
  return key;
}

async function claim(
  router: Router,
  policy: ReplayPolicy,
  call: Call,
  id: string,
): Promise<ReplayDecision<Answer>> {
  const { state, clock } = router;
  const bodyHash = hashOf(call.request, router.assume('A-18').compare);
  let record = deviantRecord(state.keys.get(id), bodyHash, call.switches);
  if (call.switches.claimRace === true) await clock.sleep(1);
  if (record?.state === 'in-flight') {
    if (call.switches.inFlight === 'join') await state.running.get(id)?.catch(() => undefined);
    // An answer that is already on its way tells in a moment whether it arrived; a caller that has it in hand must
    // not be told that its call still runs.
    const delivering = state.delivering.get(id);
    if (delivering !== undefined)
      await Promise.race([delivering, clock.sleep(DELIVERY_PATIENCE_MS, call.signal)]);
    record = deviantRecord(state.keys.get(id), bodyHash, call.switches);
  }
  const decision = claimReplayKey(policy, record, { bodyHash, fence: call.id, now: clock.now() });
  if (decision.action === 'dispatch' || decision.action === 'collect') {
    state.keys.set(id, decision.record, clock.now());
  } else if (call.switches.mismatch === 'overwrite' && decision.action === 'refuse' && record !== undefined) {
    state.keys.set(id, { ...record, bodyHash }, clock.now());
  }
  return decision;
}

async function dispatch(
  router: Router,
  policy: ReplayPolicy,
  call: Call,
  id: string,
  next: () => Promise<Answer>,
): Promise<Answer> {
  const { state, clock } = router;
  let answer: Answer | undefined;
  let delivered = (): void => undefined;
  // What is to be recorded for nobody must run on when its caller hangs up.
  if (call.switches.droppedRecorded === true) call.narrowSignal(() => new AbortController().signal);
  call.afterDelivery((delivery) => {
    const outcome = outcomeOf(router, policy, call, answer, delivery);
    const settled = settleReplayKey(
      policy,
      state.keys.get(id),
      { fence: call.id, now: clock.now() },
      outcome,
    );
    if (call.switches.inFlightForever !== true) state.keys.set(id, settled, clock.now());
    call.note('key', settled?.state ?? 'released', delivery === 'dropped' ? 'A-16' : undefined);
    state.delivering.delete(id);
    delivered();
  });
  const running = next();
  state.running.set(id, running);
  try {
    answer = await running;
    // The text is made once: the copy must be the very bytes that leave.
    if (answer.body.kind === 'json')
      answer = { ...answer, body: { ...answer.body, text: bodyText(answer.body) } };
    // Should this process end before it knows what arrived, the caller may have the answer: it is not run again.
    if (router.keep !== undefined) {
      const asIfHeard = outcomeOf(router, policy, call, answer, 'delivered');
      const attempt = { fence: call.id, now: clock.now() };
      keepKey(router.keep, id, settleReplayKey(policy, state.keys.get(id), attempt, asIfHeard));
    }
    return answer;
  } finally {
    state.running.delete(id);
    state.delivering.set(id, new Promise((resolve) => (delivered = resolve)));
  }
}

type Outcome = Parameters<typeof settleReplayKey<Answer>>[3];

function outcomeOf(
  router: Router,
  policy: ReplayPolicy,
  call: Call,
  answer: Answer | undefined,
  delivery: Delivery,
): Outcome {
  const { switches } = call;
  const reached = delivery === 'dropped' && switches.droppedRecorded === true ? 'delivered' : delivery;
  if (answer === undefined || answer.cut === true || reached === 'dropped') return { ended: 'dropped' };
  const { dispatched, collecting } = call.facts;
  const refusedHere =
    dispatched !== true && collecting !== true && answer.status >= 400 && !isUnknownModel(router, answer);
  if (refusedHere && !router.assume('A-12').recordRefusals) return { ended: 'dropped' };
  const marked = headerOf(answer, policy.collecting.marker) !== undefined;
  return {
    ended: 'answered',
    status: answer.status,
    marked,
    delivery: reached,
    copy: copyOf(router, call, answer),
  };
}

/** The contract says that this refusal is recorded, unlike others before the model (open point A-12). */
function isUnknownModel({ facts }: Router, answer: Answer): boolean {
  return headerOf(answer, facts.buckets.header) === facts.buckets.roles.unknownModel;
}

/** A faithful copy for replays; none past the replay cap, and none when the effect of the model forbids it. */
function copyOf(router: Router, call: Call, answer: Answer): Answer | undefined {
  // The credits header lies outside the contract and is never replayed (document 1, "What the service does").
  const { credits } = router.facts.headers;
  const copy = credits === undefined ? answer : withoutHeaders(answer, credits);
  const text = bodyText(answer.body);
  const tooLong = Buffer.byteLength(text) > router.assume('A-07').replayCapBytes;
  if (!tooLong && call.facts.unreplayable !== true) return copy;
  if (call.switches.truncatedReplay !== true) return undefined;
  return { ...copy, body: { kind: 'bytes', bytes: Buffer.from(text.slice(0, text.length / 2)) } };
}

function replay(router: Router, call: Call, recorded: Answer): Answer {
  const { name, value } = router.facts.idempotency.replayHeader;
  call.facts.replayed = true;
  call.facts.billed = false;
  call.note('key', 'replayed', 'router.idem.replay');
  return { ...withHeaders(recorded, [[name, value]]), licence: recorded.licence ?? 'router.idem.replay' };
}

function refusal(
  router: Router,
  call: Call,
  decision: Extract<ReplayDecision<Answer>, { action: 'refuse' }>,
): Answer {
  const { bucket, retryAfter } = router.assume('A-08');
  const { detail, rule } = REFUSALS[decision.reason];
  const toldToWait = decision.reason !== 'in-flight' || decision.retryAfter;
  const seconds = decision.reason === 'in-flight' ? retryAfter.inFlight : retryAfter[decision.reason];
  call.note('key', decision.reason, 'A-08');
  return refuse(router, call, {
    role: roleOf(router, bucket),
    status: decision.status,
    detail,
    headers: seconds === null || !toldToWait ? [] : [['Retry-After', String(seconds)]],
    because: rule,
  });
}

const REFUSALS = {
  'in-flight': {
    detail: 'A call with this key is in progress: wait, then send it again with the same key.',
    rule: 'router.idem.in-flight-409',
  },
  consumed: {
    detail: 'The call of this key has ended and its answer cannot be replayed: use a new key.',
    rule: 'router.idem.consumed-409',
  },
  mismatch: {
    detail: 'This key belongs to a request with another body: use a new key.',
    rule: 'router.idem.mismatch-409',
  },
} as const;

/** How long a retry waits for an answer that is being written, in milliseconds. */
const DELIVERY_PATIENCE_MS = 1_000;

/** What is compared between two requests with one key: method, target and body (open point ). */
function hashOf(request: FrontRequest, compare: 'bytes' | 'json'): string {
  const hash = createHash('sha256').update(`${request.method} ${request.path}${request.search}\n`);
  const body = compare === 'json' ? request.body() : undefined;
  return hash.update(body?.kind === 'json' ? canonical(body.value) : request.raw.body).digest('base64');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

function deviantPolicy(policy: ReplayPolicy, switches: Switches): ReplayPolicy {
  const { release, recordWindow } = switches;
  if (release === undefined && recordWindow === undefined) return policy;
  return { ...policy, release: release ?? policy.release, window: recordWindow ?? policy.window };
}

/** The record as a mock sees it that breaks a rule about keys; the true one without such a deviation. */
function deviantRecord(
  record: ReplayRecord<Answer> | undefined,
  bodyHash: string,
  { inFlight, mismatch }: Switches,
): ReplayRecord<Answer> | undefined {
  if (record?.state === 'in-flight' && inFlight === 'dispatch') return undefined;
  if (record === undefined || record.bodyHash === bodyHash) return record;
  if (mismatch === 'replay') return { ...record, bodyHash };
  return mismatch === 'dispatch' ? undefined : record;
}
