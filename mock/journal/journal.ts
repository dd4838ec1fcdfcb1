import { createHash } from 'node:crypto';
import { maskedHeaders, type Masker, type SecrecyFacts } from '../../contract/secrecy/index.ts';
import { bodyText, type Answer } from '../call/answer.ts';
import type { CallNotes } from '../call/call.ts';
import { callerName } from '../call/caller.ts';
import type { EngineFinding } from '../call/engine.ts';
import type { Delivery } from '../../engine/delivery.ts';
import type { RawRequest } from '../call/exchange.ts';
import type { FrontRequest } from '../call/front.ts';
import { hiddenFinding, hiddenTrail, maskerOf } from './exchange-masker.ts';
import { RingBuffer } from './ring-buffer.ts';

/** One exchange, with the decisions that led to its answer. */
export interface JournalEntry {
  /** Increases from 1 over the life of the mock. */
  readonly number: number;
  /** The id in the answer. */
  readonly id: string;
  /** Epoch milliseconds of the mock's clock. */
  readonly at: number;
  readonly durationMs: number;
  readonly api: string;
  readonly operation: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly caller: string | undefined;
  readonly key: string | undefined;
  readonly model: string | undefined;
  readonly scenario: string | undefined;
  readonly replayed: boolean;
  /** Absent if the contract does not state it, and if no run was requested. */
  readonly billed: boolean | undefined;
  /** Unknown until the answer was sent. */
  readonly delivery: Delivery | undefined;
  readonly trail: readonly TrailStep[];
  /** Open points that the answer depends on. */
  readonly assumptions: readonly string[];
  /**
   * Prism's findings about the request and the answer. Those about the request include violations of the model's
   * schema.
   */
  readonly requestFindings: readonly EngineFinding[];
  readonly responseFindings: readonly EngineFinding[];
  readonly request: JournalMessage;
  readonly response: JournalMessage;
}

/** A request or an answer in the journal. */
export interface JournalMessage {
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Truncated after some kilobytes. */
  readonly body: string;
}

/** One decision of one behaviour; `because` names a rule or an open point. */
export interface TrailStep {
  readonly step: string;
  readonly decision: string;
  readonly because?: string;
}

/** The record of an answer. It becomes an entry only when the journal is read. */
export interface Record {
  readonly id: string;
  readonly at: number;
  readonly answeredAt: number;
  readonly api: string;
  readonly operation: string | undefined;
  readonly request: FrontRequest;
  readonly answer: Answer;
  readonly facts: CallNotes;
  readonly trail: readonly TrailStep[];
  readonly requestFindings: readonly EngineFinding[];
  readonly responseFindings: readonly EngineFinding[];
  readonly secrecy: SecrecyFacts;
  /** What it carries in places for secrets; if absent, this is searched for. */
  readonly secrets?: readonly string[];
  /** Of both bodies, in bytes. */
  readonly size: number;
}

interface Kept {
  readonly record: Record;
  delivery: Delivery | undefined;
}

/** A short form of an exchange, for statistics over many. */
export interface Outline {
  readonly number: number;
  readonly caller: string | undefined;
  readonly key: string | undefined;
  readonly model: string | undefined;
  /** Whether it could be charged, which reads cannot. */
  readonly isRun: boolean;
  readonly dispatched: boolean;
  readonly replayed: boolean;
  readonly billed: boolean | undefined;
  /** Epoch milliseconds of the mock's clock. */
  readonly answeredAt: number;
  readonly bodyHash: () => string;
}

/**
 * The latest exchanges, oldest first. Their number and the size of their bodies are limited; the oldest are
 * dropped first.
 */
export class Journal {
  readonly #capacity: number;
  readonly #mostBytes: number;
  readonly #records: RingBuffer<Kept>;
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  /** Of the bodies in `records`, in bytes. */
  #size = 0;
  /** The exchanges that were cleared last. They can be restored. */
  #cleared: readonly (readonly [number: number, kept: Kept])[] = [];

  /** @param options.mostBytes of the bodies of all exchanges */
  constructor(options: { readonly capacity: number; readonly mostBytes?: number }) {
    this.#capacity = options.capacity;
    this.#mostBytes = options.mostBytes ?? MOST_BYTES;
    this.#records = new RingBuffer(options.capacity + 1);
  }

