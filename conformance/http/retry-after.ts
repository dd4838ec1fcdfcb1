import type { Exchange } from '../exchanges/exchange.ts';
import type { RunFinding } from '../verdicts/report.ts';
import { Hindered } from '../scenarios/scenario.ts';
import type { Clock } from './transport.ts';

/** The longest `Retry-After` that is honoured by default, in milliseconds. */
export const LONGEST_WAIT_MS = 120_000;

export interface WaitOptions {
  /** The longest single wait, in milliseconds. */
  readonly longestMs?: number | undefined;
  /** The end of the run in milliseconds of its clock; a wait beyond it is not started. */
  readonly endsAt?: number | undefined;
  readonly onWait?: (wait: Wait) => void;
}

/** A pause that a server requested. */
export interface Wait {
  /** The exchange whose answer requested it. */
  readonly exchange: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** The waits that servers request by 429, 503 and `Retry-After`. Their total is limited. */
export class RetryWaits {
  readonly #options: WaitOptions;
  readonly #longestMs: number;
  readonly #done: Wait[] = [];
  readonly #refused: Wait[] = [];
  /** API to the end of the wait that its server requested by a 429. */
  readonly #limits = new Map<string, number>();
  #waitsUntil = 0;
  #waitedMs = 0;

  constructor(options: WaitOptions = {}) {
    this.#options = options;
    this.#longestMs = options.longestMs ?? LONGEST_WAIT_MS;
  }

  /** Records a rate limit: other requests to the same API wait as well, so that they are not refused too. */
  note({ api, status, header }: Pick<Exchange, 'api' | 'status' | 'header'>, now: number): void {
    const milliseconds = status === 429 ? retryAfterMs({ header }, now) : undefined;
    if (milliseconds === undefined || this.#obstacleTo(milliseconds, now) !== undefined) return;
    this.#limits.set(api, Math.max(this.#limits.get(api) ?? 0, now + milliseconds));
  }

  /**
   * Waits until a known rate limit of an API is over.
   *
   * @param willWait called with the length of the wait in milliseconds, before it begins
   */
  async passLimit(
    api: string,
    clock: Pick<Clock, 'now' | 'sleep'>,
    willWait?: (milliseconds: number) => void,
  ): Promise<void> {
    const left = (this.#limits.get(api) ?? 0) - clock.now();
    if (left <= 0) return;
    this.#count(left, clock.now());
    willWait?.(left);
    await clock.sleep(left);
  }

  /**
   * Waits for the full time that an answer requests.
   *
   * @param willWait called with the length of the wait in milliseconds, before it begins
   * @throws {Hindered} when that is longer than the run may wait
   */
  async after(
    seen: Exchange,
    clock: Pick<Clock, 'now' | 'sleep'>,
    willWait?: (milliseconds: number) => void,
  ): Promise<void> {
    const now = clock.now();
    const milliseconds = retryAfterMs(seen, now);
    // A pause that the server did not request is not reported.
    if (milliseconds === undefined) return clock.sleep(DEFAULT_WAIT_MS);
    const wait = { exchange: seen.id, status: seen.status, milliseconds };
    const obstacle = this.#obstacleTo(milliseconds, now);
    if (obstacle !== undefined) {
      this.#refused.push(wait);
      throw new Hindered(
        `the server returned ${seen.status} and asked to wait ${seconds(milliseconds)}; ${obstacle}`,
        [seen.id],
      );
    }
    this.#done.push(wait);
    this.#options.onWait?.(wait);
    this.#count(milliseconds, now);
    willWait?.(milliseconds);
    await clock.sleep(milliseconds);
  }

  /** The findings about waits. */
  findings(): readonly RunFinding[] {
    const findings: RunFinding[] = [];
    if (this.#done.length > 0)
      findings.push({
        kind: 'doubt',
        says: `the run waited ${seconds(this.#waitedMs)} because the server returned ${statusesOf(this.#done)}`,
        help: 'To stay below a limit of the server, send fewer requests: --rate 30/m, --concurrency 1.',
        exchanges: some(this.#done),
      });
    const longest = Math.max(...this.#refused.map(({ milliseconds }) => milliseconds));
    if (this.#refused.length > 0)
      findings.push({
        kind: 'doubt',
        says: `the server returned ${statusesOf(this.#refused)} and asked for waits of up to ${seconds(longest)}, which the run did not wait for`,
        help:
          longest > this.#longestMs
            ? `A wait of more than ${seconds(this.#longestMs)} is not begun: to wait longer, add --max-wait ${Math.ceil(longest / 1000)}s.`
            : 'To wait longer in all, increase --max-wait, and --budget where it is given; or send fewer requests: --rate 30/m.',
        exchanges: some(this.#refused),
      });
    return findings;
  }

  /** Why a wait is not started, as the end of a sentence. */
  #obstacleTo(milliseconds: number, now: number): string | undefined {
    const { endsAt } = this.#options;
    if (milliseconds > this.#longestMs) return `the suite waits for at most ${seconds(this.#longestMs)}`;
    if (endsAt !== undefined && now + milliseconds > endsAt) return 'the time budget of the run ends before';
    const most = MOST_LONGEST_WAITS * this.#longestMs;
    if (this.#waitedMs + milliseconds > most && now + milliseconds > this.#waitsUntil)
      return `the run has waited ${seconds(this.#waitedMs)} by now, and waits for at most ${seconds(most)} in all`;
    return undefined;
  }

  /** Concurrent waits of scenarios count once. */
  #count(milliseconds: number, now: number): void {
    const until = now + milliseconds;
    this.#waitedMs += Math.max(0, until - Math.max(now, this.#waitsUntil));
    this.#waitsUntil = Math.max(this.#waitsUntil, until);
  }
}

/**
 * The wait that an answer requests, in milliseconds (RFC 9110, section 10.2.3): seconds, or a date, relative
 * to the server's own clock if known. `undefined` without a valid `Retry-After`.
 */
export function retryAfterMs(seen: Pick<Exchange, 'header'>, now: number): number | undefined {
  const value = seen.header('retry-after')?.trim() ?? '';
  if (/^\d{1,12}$/.test(value)) return Number(value) * 1000;
  const until = httpDate(value);
  if (until === undefined) return undefined;
  return Math.max(0, until - (httpDate(seen.header('date') ?? '') ?? now));
}

// --- internal ---

/** For an answer without a duration. */
const DEFAULT_WAIT_MS = 1000;

/**
 * The limit for the number of the longest waits in a run: a server that always refuses must not hold it for
 * hours.
 */
const MOST_LONGEST_WAITS = 10;

/** The three forms of a date in HTTP begin with the name of a day. */
function httpDate(text: string): number | undefined {
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return undefined;
  // The asctime form has no time zone and means UTC.
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}

/** `429 (5 times) and 503 (once)` */
function statusesOf(waits: readonly Wait[]): string {
  const counts = new Map<number, number>();
  for (const { status } of waits) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .map(([status, count]) => `${status} (${count === 1 ? 'once' : `${count} times`})`)
    .join(' and ');
}

function some(waits: readonly Wait[]): readonly string[] {
  return [...new Set(waits.map(({ exchange }) => exchange))].slice(0, 5);
}
