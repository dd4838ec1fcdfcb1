import { EventReader } from './event-stream.ts';
import type { StreamEvent } from './event-stream.ts';
import { makeExchange } from './exchange.ts';
import type { Answer, Exchange, SentRequest } from './exchange.ts';
import { mayBill } from './plan.ts';
import { Hindered, NotExercised } from './scenario.ts';
import type {
  Identity,
  RequestPlan,
  RequestPlans,
  Resource,
  SendOptions,
  Session,
  WatchOptions,
  Watched,
} from './scenario.ts';
import { needOf } from './target.ts';
import type { Target } from './target.ts';
import type { Clock, Transport, WireRequest, WireResponse } from './transport.ts';

/** What all sessions of a run have in common. */
export interface SessionHost {
  readonly target: Target;
  readonly transportTo: (api: string) => Transport;
  readonly clock: Clock;
  /** Waits for a turn where requests are rationed. */
  readonly turn: () => Promise<void>;
  /** How many random requests each scenario that fuzzes may send; default 0. */
  readonly fuzz?: number | undefined;
  /** Milliseconds that a read may take; a run always has the server's deadline. */
  readonly readTimeoutMs?: number | undefined;
  /** The number of the next exchange. */
  readonly nextId: () => string;
  readonly keep: (exchange: Exchange) => void;
  readonly obtained: Map<string, Promise<unknown>>;
  /** Ends the run. */
  readonly signal: AbortSignal;
  readonly freshKey: () => string;
  readonly random: (owner: string) => () => number;
}

export interface SessionOwner {
  readonly id: string;
  readonly api: string;
  readonly requests: RequestPlans;
  /** Whether POSTs with a usable credential were allowed for it. */
  readonly mayPost: boolean;
}

/** Opens the way to the server for one scenario or resource: only what it declared goes out. */
export function openSession(host: SessionHost, owner: SessionOwner, signal: AbortSignal): Session {
  const { target, clock } = host;
  const transport = host.transportTo(owner.api);
  const counts = new Map<string, number>();

  const take = (name: string): RequestPlan => {
    const plan = owner.requests[name];
    if (plan === undefined) throw new Error(`${owner.id} sends "${name}", which it did not declare`);
    const count = (counts.get(name) ?? 0) + 1;
    if (count > (plan.perFuzz === true ? (host.fuzz ?? 0) : plan.times))
      throw new Error(`${owner.id} sends "${name}" more often than it declared`);
    counts.set(name, count);
    if (mayBill(plan) && !owner.mayPost) throw new Error(`${owner.id} sends a POST that was not allowed`);
    return plan;
  };

  const exchange = async (plan: RequestPlan, options: SendOptions, start: Start): Promise<Exchange> => {
    const request = compose(target, owner.api, plan, options);
    const id = host.nextId();
    const startedAt = clock.now();
    const timeoutMs =
      options.timeoutMs ??
      (mayBill(plan) ? target.deadlineMs + RUN_MARGIN_MS : (host.readTimeoutMs ?? READ_TIMEOUT_MS));
    const outcome = await complete(start, request, { clock, timeoutMs, signals: [signal, options.signal] });
    const done = makeExchange({
      id,
      api: owner.api,
      scenario: owner.id,
      request,
      ...outcome,
      startedAt,
      endedAt: clock.now(),
    });
    host.keep(done);
    return done;
  };

  const send = async (name: string, options: SendOptions = {}): Promise<Exchange> => {
    const plan = take(name);
    for (let attempt = 1; ; attempt += 1) {
      await host.turn();
      signal.throwIfAborted();
      const seen = await exchange(plan, options, (request) => transport(request));
      if (options.signal?.aborted === true) return seen;
      const obstacle = obstacleIn(seen, plan);
      if (obstacle === undefined) return seen;
      if (attempt === MOST_ATTEMPTS || mayBill(plan) || seen.answer === undefined)
        throw new Hindered(obstacle, [seen.id]);
      await clock.sleep(retryAfterMs(seen), signal);
    }
  };

  const race = async (name: string, options: readonly SendOptions[]): Promise<readonly Exchange[]> => {
    const { prepare } = transport;
    const plans = options.map(() => take(name));
    // Together they cannot keep to a rate; over the run they do.
    for (const _ of options) await host.turn();
    signal.throwIfAborted();
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const ready: Promise<unknown>[] = [];
    const running = options.map((option, index) =>
      exchange(plans[index] as RequestPlan, option, async (request) => {
        if (prepare === undefined) return transport(request);
        const prepared = prepare(request);
        ready.push(prepared.catch(() => undefined));
        const go = await prepared;
        await released;
        return go();
      }),
    );
    await Promise.all(ready);
    release();
    return Promise.all(running);
  };

  const watch = async (name: string, options: WatchOptions = {}): Promise<Watched> => {
    const plan = take(name);
    await host.turn();
    signal.throwIfAborted();
    const request = compose(target, owner.api, plan, options);
    const id = host.nextId();
    const startedAt = clock.now();
    const seen = await follow(transport, request, options, { clock, signals: [signal, options.signal] });
    const { answer, failure, events, ended } = seen;
    const parts = { id, api: owner.api, scenario: owner.id, request, answer, failure };
    const exchange = makeExchange({ ...parts, startedAt, endedAt: clock.now() });
    host.keep(exchange);
    signal.throwIfAborted();
    if (answer === undefined) throw new Hindered(`no answer: ${failure ?? 'unknown'}`, [id]);
    const obstacle = obstacleIn(exchange, plan);
    if (obstacle !== undefined) throw new Hindered(obstacle, [id]);
    return { exchange, events, ended };
  };

  return {
    watch: (name, options) => quiet(watch(name, options)),
    send: (name, options) => quiet(send(name, options)),
    race: (name, options) => quiet(race(name, options)),
    obtain: (wanted) => obtain(host, wanted, signal),
    fixtures: target.fixtures,
    clock,
    requestBody: target.requestBody,
    fuzz: host.fuzz ?? 0,
    freshKey: host.freshKey,
    random: host.random(owner.id),
    deadlineMs: target.deadlineMs,
  };
}

