import { compose } from './compose.ts';
import { Unreadable, makeExchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { MemoryBudget } from './memory-budget.ts';
import { mayBill } from './plan.ts';
import type { Turn } from './rate.ts';
import { READ_TIMEOUT_MS, complete, follow } from './receive.ts';
import type { Start } from './receive.ts';
import type { RetryWaits } from './retry-after.ts';
import { Hindered } from './scenario.ts';
import type {
  RequestPlan,
  RequestPlans,
  Resource,
  SendOptions,
  Session,
  WatchOptions,
  Watched,
} from './scenario.ts';
import type { Target } from './target.ts';
import type { Clock, Transport } from './transport.ts';

/** What all sessions of a run have in common. */
export interface SessionHost {
  readonly target: Target;
  readonly transportTo: (api: string) => Transport;
  readonly clock: Clock;
  readonly turn: Turn;
  readonly waits: RetryWaits;
  /** Moves the time limits of all scenarios: any of them may be waiting for a resource. */
  readonly extendAll?: (milliseconds: number) => void;
  /** How many random requests each scenario that fuzzes may send; default 0. */
  readonly fuzz?: number | undefined;
  /** Milliseconds that a read may take; a run always has the server's deadline. */
  readonly readTimeoutMs?: number | undefined;
  /** Counts a request that is about to be sent, and gives its exchange an id. */
  readonly nextId: (plan: RequestPlan) => string;
  readonly keep: (exchange: Exchange) => void;
  /** Where the memory for answers comes from; without it there is no bound but that of each. */
  readonly memory?: Pick<MemoryBudget, 'take'> | undefined;
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
  /** Moves its time limit by a wait that the server or the caller asked for, in milliseconds. */
  readonly extend?: ((milliseconds: number) => void) | undefined;
}

/** Opens the way to the server for one scenario or resource: only what it declared goes out. */
export function openSession(host: SessionHost, owner: SessionOwner, signal: AbortSignal): Session {
  const { target, memory } = host;
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
    return plan;
  };

  let inFlight = 0;
  /** Where nothing else of this scenario is under way: what meets in flight is not held back. */
  const passLimit = async (): Promise<void> => {
    if (inFlight === 0) await host.waits.passLimit(owner.api, clock, owner.extend);
  };

  const { bearer } = target;
  /** Milliseconds pass here where the token of the run has to be renewed first. */
  const tokenFor = async ({ as }: RequestPlan): Promise<string | undefined> => {
    if (bearer === undefined || !target.bearsToken(as)) return undefined;
    await bearer.freshen(clock, host.signal);
    return bearer.value;
  };

  const exchange = async (plan: RequestPlan, options: SendOptions, start: Start): Promise<Exchange> => {
    const request = compose(target, owner.api, plan, options);
    const id = host.nextId(plan);
    const placed = begin(id);
    const startedAt = clock.now();
    const timeoutMs =
      options.timeoutMs ??
      (mayBill(plan) ? target.deadlineMs + RUN_MARGIN_MS : (host.readTimeoutMs ?? READ_TIMEOUT_MS));
    inFlight += 1;
    const outcome = await complete(start, request, {
      clock: host.clock,
      timeoutMs,
      signals: [signal, options.signal],
      take: (bytes) => memory?.take(id, bytes),
    });
    inFlight -= 1;
    open.delete(id);
    const parts = { id, api: owner.api, scenario: owner.id, ...placed, request, ...outcome };
    const done = makeExchange({ ...parts, startedAt, endedAt: clock.now() }, memory);
    host.keep(done);
    return done;
  };

  const send = async (name: string, options: SendOptions = {}): Promise<Exchange> => {
    const plan = take(name);
    let isFresh = false;
    for (let attempt = 1; ; attempt += 1) {
      await passLimit();
      await host.turn(signal, owner.extend);
      const token = await tokenFor(plan);
      signal.throwIfAborted();
      const seen = await exchange(plan, options, (request) => transport(request));
      if (options.signal?.aborted === true) return seen;
      if (isFresh && seen.status === 401) bearer?.notAboutAge();
      else if (token !== undefined && (await bearer?.answered(seen, token, host.signal)) === true) {
        isFresh = true;
        continue;
      }
      const obstacle = obstacleIn(seen, plan);
      if (obstacle === undefined) return seen;
      host.waits.note(seen, clock.now());
      if (attempt === MOST_ATTEMPTS || mayBill(plan) || seen.answer === undefined)
        throw new Hindered(obstacle, [seen.id]);
      await host.waits.after(seen, clock, owner.extend);
    }
  };

  const race = async (name: string, options: readonly SendOptions[]): Promise<readonly Exchange[]> => {
    const { prepare } = transport;
    const plans = options.map(() => take(name));
    await passLimit();
    // Together they cannot keep to a rate; over the run they do.
    for (const _ of options) await host.turn(signal, owner.extend);
    const tokens = await Promise.all(plans.map((plan) => tokenFor(plan)));
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
    for (const [index, one] of seen.entries()) {
      const token = tokens[index];
      if (token !== undefined && (await bearer?.answered(one, token, host.signal)) === true)
        throw new Hindered('the bearer token expired in the middle of simultaneous requests', [one.id]);
    }
    return seen;
  };

  const watch = async (name: string, options: WatchOptions = {}): Promise<Watched> => {
    const plan = take(name);
    await passLimit();
    await host.turn(signal, owner.extend);
    const token = await tokenFor(plan);
    signal.throwIfAborted();
    const request = compose(target, owner.api, plan, options);
    const id = host.nextId(plan);
    const placed = begin(id);
    const startedAt = clock.now();
    inFlight += 1;
    const seen = await follow(transport, request, options, {
      clock: host.clock,
      signals: [signal, options.signal],
      take: (bytes) => memory?.take(id, bytes),
    });
    inFlight -= 1;
    const { answer, failure, events, ended } = seen;
    open.delete(id);
    const parts = { id, api: owner.api, scenario: owner.id, ...placed, request, answer, failure };
    const exchange = makeExchange({ ...parts, startedAt, endedAt: clock.now() }, memory);
    host.keep(exchange);
    signal.throwIfAborted();
    if (answer === undefined) throw new Hindered(`no response: ${failure ?? 'unknown'}`, [id]);
    if (token !== undefined && (await bearer?.answered(exchange, token, host.signal)) === true)
      throw new Hindered('the bearer token had expired when the stream was opened', [id]);
    const obstacle = obstacleIn(exchange, plan);
    if (obstacle !== undefined) throw new Hindered(obstacle, [id]);
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

/** A reader must wait longer than the server, so that the typed answer arrives and not its own timeout. */
const RUN_MARGIN_MS = 30_000;

const MOST_ATTEMPTS = 3;

/** Resources are reads that many scenarios share; the first one that asks sends them. */
function obtain<Value>(host: SessionHost, wanted: Resource<Value>, signal: AbortSignal): Promise<Value> {
  let value = host.obtained.get(wanted.id) as Promise<Value> | undefined;
  if (value === undefined) {
    // Its life is not that of the scenario that happened to ask first.
    const session = openSession(
      host,
      {
        id: wanted.id,
        api: wanted.api,
        requests: wanted.requests,
        mayPost: false,
        extend: host.extendAll,
      },
      host.signal,
    );
    value = quiet(wanted.obtain(session));
    host.obtained.set(wanted.id, value);
  }
  signal.throwIfAborted();
  return value;
}

function obstacleIn(exchange: Exchange, plan: RequestPlan): string | undefined {
  if (exchange.answer === undefined) return `no response: ${exchange.failure ?? 'unknown'}`;
  if (plan.judgesRefusal === true) return undefined;
  return exchange.status === 429 || exchange.status === 503
    ? `the server returned ${exchange.status}`
    : undefined;
}

/** A promise that is looked at later must not end the process when it fails early. */
function quiet<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => undefined);
  return promise;
}
