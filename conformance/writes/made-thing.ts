import type { Exchange } from '../exchanges/exchange.ts';
import type { Fixtures } from '../target/fixtures.ts';
import { isUsable } from '../target/usable.ts';
import type { Identity, RequestPlan, SendOptions, Session } from '../scenarios/scenario.ts';
import { decoded } from '../../contract/text/decoded.ts';

/** Values of the `{names}` of a request's path, as they are sent. */
export type Fill = Readonly<Record<string, string>>;

/** Something that a call of the run made on the server. */
export interface MadeThing {
  readonly api: string;
  /** The operation that made it. */
  readonly operation: string;
  /** The exchange that shows it. */
  readonly exchange: string;
  /** The caller that made it. */
  readonly as: Identity;
  /** Where it is below the server, such as `/pets/17`; empty if the answer does not show it. */
  readonly addresses: readonly string[];
  /** The call that takes it back, if the contract has one. */
  readonly removal?: CallOfThing & {
    /** Whether nothing is left after it. Else, it only ends the thing. Its method does not say which. */
    readonly isDeletion: boolean;
    /** Whether only the contract says that this call takes it back: without one, it cannot be repeated later. */
    readonly needsContract?: boolean;
    /** The read that shows whether it is still there, or has ended by itself, which a refused removal may mean. */
    readonly shows?: CallOfThing;
  };
}

/** A call about a thing that was made. */
export interface CallOfThing {
  readonly plan: RequestPlan;
  /** @throws {NotExercised} if it needs a value that is not known */
  readonly options: (known: Pick<Session, 'fixtures' | 'freshKey'>) => SendOptions;
}

/** A thing that a body names. */
export interface NamedThing {
  /** The place in the body. */
  readonly pointer: string;
  readonly id: string;
  readonly addresses: readonly string[];
}

/** A request as a call of an operation: its plan has the operation, its effect, and the path of the document. */
export interface LedgerCall {
  readonly plan: RequestPlan;
  readonly fill: Fill;
}

/** What the requests of an API make: of a user's own by its document and sheet, of a built-in one by its module. */
export interface ApiWrites {
  /**
   * The call that a request is, which may name its thing elsewhere than in its path; `undefined` if it makes and changes
   * nothing.
   *
   * @param bodyOf the JSON value of its body; `undefined` for none
   */
  readonly callOf?: (plan: RequestPlan, fill: Fill, bodyOf: () => unknown) => LedgerCall | undefined;
  /** Values of the fixtures that name where things are made. */
  readonly given?: (fixtures: Fixtures) => unknown;
  /**
   * Whether an answer shows that the thing with this id has ended, so that nothing is left to take back.
   *
   * @throws {Unreadable} when it cannot be read
   */
  readonly isOver?: (exchange: Exchange, id: string) => boolean;
  /** Whether a request takes back what its operations make; absent if that is a DELETE. */
  readonly isRemoval?: (request: Pick<RequestPlan, 'method' | 'target'>) => boolean;
  /** Whether a creation with this status, which is no success, may have made something. */
  readonly mayExistAfter?: (status: number) => boolean;
  /** The things that an answer with success shows to be made. */
  readonly madeBy: (plan: RequestPlan, fill: Fill, exchange: Exchange) => readonly MadeThing[];
  /** The calls that take back what an operation makes; none if the contract has none. */
  readonly removalsOf: (operation: string) => readonly RequestPlan[];
  /** A body as the run sends it to an operation; `undefined` for none. */
  readonly bodyOf: (operation: string, fixtures: Fixtures) => string | undefined;
  /** What the body of a call names, with the addresses that it could have; absent if bodies name nothing. */
  readonly namedIn?: (operation: string, body: unknown) => readonly NamedThing[];
  /** Whether the document has a value as an id, in an example for instance. */
  readonly isDocumented: (id: string) => boolean;
}

/**
 * The address of the thing that a request is about: its path up to the last parameter, decoded. `undefined` for a path without
 * parameters.
 */
export function thingAddress(target: string, fill: Fill): string | undefined {
  const path = pathOf(target);
  const end = path.lastIndexOf('}');
  if (end < 0) return undefined;
  return filledTarget(path.slice(0, end + 1), fill, 'decoded');
}

/** The path of the collection that a request is about: its own, without the id of a thing at its end. */
export function collectionPath(target: string, fill: Fill): string {
  const path = pathOf(target);
  return filledTarget(isOfOneThing(target) ? path.slice(0, path.lastIndexOf('/')) : path, fill, 'decoded');
}

/** Whether the path of a request ends with the id of a thing: what follows is a part of it, or an action. */
export function isOfOneThing(target: string): boolean {
  return pathOf(target).endsWith('}');
}

/** A target with its values: as they are sent, or decoded. */
export function filledTarget(target: string, fill: Fill, form: 'sent' | 'decoded' = 'sent'): string {
  return target.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(fill, name) ? (fill[name] ?? whole) : whole;
    return form === 'sent' ? value : decoded(value);
  });
}

/** The call that takes a thing back: by the caller that made it, unless a caller without access made it. */
export function removalPlan({ as, removal }: MadeThing): RequestPlan | undefined {
  return removal && byItsMaker(removal.plan, as);
}

/** The call that shows whether it is still there, if the contract has one. */
export function showingPlan({ as, removal }: MadeThing): RequestPlan | undefined {
  return removal?.shows && byItsMaker(removal.shows.plan, as);
}

// --- internal ---

function byItsMaker(plan: RequestPlan, as: Identity): RequestPlan {
  const isKnown = isUsable(as) && as !== 'refused';
  return { ...plan, as: isKnown ? as : plan.as, judgesCredential: true, takesBack: true };
}

function pathOf(target: string): string {
  return target.split(/\{\?|[?#]/)[0] ?? target;
}
