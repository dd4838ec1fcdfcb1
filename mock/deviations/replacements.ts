import type { preconditionOf } from '../../contract/policies/conditional-write.ts';
import type { TableView } from '../enacted/tables.ts';
import type { KeyedAnswers } from '../../engine/keyed.ts';
import type { HeldKey } from '../../engine/memory-keys.ts';
import type { ServedOperation } from '../../engine/served-api.ts';
import type { ModuleMechanisms } from '../apis/mechanisms.ts';
import type { Answer } from '../call/answer.ts';
import type { Call } from '../call/call.ts';
import type { Clock } from '../state/clock.ts';
import type { Delivery } from '../../engine/delivery.ts';
import type { AnswerStore, KeyLedger } from '../state/key-ledger.ts';

/**
 * Replacements of parts by a deviation. Each receives the conforming part, so that it changes only the
 * necessary behaviour.
 */
export interface Parts {
  /** The policies that apply to an operation. */
  readonly policies: (operation: ServedOperation) => ServedOperation;
  /** Changes the call before its key is handled. */
  readonly begin: (call: Call) => void;
  /** Which answers are stored, and how they are replayed. */
  readonly answers: KeyedAnswers<Answer, Answer>;
  /** Changes the assumed delivery of an answer. */
  readonly delivery: (heard: Delivery) => Delivery;
  /** The things of a collection of a user's own contract. */
  readonly things: TableView;
  /** Whether a change that names a version may be made. */
  readonly precondition: typeof preconditionOf;
  /** The time limit of a call, in milliseconds. */
  readonly deadlineMs: (operation: ServedOperation) => number;
}

export type Replacements = {
  readonly [Name in keyof Parts]?: (honest: Parts[Name]) => Parts[Name];
} & {
  /** Mechanisms of a module, by its name. They apply only to the operations of the deviation. */
  readonly [Name in keyof ModuleMechanisms]?: (
    honest: ModuleMechanisms[Name],
  ) => Partial<ModuleMechanisms[Name]>;
} & {
  /** The store of keys and capacity; `held` is the content of the conforming store. */
  readonly store?: (
    honest: AnswerStore,
    surroundings: { readonly held: Map<string, HeldKey<Answer>>; readonly clock: Clock },
  ) => AnswerStore;
};

/** The active deviations that concern the parts of a mock. */
export interface Replacing {
  readonly operations?: readonly string[];
  readonly replaces?: Replacements;
}

/** Whether a deviation applies to an operation, or to requests that match none. */
export function worksOn(
  { operations }: Pick<Replacing, 'operations'>,
  operationId: string | undefined,
): boolean {
  if (operations === undefined) return true;
  return operationId !== undefined && operations.includes(operationId);
}

/** A part with the replacements of deviations applied, later ones around earlier ones. */
export function replaced<Name extends keyof Parts>(
  deviations: readonly Replacing[],
  name: Name,
  honest: Parts[Name],
): Parts[Name] {
  return deviations.reduce((part, { replaces }) => {
    const replace = replaces?.[name] as ((part: Parts[Name]) => Parts[Name]) | undefined;
    return replace?.(part) ?? part;
  }, honest);
}

/** The store of a ledger, with replacements applied. */
export function replacedStore(
  deviations: readonly Replacing[],
  { store, held }: KeyLedger,
  clock: Clock,
): AnswerStore {
  return deviations.reduce<AnswerStore>(
    (part, { replaces }) => replaces?.store?.(part, { held, clock }) ?? part,
    store,
  );
}

/** The mechanisms of a module, with replacements applied. */
export function mechanismsOf<Name extends keyof ModuleMechanisms>(
  deviations: readonly Replacing[],
  name: Name,
  honest: ModuleMechanisms[Name],
): ModuleMechanisms[Name] {
  return deviations.reduce((known, deviation) => {
    const replace = deviation.replaces?.[name] as
      ((known: ModuleMechanisms[Name]) => Partial<ModuleMechanisms[Name]>) | undefined;
    return replace === undefined ? known : { ...known, ...onItsOperations(deviation, known, replace(known)) };
  }, honest);
}

// --- internal ---

/** Mechanisms receive the module's shared dependencies, and the call. */
type Mechanism = (shared: unknown, call: Call, ...more: readonly unknown[]) => unknown;

function onItsOperations<Mechanisms extends object>(
  deviation: Replacing,
  honest: Mechanisms,
  deviant: Partial<Mechanisms>,
): Partial<Mechanisms> {
  if (deviation.operations === undefined) return deviant;
  const known = honest as Readonly<Record<string, Mechanism>>;
  const scoped = Object.entries(deviant as Readonly<Record<string, Mechanism>>).map(([name, other]) => {
    const either: Mechanism = (shared, call, ...more) =>
      (worksOn(deviation, call.operation?.id) ? other : known[name])?.(shared, call, ...more);
    return [name, either] as const;
  });
  return Object.fromEntries(scoped) as Partial<Mechanisms>;
}
