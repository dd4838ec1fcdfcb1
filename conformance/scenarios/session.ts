import { quiet } from '../http/abortable.ts';
import { failsAgain } from '../http/connection-failure.ts';
import { compose } from './compose.ts';
import { Unreadable, makeExchange } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { mayBill, timesOf } from './billing.ts';
import { READ_TIMEOUT_MS, complete, follow } from '../http/receive.ts';
import type { Start } from '../http/receive.ts';
import { Hindered } from './scenario.ts';
import type { RequestPlan, Resource, SendOptions, Session, WatchOptions, Watched } from './scenario.ts';
import type { SessionHost, SessionOwner } from './session-host.ts';
import { isKnown } from '../target/target.ts';
import type { Clock } from '../http/transport.ts';

/** Opens the access to the server for one scenario or resource: only declared requests are sent. */
export function openSession(host: SessionHost, owner: SessionOwner, signal: AbortSignal): Session {
  const { target, memory, health, acceptance } = host;
  const examine = async (exchange: Exchange, plan: RequestPlan): Promise<void> => {
    await health?.see(host, exchange, operationOf(plan));
    await acceptance?.see(host, exchange, plan, (api, own) => compose(target, api, own, {}));
  };
  // A wait in a scenario is never longer than its remaining time.
  const clock: Clock = {
    now: () => host.clock.now(),
    sleep: (milliseconds, own) =>
      host.clock.sleep(milliseconds, own === undefined ? signal : AbortSignal.any([own, signal])),
  };
  const transport = host.transportTo(owner.api);
  const counts = new Map<string, number>();
  let course: string | undefined;
  const open = new Set<string>();
  /** The position of an exchange among those of this session. */
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
    if (count > timesOf(plan, host))
      throw new Error(`${owner.id} sends "${name}" more often than it declared`);
    counts.set(name, count);
    if (mayBill(plan) && !owner.mayPost) throw new Error(`${owner.id} sends a POST that was not allowed`);
    health?.requireHope(owner.api, operationOf(plan));
    acceptance?.requireValid(host, plan.as);
    return plan;
  };

  let inFlight = 0;
  /** Only if no other request of this scenario is in flight: concurrent requests are not delayed. */
  const passLimit = async (): Promise<void> => {
    if (inFlight === 0) await host.waits.passLimit(owner.api, clock, owner.extend);
  };

  const { bearer } = target;
  /** This takes a while if the token of the run has to be renewed first. */
  const tokenFor = async ({ as }: RequestPlan): Promise<string | undefined> => {
    if (bearer === undefined || !target.bearsToken(as)) return undefined;
    await bearer.freshen(clock, host.signal);
    return bearer.value;
  };

  const isRenewedAfter = async (seen: Exchange, token: string | undefined): Promise<boolean> =>
    token !== undefined && (await bearer?.answered(seen, token, host.signal)) === true;

  /** The facts about an exchange that are known before it begins. */
  const described = ({ operation, isInvalid }: RequestPlan) => ({
    api: owner.api,
    scenario: owner.id,
    operation,
    isInvalid,
  });

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
    inFlight += 1;
    const outcome = await complete(start, request, {
      clock: host.clock,
      timeoutMs,
      signals: [signal, options.signal],
      take: (bytes) => memory?.take(id, bytes),
    });
    open.delete(id);
    inFlight -= 1;
    const parts = { id, ...described(plan), ...placed, request, ...outcome };
    const done = makeExchange({ ...parts, startedAt, endedAt: clock.now() }, memory);
    host.keep(done);
    return done;
  };

  const send = async (name: string, options: SendOptions = {}): Promise<Exchange> => {
    const plan = take(name);
    const attempts: Exchange[] = [];
    let isFresh = false;
    for (;;) {
      await passLimit();
      await host.turn(signal, owner.extend);
      const token = await tokenFor(plan);
      signal.throwIfAborted();
      const seen = await exchange(plan, options, (request) => transport(request));
      if (isFresh && seen.status === 401) bearer?.notAboutAge();
      else if (await isRenewedAfter(seen, token)) {
        isFresh = true;
        continue;
      }
      await examine(seen, plan);
      if (options.signal?.aborted === true) return seen;
      const obstacle = obstacleIn(seen, plan, health?.strangerIn(seen));
      if (obstacle === undefined) return seen;
      signal.throwIfAborted();
      host.waits.note(seen, clock.now());
      attempts.push(seen);
      if ((mayBill(plan) && !isRefusedUnrun(plan, seen)) || attempts.length >= mostAttempts(seen)) {
        health?.giveUp(attempts, operationOf(plan));
        throw new Hindered(obstacle, attempts.map(({ id }) => id).reverse());
      }
      if (seen.answer === undefined) await clock.sleep(PAUSE_MS * (2 ** attempts.length - 1));
      else await host.waits.after(seen, clock, owner.extend);
    }
  };

  const race = async (name: string, options: readonly SendOptions[]): Promise<readonly Exchange[]> => {
    const { prepare } = transport;
    const plans = options.map(() => take(name));
    await passLimit();
    // Concurrent requests cannot keep to a rate; over the whole run they do.
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
      if (await isRenewedAfter(one, tokens[index]))
        throw new Hindered('the bearer token expired in the middle of simultaneous requests', [one.id]);
      await examine(one, plans[index] as RequestPlan);
      if (plans[index]?.judgesRefusal !== true) host.waits.note(one, clock.now());
    }
    const lost = seen.filter(
      (one) => (one.fault !== undefined && one.fault !== 'dropped') || health?.strangerIn(one) !== undefined,
    );
    for (const one of lost) health?.giveUp([one], operationOf(plans[0] as RequestPlan));
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
    const { events, ended, ...received } = seen;
    const { answer, failure } = received;
    open.delete(id);
    const parts = { id, ...described(plan), ...placed, request, ended, ...received };
    const exchange = makeExchange({ ...parts, startedAt, endedAt: clock.now() }, memory);
    host.keep(exchange);
    if (await isRenewedAfter(exchange, token))
      throw new Hindered('the bearer token had expired when the stream was opened', [id]);
    await examine(exchange, plan);
    signal.throwIfAborted();
    if (answer === undefined) {
      if (options.mayBeSilent === true && exchange.fault === 'dropped') return { exchange, events, ended };
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
    explore: host.explore ?? 0,
    lostCalls: () => health?.lostCalls(owner.api) ?? [],
    knows: (as) => isKnown(target, as),
    startCourse: () => void (course = undefined),
    freshKey: host.freshKey,
    random: host.random(owner.id),
    deadlineMs: target.deadlineMs,
  };
}

