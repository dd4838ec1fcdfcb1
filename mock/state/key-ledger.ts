import type { ReplayRecord } from '../../contract/policies/idempotency-replay.ts';
import { SINGLE_USE } from '../../engine/keys.ts';
import {
  freeKey,
  heldAs,
  type HeldKey,
  knownOf,
  type LocalStore,
  memoryStoreOf,
  type SeenStore,
} from '../../engine/memory-store.ts';
import type { AskedStore, InProcess, StoredResponse } from '../../engine/store.ts';
import type { Form } from '../../contract/index.ts';
import type { Answer } from '../call/answer.ts';

/** The keys of one API. Copies of answers are answers: they keep their text, and what they rest on. */
export type AnswerStore = AskedStore<Answer> & InProcess & SeenStore;

/** A key as it is shown: `stored` is the name that `keyId` makes. */
export type KeyEntry<Copy = Answer> = readonly [stored: string, record: ReplayRecord<Copy>];

/** A key whose call has ended. */
export type EndedKey<Copy> = Exclude<ReplayRecord<Copy>, { state: 'in-flight' }>;

/** The store that the engine uses, to be looked into, changed by hand, and kept. */
export class KeyLedger<Copy extends Pick<StoredResponse, 'headers'> = Answer> {
  readonly store: LocalStore<Copy>;
  /** As the store holds them. */
  readonly held = new Map<string, HeldKey<Copy>>();
  readonly #now: () => number;
  #tell: (held: HeldKey<Copy>, isCharge: boolean) => void = () => undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.store = memoryStoreOf<Copy>({
      now,
      keys: this.held,
      changed: (held, isCharge) => {
        this.#tell(held, isCharge);
      },
    });
  }

  /** Calls back with each key that changes from now on, and whether it was charged only. */
  watch(tell: (held: HeldKey<Copy>, isCharge: boolean) => void): void {
    this.#tell = tell;
  }

  /** Keys as they are shown: one that expired is there until the store drops it. */
  *entries(): Generator<KeyEntry<Copy>> {
    for (const held of this.held.values()) {
      if (held.isReleased === true) continue;
      yield [storedName(held), endedRecord(held) ?? this.#known(held) ?? held.record];
    }
  }

  /** Until when keys count as charged, in epoch milliseconds. */
  *charges(): Generator<readonly [stored: string, until: number]> {
    for (const held of this.held.values())
      if ((held.chargedUntil ?? 0) > this.#now()) yield [storedName(held), held.chargedUntil ?? 0];
  }

  has(stored: string): boolean {
    const held = this.held.get(heldAs(...partsOfKeyId(stored)));
    return held !== undefined && this.#known(held) !== undefined;
  }

  /** Puts a key as it was kept, and reports it; one that is undefined is forgotten. */
  put(stored: string, record: ReplayRecord<Copy> | undefined): void {
    const [scope, key] = partsOfKeyId(stored);
    const { chargedUntil = 0 } = this.held.get(heldAs(scope, key)) ?? {};
    // No call has the fence of a free key, so none owns what is put there.
    const free = { ...freeKey<Copy>(scope, key), chargedUntil };
    const held = record === undefined ? free : { ...free, record, isReleased: false };
    this.held.set(heldAs(scope, key), held);
    this.#tell(held, false);
  }

  putCharge(stored: string, until: number): void {
    const [scope, key] = partsOfKeyId(stored);
    const held = this.held.get(heldAs(scope, key)) ?? freeKey<Copy>(scope, key);
    this.held.set(heldAs(scope, key), { ...held, chargedUntil: until });
  }

  /** A key whose call has ended expires now. */
  expire(stored: string): void {
    const held = this.held.get(heldAs(...partsOfKeyId(stored)));
    const record = held && endedRecord(held);
    if (record !== undefined) this.put(stored, { ...record, expiresAt: this.#now() });
  }

  #known(held: HeldKey<Copy>): ReplayRecord<Copy> | undefined {
    return knownOf(held, this.#now());
  }
}

/** What is left of a key when its process dies; nothing while its call has come to no answer, and of one that is free. */
export function rememberedAs<Copy>(held: HeldKey<Copy>): EndedKey<Copy> | undefined {
  return held.isReleased === true ? undefined : (endedRecord(held) ?? held.prepared);
}

/**
 * The form of such a record as JSON.
 *
 * @param response that of the copy of an answer
 */
export function recordForm<const Response extends Form>(response: Response) {
  const ended = { state: 'string', bodyHash: 'string', expiresAt: 'number' } as const;
  const required = ['state', 'bodyHash', 'expiresAt'] as const;
  return {
    by: 'state',
    cases: {
      recorded: { members: { ...ended, response }, required: [...required, 'response'] },
      consumed: { members: ended, required },
      collecting: { members: ended, required },
    },
  } as const;
}

/** The same record with another copy of the answer. */
export function withCopy<From, To>(record: EndedKey<From>, copy: (response: From) => To): EndedKey<To> {
  return record.state === 'recorded' ? { ...record, response: copy(record.response) } : record;
}

/** The name of a held key. */
export function storedName({ scope, key }: Pick<HeldKey, 'scope' | 'key'>): string {
  return keyId(scope, key);
}

/** The name under which a caller's key is kept: keys of different callers never meet (open point A-10). */
export function keyId(scope: string, key: string): string {
  return `${scope}\n${key}`;
}

/** Scope and key, of which `keyId` made a name. */
export function partsOfKeyId(stored: string): [scope: string, key: string] {
  const split = stored.indexOf('\n');
  return [stored.slice(0, split), stored.slice(split + 1)];
}

// --- internal ---

/** A single-use key is used up by its claim, because the effect of its call is unknown. */
function endedRecord<Copy>({ record, leaseUntil }: HeldKey<Copy>): EndedKey<Copy> | undefined {
  if (record.state !== 'in-flight') return record;
  const { bodyHash } = record;
  return bodyHash === SINGLE_USE ? { state: 'consumed', bodyHash, expiresAt: leaseUntil } : undefined;
}
