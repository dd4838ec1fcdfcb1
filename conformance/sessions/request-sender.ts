import { makeExchange } from '../exchanges/exchange.ts';
import type { Exchange, SentRequest } from '../exchanges/exchange.ts';
import { compose, lackedBy } from './compose.ts';
import { isRefused } from '../health/undeclared-security.ts';
import { mayBill, timesOf } from '../scenarios/billing.ts';
import { withCaller } from '../scenarios/gates.ts';
import { Hindered, NotExercised } from '../scenarios/scenario.ts';
import type { RequestPlan, SendOptions, Watched } from '../scenarios/scenario.ts';
import type { ReceiveBounds, ReceivedExchange } from '../http/receive.ts';
import type { Clock } from '../http/transport.ts';
import type { SessionHost, SessionOwner } from './session-host.ts';

/** What a receiver returns: an answer or its failure, and how a stream ended. */
type Received = ReceivedExchange & Partial<Pick<Watched, 'ended'>>;

interface Sent<Outcome> {
  readonly exchange: Exchange;
  readonly outcome: Outcome;
}

/**
 * What `send`, `race` and `watch` of one session share: only declared requests, in the turn and with the token of
 * the run, each kept as an exchange.
 */
export class RequestSender {
  readonly host: SessionHost;
  readonly owner: SessionOwner;
  readonly signal: AbortSignal;
  /** A wait in a scenario is never longer than its remaining time. */
  readonly clock: Clock;
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<string>();
  #course: string | undefined;

  constructor(host: SessionHost, owner: SessionOwner, signal: AbortSignal) {
    this.host = host;
    this.owner = owner;
    this.signal = signal;
    this.clock = {
      now: () => host.clock.now(),
      sleep: (milliseconds, own) =>
        host.clock.sleep(milliseconds, own === undefined ? signal : AbortSignal.any([own, signal])),
    };
  }

