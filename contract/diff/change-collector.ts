import type { Contract, MediaType, Schema } from '../model.ts';
import { joinPointer } from '../pointer.ts';
import { maskedAddresses } from '../secrecy/addresses.ts';
import {
  type ContractPointer,
  type Change,
  type Effects,
  type FoundChange,
  type Party,
  placeOf,
  worse,
} from './change.ts';
import type { ChangeKind } from './kinds.ts';
import { SchemaPairs } from './schemas/compare.ts';
import type { Way } from './schemas/comparing.ts';
import { Schemas } from './schemas/flat.ts';

/** A change that does not concern a schema. */
export interface ChangeEntry extends Partial<Effects> {
  readonly kind: ChangeKind;
  readonly says: string;
  readonly reason?: string;
  readonly before: string | ContractPointer;
  readonly after: string | ContractPointer;
  readonly operations?: readonly string[];
}

/** One side of a transmitted value: a parameter, a header or a body. */
export interface TransmittedValue {
  readonly schema: Schema | undefined;
  readonly pointer: string;
}

/** Collects the changes between two contracts. */
export class ChangeCollector {
  readonly old: Contract;
  readonly new: Contract;
  readonly schemas: { readonly old: Schemas; readonly new: Schemas };
  readonly #pairs: SchemaPairs;
  readonly #found: FoundChange[] = [];

  constructor(old: Contract, contract: Contract) {
    this.old = old;
    this.new = contract;
    this.schemas = { old: new Schemas(old), new: new Schemas(contract) };
    this.#pairs = new SchemaPairs(this.schemas.old, this.schemas.new);
  }

  /** A party without an effect is not affected. */
  add({
    kind,
    says,
    reason,
    before,
    after,
    operations = [],
    callers = 'none',
    servers = 'none',
  }: ChangeEntry): void {
    const at = (side: string | ContractPointer): ContractPointer =>
      typeof side === 'string' ? { pointer: side } : side;
    this.#found.push({
      ...{ kind, says: maskedAddresses(says), callers, servers, operations },
      ...(reason === undefined ? {} : { reason }),
      ...{ before: at(before), after: at(after) },
    });
  }

  /** Compares two schemas and everything that they refer to. */
  compare(
    before: TransmittedValue,
    after: TransmittedValue,
    way: Way,
    label: string,
    operation: string | undefined,
  ): void {
    this.#pairs.add(
      this.schemas.old.node(before.schema, before.pointer, label),
      this.schemas.new.node(after.schema, after.pointer, label),
      way,
      operation,
    );
  }

  /** Whether the two schemas of a component have already been compared. */
  hasCompared(name: string): boolean {
    const [before, after] = [this.schemas.old.named(name), this.schemas.new.named(name)];
    return before !== undefined && after !== undefined && this.#pairs.hasCompared(before, after);
  }

  /** All changes, each once with all its operations: breaking changes first, then by place. */
  changes(): Change[] {
    const merged = new Map<string, FoundChange>();
    for (const found of [...this.#found, ...this.#pairs.found()]) {
      const key = [found.kind, found.says, found.before.in, found.before.pointer, found.after.pointer].join(
        '\n',
      );
      const known = merged.get(key);
      merged.set(key, known === undefined ? found : together(known, found));
    }
    return [...merged.values()]
      .map((found): Change => ({
        ...found,
        before: placeOf(this.old, found.before),
        after: placeOf(this.new, found.after),
      }))
      .sort(byWeightAndPlace);
  }
}

export const otherParty = (party: Party): Party => (party === 'callers' ? 'servers' : 'callers');

/** The schema of a media type, with its place. */
export function carriedBy({ schema, pointer }: Pick<MediaType, 'schema' | 'pointer'>): TransmittedValue {
  return { schema, pointer: joinPointer(pointer, 'schema') };
}

// --- internal ---

function together(a: FoundChange, b: FoundChange): FoundChange {
  return {
    ...a,
    callers: worse(a.callers, b.callers),
    servers: worse(a.servers, b.servers),
    operations: [...new Set([...a.operations, ...b.operations])].sort(),
  };
}

function byWeightAndPlace(a: Change, b: Change): number {
  const weight = (change: Change): number => {
    const worst = worse(change.callers, change.servers);
    return { wire: 0, code: 1, unknown: 2, none: 3 }[worst];
  };
  const line = ({ after, before }: Change): number => after?.line ?? before?.line ?? 0;
  return weight(a) - weight(b) || line(a) - line(b) || (a.says < b.says ? -1 : a.says > b.says ? 1 : 0);
}
