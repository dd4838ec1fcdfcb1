import type { RunFinding } from '../verdicts/report.ts';
import { Hindered } from '../scenarios/scenario.ts';
import type { Clock } from '../http/transport.ts';

/** A bearer token that may expire during a run, and a function that renews it. */
export interface TokenSource {
  /** The initial token. */
  readonly token: string;
  /** Returns a new token. If it throws, the message states the reason and must not contain a token. */
  readonly renew: (signal: AbortSignal) => Promise<string>;
}

/**
 * The token of a run. It is renewed shortly before it expires, if it is a JSON Web Token with an expiry
 * (`exp`), and when a server answers 401 to a token that it accepted before.
 */
export class BearerToken {
  readonly #source: TokenSource;
  readonly #onNew: (token: string) => void;
  #current: string;
  #renewal: Promise<boolean> | undefined;
  #renewAt: number | undefined;
  #isAccepted = false;
  #fruitless = 0;
  #failures: string[] = [];
  #exchanges: string[] = [];

  /** @param onNew receives each further token, before it is used */
  constructor(source: TokenSource, onNew: (token: string) => void) {
    this.#source = source;
    this.#current = source.token;
    this.#onNew = onNew;
  }

  /** The current token. */
  get value(): string {
    return this.#current;
  }

  /**
   * Renews a token that is about to expire.
   *
   * @throws {Hindered} when it has expired and cannot be renewed
   */
  async freshen(clock: Pick<Clock, 'now'>, signal: AbortSignal): Promise<void> {
    const expiresAt = expiryOf(this.#current);
    if (expiresAt === undefined) return;
    const now = clock.now();
    this.#renewAt ??= renewalOf(expiresAt, now);
    if (now < this.#renewAt) return;
    if (!(await this.#renew(signal)) && clock.now() >= expiresAt)
      throw new Hindered('the bearer token has expired, and it could not be renewed');
  }

  /**
   * Records the result of a request with a token.
   *
   * @returns whether another attempt with a fresh token is useful
   */
  async answered(
    exchange: { readonly id: string; readonly status: number },
    token: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (exchange.status !== 401) {
      this.#isAccepted ||= exchange.status > 0;
      return false;
    }
    // Another request has renewed it in the meantime.
    if (token !== this.#current) return true;
    if (!this.#isAccepted || this.#fruitless >= MOST_FRUITLESS) return false;
    if (await this.#renew(signal)) return true;
    this.#exchanges.push(exchange.id);
    return false;
  }

  /** Records that a fresh token was refused like the previous one: the 401 is not caused by its age. */
  notAboutAge(): void {
    this.#fruitless += 1;
  }

  /** Notes for the reader of the report. */
  findings(): readonly RunFinding[] {
    const [first] = this.#failures;
    if (first === undefined) return [];
    return [
      {
        kind: 'credential',
        says: `The bearer token could not be renewed: ${first}`,
        help: 'Rules that need it are inconclusive or judged by refusals. Run the command of --token-command directly, and correct the reported problem.',
        exchanges: this.#exchanges.slice(0, 5),
      },
    ];
  }

  /** Whether there is another token now. Concurrent requests share one renewal. */
  #renew(signal: AbortSignal): Promise<boolean> {
    if (this.#failures.length >= MOST_FAILURES) return Promise.resolve(false);
    this.#renewal ??= this.#ask(signal).finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #ask(signal: AbortSignal): Promise<boolean> {
    try {
      const token = await this.#source.renew(signal);
      const isOther = token !== this.#current;
      if (isOther) this.#onNew(token);
      this.#current = token;
      // The same token again: it is used as long as it is accepted.
      this.#renewAt = isOther ? undefined : Number.POSITIVE_INFINITY;
      return isOther;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      this.#failures.push(error instanceof Error ? error.message : String(error));
      return false;
    }
  }
}

// --- internal ---

/**
 * How long before its expiry a token is renewed, in milliseconds; a short-lived one after four fifths of its
 * lifetime.
 */
const LONGEST_MARGIN_MS = 30_000;

/**
 * A token that is already expired when it is issued shows that the clocks differ: it is used as long as the
 * server accepts it.
 */
function renewalOf(expiresAt: number, now: number): number {
  const left = expiresAt - now;
  return left <= 0 ? Number.POSITIVE_INFINITY : expiresAt - Math.min(LONGEST_MARGIN_MS, left / 5);
}

/** How many fresh tokens may be refused like the previous ones. */
const MOST_FRUITLESS = 3;

const MOST_FAILURES = 3;

/** When a JSON Web Token expires (RFC 7519, section 4.1.4), in epoch milliseconds. */
function expiryOf(token: string): number | undefined {
  const payload = token.split('.')[1];
  if (payload === undefined || payload.length > LONGEST_PAYLOAD) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp?: unknown };
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

const LONGEST_PAYLOAD = 100_000;
