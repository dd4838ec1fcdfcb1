import { control } from '../scenarios/control.ts';
import { withoutBody } from '../exchanges/exchange.ts';
import type { Exchange, ResponseFault } from '../exchanges/exchange.ts';
import { foreignOf, isElsewhere, sketchForeign } from '../exchanges/foreign.ts';
import type { Preflight } from '../scenarios/preflight.ts';
import type { RunFinding } from '../verdicts/report.ts';
import { Hindered } from '../scenarios/scenario.ts';
import type { RequestHost } from '../sessions/request-host.ts';
import { isUsable } from '../target/usable.ts';

/**
 * Why a request decided nothing: `gateway`, another server answered in place of the API; `limiter` and
 * `unavailable`, a 429 or a 503; `full`, there are as
 * many things as may be; `unserved`, nothing is served at this path.
 */
export type LossKind =
  Exclude<ResponseFault, 'dropped'> | 'gateway' | 'limiter' | 'full' | 'unavailable' | 'unserved';

/** A request without a complete response of the API. */
export interface Loss {
  readonly exchange: Exchange;
  readonly operation: string;
  readonly kind: LossKind;
}

/** How the requests of one operation fared. */
export interface OperationHealth {
  readonly api: string;
  /** Method and path, as the plan has it. */
  readonly operation: string;
  /** How many complete responses had each status. */
  readonly whole: Map<number, number>;
  answered: number;
  /**
   * The numbers of the latest requests without any response in time: with a usable credential, and without. What a server
   * does not answer to one kind of caller, it may answer to the other.
   */
  readonly silentInARow: { usable: number; unusable: number };
  /** The requests since the last complete response, none of which had one. */
  unanswered: Unanswered;
  /** The calls since the last one that was not refused: a handler may hang behind checks that answer. */
  unaccepted: Unanswered;
  /** Streams that sent nothing, not even a head, for as long as the suite waited, since one that did. */
  unheard: readonly Exchange[];
}

/** Requests without a complete response since one that had one. */
export interface Unanswered {
  /** The exchange before them; `undefined` if there is none. */
  readonly since: string | undefined;
  /** How many responses came between them that do not end the series. */
  readonly between: number;
  readonly lost: readonly Loss[];
}

/** The state of one address. */
export interface Origin {
  readonly name: string;
  readonly stop: AbortController;
  /** The last exchange with a response, or that the suite dropped. */
  last: Exchange | undefined;
  /** The last exchange that the suite dropped. */
  dropped: Exchange | undefined;
  /** The last read that was answered. It can be repeated to check whether the server is still running. */
  read: Exchange | undefined;
  /** Losses since the last answer. */
  streak: Loss[];
  answered: number;
  checking: Promise<void> | undefined;
}

/**
 * Monitors the server under test. It distinguishes a server that has stopped, an operation that never answers, and a
 * single fault of the network. Its findings are at the top of the report.
 */
export class Health {
  readonly courses = new Map<string, OperationHealth>();
  readonly origins = new Map<string, Origin>();
  readonly stopped: RunFinding[] = [];
  losses: Loss[] = [];
  /** Requests of which no attempt had a complete response. */
  givenUp: (readonly Loss[])[] = [];
  /** Unusual framing of responses, with the responses. */
  readonly oddities = new Map<string, string[]>();
  /** Ids of exchanges that decided nothing because of a gateway or a limit. */
  readonly disturbed = new Set<string>();

  readonly #preflights: readonly Preflight[];

  constructor(preflights: readonly Preflight[]) {
    this.#preflights = preflights;
  }

