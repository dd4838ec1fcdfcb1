import { createHash } from 'node:crypto';
import { canonical } from '../../../../contract/canonical-json.ts';
import { check } from '../../../scenarios/check.ts';
import { headerOf, parseJson } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import type { Look, Oracle } from '../../../oracle.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { operationOf } from '../wire/operation.ts';

const RULES = {
  unkeyed: 'router.idem.no-key-no-replay',
  replay: 'router.idem.replay',
  mismatch: 'router.idem.mismatch-409',
  credits: 'router.credits-header.not-on-replay',
} as const;

/** Document 1, Idempotency key handling, table: answers that release the key, and so are never replayed. */
const FREEING: ReadonlyMap<number, string> = new Map([
  [408, 'router.idem.release-408-425'],
  [425, 'router.idem.release-408-425'],
  [429, 'router.idem.release-429'],
]);
const FREED_BY_SERVER_ERROR = 'router.idem.release-5xx';

/** An answer to a key that was not a replay. */
interface Recorded {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  /** The content of the answer, independent of its spelling. */
  readonly answer: string;
  /** The content of the request, independent of its spelling. */
  readonly request: string;
  /** The bucket and the media type on its headers. */
  readonly marks: string;
  /** Whether this was a replay, so that the answer is on record. */
  readonly isReplay: boolean;
}

/**
 * Document 1, Idempotency key handling: of all calls with a key, one is the first, and the others are marked
 * as replays.
 */
function follow(): Look {
  const known = new Map<string, Recorded[]>();
  return function* look(exchange) {
    if (operationOf(exchange)?.is !== 'run') return;
    const key = headerOf(exchange.request.headers, 'Idempotency-Key');
    const isReplay = exchange.header('Idempotent-Replayed')?.trim().toLowerCase() === 'true';
    if (isReplay) yield* lookAtReplay(exchange, key !== undefined);
    if (key === undefined || exchange.answer?.truncated !== undefined) return;
    const place = placeOf(exchange, key);
    const told = known.get(place) ?? [];
    const ended = told.filter(({ endedAt }) => endedAt <= exchange.startedAt);
    const earlier = ended.filter((one) => !one.isReplay);
    const now = recordOf(exchange, isReplay);
    if (isReplay) yield* lookAtRepeated(exchange, now, earlier);
    else {
      yield* lookAtFresh(exchange, now, ended);
      yield* lookAtForgotten(exchange, now, ended);
    }
    if (known.size >= MOST_KEYS || (isReplay && told.some((one) => one.isReplay))) return;
    known.set(place, [...told, now]);
  };
}

function* lookAtReplay(exchange: Exchange, isKeyed: boolean): Generator<Check> {
  const { status } = exchange;
  // Only a violation exercises these rules: a call without a key, a first answer with credits.
  if (!isKeyed) yield check(RULES.unkeyed, exchange, false, 'no replay without a key', 'a replay');
  const freed = status >= 500 ? FREED_BY_SERVER_ERROR : FREEING.get(status);
  if (freed !== undefined) yield check(freed, exchange, false, 'a fresh run', `a replay of a ${status}`);
  const credits = exchange.header('X-Service-Credits-Used');
  if (credits !== undefined)
    yield check(RULES.credits, exchange, false, 'no X-Service-Credits-Used on a replay', credits);
}

/** A replay repeats an answer that this key had, for the same body. */
function* lookAtRepeated(exchange: Exchange, now: Recorded, ended: readonly Recorded[]): Generator<Check> {
  // A conflict is never the recorded answer. If only conflicts are known, the first call was still in
  // transit.
  const earlier = ended.filter(({ status }) => status !== 409);
  if (earlier.length === 0) return;
  const same = earlier.filter(({ status, answer }) => status === now.status && answer === now.answer);
  const ids = earlier.map(({ id }) => id);
  yield withIds(
    check(RULES.replay, exchange, same.length > 0, 'the status and the body of the recorded answer'),
    ids,
  );
  if (same.length === 0) return;
  if (!same.some(({ request }) => request === now.request)) {
    yield withIds(check(RULES.mismatch, exchange, false, '409 for another body', 'a replay'), ids);
    return;
  }
  // The recorded answer includes headers: clients branch on the bucket in the header.
  const [first] = same;
  if (first !== undefined && !same.some(({ marks }) => marks === now.marks))
    yield withIds(check(RULES.replay, exchange, false, `the headers ${first.marks}`, now.marks), [first.id]);
}

