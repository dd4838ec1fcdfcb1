import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../../conformance/index.ts';
import { TrafficResults, type UnseenTraffic } from '../../conformance/traffic/index.ts';
import type { Contract } from '../../contract/index.ts';
import { NO_ROOM, type CopyRoom } from '../body-copy.ts';
import type { JudgedExchange } from '../observer.ts';
import type { NumberedExchange } from '../open-exchanges.ts';
import { openLine } from './line.ts';
import { BEGUN, HURRY, type ControlPlace, type FromJudge, type JudgeLine } from './messages.ts';
import { sentContract } from './sent-contract.ts';

export interface JudgeDeskOptions {
  readonly contracts: readonly Contract[];
  /** The server. */
  readonly target: URL;
  readonly toolVersion?: string | undefined;
  readonly onExchange?: ((judged: JudgedExchange) => void) | undefined;
  /** For what waits to be judged. The bodies of an exchange are in it already when it comes. */
  readonly room: CopyRoom;
  /** The module of the judge's thread, if it is another one. */
  readonly thread?: URL;
  /** The longest time for one exchange, in milliseconds. */
  readonly mostMs?: number;
}

/**
 * Takes the exchanges that are over, and has them judged elsewhere. Nothing waits for that: what is too much is left out and
 * counted, and a judge that takes too long is replaced.
 */
export class JudgeDesk {
  readonly #options: JudgeDeskOptions;
  readonly #state = new Int32Array(new SharedArrayBuffer(8));
  readonly #startedAt = Date.now();
  /** Of all judges: what was judged outlives the thread that did it. */
  readonly #results: TrafficResults;
  #line: JudgeLine | undefined;
  #place: ControlPlace | undefined;
  #waiting: NumberedExchange[] = [];
  /** How many the judge has that are not judged yet. */
  #batch = 0;
  #isReady = false;
  #isAfterGap = false;
  #unjudged = 0;
  #replaced = 0;
  /** Of the exchanges that are with the judge, in bytes. */
  #batchSize = 0;
  /** How far the judge was when it was last seen to make progress, and what has been spent since then. */
  #begun = { count: 0, spent: stopwatch() };
  #unread = 0;
  #expected: Expected | undefined;
  readonly #watch: NodeJS.Timeout;

  private constructor(options: JudgeDeskOptions) {
    this.#options = options;
    const { contracts, target, toolVersion } = options;
    this.#results = new TrafficResults({
      ...{ contracts, baseUrl: target.href, startedAt: this.#startedAt },
      ...(toolVersion === undefined ? {} : { toolVersion }),
    });
    this.#watch = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  /** Resolves when the judge has read the contracts, and rejects if it cannot. */
  static async open(options: JudgeDeskOptions): Promise<JudgeDesk> {
    const desk = new JudgeDesk(options);
    try {
      await desk.#expect('ready', () => desk.#start());
      return desk;
    } catch (error) {
      desk.close();
      throw error;
    }
  }