  /** @throws {Hindered} when an operation is no longer expected to answer */
  requireHope(api: string, operation: string, as: string): void {
    const course = this.courses.get(`${api} ${operation}`);
    const most = course?.answered === 0 ? HOPELESS : HOPELESS + 2;
    if (course !== undefined && course.silentInARow[kindOf(as)] >= most)
      throw new Hindered(`${operation} does not answer`, this.#lossesOf(course).slice(0, 5));
  }

  /** Aborts when the server at this address is gone. */
  signalOf(host: RequestHost, api: string): AbortSignal {
    return this.#originOf(host, api).stop.signal;
  }

  /** Processes an exchange; waits while a check is made whether the server is still running. */
  async see(host: RequestHost, exchange: Exchange, operation: string): Promise<void> {
    const { api, fault } = exchange;
    const origin = this.#originOf(host, api);
    if (fault === 'dropped') {
      origin.last = withoutBody(exchange);
      origin.dropped = origin.last;
      return;
    }
    const course = this.#courseOf(api, operation);
    if (isElsewhere(exchange, this.#preflights) && course.answered === 0) {
      this.#lose(exchange, operation, 'unserved');
      host.excludeFromOracles?.([exchange.id]);
      origin.last = withoutBody(exchange);
      origin.streak = [];
      return;
    }
    const foreign = foreignOf(exchange);
    if (foreign !== undefined) host.excludeFromOracles?.([exchange.id]);
    if (fault === undefined && foreign === undefined) {
      origin.last = withoutBody(exchange);
      origin.answered += 1;
      origin.streak = [];
      if (exchange.request.method === 'GET') origin.read = origin.last;
      // A request that is answered later is not lost.
      this.givenUp = this.givenUp.filter(
        (losses) => !losses.every((loss) => isSame(loss.exchange, exchange)),
      );
      course.answered += 1;
      course.silentInARow[kindOf(exchange.request.as)] = 0;
      course.unanswered = { since: exchange.id, between: 0, lost: [] };
      if (exchange.status < 400 || exchange.status > 499) {
        course.unaccepted = { since: exchange.id, between: 0, lost: [] };
        course.unheard = [];
      } else if (exchange.isInvalid !== true)
        course.unaccepted = { ...course.unaccepted, between: course.unaccepted.between + 1 };
      for (const oddity of odditiesOf(exchange))
        this.oddities.set(oddity, [...(this.oddities.get(oddity) ?? []), exchange.id]);
      course.whole.set(exchange.status, (course.whole.get(exchange.status) ?? 0) + 1);
      return;
    }
    const loss = this.#lose(exchange, operation, fault ?? foreign ?? 'closed');
    if (loss.kind === 'limiter') return;
    course.unanswered = withLoss(course.unanswered, loss);
    if (exchange.isInvalid !== true) course.unaccepted = withLoss(course.unaccepted, loss);
    if (fault === 'silent') course.silentInARow[kindOf(exchange.request.as)] += 1;
    // The head of a response shows that the API is there.
    if (fault !== undefined && exchange.begun !== undefined) origin.streak = [];
    else origin.streak.push(loss);
    if (origin.streak.length >= SUSPICIOUS) await this.#check(host, origin);
  }

  /** Processes a stream that sent nothing for as long as the suite waited: it may have had nothing to send. */
  seeUnheard(exchange: Exchange, operation: string): void {
    const course = this.#courseOf(exchange.api, operation);
    course.unheard = [...course.unheard, withoutBody(exchange)];
  }

  /** Why an exchange shows nothing about the API, if it was not answered by the API. */
  strangerIn(exchange: Exchange): string | undefined {
    if (foreignOf(exchange) !== undefined)
      return `something before the API answered: ${sketchForeign(exchange)}`;
    const isUnserved = this.losses.some(
      (loss) => loss.kind === 'unserved' && loss.exchange.id === exchange.id,
    );
    return isUnserved ? `nothing is served there: ${sketchForeign(exchange)}` : undefined;
  }

  /** Calls other than reads that may still be running: nobody told the suite how they ended. */
  lostCalls(api: string): readonly string[] {
    return this.losses
      .filter(
        ({ exchange, kind }) =>
          exchange.api === api && exchange.request.method !== 'GET' && MAY_RUN.has(kind),
      )
      .map(({ exchange }) => exchange.id);
  }

  /** No attempt of a request had a complete response of the API, or all got a 429 or a 503. */
  giveUp(exchanges: readonly Exchange[], operation: string, isKnown?: LossKind): void {
    for (const { id } of exchanges) this.disturbed.add(id);
    const ids = new Set(exchanges.map(({ id }) => id));
    // What an exchange seemed to be at first, it may turn out not to be.
    if (isKnown !== undefined) this.losses = this.losses.filter(({ exchange }) => !ids.has(exchange.id));
    const losses = exchanges.map((exchange) => {
      const known = this.losses.find((loss) => loss.exchange.id === exchange.id);
      const kind = isKnown ?? exchange.fault ?? (exchange.status === 429 ? 'limiter' : 'unavailable');
      return known ?? this.#lose(exchange, operation, kind === 'dropped' ? 'closed' : kind);
    });
    if (losses.every(({ kind }) => DECISIVE.has(kind)) && this.givenUp.length < MOST_LOSSES)
      this.givenUp.push(losses);
  }

  #lose(exchange: Exchange, operation: string, kind: LossKind): Loss {
    const loss = { exchange: withoutBody(exchange), operation, kind };
    if (this.losses.length < MOST_LOSSES) this.losses.push(loss);
    return loss;
  }

  /** A final check if the last requests had no response: a server may stop with the last one. */
  async finish(host: RequestHost): Promise<void> {
    for (const origin of this.origins.values())
      if (origin.streak.length > 0 || origin.last?.fault === 'dropped') await this.#check(host, origin);
  }

  #lossesOf({ api, operation }: OperationHealth): readonly string[] {
    return this.losses
      .filter((loss) => loss.exchange.api === api && loss.operation === operation)
      .map(({ exchange }) => exchange.id);
  }

