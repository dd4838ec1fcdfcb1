import type { Acceptance } from './acceptance.ts';
import { Unreadable, makeExchange } from './exchange.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import type { Health } from './health.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { mayBill } from './plan.ts';
import { READ_TIMEOUT_MS, complete, follow } from './receive.ts';
import type { Start } from './receive.ts';
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
import type { Clock, Transport } from './transport.ts';

/** What all sessions of a run have in common. */
export interface SessionHost {
  readonly target: Target;
  readonly transportTo: (api: string) => Transport;
  readonly clock: Clock;
  /** Waits for a turn where requests are rationed. */
  readonly turn: (signal: AbortSignal) => Promise<void>;
  /** How many random requests each scenario that fuzzes may send; default 0. */
  readonly fuzz?: number | undefined;
  /** Milliseconds that a read may take; a run always has the server's deadline. */
  readonly readTimeoutMs?: number | undefined;
  /** Counts a request that is about to be sent, and gives its exchange an id. */
  readonly nextId: (plan: Pick<RequestPlan, 'method' | 'as' | 'bodyOpens'>) => string;
  readonly keep: (exchange: Exchange) => void;
  /** Where the memory for answers comes from; without it there is no bound but that of each. */
  readonly memory?: Pick<MemoryBudget, 'take'> | undefined;
  /** Watches over the server; absent where nothing is judged. */
  readonly health?: Health | undefined;
  /** Watches over the credentials; absent where nothing is judged. */
  readonly acceptance?: Acceptance | undefined;
  /** Takes exchanges that are not with the API from the oracles. */
  readonly markStrange?: ((ids: readonly string[]) => void) | undefined;
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
  const { target, memory, health, acceptance } = host;
  const examine = async (exchange: Exchange, plan: RequestPlan): Promise<void> => {
    await health?.see(host, exchange, operationOf(plan));
    await acceptance?.see(host, exchange, plan, (api, own) => compose(target, api, own, {}));
  };
  // Whatever waits in a scenario waits no longer than the scenario has.
  const clock: Clock = {
    now: () => host.clock.now(),
    sleep: (milliseconds, own) =>
      host.clock.sleep(milliseconds, own === undefined ? signal : AbortSignal.any([own, signal])),
  };
  const transport = host.transportTo(owner.api);
  const counts = new Map<string, number>();
  let course: string | undefined;
  const open = new Set<string>();
  /** The place of an exchange among those of this session. */
  const begin = (id: string): Pick<Exchange, 'course' | 'during'> => {
    course ??= id;
    const during = [...open];
    open.add(id);
    return { course, during };
  };

  const take = (name: string): RequestPlan => {
    const plan = owner.requests[name];
    if (plan === undefined) throw new Error(`${owner.id} sends "${name}", which it did not declare`);
    const count = (counts.get(name) ?? 0) + 1;
    if (count > (plan.perFuzz === true ? (host.fuzz ?? 0) : plan.times))
      throw new Error(`${owner.id} sends "${name}" more often than it declared`);
    counts.set(name, count);
    if (mayBill(plan) && !owner.mayPost) throw new Error(`${owner.id} sends a POST that was not allowed`);
    health?.requireHope(owner.api, operationOf(plan));
    acceptance?.requireValid(host, plan.as);
    return plan;
  };

  const exchange = async (plan: RequestPlan, options: SendOptions, start: Start): Promise<Exchange> => {
    const request = compose(target, owner.api, plan, options);
    const id = host.nextId(plan);
    const placed = begin(id);
    const startedAt = clock.now();
    const timeoutMs =
      options.timeoutMs ??
      (mayBill(plan)
        ? target.deadlineMs + runMarginMs(target.deadlineMs)
        : (host.readTimeoutMs ?? READ_TIMEOUT_MS));
    const outcome = await complete(start, request, {
      clock: host.clock,
      timeoutMs,
      signals: [signal, options.signal],
      take: (bytes) => memory?.take(id, bytes),
    });
    open.delete(id);
    const parts = { id, api: owner.api, scenario: owner.id, ...placed, request, ...outcome };
    const done = makeExchange({ ...parts, startedAt, endedAt: clock.now() }, memory);
    host.keep(done);
    await examine(done, plan);
    return done;
  };

