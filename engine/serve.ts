// Longer than most: it is one course from request to answer, in the order that the contract tells, and its steps share
// what is known of the call.
import { deadlineAt } from '../contract/policies/deadline.ts';
import { admitCall } from '../contract/policies/capacity.ts';
import { isRefusedFormat } from '../contract/policies/refused-format.ts';
import { misfitsOf, outgoing, type Outgoing } from './answer.ts';
import { unlessCurrent } from './conditional.ts';
import { presented } from './credentials.ts';
import { type Exchange, isBodyless, requestOf, responseOf } from './exchange.ts';
import type { Handler, LooseReply, ServerCall, ServerCaller, ServerRequest } from './handler.ts';
import { readInput } from './input.ts';
import {
  claimReplay,
  claimSingleUse,
  type Delivery,
  hashOf,
  type KeyContext,
  type OwnedKey,
} from './keys.ts';
import { type Checks, type Judge, judgeBy } from './judge.ts';
import { keepLease, shortestLeaseMs } from './lease.ts';
import { memoryStore } from './memory-store.ts';
import type { ServedApi, ServedOperation } from './served-api.ts';
import { JSON_DEPTH } from './nesting.ts';
import { within } from './patience.ts';
import { type Cause, Refusal, refusalReply, type RefusalOptions, refused } from './refusal.ts';
import { headerMisfits } from './response-headers.ts';
import { type Route, routerOf } from './route.ts';
import type { Finding, ServerOptions } from './settings.ts';
import { withheld } from './withheld.ts';
import { LONGEST_MS, type StoredResponse } from './store.ts';

/**
 * A server without a socket: a function from a request to an answer, as runtimes and frameworks with fetch handlers take
 * it. `exchange` is the same for adapters that know better whether an answer reached its caller.
 */
export interface Server {
  (request: Request): Promise<Response>;
  readonly api: ServedApi;
  /** Whether the path is one of this API, whatever the method. */
  serves(target: string): boolean;
  exchange(request: ServerRequest): Promise<Exchange>;
  /** What to answer to bytes that are no HTTP request. */
  refuse(status: number, message: string): Promise<Exchange>;
}

export type Handlers<Caller> = Readonly<Record<string, Handler<never, LooseReply, Caller>>>;

/**
 * Makes the server of an API; generated modules call it with what their document says.
 *
 * @param checks judge values by the schemas that the API names
 * @param handlers by the ids of operations
 * @throws {RangeError} when a claim on a key would end before its call
 */
export function serverOf<Caller extends ServerCaller>(
  api: ServedApi,
  checks: Checks,
  handlers: Handlers<Caller>,
  options: ServerOptions<Caller>,
): Server {
  const engine = new Engine(api, judgeBy(checks), handlers, options);
  const exchange = (request: ServerRequest): Promise<Exchange> => engine.exchange(request);
  const handle = async (request: Request): Promise<Response> =>
    responseOf(await exchange(requestOf(request)), request);
  return Object.assign(handle, {
    api,
    exchange,
    serves: (target: string) => engine.route('GET', target).kind !== 'none',
    refuse: (status: number, message: string) => engine.refuse(status, message),
  });
}

// --- internal ---

const SECOND_MS = 1_000;
const MIB = 1_048_576;
/** As many as other frameworks take by default. */
const FORM_FIELDS = 1_000;

/** One call while it runs. */
interface Course<Caller> {
  readonly request: ServerRequest;
  readonly requestId: string;
  readonly operation: ServedOperation;
  readonly route: Extract<Route, { kind: 'operation' }>;
  readonly caller: Caller;
  readonly bytes: Uint8Array;
  readonly key: string | undefined;
  readonly ended: ((delivery: Delivery) => Promise<void> | void)[];
  collecting: boolean;
  /** Aborts when the call loses the claim on its key. */
  lost: AbortSignal | undefined;
  hadNoEffect: boolean;
  /** Takes the charge of the call's key; left out where it has none. */
  takeCharge: OwnedKey['charge'] | undefined;
  /** What the handler heard when it asked whether to charge. */
  isCharged: boolean | undefined;
  isReplayable: boolean;
  replayed: boolean;
}

