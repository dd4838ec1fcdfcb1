import type { Json, Operation, Schema } from '../../../contract/model.ts';
import type { Moment, Specification } from '../../explore/orders.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Facts } from '../policies/facts.ts';

/**
 * What a call does with a thing. `act`: one that is named by transitions of its lifecycle. `beside`: it makes or changes another
 * thing.
 */
export type CallRole =
  'create' | 'read' | 'list' | 'patch' | 'replace' | 'delete' | 'restore' | 'act' | 'beside';

/** A call about one thing, with its answer. */
export interface ThingCall {
  readonly role: CallRole;
  readonly operation: Operation;
  readonly seen: Exchange;
  /** The thing that a change sends, and its whole body. */
  readonly body?: Json | undefined;
  readonly sent?: Json | undefined;
  readonly ifMatch?: string | undefined;
  /** Whether a change, if it is made, makes another version of the thing. */
  readonly isOtherVersion?: boolean;
  /**
   * The thing as the answer shows it. `null`: the answer shows that the thing does not exist, like a list that lacks it.
   * `undefined`: the answer says nothing of it.
   */
  readonly shown?: Readonly<Record<string, unknown>> | null | undefined;
  /** The schema of the thing in the answer. */
  readonly schema?: Schema | undefined;
  /** `true` for a read that shows a thing with another id. */
  readonly isOfAnother?: boolean;
  /** `true` for what the answer to a change shows, as at some moment after the change. */
  readonly isOfWrite?: boolean;
}

/** Of a call that changes something: whether it did. A refusal changed nothing; other answers do not say. */
export function writeOutcome({ seen }: Pick<ThingCall, 'seen'>): 'made' | 'refused' | 'unknown' {
  if (isSuccess(seen)) return seen.status === 202 || seen.status === 207 ? 'unknown' : 'made';
  return REFUSED.has(seen.status) ? 'refused' : 'unknown';
}

export function isWrite({ role }: Pick<ThingCall, 'role'>): boolean {
  return role !== 'read' && role !== 'list';
}

/** The rule that is broken, as a case of a policy. */
export interface BrokenCase {
  readonly facts: Facts;
  readonly name: string;
}

/** One side of a thing, about which a sheet says something by itself: what holds for the whole holds for each of its sides. */
export interface ThingSide<State = unknown> {
  /** In words, for reports. */
  readonly about: string;
  readonly specification: Specification<State, ThingCall>;
  /** `true` if calls of other things may change it. */
  readonly isOfOthers?: true;
  /** @param calls those that no order explains */
  readonly broken: (
    calls: readonly ThingCall[],
    history: readonly Moment<ThingCall>[],
  ) => BrokenCase | undefined;
}

/** The last call among these that made a change. */
export function lastMade(calls: readonly ThingCall[]): ThingCall | undefined {
  return calls.findLast((call) => isWrite(call) && writeOutcome(call) === 'made');
}

// --- internal ---

/** Statuses by which a server says that it did nothing. Others can be about a limit, a conflict, or a failure on the way. */
const REFUSED: ReadonlySet<number> = new Set([400, 404, 405, 410, 412, 415, 422, 428]);