  /** Records an exchange. Call the returned function with the delivery of its answer. */
  write(record: Record): (delivery: Delivery) => void {
    const kept: Kept = { record, delivery: undefined };
    const number = this.#records.add(kept);
    this.#size += record.size;
    this.#makeRoom();
    return (delivery) => {
      kept.delivery = delivery;
      if (this.#listeners.size === 0) return;
      const entry = this.#entry(number, kept);
      for (const listener of this.#listeners) listener(entry);
    };
  }

  /** The number of the latest exchange; 0 before the first. */
  get latest(): number {
    return this.#records.latest;
  }

  /** The entries after a number, oldest first. */
  entries(options: { readonly since?: number } = {}): JournalEntry[] {
    const { since = 0 } = options;
    return [...this.#records]
      .filter(([number]) => number > since)
      .map(([number, kept]) => this.#entry(number, kept));
  }

  entry(number: number): JournalEntry | undefined {
    const kept = this.#records.get(number);
    return kept === undefined ? undefined : this.#entry(number, kept);
  }

  /** The request of an exchange as received, with its credential. */
  request(number: number): RawRequest | undefined {
    return this.#records.get(number)?.record.request.raw;
  }

  /** The number of the exchange of this request object, and what hides its secrets. */
  find(raw: RawRequest): { readonly number: number; readonly hide: Masker } | undefined {
    const { latest, length } = this.#records;
    for (let number = latest; number > latest - length; number -= 1) {
      const record = this.#records.get(number)?.record;
      if (record?.request.raw === raw) return { number, hide: maskerOf(record) };
    }
    return undefined;
  }

  /** Short forms of all exchanges, oldest first. */
  outlines(): Outline[] {
    return [...this.#records].map(([number, { record }]) => {
      const { facts, request } = record;
      return {
        number,
        caller: callerOf(facts),
        key: facts.idempotencyKey,
        model: facts.modelId,
        isRun: request.method === 'POST',
        dispatched: facts.dispatched === true,
        replayed: facts.replayed === true,
        billed: facts.billed,
        answeredAt: record.answeredAt,
        bodyHash: () => createHash('sha256').update(request.raw.body).digest('base64'),
      };
    });
  }

  /** Calls back with each entry whose delivery becomes known; the returned function stops that. */
  watch(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  clear(): void {
    const taken = this.#records.take();
    if (taken.length > 0) this.#cleared = taken;
    this.#size = 0;
  }

  /** Restores the cleared exchanges, as far as there is room. */
  bringBack(): void {
    this.#records.putBack(this.#cleared);
    this.#cleared = [];
    this.#size = [...this.#records].reduce((sum, [, { record }]) => sum + record.size, 0);
    this.#makeRoom();
  }

  #makeRoom(): void {
    const { length } = this.#records;
    if (length <= this.#capacity && (this.#size <= this.#mostBytes || length === 1)) return;
    this.#size -= this.#records.dropOldest()?.record.size ?? 0;
    this.#makeRoom();
  }

  #entry(number: number, { record, delivery }: Kept): JournalEntry {
    const { request, answer, facts } = record;
    const hide = maskerOf(record);
    const trail = hiddenTrail(record.trail, hide);
    const assumptions = trail.flatMap(({ because }) => (because?.startsWith('A-') === true ? [because] : []));
    return {
      number,
      id: record.id,
      at: record.at,
      // A snapshot that is restored meanwhile can set the clock back.
      durationMs: Math.max(0, record.answeredAt - record.at),
      api: record.api,
      operation: record.operation,
      method: request.method,
      target: hide(request.raw.target),
      status: answer.cut === true ? 0 : answer.status,
      caller: callerOf(facts),
      key: facts.idempotencyKey,
      model: facts.modelId,
      scenario: facts.scenario,
      replayed: facts.replayed === true,
      billed: facts.billed,
      delivery,
      trail,
      assumptions: [...new Set(assumptions)],
      requestFindings: [...record.requestFindings, ...(facts.inputFindings ?? [])].map((finding) =>
        hiddenFinding(finding, hide),
      ),
      responseFindings: record.responseFindings.map((finding) => hiddenFinding(finding, hide)),
      request: {
        headers: maskedHeaders(Object.entries(request.headers), hide),
        body: shownBody(request.raw.body, hide),
      },
      response: {
        headers: maskedHeaders(answer.headers, hide),
        body: shownText(bodyText(answer.body), hide),
      },
    };
  }
}

// --- internal ---

/** The caller for display. */
export function callerOf({ caller }: CallNotes): string | undefined {
  return caller === undefined ? undefined : callerName(caller.scope);
}

const LONGEST_BODY = 16_384;

/** The bodies of archives and pictures are left out, because they would fill the memory. */
const MOST_BYTES = 64 * 2 ** 20;

const decoder = new TextDecoder();

function shownBody(body: Uint8Array, hide: Masker): string {
  return shownText(decoder.decode(body.subarray(0, LONGEST_IN_UTF8 * (LONGEST_BODY + hide.margin))), hide);
}

/** The maximum number of bytes for a UTF-16 unit. */
const LONGEST_IN_UTF8 = 3;

function shownText(text: string, hide: Masker): string {
  const window = text.slice(0, LONGEST_BODY + hide.margin);
  const shown = hide(window, Math.min(LONGEST_BODY, window.length), window.length < text.length);
  return text.length > LONGEST_BODY ? `${shown}…` : shown;
}