class Engine<Caller extends ServerCaller> {
  readonly #api: ServedApi;
  readonly #judge: Judge;
  readonly #handlers: Handlers<Caller>;
  readonly #options: ServerOptions<Caller>;
  readonly #route: (method: string, path: string) => Route;
  readonly #store: NonNullable<ServerOptions['store']>;
  readonly #now: () => number;
  readonly #basePath: string;

  constructor(api: ServedApi, judge: Judge, handlers: Handlers<Caller>, options: ServerOptions<Caller>) {
    this.#api = api;
    this.#judge = judge;
    this.#handlers = handlers;
    this.#options = options;
    this.#route = routerOf(api.operations);
    this.#now = options.now ?? Date.now;
    this.#store = options.store ?? memoryStore({ now: this.#now });
    this.#basePath = /^(?:.*[^/])?/s.exec(options.basePath ?? '')?.[0] ?? '';
    for (const operation of api.operations) this.#requireSafeLease(operation);
  }

  route(method: string, target: string): Route {
    const path = target.split('?', 1)[0] ?? '';
    if (!path.startsWith(this.#basePath)) return { kind: 'none' };
    return this.#route(method, path.slice(this.#basePath.length));
  }

  async refuse(status: number, message: string): Promise<Exchange> {
    const reply = this.#refused('badInput', message, { status });
    return this.#finish(
      undefined,
      await outgoing(this.#api, undefined, reply, this.#keepAliveMs),
      crypto.randomUUID(),
      [],
    );
  }

  async exchange(request: ServerRequest): Promise<Exchange> {
    const startedAt = this.#now();
    const requestId = crypto.randomUUID();
    const route = this.route(request.method, request.target);
    const operation = route.kind === 'operation' ? route.operation : undefined;
    const ended: Course<Caller>['ended'] = [];
    let answer: Outgoing;
    let course: Course<Caller> | undefined;
    try {
      const caller = await this.#authenticate(request, operation);
      if (route.kind !== 'operation') {
        answer = await this.#unmatched(route, request);
      } else {
        const bytes = await this.#body(request);
        if (bytes === undefined)
          throw new Refused(this.#refused('tooLarge', 'The body is longer than this server takes.'));
        course = {
          ...{ request, requestId, operation: route.operation, route, caller, bytes, ended },
          key: keyOf(route.operation, request.headers),
          collecting: false,
          lost: undefined,
          hadNoEffect: true,
          takeCharge: undefined,
          isCharged: undefined,
          isReplayable: true,
          replayed: false,
        };
        answer = await this.#keyed(course);
      }
    } catch (error) {
      answer = await this.#outgoing(operation, this.#replyFor(error, operation));
    }
    this.#tell({
      ...{ kind: 'answered', operation: operation?.id, status: answer.status },
      ...{ ms: this.#now() - startedAt, replayed: course?.replayed === true },
    });
    return this.#finish(request, answer, requestId, ended);
  }

  // --- the steps, in their order ---

  /** A body that says to be too long is not begun. */
  async #body(request: ServerRequest): Promise<Uint8Array | undefined> {
    const mostBytes = this.#options.bodyBytes ?? 10 * MIB;
    const declared = Number(request.headers.get('content-length') ?? 0);
    return declared > mostBytes ? undefined : request.body(mostBytes);
  }

  async #authenticate(request: ServerRequest, operation: ServedOperation | undefined): Promise<Caller> {
    const judged = operation ?? this.#api.operations[0];
    const query = request.target.split('?').slice(1).join('?');
    const found = judged === undefined ? {} : presented(this.#api, judged, request.headers, query);
    const caller = found === undefined ? undefined : await this.#options.authenticate(found, request);
    if (caller !== undefined) return caller;
    const message = found === undefined ? 'Send a credential.' : 'This credential is not good here.';
    const scheme = (judged?.security ?? []).flat().find(({ kind }) => kind === 'bearer' || kind === 'basic');
    throw new Refused(
      this.#refused('noCredential', message, {
        headers:
          scheme === undefined ? {} : { 'WWW-Authenticate': scheme.kind === 'bearer' ? 'Bearer' : 'Basic' },
      }),
    );
  }

  #unmatched(route: Exclude<Route, { kind: 'operation' }>, request: ServerRequest): Promise<Outgoing> {
    if (route.kind === 'none')
      return this.#outgoing(undefined, this.#refused('notFound', 'There is nothing at this path.'));
    const allow = route.allow.join(', ');
    const message = `${request.method} is not served here. What is: ${allow}.`;
    return this.#outgoing(undefined, this.#refused('otherMethod', message, { headers: { Allow: allow } }));
  }

  async #keyed(course: Course<Caller>): Promise<Outgoing> {
    const { operation, key, caller, request, bytes } = course;
    const policy = operation.idempotency;
    if (policy === undefined || key === undefined) return this.#whileWanted(course, this.#judged(course));
    if (policy.mode === 'replay' && (key.length === 0 || key.length > LONGEST_KEY))
      throw new Refused(this.#refused('badInput', `A key has 1 to ${String(LONGEST_KEY)} characters.`));
    const context: KeyContext = {
      store: this.#store,
      scope: JSON.stringify([this.#api.name, operation.id, caller.id]),
      key,
      leaseMs: this.#leaseMs(operation),
      storeTimeoutMs: this.#storeTimeoutMs,
      now: this.#now,
      told: this.#toldOf(operation),
      lost: this.#lossOf(course, 'key'),
    };
    const claimed = await (
      policy.mode === 'replay'
        ? claimReplay(context, policy, await hashOf(request.method, request.target, bytes))
        : claimSingleUse(context, policy)
    ).catch((error: unknown) => this.#storeAway(operation, error));
    if (claimed.owned === true) {
      course.collecting = claimed.key.collecting;
      course.lost = claimed.key.lost;
      course.takeCharge = claimed.key.charge;
      // A submission goes on when its caller leaves: what it made is there all the same.
      const work = this.#judged(course);
      return this.#settling(
        course,
        claimed.key,
        policy.mode === 'replay' ? this.#whileWanted(course, work) : work,
      );
    }
    if (policy.mode === 'single-use') {
      const message = 'This key was used before: look for what came of its first use, or take a new key.';
      return this.#outgoing(
        operation,
        refusalReply(this.#api, new Refusal(policy.reuse.code, message, { status: policy.reuse.status })),
      );
    }
    const { claim } = claimed;
    switch (claim.state) {
      case 'recorded': {
        course.replayed = true;
        const headers = new Headers(
          claim.response.headers.map(([name, value]): [string, string] => [name, value]),
        );
        headers.set(policy.replayHeader.name, policy.replayHeader.value);
        return { status: claim.response.status, headers, body: claim.response.body };
      }
      case 'inFlight':
        return this.#conflict(
          policy.inFlight.status,
          operation,
          IN_FLIGHT,
          policy.inFlight.retryAfter ? { 'Retry-After': '1' } : {},
        );
      case 'consumed':
        return this.#conflict(policy.consumed.status, operation, CONSUMED, {});
      case 'mismatch':
        return this.#conflict(policy.mismatch.status, operation, MISMATCH, {});
    }
  }

  /** What becomes of the key is decided by what becomes of the answer. */
  async #settling(course: Course<Caller>, key: OwnedKey, work: Promise<Outgoing>): Promise<Outgoing> {
    const { operation, ended } = course;
    let answer: Outgoing;
    try {
      answer = await work;
    } catch (error) {
      answer = await this.#outgoing(operation, this.#replyFor(error, operation, course));
    }
    const isGone = course.request.signal.aborted;
    const copy = this.#copyOf(course, answer);
    const hadNoEffect = course.hadNoEffect;
    const isFreed = operation.idempotency?.mode === 'single-use' || key.isFreedBy(answer);
    // Whether the answer arrives, this process may not live to know: it is kept before it leaves.
    const isHeld = key.lost?.aborted !== true && (isFreed || isGone || (await key.prepare(answer, copy)));
    if (!isHeld) {
      await key.settle({ delivery: 'dropped', answer: undefined, copy: undefined, hadNoEffect });
      return this.#outgoing(operation, this.#keyLost());
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

  /** The work of a call, given up when its caller goes away or its key is lost. */
  async #whileWanted(course: Course<Caller>, work: Promise<Outgoing>): Promise<Outgoing> {
    const { signal } = course.request;
    work.catch(() => undefined);
    const either = new AbortController();
    passOnAborts([signal, course.lost], either);
    const ended = untilAborted(either.signal);
    try {
      const answer = await Promise.race([work, ended.aborted]);
      if (answer !== undefined) return answer;
      const reply = signal.aborted ? this.#refused('disconnected', 'The caller went away.') : this.#keyLost();
      return await this.#outgoing(course.operation, reply);
    } finally {
      ended.forget();
    }
  }

  async #judged(course: Course<Caller>): Promise<Outgoing> {
    const { operation, route, request, bytes } = course;
    const query = request.target.split('?').slice(1).join('?');
    const read = await readInput(
      operation,
      { segments: route.segments, query, headers: request.headers },
      bytes,
      {
        formFields: this.#options.formFields ?? FORM_FIELDS,
        jsonDepth: this.#options.jsonDepth ?? JSON_DEPTH,
      },
      this.#judge,
    );
    if (read.ok === false) throw new Refused(this.#refused(read.cause, read.message));
    const { refusedFormat } = operation;
    if (refusedFormat !== undefined && isRefusedFormat(refusedFormat, read.input['body']))
      throw new Refusal(refusedFormat.code, 'The body is in a format that this operation does not take.');
    const stop = new AbortController();
    const { signal } = stop;
    passOnAborts([request.signal, course.lost], stop);
    const call: ServerCall<Caller> = {
      ...{ caller: course.caller, request, bytes, requestId: course.requestId, signal },
      ...{ key: course.key, collecting: course.collecting },
      charge: () => this.#charge(course, signal),
      forbidReplay: () => {
        course.isReplayable = false;
      },
    };
    const leave = await this.#enter(course, read.input, call);
    let answer: Outgoing | undefined;
    try {
      if (course.lost?.aborted === true) throw new Refused(this.#keyLost());
      const handled = this.#handle(course, read.input, call);
      answer = await this.#inTime(course, handled, () => {
        stop.abort(new Error('the deadline has expired'));
      });
      return answer;
    } finally {
      // A stream holds what it holds until it ends.
      if (answer !== undefined && !(answer.body instanceof Uint8Array))
        course.ended.push(leave, () => {
          stop.abort();
        });
      else await leave();
    }
  }

  async #enter(
    course: Course<Caller>,
    input: Readonly<Record<string, unknown>>,
    call: ServerCall<Caller>,
  ): Promise<() => Promise<void>> {
    const { operation, caller } = course;
    const { capacity } = this.#options;
    if (operation.capacity === undefined || capacity === undefined) return () => Promise.resolve();
    const cents = (await capacity.cents?.(input, call, operation.id)) ?? 0;
    if (course.collecting) return () => Promise.resolve();
    const bounds = capacity.bounds(caller, operation.id);
    const leaseMs = this.#leaseMs(operation);
    const storeTimeoutMs = this.#storeTimeoutMs;
    const scope = JSON.stringify([this.#api.name, caller.id]);
    const told = this.#toldOf(operation);
    const sentAt = performance.now();
    const entry = await within(this.#store.enter(scope, cents, bounds, leaseMs), storeTimeoutMs, (late) => {
      if (late.admitted) void this.#store.leave(late.ticket).catch(told);
    }).catch((error: unknown) => this.#storeAway(operation, error));
    if (entry.admitted === true) {
      const stop = keepLease({
        ...{ leaseMs, storeTimeoutMs, sentAt, told, lost: this.#lossOf(course, 'capacity') },
        renew: () => this.#store.stay(entry.ticket, leaseMs),
      });
      return async () => {
        stop();
        await within(this.#store.leave(entry.ticket), storeTimeoutMs).catch(told);
      };
    }
    const admission = admitCall(entry.held, bounds, cents);
    const { spendHeaders } = this.#api;
    const spend = admission.admitted === false && admission.bound === 'spend' ? admission.spend : undefined;
    throw new Refused(
      this.#refused(
        'capacity',
        spend !== undefined
          ? 'The committed spend of your running calls is at its bound: send it again when one of them has finished.'
          : 'The number of your concurrent calls is at its bound: send it again when one of them has finished.',
        {
          status: operation.capacity.status,
          headers:
            spendHeaders === undefined || spend === undefined
              ? {}
              : {
                  [spendHeaders.limit]: String(spend.limit),
                  [spendHeaders.current]: String(spend.current),
                  [spendHeaders.remaining]: String(spend.remaining),
                },
        },
      ),
    );
  }

  async #handle(
    course: Course<Caller>,
    input: Readonly<Record<string, unknown>>,
    call: ServerCall<Caller>,
  ): Promise<Outgoing> {
    const { operation, request } = course;
    const handler = this.#handlers[operation.id] as Handler<unknown, LooseReply, Caller> | undefined;
    if (handler === undefined) throw new Refused(this.#refused('notFound', 'This operation has no handler.'));
    course.hadNoEffect = false;
    let reply: LooseReply;
    try {
      reply = await handler(input, call);
      course.hadNoEffect = reply.status >= 400 && reply.status < 500;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reply = refusalReply(this.#api, error);
      course.hadNoEffect = error.options.hadNoEffect ?? reply.status < 500;
    }
    const place = { api: this.#api, operation, surface: this.#options.surface, judge: this.#judge };
    const { reply: kept, misfits: leftOut } = withheld(place, reply);
    const answer = await unlessCurrent(operation, request, await this.#outgoing(operation, kept));
    const { creditsHeader } = this.#api;
    if (course.isCharged === false && creditsHeader !== undefined) answer.headers.delete(creditsHeader);
    const checked =
      this.#options.checkResponses === true
        ? [...misfitsOf(operation, kept, this.#judge), ...headerMisfits(operation, answer, this.#judge)]
        : [];
    const misfits = [...leftOut, ...checked];
    if (misfits.length > 0)
      this.#tell({ kind: 'response', operation: operation.id, status: reply.status, misfits });
    return answer;
  }

  /** Whether the handler is to charge: once for each key and each call, and for no call that has ended. */
  async #charge(course: Course<Caller>, signal: AbortSignal): Promise<boolean> {
    if (course.isCharged !== undefined) return false;
    course.isCharged = false;
    if (signal.aborted) return false;
    const { takeCharge } = course;
    const isTaken = takeCharge === undefined || (await this.#takeCharge(course, takeCharge, signal));
    course.isCharged = isTaken && !signal.aborted;
    return course.isCharged;
  }

  #takeCharge(
    { operation }: Course<Caller>,
    take: OwnedKey['charge'],
    signal: AbortSignal,
  ): Promise<boolean> {
    return take(() => signal.aborted).catch((error: unknown) => {
      this.#tell({ kind: 'store', operation: operation.id, error });
      const message =
        'The server cannot look up whether this key was charged. Send it again with the same key.';
      throw new Refused(this.#refused('unavailable', message, { headers: { 'Retry-After': '1' } }));
    });
  }

  async #inTime(course: Course<Caller>, work: Promise<Outgoing>, giveUp: () => void): Promise<Outgoing> {
    const { operation } = course;
    const { deadline } = operation;
    if (deadline === undefined) return work;
    work.catch(() => undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expired = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        resolve(undefined);
      }, this.#deadlineMs(operation));
    });
    try {
      const answer = await Promise.race([work, expired]);
      if (answer !== undefined) return answer;
      // What is charged is answered: what the deadline ends is not charged.
      if (course.isCharged === true) return await work;
      giveUp();
      const message = 'The call took longer than this server waits. It is not charged.';
      return await this.#outgoing(operation, this.#refused('deadline', message, { status: deadline.status }));
    } finally {
      clearTimeout(timer);
    }
  }

  // --- what every answer goes through ---

  #finish(
    request: ServerRequest | undefined,
    { status, headers, body }: Outgoing,
    requestId: string,
    ended: Course<Caller>['ended'],
  ): Exchange {
    const sent = new Headers(headers);
    if (this.#api.requestIdHeader !== undefined) sent.set(this.#api.requestIdHeader, requestId);
    const isHead = request?.method === 'HEAD';
    if (body instanceof Uint8Array && !isBodyless(status)) sent.set('Content-Length', String(body.length));
    return {
      status,
      headers: sent,
      body: isHead || isBodyless(status) ? new Uint8Array() : body,
      settle: async (delivery) => {
        for (const end of ended.splice(0)) await end(delivery);
      },
    };
  }

  /** A faithful copy, if there can be one: none of a stream, none of what is longer than the cap. */
  #copyOf(course: Course<Caller>, { status, headers, body }: Outgoing): StoredResponse | undefined {
    const cap = this.#options.replayCapBytes ?? MIB;
    if (!course.isReplayable || !(body instanceof Uint8Array) || body.length > cap) return undefined;
    const credits = this.#api.creditsHeader?.toLowerCase();
    return { status, headers: [...headers].filter(([name]) => name !== credits), body };
  }

  #replyFor(error: unknown, operation: ServedOperation | undefined, course?: Course<Caller>): LooseReply {
    if (error instanceof Refused) return error.reply;
    if (error instanceof Refusal) return refusalReply(this.#api, error);
    if (course?.request.signal.aborted !== true)
      this.#tell({ kind: 'handler', operation: operation?.id ?? '', error });
    return this.#refused('internal', 'The server has a fault.');
  }

  #storeAway(operation: ServedOperation, error: unknown): never {
    this.#tell({ kind: 'store', operation: operation.id, error });
    const message = 'The server cannot look up what it has to know before it begins. Nothing was begun.';
    throw new Refused(this.#refused('unavailable', message, { headers: { 'Retry-After': '1' } }));
  }

  /** The caller can send the call again: whoever runs with its key now gives it an answer. */
  #keyLost(): LooseReply {
    const message =
      'The server lost its claim on the key of this call, and ended the call. Send it again with the same key.';
    return this.#refused('unavailable', message, { headers: { 'Retry-After': '1' } });
  }

  #toldOf({ id }: ServedOperation): (error: unknown) => void {
    return (error) => {
      this.#tell({ kind: 'store', operation: id, error });
    };
  }

  #lossOf({ operation, caller, key }: Course<Caller>, what: 'key' | 'capacity'): (error?: unknown) => void {
    return (error) => {
      this.#tell({ kind: 'lost', operation: operation.id, what, caller: caller.id, key, error });
    };
  }

  #conflict(
    status: number,
    operation: ServedOperation,
    message: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Outgoing> {
    return this.#outgoing(operation, this.#refused('badInput', message, { status, headers }));
  }

  #refused(cause: Cause, message: string, options: RefusalOptions = {}): LooseReply {
    return refused(this.#api, cause, message, { ...options, codes: this.#options.codes });
  }

  #outgoing(operation: ServedOperation | undefined, reply: LooseReply): Promise<Outgoing> {
    return outgoing(this.#api, operation, reply, this.#keepAliveMs);
  }

  #deadlineMs({ deadline }: ServedOperation): number {
    return deadline === undefined ? 30 * SECOND_MS : deadlineAt(deadline, 0, this.#options.deadlineMs);
  }

  get #storeTimeoutMs(): number {
    return this.#options.storeTimeoutMs ?? 5 * SECOND_MS;
  }

  #leaseMs(operation: ServedOperation): number {
    return (
      this.#options.leaseMs ??
      Math.max(this.#deadlineMs(operation) + 30 * SECOND_MS, this.#shortestLeaseMs(operation))
    );
  }

  #shortestLeaseMs(operation: ServedOperation): number {
    return shortestLeaseMs(
      operation.deadline === undefined ? 0 : this.#deadlineMs(operation),
      this.#storeTimeoutMs,
    );
  }

  /** @throws {RangeError} where a slow store could end a claim unnoticed */
  #requireSafeLease(operation: ServedOperation): void {
    const usesLeases =
      operation.idempotency?.mode === 'replay' ||
      (operation.capacity !== undefined && this.#options.capacity !== undefined);
    const [leaseMs, shortest] = [this.#leaseMs(operation), this.#shortestLeaseMs(operation)];
    if (!usesLeases || (leaseMs >= shortest && leaseMs <= LONGEST_MS)) return;
    throw new RangeError(
      `leaseMs is ${String(leaseMs)}, but ${operation.id} needs ${String(shortest)} to ${String(LONGEST_MS)} ms: at least ` +
        `its deadline plus 1.5 x (storeTimeoutMs, which is ${String(this.#storeTimeoutMs)}, + 1000)`,
    );
  }

  get #keepAliveMs(): number {
    return this.#options.keepAliveMs ?? 15 * SECOND_MS;
  }

  /** A fault of the observer is printed: it changes no answer, and a rejection that nobody handles would end the process. */
  #tell(finding: Finding): void {
    const printed = (error: unknown): void => {
      // eslint-disable-next-line no-console -- The observer failed, so that nothing else is left to tell.
      console.error('onFinding failed:', error);
    };
    try {
      const told: unknown = this.#options.onFinding?.(finding);
      if (told instanceof Promise) told.catch(printed);
    } catch (error) {
      printed(error);
    }
  }
}

