import { claimInTime, giveBack } from './key-claim.ts';
import type { KeyContext } from './key-context.ts';

/**
 * Whether a call may charge its key. `lost`: an earlier call charged the key or ran on its charge, did not pass the key on,
 * and its record is gone. Its answer may have arrived, so no other answer may be given.
 */
export type ChargeState = 'free' | 'charged' | 'lost';

/**
 * The charge of a key in a store that several processes share. It is a claim of its own, because it outlasts calls that
 * release their key, and survives the record of the key. Each further run of a charged key claims a place behind the
 * one before it, which that run has to have left.
 */
export class KeyCharge<Copy> {
  readonly #context: KeyContext<Copy>;
  readonly #windowMs: number;
  /** The place of this call. */
  #fence: string | undefined;

  constructor(context: KeyContext<Copy>, windowMs: number) {
    this.#context = context;
    this.#windowMs = windowMs;
  }

  /**
   * Takes the first free place.
   *
   * @param hasEnded whether the call has ended meanwhile; then the place is given back
   * @throws when the store does not answer
   */
  async take(hasEnded: () => boolean): Promise<ChargeState> {
    const { scope } = this.#context;
    for (let run = 0; run < MOST_RUNS; run += 1) {
      const context = {
        ...this.#context,
        scope: run === 0 ? `${scope} charged` : `${scope} charged ${String(run)}`,
      };
      const { claim } = await claimInTime(context, 'charge', this.#windowMs);
      if (claim.state === 'consumed') continue;
      if (claim.state !== 'new') return 'lost';
      if (hasEnded()) {
        await giveBack(context, claim.fence);
        return 'charged';
      }
      this.#fence = claim.fence;
      return run === 0 ? 'free' : 'charged';
    }
    return 'charged';
  }

  /** Whether this call has a place that it can pass on. */
  get isTaken(): boolean {
    return this.#fence !== undefined;
  }

  /** Lets another call run with the key, because this one gave no answer that counts. */
  async passOn(): Promise<void> {
    if (this.#fence !== undefined) await this.#context.ports.store.consume(this.#fence, this.#windowMs);
  }
}

// --- internal ---

/** Each place is one more command. A key that failed so often runs on without this protection. */
const MOST_RUNS = 10;
