import { control } from './control.ts';
import { withoutBody } from './exchange.ts';
import type { Exchange, ResponseFault } from './exchange.ts';
import { foreignOf, isElsewhere, sketchForeign } from './foreign.ts';
import { findingsOf } from './health-findings.ts';
import type { RunFinding } from './report.ts';
import { Hindered } from './scenario.ts';
import type { SessionHost } from './session-host.ts';

/**
 * Why a request decided nothing: `gateway`, something before the API answered; `limiter` and `unavailable`, a 429 or a 503
 * stood in the way; `unserved`, nothing is at this path.
 */
export type LossKind = Exclude<ResponseFault, 'dropped'> | 'gateway' | 'limiter' | 'unavailable' | 'unserved';

/** A request without a whole response of the API. */
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
  /** Status to how many whole responses had it. */
  readonly whole: Map<number, number>;
  answered: number;
  /** How many of the last requests stayed without any response in time. */
  silentInARow: number;
  /** How many of the last requests had no whole response. */
  lostInARow: number;
  lastAnswered: string | undefined;
}

/** What the suite knows of one address. */
export interface Origin {
  readonly name: string;
  readonly stop: AbortController;
  /** The last exchange with a response, or that the suite dropped. */
  last: Exchange | undefined;
  /** The last read that was answered: it can be sent again to see whether the server is still there. */
  read: Exchange | undefined;
  /** Losses since something was answered. */
  streak: Loss[];
  answered: number;
  checking: Promise<void> | undefined;
}

/**
 * Watches over the server under test while it is judged: it tells a server that is gone from an operation that never
 * answers, and both from a single fault of the network. What it finds stands at the head of the report.
 */
export class Health {
  readonly courses = new Map<string, OperationHealth>();
  readonly origins = new Map<string, Origin>();
  readonly stopped: RunFinding[] = [];
  losses: Loss[] = [];
  /** Requests of which no attempt had a whole response. */
  givenUp: (readonly Loss[])[] = [];
  /** What is odd about the framing of responses, and which ones. */
  readonly oddities = new Map<string, string[]>();
  /** Ids of exchanges that decided nothing because something stood in the way. */
  readonly disturbed = new Set<string>();

