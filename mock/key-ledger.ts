import type { ReplayRecord } from '../contract/policies/idempotency-replay.ts';
import { chargesOf } from '../engine/keys.ts';
import { heldAs, type HeldKey, knownOf, type MemoryStore, memoryStoreOf } from '../engine/memory-store.ts';
import type { Answer } from './answer.ts';

/** The keys of one API. Copies of answers are answers: they keep their text, and what they rest on. */
export type AnswerStore = MemoryStore<Answer>;

/** A key as it is shown: `stored` is the name that `keyId` makes. */
export type KeyEntry = readonly [stored: string, record: ReplayRecord<Answer>];

/** The store that the engine uses, to be looked into, changed by hand, and kept. */
export class KeyLedger {
  readonly store: AnswerStore;
  /** As the store holds them. */
  readonly held = new Map<string, HeldKey<Answer>>();
  readonly #now: () => number;
  #tell: (held: HeldKey<Answer>) => void = () => undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.store = memoryStoreOf<Answer>({
      now,
      keys: this.held,
      changed: (held) => {
        this.#tell(held);
      },
    });
  }

  /** Calls back with each key that changes from now on. */
  watch(tell: (held: HeldKey<Answer>) => void): void {
    this.#tell = tell;
  }

  /** Keys as they are shown: one that expired is there until the store drops it. */
  *entries(): Generator<KeyEntry> {
    for (const held of this.held.values()) {
      if (isCharge(held) || held.isReleased === true) continue;
      yield [storedName(held), this.#known(held) ?? held.record];
    }
  }

  /** Until when keys count as charged, in epoch milliseconds. */
  *charges(): Generator<readonly [stored: string, until: number]> {
    for (const held of this.held.values())
      if (isCharge(held) && this.#known(held) !== undefined) yield [storedName(held), held.leaseUntil];
  }

  has(stored: string): boolean {
    const held = this.held.get(heldAs(...partsOf(stored)));
    return held !== undefined && this.#known(held) !== undefined;
  }

  /** Puts a key as it was kept; one that is undefined is forgotten. */
  put(stored: string, record: ReplayRecord<Answer> | undefined): void {
    const [scope, key] = partsOf(stored);
    const isReleased = record === undefined;
    const held = { scope, key, fence: '', record: record ?? NOBODYS, leaseUntil: 0, isReleased };
    if (record === undefined) this.held.delete(heldAs(scope, key));
    else this.held.set(heldAs(scope, key), held);
    this.#tell(held);
  }

  putCharge(stored: string, until: number): void {
    const [scope, key] = partsOf(stored);
    const held = { scope: chargesOf(scope), key, fence: '', record: NOBODYS, leaseUntil: until };
    this.held.set(heldAs(held.scope, key), held);
  }

  /** A key whose call has ended expires now. */
  expire(stored: string): void {
    const held = this.held.get(heldAs(...partsOf(stored)));
    if (held === undefined || held.record.state === 'in-flight') return;
    this.put(stored, { ...held.record, expiresAt: this.#now() });
  }

  #known(held: HeldKey<Answer>): ReplayRecord<Answer> | undefined {
    return knownOf(held, this.#now());
  }
}

/** Whether what is held says that a key was charged. */
export function isCharge({ scope }: Pick<HeldKey<Answer>, 'scope'>): boolean {
  return scope.endsWith(CHARGES);
}

/** The name of a held key, or of the key that a charge is for. */
export function storedName(held: Pick<HeldKey<Answer>, 'scope' | 'key'>): string {
  return keyId(isCharge(held) ? held.scope.slice(0, -CHARGES.length) : held.scope, held.key);
}

/** The name under which a caller's key is kept: keys of different callers never meet (open point A-10). */
export function keyId(scope: string, key: string): string {
  return `${scope}\n${key}`;
}

// --- internal ---

const CHARGES = chargesOf('');

const NOBODYS = { state: 'in-flight', bodyHash: 'charge', fence: '' } as const;

function partsOf(stored: string): [scope: string, key: string] {
  const split = stored.indexOf('\n');
  return [stored.slice(0, split), stored.slice(split + 1)];
}