  #courseOf(api: string, operation: string): OperationHealth {
    const key = `${api} ${operation}`;
    const known = this.courses.get(key);
    if (known !== undefined) return known;
    const none = { since: undefined, between: 0, lost: [] };
    const course: OperationHealth = {
      ...{ api, operation, whole: new Map(), answered: 0, silentInARow: { usable: 0, unusable: 0 } },
      ...{ unanswered: none, unaccepted: none, unheard: [] },
    };
    this.courses.set(key, course);
    return course;
  }

  #originOf({ target }: RequestHost, api: string): Origin {
    const name = target.baseOf(api).origin;
    const known = this.origins.get(name);
    if (known !== undefined) return known;
    const origin: Origin = {
      name,
      stop: new AbortController(),
      last: undefined,
      dropped: undefined,
      read: undefined,
      streak: [],
      answered: 0,
      checking: undefined,
    };
    this.origins.set(name, origin);
    return origin;
  }

  /** All that wait for an answer share one check. */
  #check(host: RequestHost, origin: Origin): Promise<void> {
    origin.checking ??= this.#askAgain(host, origin).finally(() => (origin.checking = undefined));
    return origin.checking;
  }

  async #askAgain(host: RequestHost, origin: Origin): Promise<void> {
    const { read, last } = origin;
    if (read === undefined || last === undefined || host.signal.aborted || origin.stop.signal.aborted) return;
    const asked: Exchange[] = [];
    for (let attempt = 1; attempt <= CONTROLS; attempt += 1) {
      const exchange = await control(host, read);
      if (host.signal.aborted) return;
      const isThere = exchange.answer !== undefined && foreignOf(exchange) !== 'gateway';
      if (isThere || (exchange.answer === undefined && exchange.begun !== undefined)) {
        origin.streak = [];
        return;
      }
      asked.push(exchange);
      if (attempt < CONTROLS) await host.clock.sleep(PAUSE_MS, host.signal).catch(() => undefined);
    }
    const lost = origin.streak.map(({ exchange }) => exchange);
    const gone = new Set(lost.map(({ id }) => id));
    // The consequences of a stopped server are reported once.
    this.losses = this.losses.filter(({ exchange }) => !gone.has(exchange.id));
    this.givenUp = this.givenUp.filter((losses) => losses.every(({ exchange }) => !gone.has(exchange.id)));
    const finding = goneAway(origin, culprit(origin, last), lost, asked);
    this.stopped.push(finding);
    origin.stop.abort(new Hindered(finding.says, finding.exchanges));
  }
}

