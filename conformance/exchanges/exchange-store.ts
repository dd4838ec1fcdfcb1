import { makeBreather } from '../http/abortable.ts';
import { storeExchange } from './evidence.ts';
import type { EvidenceOptions } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type { Look, Oracle } from '../oracle.ts';
import { Hindered } from '../scenarios/hindered.ts';
import { Tally, readError } from '../verdicts/outcome.ts';
import type { Outcome } from '../verdicts/outcome.ts';
import type { RunFinding, StoredExchange } from '../verdicts/report.ts';
import type { Check, Observation } from '../scenarios/scenario.ts';
import { masker } from '../../contract/secrecy/index.ts';
import type { Gap } from '../verdicts/verdict.ts';

/** A part of what a store has, for another one. */
export interface StoredPart {
  readonly items: readonly (Check | Observation)[];
  readonly gaps: ReadonlyMap<string, Gap>;
  readonly exchanges: readonly StoredExchange[];
  readonly shortened: number;
}

export interface StoreOptions extends Pick<EvidenceOptions, 'masks' | 'secrecy' | 'keepBytes'> {
  readonly oracles: readonly Oracle[];
  readonly memory: MemoryBudget;
  readonly startedAt: number;
  /** Aborted when the run is to end. */
  readonly signal: AbortSignal;
  readonly report: (finding: RunFinding) => void;
  /**
   * How many of the latest exchanges are kept; if absent, all. Oracles that follow exchanges are reset after
   * ten times as many, so that their memory is bounded.
   */
  readonly most?: number;
  /** How long oracles may look at one exchange, in milliseconds; default: without limit. Then its rules are left open. */
  readonly longestMs?: number;
  /** Called with the judgements of oracles about an exchange. */
  readonly onCheck?: (check: Check) => void;
}

/**
 * The exchanges of a run. Each is complete as long as its scenario may use it. Then the oracles judge it, and
 * only its stored form remains.
 */
export class ExchangeStore {
  readonly #options: StoreOptions;
  #looks: readonly { readonly oracle: Oracle; readonly look: Look }[];
  #looked = 0;
  readonly #whole = new Map<string, Exchange[]>();
  readonly #stored: StoredExchange[] = [];
  readonly #tally = new Tally();
  readonly #gaps = new Map<string, Gap>();
  readonly #strange = new Set<string>();
  /** Of `stored`, in characters of JSON. */
  readonly #lengths: number[] = [];
  #storedLength = 0;
  #shortened = 0;
  #hurryAt = Number.POSITIVE_INFINITY;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#looks = looksOf(options.oracles);
    const hurry = (): void => void (this.#hurryAt = performance.now() + HURRY_MS);
    if (options.signal.aborted) hurry();
    else options.signal.addEventListener('abort', hurry, { once: true });
  }

  keep(exchange: Exchange): void {
    const whole = this.#whole.get(exchange.scenario);
    if (whole === undefined) this.#whole.set(exchange.scenario, [exchange]);
    else whole.push(exchange);
  }

  /** Oracles conclude nothing from earlier exchanges any more. */
  forget(): void {
    this.#looks = looksOf(this.#options.oracles);
  }

  /** Exchanges with a server that is not the API: no oracle judges them. */
  excludeFromOracles(ids: Iterable<string>): void {
    for (const id of ids) this.#strange.add(id);
  }