/**
 * An answer that was replayed once is recorded: the call does not run again for 24 hours, and the record
 * stays the same.
 */
function* lookAtForgotten(exchange: Exchange, now: Recorded, ended: readonly Recorded[]): Generator<Check> {
  const replayed = ended.find(
    (one) => one.isReplay && one.request === now.request && now.startedAt - one.startedAt < RECORD_MS,
  );
  const first = ended.find((one) => !one.isReplay);
  const isWithin = first !== undefined && now.startedAt - first.startedAt < RECORD_MS;
  const isElsewhere = exchange.status >= 500 || IN_FRONT.has(exchange.status);
  if (replayed === undefined || !isWithin || exchange.answer === undefined || isElsewhere) return;
  const got = `${exchange.status} without that header`;
  const expected = 'a replay, as before';
  yield withIds(check(RULES.replay, exchange, false, expected, got), [replayed.id]);
}

/** After a success that reached the caller no other call with the key runs for 24 hours. */
function* lookAtFresh(exchange: Exchange, now: Recorded, told: readonly Recorded[]): Generator<Check> {
  const earlier = told.filter((one) => !one.isReplay);
  const first = earlier.find(
    ({ status, startedAt }) => status === 200 && now.startedAt - startedAt < RECORD_MS,
  );
  if (exchange.status < 200 || exchange.status >= 300) return;
  if (first === undefined) return yield* lookAtSecondBody(exchange, now, told);
  const isSame = first.request === now.request;
  const rule = isSame ? RULES.replay : RULES.mismatch;
  const expected = isSame ? 'the recorded answer with Idempotent-Replayed: true' : '409 for another body';
  yield withIds(check(rule, exchange, false, expected, `${exchange.status} without that header`), [first.id]);
}

/** Which refusals are recorded is open. One that was replayed is, so that another body with its key does not run. */
function* lookAtSecondBody(exchange: Exchange, now: Recorded, told: readonly Recorded[]): Generator<Check> {
  const replayed = told.find(
    (one) => one.isReplay && one.request !== now.request && now.startedAt - one.startedAt < RECORD_MS,
  );
  const first = told.find((one) => !one.isReplay && one.status !== 409);
  if (replayed === undefined || first === undefined || now.startedAt - first.startedAt >= RECORD_MS) return;
  const got = `${exchange.status} without that header`;
  yield withIds(check(RULES.mismatch, exchange, false, '409 for another body', got), [first.id, replayed.id]);
}

export const keys: Oracle = {
  api: 'router',
  judges: [...Object.values(RULES), ...FREEING.values(), FREED_BY_SERVER_ERROR],
  follow,
};

// --- internal ---

/** Some minutes less than 24 hours: a probe judges the expiry. */
const RECORD_MS = (24 * 60 - 5) * 60_000;
const MOST_KEYS = 20_000;
/** Answers that a gateway sends before a key is read. */
const IN_FRONT: ReadonlySet<number> = new Set([401, 403, 408, 411, 413, 429, 431]);

function withIds(made: Check, ids: readonly string[]): Check {
  return { ...made, exchanges: [...made.exchanges, ...ids] };
}

/** The scope of a key: whether it extends beyond its caller and its model is open. */
function placeOf({ request }: Exchange, key: string): string {
  const callers = ['Authorization', 'X-API-Key'].map((name) => headerOf(request.headers, name) ?? '');
  // Recordings of a proxy contain no credentials: there, callers have numbers.
  return digest(JSON.stringify([request.as, ...callers, request.target, key]));
}

function recordOf(exchange: Exchange, isReplay: boolean): Recorded {
  const { id, startedAt, endedAt, status, answer, request } = exchange;
  return {
    id,
    startedAt,
    endedAt,
    status,
    answer: digestOfBody(answer?.body),
    request: digestOfBody(request.body),
    marks: marksOf(exchange),
    isReplay,
  };
}

function marksOf({ header }: Exchange): string {
  const type = (header('Content-Type') ?? 'none').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return `X-Service-Error-Type: ${header('X-Service-Error-Type') ?? 'none'}, Content-Type: ${type}`;
}

function digestOfBody(body: Uint8Array | undefined): string {
  const text = new TextDecoder().decode(body);
  return digest(canonical(parseJson(text)) ?? text);
}

function digest(value: string): string {
  return createHash('sha256').update(value).digest('base64');
}
