import type { ReplayRecord } from '../../contract/policies/idempotency-replay.ts';
import { SINGLE_USE } from '../../engine/keys.ts';
import { freeKey, heldAs, type HeldKey, knownOf } from '../../engine/memory-keys.ts';
import { type LocalStore, memoryStoreOf } from '../../engine/memory-store.ts';
import type { SeenStore } from '../../engine/memory-capacity.ts';
import type { EngineStore, InProcess, StoredResponse } from '../../engine/store.ts';
import type { Form } from '../../contract/index.ts';
import type { Answer } from '../call/answer.ts';

/** The keys of one API. Stored copies of answers are answers: they keep their text and their basis. */
export type AnswerStore = EngineStore<Answer> & InProcess & SeenStore;

/** A key for display: `stored` is the name that `keyId` makes. */
export type KeyEntry<Copy = Answer> = readonly [stored: string, record: ReplayRecord<Copy>];

/** A key whose call has ended. */
export type EndedKey<Copy> = Exclude<ReplayRecord<Copy>, { state: 'in-flight' }>;

/** The store that the engine uses, which can be inspected, edited and saved. */
export class KeyLedger<Copy extends Pick<StoredResponse, 'headers'> = Answer> {
  readonly store: LocalStore<Copy>;
  /** As in the store. */
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

  /** Calls back with each changed key, and whether only its charge changed. */
  watch(tell: (held: HeldKey<Copy>, isCharge: boolean) => void): void {
    this.#tell = tell;
  }

  /** Keys for display; an expired key is included until the store removes it. */
  *entries(): Generator<KeyEntry<Copy>> {
    for (const held of this.held.values()) {
      if (held.isReleased === true) continue;
      yield [storedName(held), endedRecord(held) ?? this.#known(held) ?? held.record];
    }
  }

  /** When the charges of keys expire, in epoch milliseconds. */
  *charges(): Generator<readonly [stored: string, until: number]> {
    for (const held of this.held.values())
      if ((held.chargedUntil ?? 0) > this.#now()) yield [storedName(held), held.chargedUntil ?? 0];
  }

  has(stored: string): boolean {
    const held = this.held.get(heldAs(...partsOfKeyId(stored)));
    return held !== undefined && this.#known(held) !== undefined;
  }

  /** Restores a stored key, and reports it; `undefined` removes the key. */
  put(stored: string, record: ReplayRecord<Copy> | undefined): void {
    const [scope, key] = partsOfKeyId(stored);
    const { chargedUntil = 0 } = this.held.get(heldAs(scope, key)) ?? {};
    // No call has the fence of a free key, so none owns the restored key.
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

  /** Lets a key whose call has ended expire now. */
  expire(stored: string): void {
    const held = this.held.get(heldAs(...partsOfKeyId(stored)));
    const record = held && endedRecord(held);
    if (record !== undefined) this.put(stored, { ...record, expiresAt: this.#now() });
  }

  #known(held: HeldKey<Copy>): ReplayRecord<Copy> | undefined {
    return knownOf(held, this.#now());
  }
}

/** The part of a key that survives its process; nothing for a call without an answer, and for a free key. */
export function rememberedAs<Copy>(held: HeldKey<Copy>): EndedKey<Copy> | undefined {
  return held.isReleased === true ? undefined : (endedRecord(held) ?? held.prepared);
}

/**
 * The form of such a record as JSON.
 *
 * @param response the form of the copied answer
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

/** The name of a caller's key in the store: keys of different callers never collide (open point A-10). */
export function keyId(scope: string, key: string): string {
  return `${scope}\n${key}`;
}

/** The scope and the key from a name of `keyId`. */
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