  /** @throws {Hindered} when nothing more is to be expected of an operation */
  requireHope(api: string, operation: string): void {
    const course = this.courses.get(`${api} ${operation}`);
    if (course !== undefined && course.silentInARow >= (course.answered === 0 ? HOPELESS : HOPELESS + 2))
      throw new Hindered(`${operation} does not answer`, this.#lossesOf(course).slice(0, 5));
  }

  /** Aborts when the server at this address is gone. */
  signalOf(host: SessionHost, api: string): AbortSignal {
    return this.#originOf(host, api).stop.signal;
  }

  /** Takes note of an exchange; waits while it is found out whether the server is still there. */
  async see(host: SessionHost, exchange: Exchange, operation: string): Promise<void> {
    const { api, fault } = exchange;
    const origin = this.#originOf(host, api);
    if (fault === 'dropped') {
      origin.last = withoutBody(exchange);
      return;
    }
    const course = this.#courseOf(api, operation);
    if (isElsewhere(exchange) && course.answered === 0) {
      this.#lose(exchange, operation, 'unserved');
      host.markStrange?.([exchange.id]);
      origin.last = withoutBody(exchange);
      origin.streak = [];
      return;
    }
    const foreign = foreignOf(exchange);
    if (foreign !== undefined) host.markStrange?.([exchange.id]);
    if (fault === undefined && foreign === undefined) {
      origin.last = withoutBody(exchange);
      origin.answered += 1;
      origin.streak = [];
      if (exchange.request.method === 'GET') origin.read = origin.last;
      // What is answered later was not in vain.
      this.givenUp = this.givenUp.filter(
        (losses) => !losses.every((loss) => isSame(loss.exchange, exchange)),
      );
      course.answered += 1;
      course.silentInARow = 0;
      course.lostInARow = 0;
      course.lastAnswered = exchange.id;
      for (const oddity of odditiesOf(exchange))
        this.oddities.set(oddity, [...(this.oddities.get(oddity) ?? []), exchange.id]);
      course.whole.set(exchange.status, (course.whole.get(exchange.status) ?? 0) + 1);
      return;
    }
    const loss = this.#lose(exchange, operation, fault ?? foreign ?? 'closed');
    if (loss.kind === 'limiter') return;
    course.lostInARow += 1;
    if (fault === 'silent') course.silentInARow += 1;
    // The head of a response shows that the API is there.
    if (fault !== undefined && exchange.begun !== undefined) origin.streak = [];
    else origin.streak.push(loss);
    if (origin.streak.length >= SUSPICIOUS) await this.#check(host, origin);
  }

  /** Why an exchange says nothing about the API, where it is not with the API at all. */
  strangerIn(exchange: Exchange): string | undefined {
    if (foreignOf(exchange) !== undefined)
      return `something before the API answered: ${sketchForeign(exchange)}`;
    const isUnserved = this.losses.some(
      (loss) => loss.kind === 'unserved' && loss.exchange.id === exchange.id,
    );
    return isUnserved ? `nothing is served there: ${sketchForeign(exchange)}` : undefined;
  }

  /** No attempt of a request had a whole response of the API, or a 429 or a 503 stood in its way. */
  giveUp(exchanges: readonly Exchange[], operation: string): void {
    for (const { id } of exchanges) this.disturbed.add(id);
    const losses = exchanges.map((exchange) => {
      const known = this.losses.find((loss) => loss.exchange.id === exchange.id);
      const kind = exchange.fault ?? (exchange.status === 429 ? 'limiter' : 'unavailable');
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

  /** Looks once more where the last requests had no response: a server may end with the last one. */
  async finish(host: SessionHost): Promise<void> {
    for (const origin of this.origins.values())
      if (origin.streak.length > 0 || origin.last?.fault === 'dropped') await this.#check(host, origin);
  }

  /**
   * What is to be told at the head of the report, the gravest first.
   *
   * @param undecided ids of the exchanges that rules without a verdict rest on
   */
  findings(sent: number, undecided: ReadonlySet<string>): readonly RunFinding[] {
    return findingsOf(this, sent, undecided);
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
    const numbers = { answered: 0, silentInARow: 0, lostInARow: 0, lastAnswered: undefined };
    const course: OperationHealth = { api, operation, whole: new Map(), ...numbers };
    this.courses.set(key, course);
    return course;
  }

  #originOf({ target }: SessionHost, api: string): Origin {
    const name = target.baseOf(api).origin;
    const known = this.origins.get(name);
    if (known !== undefined) return known;
    const origin: Origin = {
      name,
      stop: new AbortController(),
      last: undefined,
      read: undefined,
      streak: [],
      answered: 0,
      checking: undefined,
    };
    this.origins.set(name, origin);
    return origin;
  }

  /** All that wait for the same answer wait for the same check. */
  #check(host: SessionHost, origin: Origin): Promise<void> {
    origin.checking ??= this.#askAgain(host, origin).finally(() => (origin.checking = undefined));
    return origin.checking;
  }

  async #askAgain(host: SessionHost, origin: Origin): Promise<void> {
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
    // What the end of the server did is told once.
    this.losses = this.losses.filter(({ exchange }) => !gone.has(exchange.id));
    this.givenUp = this.givenUp.filter((losses) => losses.every(({ exchange }) => !gone.has(exchange.id)));
    const finding = goneAway(origin, last, lost, asked);
    this.stopped.push(finding);
    origin.stop.abort(new Hindered(finding.says, finding.exchanges));
  }
}

// --- internal ---

/** So many losses in a row make one ask whether the server is still there. */
const SUSPICIOUS = 5;

/** How often that is asked, and how long in between. */
const CONTROLS = 3;
const PAUSE_MS = 1000;

/** After so many requests without any response in time no more is sent to an operation. */
const HOPELESS = 3;

const MOST_LOSSES = 1000;

/** Where sending a request again shows whether chance was at work. */
const DECISIVE: ReadonlySet<LossKind> = new Set(['closed', 'cut', 'gateway']);

/** RFC 9112, section 6.3: what intermediaries may read in different ways. */
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