  /** Serves the inspector. Resolves with its address. */
  async serve(place: ControlPlace): Promise<string> {
    const { controlUrl } = await this.#expect('served', () => this.#line?.send({ kind: 'serve', place }));
    const url = new URL(controlUrl);
    const controlToken = url.searchParams.get('token') ?? undefined;
    this.#place = {
      ...place,
      port: Number(url.port),
      ...(controlToken === undefined ? {} : { controlToken }),
    };
    return controlUrl;
  }

  /** Has an exchange judged. Returns at once. */
  add(exchange: NumberedExchange): void {
    const { room } = this.#options;
    const heads = sizeOfHeads(exchange);
    if (isUnread(exchange)) this.#unread += 1;
    room.left -= heads;
    this.#waiting.push(exchange);
    if (this.#line === undefined || room.left < 0) this.#leaveOut([this.#waiting.pop()]);
    else this.#send();
  }

  /**
   * The report on everything that passed. It waits some seconds for what is not judged yet, and counts what is not judged by
   * then.
   *
   * @param cut how many exchanges were open at the end
   * @param hurry aborted when it is to come as soon as possible
   */
  async finish(cut: number, hurry?: AbortSignal): Promise<Report> {
    const isIdle = (): boolean => this.#waiting.length === 0 && this.#batchSize === 0;
    await until(isIdle, LONGEST_WAIT_MS, hurry);
    Atomics.store(this.#state, HURRY, 1);
    this.#leaveOut(this.#waiting.splice(0));
    const unseen = (): UnseenTraffic => ({
      ...{ cut, unjudged: this.#unjudged + this.#batch, unread: this.#unread, replaced: this.#replaced },
    });
    let report: Report | undefined;
    let isAsked = false;
    let isFailed = false;
    const isOver = (): boolean => {
      // The judge ends with the exchange that it has, or never.
      if (!isAsked && this.#batchSize === 0) {
        isAsked = true;
        const ask = { kind: 'report', whole: this.#results.whole(), unseen: unseen() } as const;
        this.#expect('report', () => this.#line?.send(ask)).then(
          (answer) => (report = answer.report),
          () => (isFailed = true),
        );
      }
      return report !== undefined || isFailed || this.#line === undefined;
    };
    await until(isOver, LONGEST_WAIT_MS, hurry);
    this.close();
    // Without the judge nothing may take long.
    return report ?? this.#results.report({ ...unseen(), isHurried: true });
  }

  /** Ends the judge, without a report. */
  close(): void {
    clearInterval(this.#watch);
    this.#line?.end();
    this.#line = undefined;
  }

  #start(): void {
    const { contracts, target, toolVersion, onExchange, thread } = this.#options;
    this.#isReady = false;
    const setting = {
      contracts: contracts.map(sentContract),
      ...{ target: target.href, toolVersion, tells: onExchange !== undefined },
      ...{ state: this.#state, startedAt: this.#startedAt },
    };
    const listener = {
      onMessage: (message: FromJudge) => this.#hear(message),
      onGone: (error: unknown) => this.#replace(error),
    };
    this.#line = openLine(setting, listener, thread);
  }

  #hear(message: FromJudge): void {
    if (message.kind === 'heard') this.#options.onExchange?.(message.judged);
    else if (message.kind === 'judged') {
      this.#results.add(message.step);
      this.#batch -= message.done;
    } else if (message.kind === 'over') this.#endBatch();
    else {
      if (message.kind === 'ready') this.#begin();
      this.#expected?.hear(message);
    }
    this.#send();
  }

  /** A judge that took the place of another one serves the same address. */
  #begin(): void {
    this.#isReady = true;
    if (this.#place !== undefined) this.#line?.send({ kind: 'serve', place: this.#place });
  }

  /** Sends what waits, when the judge has nothing else. */
  #send(): void {
    if (!this.#isReady || this.#batchSize > 0 || this.#waiting.length === 0) return;
    const exchanges = this.#takeBatch();
    this.#batch = exchanges.length;
    this.#begun = { count: Atomics.load(this.#state, BEGUN), spent: stopwatch() };
    const bodies = exchanges.flatMap(({ requestBody, responseBody }) => [
      requestBody.body,
      responseBody.body,
    ]);
    const moved = bodies.filter(({ length }) => length > 0).map(({ buffer }) => buffer as ArrayBuffer);
    this.#line?.send({ kind: 'judge', exchanges, isAfterGap: this.#isAfterGap }, moved);
    this.#isAfterGap = false;
  }

  /** As many as the judge gets together. Their bodies are in memory until it has judged all of them, so large ones go alone. */
  #takeBatch(): readonly NumberedExchange[] {
    let count = 0;
    for (; count < Math.min(this.#waiting.length, MOST_AT_ONCE); count += 1) {
      const exchange = this.#waiting[count];
      const size = exchange === undefined ? 0 : sizeOf(exchange);
      if (count > 0 && this.#batchSize + size > MOST_BYTES_AT_ONCE) break;
      this.#batchSize += size;
    }
    return this.#waiting.splice(0, count);
  }

  /** What is left of a batch is not judged. */
  #endBatch(): void {
    this.#options.room.left += this.#batchSize;
    this.#unjudged += this.#batch;
    this.#batch = 0;
    this.#batchSize = 0;
  }

  /** Counts exchanges as not judged. The judge is to conclude nothing from what it saw before them. */
  #leaveOut(exchanges: readonly (NumberedExchange | undefined)[]): void {
    for (const exchange of exchanges) if (exchange !== undefined) this.#options.room.left += sizeOf(exchange);
    this.#unjudged += exchanges.length;
    if (exchanges.length > 0) this.#isAfterGap = true;
  }

  /** Whether the judge makes progress. */
  #look(): void {
    if (this.#batchSize === 0) return;
    const count = Atomics.load(this.#state, BEGUN);
    if (count !== this.#begun.count) this.#begun = { count, spent: stopwatch() };
    else if (this.#begun.spent() > (this.#options.mostMs ?? LONGEST_JUDGEMENT_MS))
      this.#replace(new Error('the judge took too long'));
  }

  #replace(error: unknown): void {
    this.#line?.end();
    this.#line = undefined;
    this.#endBatch();
    this.#isAfterGap = true;
    if (this.#expected === undefined && this.#replaced < MOST_REPLACED) {
      this.#replaced += 1;
      this.#start();
      return;
    }
    this.#leaveOut(this.#waiting.splice(0));
    this.#expected?.fail(error);
  }

  /** The next message of a kind, or the failure of the judge. */
  #expect<Kind extends FromJudge['kind']>(
    kind: Kind,
    ask: () => void,
  ): Promise<Extract<FromJudge, { readonly kind: Kind }>> {
    return new Promise<Extract<FromJudge, { readonly kind: Kind }>>((resolve, reject) => {
      this.#expected = {
        hear: (message) => {
          if (message.kind === kind) resolve(message as Extract<FromJudge, { readonly kind: Kind }>);
          else if (message.kind === 'failed') reject(Object.assign(message.error as Error, message.facts));
        },
        fail: reject,
      };
      ask();
    }).finally(() => (this.#expected = undefined));
  }
}

// --- internal ---

interface Expected {
  readonly hear: (message: FromJudge) => void;
  readonly fail: (error: unknown) => void;
}

/** Exchanges that the judge gets together. It can be stopped only between two of them. */
const MOST_AT_ONCE = 32;
const MOST_BYTES_AT_ONCE = 2 ** 20;

/** Milliseconds of processor time, as all limits here. */
const LONGEST_JUDGEMENT_MS = 20_000;

const MOST_REPLACED = 3;

/** How long the end waits for what is not judged yet, and once more for the report. A hurried end waits less. */
const LONGEST_WAIT_MS = 10_000;
const LONGEST_HURRY_MS = 1_500;

const LOOK_MS = 500;
const STEP_MS = 20;

/** @param mostMs of processor time: a busy machine gets more time, but not without limit */
async function until(isOver: () => boolean, mostMs: number, hurry?: AbortSignal): Promise<void> {
  const waited = stopwatch();
  let hurried: (() => number) | undefined;
  while (!isOver()) {
    if (hurry?.aborted === true) hurried ??= stopwatch();
    if (waited() > mostMs || (hurried !== undefined && hurried() > LONGEST_HURRY_MS)) return;
    await sleep(STEP_MS);
  }
}

/** Tells the milliseconds of processor time since now, or a part of the time that has passed, if that is more. */
function stopwatch(): () => number {
  const begun = process.cpuUsage();
  const since = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return Math.max((user + system) / 1000, (performance.now() - since) / MOST_TIMES_LONGER);
  };
}

const MOST_TIMES_LONGER = 4;

function isUnread({ requestBody, responseBody }: NumberedExchange): boolean {
  return requestBody.truncated === NO_ROOM || responseBody.truncated === NO_ROOM;
}

function sizeOf(exchange: NumberedExchange): number {
  return exchange.requestBody.body.length + exchange.responseBody.body.length + sizeOfHeads(exchange);
}

function sizeOfHeads({ target, requestHeaders, responseHeaders, during }: NumberedExchange): number {
  const lengths = [requestHeaders, responseHeaders].flat().reduce((sum, text) => sum + text.length, 0);
  return LEAST_SIZE + target.length + lengths + 8 * during.length;
}

/** What an exchange takes without its headers and bodies, in bytes. */
const LEAST_SIZE = 1024;