/** The machinery refuses: the answer is made already. */
class Refused extends Error {
  readonly reply: LooseReply;
  constructor(reply: LooseReply) {
    super('refused');
    this.reply = reply;
  }
}

const LONGEST_KEY = 255;

const IN_FLIGHT = 'A call with this key is in progress: wait, then send it again with the same key.';
const CONSUMED = 'The call of this key has ended and its answer cannot be replayed: use a new key.';
const MISMATCH = 'This key belongs to a request with another body: use a new key.';

function keyOf({ idempotency }: ServedOperation, headers: Headers): string | undefined {
  if (idempotency === undefined) return undefined;
  const key = headers.get(idempotency.requestHeader) ?? undefined;
  return key === '' && idempotency.mode === 'single-use' ? undefined : key;
}

/** Aborts `target` with the first of these. (`AbortSignal.any` is missing from the types of older compilers.) */
function passOnAborts(sources: readonly (AbortSignal | undefined)[], target: AbortController): void {
  for (const source of sources) {
    if (source === undefined) continue;
    const passOn = (): void => {
      target.abort(source.reason);
    };
    if (source.aborted) passOn();
    else source.addEventListener('abort', passOn, { once: true });
  }
}

function untilAborted(signal: AbortSignal): {
  readonly aborted: Promise<undefined>;
  readonly forget: () => void;
} {
  let leave = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    leave = () => {
      resolve(undefined);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  return {
    aborted,
    forget: () => {
      signal.removeEventListener('abort', leave);
    },
  };
}
