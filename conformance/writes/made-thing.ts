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
    /** The read that shows whether it is gone, if the contract has one. */
    readonly look?: CallOfThing;
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

/** What the requests of an API of a user's own make, by its document and sheet. */
export interface ApiWrites {
  /** The things that an answer with success shows to be made. */
  readonly madeBy: (plan: RequestPlan, fill: Fill, exchange: Exchange) => readonly MadeThing[];
  /** The call that takes back what an operation makes; `undefined` if the contract has none. */
  readonly removalOf: (operation: string) => RequestPlan | undefined;
  /** A body as the run sends it to an operation; `undefined` for none. */
  readonly bodyOf: (operation: string, fixtures: Fixtures) => string | undefined;
  /** What the body of a call names, with the addresses that it could have. */
  readonly namedIn: (operation: string, body: unknown) => readonly NamedThing[];
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
  return filled(path.slice(0, end + 1), fill);
}

/** The path of the collection that a request is about: its own, without the id of a thing at its end. */
export function collectionPath(target: string, fill: Fill): string {
  const path = pathOf(target);
  return filled(isOfOneThing(target) ? path.slice(0, path.lastIndexOf('/')) : path, fill);
}

/** Whether the path of a request ends with the id of a thing: what follows is a part of it, or an action. */
export function isOfOneThing(target: string): boolean {
  return pathOf(target).endsWith('}');
}

/** The call that takes a thing back: by the caller that made it, unless a caller without access made it. */
export function removalPlan({ as, removal }: MadeThing): RequestPlan | undefined {
  return removal && byMaker(removal.plan, as);
}

/** The read that shows whether a thing is gone: by the same caller. */
export function lookPlan({ as, removal }: MadeThing): RequestPlan | undefined {
  return removal?.look && byMaker(removal.look.plan, as);
}

// --- internal ---

function byMaker(plan: RequestPlan, as: Identity): RequestPlan {
  const isKnown = isUsable(as) && as !== 'refused';
  return { ...plan, as: isKnown ? as : plan.as, judgesCredential: true, takesBack: true };
}

function filled(path: string, fill: Fill): string {
  return path.replace(/\{([^{}]+)\}/g, (whole, name: string) =>
    Object.hasOwn(fill, name) ? decoded(fill[name] ?? whole) : whole,
  );
}

function pathOf(target: string): string {
  return target.split(/\{\?|[?#]/)[0] ?? target;
}