  /**
   * Stores the exchanges of a scenario or a resource. If one broke a rule, all are kept so that they can be
   * repeated, together with the values that later requests took from the answers.
   */
  async settle(owner: string, checks: readonly Check[]): Promise<void> {
    const exchanges = this.#whole.get(owner) ?? [];
    this.#whole.delete(owner);
    let isBroken = checks.some(({ outcome }) => outcome === 'fail');
    for (const exchange of exchanges) isBroken = (await this.#consult(exchange)) || isBroken;
    const breathe = makeBreather();
    for (const exchange of exchanges) {
      this.#store(exchange, isBroken);
      await breathe();
    }
  }

  /** What came since the last call. This store does not keep it. */
  take(): StoredPart {
    const part = {
      ...{ items: this.#tally.take(), gaps: new Map(this.#gaps) },
      ...{ exchanges: this.#stored.splice(0), shortened: this.#shortened },
    };
    this.#gaps.clear();
    this.#lengths.splice(0);
    this.#storedLength = 0;
    this.#shortened = 0;
    return part;
  }

  /** Adds what another store gave. */
  add({ items, gaps, exchanges, shortened }: StoredPart): void {
    for (const item of items) this.#tally.add(item);
    for (const [rule, gap] of gaps) this.#note(rule, gap);
    for (const exchange of exchanges) this.#push(exchange);
    this.#shortened += shortened;
  }

  /** Stores the remaining exchanges, and returns all with the judgements of the oracles. */
  async close(): Promise<{
    readonly exchanges: readonly StoredExchange[];
    readonly outcome: Outcome;
    /** How many exchanges lost their bodies, to limit the size of the report. */
    readonly shortened: number;
  }> {
    // Work in progress ends when the run is stopped.
    await new Promise((resolve) => setImmediate(resolve));
    for (const owner of [...this.#whole.keys()]) await this.settle(owner, []);
    const exchanges = this.#stored.sort((a, b) => a.id.localeCompare(b.id));
    for (const oracle of this.#options.oracles) this.#sumUp(oracle, exchanges);
    const { checks, observations } = this.#tally;
    return {
      exchanges,
      outcome: { checks, observations, gaps: this.#gaps },
      shortened: this.#shortened,
    };
  }

  /** Whether an oracle found a broken rule in it. */
  async #consult(exchange: Exchange): Promise<boolean> {
    if (exchange.answer === undefined || this.#strange.has(exchange.id)) return false;
    this.#looked += 1;
    const { most = Number.POSITIVE_INFINITY, longestMs = Number.POSITIVE_INFINITY } = this.#options;
    const ends = performance.now() + longestMs;
    if (this.#looked % (10 * most) === 0) this.forget();
    let found = false;
    const breathe = makeBreather();
    for (const { oracle, look } of this.#looks) {
      const { api, judges } = oracle;
      if (api !== exchange.api) continue;
      const judged = new Set<string>();
      try {
        for (const item of look(exchange)) {
          const shown = this.#masked(item);
          this.#tally.add(shown);
          if (shown.kind === 'check') {
            judged.add(shown.rule);
            this.#options.onCheck?.(shown);
          }
          if (item.kind === 'check' && item.outcome === 'fail') found = true;
          await breathe();
          if (performance.now() > this.#hurryAt) throw this.#options.signal.reason;
          if (performance.now() > ends)
            throw new Hindered(`${exchange.id} takes longer to judge than ${longestMs} ms`, [exchange.id]);
        }
      } catch (error) {
        // A crash of an oracle must not lose the report.
        const { gap, finding } = readError(error, `an oracle that looked at ${exchange.id}`);
        for (const rule of judges) if (!judged.has(rule)) this.#note(rule, gap);
        if (finding !== undefined) this.#options.report(finding);
      }
    }
    return found;
  }

  /** Masked at once: a proxy forgets the secrets of earlier exchanges, and callers of `onCheck` print it. */
  #masked(item: Check | Observation): Check | Observation {
    if (item.kind === 'check' && item.outcome === 'pass') return item;
    const hide = masker(this.#options.masks, this.#options.secrecy);
    if (item.kind === 'observation') return { ...item, seen: hide(item.seen) };
    return { ...item, expected: hide(item.expected), got: hide(item.got) };
  }

  #sumUp({ api, judges, sumUp }: Oracle, exchanges: readonly StoredExchange[]): void {
    const answered = exchanges.filter(
      ({ id, api: asked, answer }) => asked === api && answer !== undefined && !this.#strange.has(id),
    );
    try {
      for (const item of sumUp?.(answered) ?? []) this.#tally.add(item);
    } catch (error) {
      const { gap, finding } = readError(error, `an oracle of the ${api} API`);
      const judged = new Set(this.#tally.checks.map(({ rule }) => rule));
      for (const rule of judges) if (!judged.has(rule)) this.#note(rule, gap);
      if (finding !== undefined) this.#options.report(finding);
    }
  }

  #note(rule: string, gap: Gap): void {
    if (!this.#gaps.has(rule) || gap.verdict === 'error') this.#gaps.set(rule, gap);
  }

  #store(exchange: Exchange, isBroken: boolean): void {
    const { masks, secrecy, startedAt, memory, keepBytes } = this.#options;
    const isFull = this.#storedLength > MOST_STORED;
    if (isFull) this.#shortened += 1;
    const stored = storeExchange(exchange, startedAt, {
      ...{ masks, secrecy },
      keepBytes: isFull ? 0 : isBroken ? (keepBytes ?? KEEP_REPEATED) : keepBytes,
      ...(isBroken ? { keepSentBytes: isFull ? KEEP_WHEN_FULL : KEEP_REPEATED } : {}),
    });
    memory.giveBack(exchange.id);
    this.#push(stored);
  }

  #push(stored: StoredExchange): void {
    const { most } = this.#options;
    const length = JSON.stringify(stored).length;
    this.#stored.push(stored);
    this.#lengths.push(length);
    this.#storedLength += length;
    if (this.#stored.length <= (most ?? Number.POSITIVE_INFINITY)) return;
    this.#stored.shift();
    this.#storedLength -= this.#lengths.shift() ?? 0;
  }
}

// --- internal ---

function looksOf(oracles: readonly Oracle[]): readonly { readonly oracle: Oracle; readonly look: Look }[] {
  return oracles.flatMap((oracle) =>
    [oracle.look, oracle.follow?.()].flatMap((look) => (look === undefined ? [] : { oracle, look })),
  );
}

/** How long oracles may continue after the run was stopped, in milliseconds. */
const HURRY_MS = 3000;

/**
 * Characters of JSON. A report in one format must fit into one JavaScript string, whose limit is four times
 * as long.
 */
const MOST_STORED = 128 * 1024 * 1024;

/** Characters of a body that are kept if a scenario that broke a rule is to be repeated. */
const KEEP_REPEATED = 65_536;
const KEEP_WHEN_FULL = 1024;