// --- internal ---

type Start = (request: WireRequest) => Promise<WireResponse>;

const READ_TIMEOUT_MS = 30_000;

/** A reader must wait longer than the server, so that the typed answer arrives and not its own timeout. */
const RUN_MARGIN_MS = 30_000;

const MOST_ATTEMPTS = 3;

const LONGEST_WAIT_MS = 10_000;

/** Bodies beyond this are no answer that the suite could judge. */
const LONGEST_BODY = 64 * 1024 * 1024;

/** Resources are reads that many scenarios share; the first one that asks sends them. */
function obtain<Value>(host: SessionHost, wanted: Resource<Value>, signal: AbortSignal): Promise<Value> {
  let value = host.obtained.get(wanted.id) as Promise<Value> | undefined;
  if (value === undefined) {
    // Its life is not that of the scenario that happened to ask first.
    const session = openSession(
      host,
      { id: wanted.id, api: wanted.api, requests: wanted.requests, mayPost: false },
      host.signal,
    );
    value = quiet(wanted.obtain(session));
    host.obtained.set(wanted.id, value);
  }
  signal.throwIfAborted();
  return value;
}

function compose(target: Target, api: string, plan: RequestPlan, options: SendOptions): SentRequest {
  const base = target.baseOf(api);
  const path = plan.target.replace(/\{(\w+)\}/g, (whole, name: string) => options.fill?.[name] ?? whole);
  const body = encodeBody(options.body);
  const given = options.headers ?? [];
  const has = (name: string): boolean => given.some(([candidate]) => candidate.toLowerCase() === name);
  const headers: [string, string][] = [['Host', base.host]];
  const credential = credentialOf(target, plan.as, options);
  if (credential !== undefined) headers.push(credential);
  if (!has('accept')) headers.push(['Accept', '*/*']);
  if (!has('user-agent')) headers.push(['User-Agent', 'tallystick']);
  if (body !== undefined && !has('content-type')) headers.push(['Content-Type', 'application/json']);
  headers.push(...given.map(([name, value]): [string, string] => [name, value]));
  const needsLength = body !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(plan.method);
  if (needsLength && !has('content-length')) headers.push(['Content-Length', String(body?.length ?? 0)]);
  return {
    method: plan.method,
    target: plan.fromOrigin === true ? path : `${base.pathname.replace(/\/$/, '')}${path}`,
    headers,
    body,
    as: plan.as,
  };
}

function credentialOf(target: Target, as: Identity, options: SendOptions): [string, string] | undefined {
  if (as === 'none') return undefined;
  if (as === 'unusable') return options.credential === undefined ? undefined : [...options.credential];
  const credential = target.credentials[as];
  if (as === 'jobOwner' && target.jobsAreOpen)
    return credential === undefined ? undefined : [credential.header, credential.value];
  if (credential === undefined) throw new NotExercised(needOf(as));
  return [credential.header, credential.value];
}