// --- internal ---

/** After this many consecutive losses, the suite checks whether the server still answers. */
const SUSPICIOUS = 5;

/** How often the check is repeated, and the pauses in between. */
const CONTROLS = 3;
const PAUSE_MS = 1000;

/** After this many requests without any response in time, nothing more is sent to an operation. */
const HOPELESS = 3;

const MOST_LOSSES = 1000;

function withLoss(known: Unanswered, loss: Loss): Unanswered {
  return known.lost.length < MOST_LOSSES ? { ...known, lost: [...known.lost, loss] } : known;
}

function kindOf(as: string): 'usable' | 'unusable' {
  return isUsable(as) ? 'usable' : 'unusable';
}

/** How a call ends for its caller while the server may still be running it. */
const MAY_RUN: ReadonlySet<LossKind> = new Set(['closed', 'cut', 'silent', 'gateway']);

/** Whether repeating a request can rule out chance. */
const DECISIVE: ReadonlySet<LossKind> = new Set(['closed', 'cut', 'gateway']);

/** RFC 9112, section 6.3: framing that intermediaries may interpret differently. */
function odditiesOf({ answer }: Exchange): readonly string[] {
  const count = (wanted: string): number =>
    answer?.headers.filter(([name]) => name.toLowerCase() === wanted).length ?? 0;
  return [
    ...(count('content-length') > 1 ? ['several Content-Length headers'] : []),
    ...(count('content-length') > 0 && count('transfer-encoding') > 0
      ? ['both Content-Length and Transfer-Encoding']
      : []),
  ];
}

function isSame({ request: one }: Exchange, { request: other }: Exchange): boolean {
  return one.method === other.method && one.target === other.target && one.as === other.as;
}

/** What a server probably stopped after: it may answer others for a moment after a call that it cannot bear. */
function culprit({ dropped }: Origin, last: Exchange): Exchange {
  return dropped !== undefined && last.startedAt - dropped.endedAt < MOMENT_MS ? dropped : last;
}

const MOMENT_MS = 1000;

function goneAway(
  origin: Origin,
  last: Exchange,
  lost: readonly Exchange[],
  asked: readonly Exchange[],
): RunFinding {
  const first = lost[0] ?? (asked[0] as Exchange);
  const beside = lost.filter(({ startedAt, id }) => id !== first.id && startedAt <= first.endedAt);
  const before =
    last.fault === 'dropped' ? 'which the suite dropped' : `which was answered with ${last.status}`;
  const others =
    beside.length === 0
      ? ''
      : ` ${beside.length === 1 ? 'One request was' : `${beside.length} requests were`} in flight beside it (${beside.map(named).join(', ')}): to see which one it was, add --concurrency 1.`;
  return {
    kind: 'stopped',
    says: `${origin.name} stopped answering after ${named(last)}, ${before}: ${named(first)} got no response of the API: ${first.failure ?? sketchForeign(first)}`,
    help: `The server answered ${origin.answered} requests before, and then none, nor ${asked.length} more attempts of ${asked[0] === undefined ? 'a read' : described(asked[0])}.${others} Read the log of the server at that time. Rules that were not decided by then are inconclusive.`,
    exchanges: [last, first, ...beside, ...asked].map(({ id }) => id).slice(0, 20),
  };
}

function named(exchange: Exchange): string {
  return `${exchange.id} ${described(exchange)}`;
}

function described({ request: { method, target } }: Exchange): string {
  return `${method} ${target.length > 100 ? `${target.slice(0, 99)}…` : target}`;
}