// --- internal ---

/**
 * A client must wait longer than the server, so that it receives the typed answer instead of timing out. For
 * a server with a short deadline, the margin is small.
 */
function runMarginMs(deadlineMs: number): number {
  return Math.min(30_000, Math.max(2000, deadlineMs));
}

/**
 * A lost response already takes long, so it is repeated only once. A 404 or an invalid certificate does not
 * change.
 */
function mostAttempts({ fault, status, failure = '' }: Exchange): number {
  if (status === 429) return MOST_REFUSALS;
  return status === 404 || failsAgain(failure) ? 1 : fault === 'silent' ? 2 : 3;
}

/** A rate that other requests share may refuse a request several times. */
const MOST_REFUSALS = 10;

/** Whether a change of an API of a user's own was refused before it was made: then it can be sent again. */
function isRefusedUnrun({ operation }: RequestPlan, { status }: Exchange): boolean {
  return operation !== undefined && status === 429;
}

/** The pause before a request without a response is repeated; it grows, so that a server can restart. */
const PAUSE_MS = 500;

/** The name of an operation for people: method and path of the plan. */
function operationOf({ method, target }: RequestPlan): string {
  return `${method} ${target.split('?')[0] ?? target}`;
}

/** Resources are reads that many scenarios share; the first one that needs them sends them. */
function obtain<Value>(host: SessionHost, wanted: Resource<Value>, signal: AbortSignal): Promise<Value> {
  let value = host.obtained.get(wanted.id) as Promise<Value> | undefined;
  if (value === undefined) {
    // It is not cancelled together with the scenario that happened to request it first.
    const session = openSession(
      host,
      {
        id: wanted.id,
        api: wanted.api,
        requests: wanted.requests,
        mayPost: false,
        extend: host.extendAll,
      },
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

function obstacleIn(exchange: Exchange, plan: RequestPlan, stranger: string | undefined): string | undefined {
  if (exchange.answer === undefined) return `no response: ${exchange.failure ?? 'unknown'}`;
  if (stranger !== undefined) return stranger;
  if (plan.judgesRefusal === true) return undefined;
  return exchange.status === 429 || exchange.status === 503
    ? `the server returned ${exchange.status}`
    : undefined;
}