function encodeBody(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends, and reads the answer to its end; whatever goes wrong becomes the reason why there is none. */
async function complete(
  start: Start,
  request: SentRequest,
  {
    clock,
    timeoutMs,
    signals,
  }: { clock: Clock; timeoutMs: number; signals: readonly (AbortSignal | undefined)[] },
): Promise<{ answer: Answer | undefined; failure: string | undefined }> {
  const timer = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const signal = AbortSignal.any([...given, timer.signal]);
  const timedOut = clock.sleep(timeoutMs, timer.signal).then(
    () => timer.abort(new Error(`no whole answer within ${timeoutMs / 1000} s`)),
    () => undefined,
  );
  const { body, ...head } = request;
  try {
    signal.throwIfAborted();
    const response = await abortable(
      start({ ...head, ...(body === undefined ? {} : { body }), signal }),
      signal,
    );
    const bytes = await abortable(readBody(response.body), signal);
    const { status, headers, informational = [] } = response;
    return { answer: { status, headers, body: bytes, informational }, failure: undefined };
  } catch (error) {
    return {
      answer: undefined,
      failure: given.some(({ aborted }) => aborted) ? 'dropped by the suite' : reasonOf(error),
    };
  } finally {
    if (!timer.signal.aborted) timer.abort();
    await timedOut;
  }
}

/** Reads a stream as it comes; whatever was received counts, however it ended. */
async function follow(
  transport: Transport,
  request: SentRequest,
  options: WatchOptions,
  { clock, signals }: { clock: Clock; signals: readonly (AbortSignal | undefined)[] },
): Promise<{ answer: Answer | undefined; failure: string | undefined } & Pick<Watched, 'events' | 'ended'>> {
  const hangUp = new AbortController();
  const timer = new AbortController();
  const signal = AbortSignal.any([...signals.filter((one) => one !== undefined), hangUp.signal]);
  let ended: Watched['ended'] | undefined;
  const limit = (milliseconds: number): Promise<void> =>
    clock.sleep(milliseconds, timer.signal).then(
      () => {
        ended ??= 'timeout';
        hangUp.abort(new Error('watched long enough'));
      },
      () => undefined,
    );
  const limits = [limit(options.timeoutMs ?? READ_TIMEOUT_MS)];
  const events: StreamEvent[] = [];
  const chunks: Uint8Array[] = [];
  let head: Omit<Answer, 'body'> | undefined;
  let failure: string | undefined;
  try {
    const { body, ...rest } = request;
    const response = await abortable(
      transport({ ...rest, ...(body === undefined ? {} : { body }), signal }),
      signal,
    );
    const { status, headers, informational = [] } = response;
    head = { status, headers, informational };
    const isStream = headers.some(
      ([name, value]) => name.toLowerCase() === 'content-type' && /event-stream/i.test(value),
    );
    const reader = new EventReader();
    const decoder = new TextDecoder();
    const source = response.body[Symbol.asyncIterator]();
    for (;;) {
      const next = await abortable(source.next(), signal);
      if (next.done === true) break;
      chunks.push(next.value);
      if (isStream) events.push(...reader.read(decoder.decode(next.value, { stream: true }), clock.now()));
      if (limits.length === 1 && options.grace?.when(events) === true) limits.push(limit(options.grace.ms));
      if (options.until?.(events) === true) {
        ended = 'enough';
        hangUp.abort(new Error('seen enough'));
        void source.return?.().catch(() => undefined);
        break;
      }
    }
    ended ??= 'end';
  } catch (error) {
    if (ended === undefined) failure = reasonOf(error);
    ended ??= 'cut';
  } finally {
    if (!timer.signal.aborted) timer.abort();
    await Promise.all(limits);
  }
  const answer = head === undefined ? undefined : { ...head, body: Buffer.concat(chunks) };
  return { answer, failure, events, ended };
}

/** A transport that forgets its signal must not hold the run. */
function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function readBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LONGEST_BODY) throw new Error(`the body is longer than ${LONGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && !error.message.includes(code)
    ? `${code} ${error.message}`
    : error.message;
}

function obstacleIn(exchange: Exchange, plan: RequestPlan): string | undefined {
  if (exchange.answer === undefined) return `no answer: ${exchange.failure ?? 'unknown'}`;
  if (plan.judgesRefusal === true) return undefined;
  return exchange.status === 429 || exchange.status === 503 ? `${exchange.status} was in the way` : undefined;
}

function retryAfterMs(exchange: Exchange): number {
  const seconds = Number(exchange.header('retry-after') ?? 1);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, LONGEST_WAIT_MS) : 1000;
}

/** A promise that is looked at later must not end the process when it fails early. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