  /** The declared request of this name, once more. */
  take(name: string): RequestPlan {
    const { owner, host } = this;
    const declared = owner.requests[name];
    if (declared === undefined) throw new Error(`${owner.id} sends "${name}", which it did not declare`);
    const opened = withCaller(host.target, declared, host.undeclared?.isWanted(owner.api, declared) === true);
    const plan = this.#mayOpen(opened) ? opened : declared;
    const count = (this.#counts.get(name) ?? 0) + 1;
    if (count > timesOf(plan, host))
      throw new Error(`${owner.id} sends "${name}" more often than it declared`);
    this.#counts.set(name, count);
    if (mayBill(plan) && !owner.mayPost) throw new Error(`${owner.id} sends a POST that was not allowed`);
    host.health?.requireHope(owner.api, this.nameOf(plan), plan.as);
    host.acceptance?.requireValid(host, plan.as);
    return plan;
  }

  /**
   * Waits until these requests may be sent together. Resolves with the token of each; renewing the token of the run
   * takes a while.
   */
  async ready(plans: readonly RequestPlan[]): Promise<readonly (string | undefined)[]> {
    const { host, owner, signal } = this;
    // Concurrent requests are not delayed by the limit, and cannot keep to a rate; over the whole run they do.
    if (this.#open.size === 0) await host.waits.passLimit(owner.api, this.clock, owner.extend);
    for (const _ of plans) await host.turn(signal, owner.extend);
    const tokens = await Promise.all(plans.map((plan) => this.#tokenFor(plan)));
    signal.throwIfAborted();
    return tokens;
  }

  /**
   * Sends one request by `receive`, and keeps its exchange. If the server wants a credential that the document does not
   * declare, the exchange is that of the same request with it.
   */
  async exchange<Outcome extends Received>(
    plan: RequestPlan,
    options: SendOptions,
    receive: (request: SentRequest, bounds: ReceiveBounds) => Promise<Outcome>,
  ): Promise<Sent<Outcome>> {
    const { host } = this;
    const sent = await this.#exchangeOnce(plan, options, receive);
    const { exchange: refused } = sent;
    const opened = withCaller(host.target, plan, true);
    const mayAsk = opened.as !== plan.as && isRefused(refused) && this.#mayOpen(opened);
    const again = mayAsk
      ? await host.undeclared?.tried(refused, opened, async () => {
          await this.ready([opened]);
          return this.#exchangeOnce(opened, options, receive);
        })
      : undefined;
    if (again === undefined) return sent;
    const { sent: second, isWanted } = again;
    // One finding says what all of these show together.
    host.excludeFromOracles?.([isWanted ? refused.id : second.exchange.id]);
    return isWanted ? second : sent;
  }

  async #exchangeOnce<Outcome extends Received>(
    plan: RequestPlan,
    options: SendOptions,
    receive: (request: SentRequest, bounds: ReceiveBounds) => Promise<Outcome>,
  ): Promise<Sent<Outcome>> {
    const { host, owner, clock } = this;
    host.ledger?.require(owner.api, plan, options);
    const request = compose(host.target, owner.api, plan, options);
    const id = host.nextId(plan);
    const course = (this.#course ??= id);
    const during = [...this.#open];
    this.#open.add(id);
    const startedAt = clock.now();
    const outcome = await receive(request, {
      clock: host.clock,
      signals: [this.signal, options.signal],
      take: (bytes) => host.memory?.take(id, bytes),
    });
    this.#open.delete(id);
    const { answer, failure, fault, begun, ended } = outcome;
    const { operation, isInvalid } = plan;
    const { occasion } = options;
    const exchange = makeExchange(
      {
        ...{ id, api: owner.api, scenario: owner.id, operation, isInvalid, course, during, request },
        ...(occasion === undefined ? {} : { occasion }),
        ...{ answer, failure, fault, begun, ...(ended === undefined ? {} : { ended }) },
        ...{ startedAt, endedAt: clock.now() },
      },
      host.memory,
    );
    host.keep(exchange);
    host.ledger?.see(exchange, plan, options.fill ?? {});
    return { exchange, outcome };
  }

  /** Whether the token had expired, and a new one was obtained. */
  async isRenewedAfter(seen: Exchange, token: string | undefined): Promise<boolean> {
    const { bearer } = this.host.target;
    return token !== undefined && (await bearer?.answered(seen, token, this.host.signal)) === true;
  }

  /** A request as it was sent: maybe with a credential that its plan does not have. */
  asSent(plan: RequestPlan, { request: { as } }: Exchange): RequestPlan {
    const opened = withCaller(this.host.target, plan, true);
    return opened.as === as ? opened : plan;
  }

  /** Tells the monitors of the run about an exchange. */
  async examine(exchange: Exchange, planned: RequestPlan): Promise<void> {
    const { host } = this;
    const plan = this.asSent(planned, exchange);
    const lacked = lackedBy(host.target, plan).map(({ in: place, name }) => `the ${place} ${name}`);
    if (lacked.length > 0 && (exchange.status === 401 || exchange.status === 403))
      throw new NotExercised(
        '--header',
        `the document requires several credentials together here, and ${lacked.join(' and ')} is not given: the server returned ${exchange.status}. Give it with --header, or as cred.apiKey`,
      );
    host.stocks?.see(plan, exchange);
    await host.health?.see(host, exchange, this.nameOf(plan));
    await host.acceptance?.see(host, exchange, plan, (api, own) => compose(host.target, api, own, {}));
  }

  /** Why an exchange is not what its scenario asked for; `undefined` if it can be judged. */
  obstacleIn(exchange: Exchange, plan: RequestPlan): string | undefined {
    if (exchange.answer === undefined) return `no response: ${exchange.failure ?? 'unknown'}`;
    const stranger = this.host.health?.strangerIn(exchange);
    if (stranger !== undefined) return stranger;
    const { stocks } = this.host;
    if (stocks?.isStated(plan, exchange) === true) return `the server returned ${exchange.status}`;
    const isLimited = exchange.status === 429 || exchange.status === 503;
    return isLimited && plan.judgesRefusal !== true ? `the server returned ${exchange.status}` : undefined;
  }

  /** Ends the scenario, because these exchanges of one request could not be judged. */
  giveUp(attempts: readonly Exchange[], plan: RequestPlan, obstacle: string, kind?: 'full'): never {
    this.host.health?.giveUp(attempts, this.nameOf(plan), kind);
    throw new Hindered(obstacle, attempts.map(({ id }) => id).reverse());
  }

  /** The name of the operation of a request for people. */
  nameOf(plan: RequestPlan): string {
    return this.host.target.nameOf(this.owner.api, plan);
  }

  /** The next request begins a new course. */
  startCourse(): void {
    this.#course = undefined;
  }

  /** Whether a scenario that was planned without a credential may send this request with one. */
  #mayOpen(opened: RequestPlan): boolean {
    return opened.credential === undefined || this.owner.mayPost || !mayBill(opened);
  }

  async #tokenFor({ as }: RequestPlan): Promise<string | undefined> {
    const { bearer, bearsToken } = this.host.target;
    if (bearer === undefined || !bearsToken(as)) return undefined;
    await bearer.freshen(this.clock, this.host.signal);
    return bearer.value;
  }
}