  const send = async (name: string, options: SendOptions = {}): Promise<Exchange> => {
    const plan = take(name);
    const attempts: Exchange[] = [];
    for (;;) {
      await host.turn(signal);
      signal.throwIfAborted();
      const seen = await exchange(plan, options, (request) => transport(request));
      if (options.signal?.aborted === true) return seen;
      const obstacle = obstacleIn(seen, plan, health?.strangerIn(seen));
      if (obstacle === undefined) return seen;
      signal.throwIfAborted();
      attempts.push(seen);
      if (mayBill(plan) || attempts.length >= mostAttempts(seen)) {
        health?.giveUp(attempts, operationOf(plan));
        throw new Hindered(obstacle, attempts.map(({ id }) => id).reverse());
      }
      await clock.sleep(
        seen.answer === undefined ? PAUSE_MS * (2 ** attempts.length - 1) : retryAfterMs(seen),
      );
    }
  };

  const race = async (name: string, options: readonly SendOptions[]): Promise<readonly Exchange[]> => {
    const { prepare } = transport;
    const plans = options.map(() => take(name));
    // Together they cannot keep to a rate; over the run they do.
    for (const _ of options) await host.turn(signal);
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
    const seen = await Promise.all(running);
    const lost = seen.filter(
      (one) => (one.fault !== undefined && one.fault !== 'dropped') || health?.strangerIn(one) !== undefined,
    );
    for (const one of lost) health?.giveUp([one], operationOf(plans[0] as RequestPlan));
    return seen;
  };

  const watch = async (name: string, options: WatchOptions = {}): Promise<Watched> => {
    const plan = take(name);
    await host.turn(signal);
    signal.throwIfAborted();
    const request = compose(target, owner.api, plan, options);
    const id = host.nextId(plan);
    const placed = begin(id);
    const startedAt = clock.now();
    const seen = await follow(transport, request, options, {
      clock: host.clock,
      signals: [signal, options.signal],
      take: (bytes) => memory?.take(id, bytes),
    });
    const { events, ended, ...received } = seen;
    const { answer, failure } = received;
    open.delete(id);
    const parts = { id, api: owner.api, scenario: owner.id, ...placed, request, ...received };
    const exchange = makeExchange({ ...parts, startedAt, endedAt: clock.now() }, memory);
    host.keep(exchange);
    await examine(exchange, plan);
    signal.throwIfAborted();
    if (answer === undefined) {
      health?.giveUp([exchange], operationOf(plan));
      throw new Hindered(`no response: ${failure ?? 'unknown'}`, [id]);
    }
    const obstacle = obstacleIn(exchange, plan, health?.strangerIn(exchange));
    if (obstacle !== undefined) {
      health?.giveUp([exchange], operationOf(plan));
      throw new Hindered(obstacle, [id]);
    }
    if (answer.truncated !== undefined)
      throw new Unreadable(`the event stream of ${id} ${answer.truncated}`, [id]);
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

/**
 * A reader must wait longer than the server, so that the typed answer arrives and not its own timeout. A server with a
 * short deadline is not waited for much longer than that.
 */
function runMarginMs(deadlineMs: number): number {
  return Math.min(30_000, Math.max(2000, deadlineMs));
}

const LONGEST_SENT = 100_000;

/** Silence takes long already: it is tried once more only. A 404 stays one. */
function mostAttempts({ fault, status }: Exchange): number {
  return status === 404 ? 1 : fault === 'silent' ? 2 : 3;
}

/** Before a request without a response is sent again; more each time, so that a server can start again. */
const PAUSE_MS = 500;

/** As people call an operation: the method and the path of the plan. */
function operationOf({ method, target }: RequestPlan): string {
  return `${method} ${target.split('?')[0] ?? target}`;
}

const LONGEST_WAIT_MS = 10_000;

/** Resources are reads that many scenarios share; the first one that asks sends them. */
function obtain<Value>(host: SessionHost, wanted: Resource<Value>, signal: AbortSignal): Promise<Value> {
  let value = host.obtained.get(wanted.id) as Promise<Value> | undefined;
  if (value === undefined) {
    // Its life is not that of the scenario that happened to ask first.
    const session = openSession(
      host,
      { id: wanted.id, api: wanted.api, requests: wanted.requests, mayPost: false },
      host.health === undefined
        ? host.signal
        : AbortSignal.any([host.signal, host.health.signalOf(host, wanted.api)]),
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
  // Targets and headers may hold what a server said: a cursor, an id, an entity tag.
  if ([path, ...given.map(([, value]) => value)].some(({ length }) => length > LONGEST_SENT))
    throw new Hindered(
      `a request with a target or a header of more than ${LONGEST_SENT} characters is not sent`,
    );
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

function obstacleIn(exchange: Exchange, plan: RequestPlan, stranger: string | undefined): string | undefined {
  if (exchange.answer === undefined) return `no response: ${exchange.failure ?? 'unknown'}`;
  if (stranger !== undefined) return stranger;
  if (plan.judgesRefusal === true) return undefined;
  return exchange.status === 429 || exchange.status === 503
    ? `the server returned ${exchange.status}`
    : undefined;
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
