import type { Call, CallNotes } from './call.ts';
import type { Delivery } from '../../engine/delivery.ts';
import type { TrailStep } from '../journal/journal.ts';

/**
 * The initial state of a call. It is a class, because V8 gives every object literal with a getter its own
 * hidden class, which outlives the call and keeps everything that belongs to it in memory.
 */
export class BegunCall implements Call {
  readonly id: Call['id'];
  readonly request: Call['request'];
  readonly match: Call['match'];
  readonly operation: Call['operation'];
  readonly findings: Call['findings'];
  readonly violations: Call['findings'];
  readonly startedAt: Call['startedAt'];
  readonly facts: CallNotes;
  readonly #trail: TrailStep[];
  readonly #settlers: ((delivery: Delivery) => void)[] = [];
  #signalOf: () => AbortSignal;

  /** `trail` receives the steps; `signalOf` makes the signal on first use. */
  constructor(
    begun: Omit<Call, 'signal' | 'narrowSignal' | 'note' | 'afterDelivery'>,
    trail: TrailStep[],
    signalOf: () => AbortSignal,
  ) {
    this.id = begun.id;
    this.request = begun.request;
    this.match = begun.match;
    this.operation = begun.operation;
    this.findings = begun.findings;
    this.violations = begun.violations ?? [];
    this.startedAt = begun.startedAt;
    this.facts = begun.facts;
    this.#trail = trail;
    this.#signalOf = signalOf;
  }

  get signal(): AbortSignal {
    return this.#signalOf();
  }

  narrowSignal(make: (outer: AbortSignal) => AbortSignal): () => void {
    const outer = this.#signalOf;
    let made: AbortSignal | undefined;
    this.#signalOf = () => (made ??= make(outer()));
    return () => {
      this.#signalOf = outer;
    };
  }

  note(step: string, decision: string, because?: string): void {
    this.#trail.push(because === undefined ? { step, decision } : { step, decision, because });
  }

  afterDelivery(settle: (delivery: Delivery) => void): void {
    this.#settlers.push(settle);
  }

  /**
   * The delivery of the answer is known. The journal keeps a call for long, so everything that ends with the
   * call is released here.
   */
  settle(delivery: Delivery): void {
    for (const settle of this.#settlers.splice(0)) settle(delivery);
  }
}
