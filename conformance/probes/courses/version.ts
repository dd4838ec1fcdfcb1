import type { PolicyOf } from '../../../contract/index.ts';
import { strongTagOf } from '../policies/conditional-matches.ts';
import type { OperationFacts } from '../policies/facts.ts';
import { writeOutcome, isWrite } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

export type GuardFacts = OperationFacts<PolicyOf<'conditional-write'>>;

interface Version {
  /** The tag, if it is known. */
  readonly tag?: string;
  /** A tag that it has no longer. */
  readonly not?: string;
}

/** The version of a thing: a change that names one is only made to it. */
export function versionOf(guards: readonly GuardFacts[]): ThingSide<Version> {
  const guardOf = ({ operation }: ThingCall): GuardFacts | undefined =>
    guards.find((facts) => facts.operation.id === operation.id);
  const next = (call: ThingCall): Version =>
    call.ifMatch !== undefined && call.isOtherVersion === true ? { not: call.ifMatch } : {};
  const anyway = (version: Version, call: ThingCall): readonly Version[] =>
    isWrite(call) ? [version, next(call)] : [version];
  return {
    about: 'the version',
    specification: {
      start: [{}],
      anyway,
      after: (version, call) => {
        if (!isWrite(call)) {
          const tag = strongTag(call);
          return [tag === undefined ? version : { tag }];
        }
        const outcome = writeOutcome(call);
        if (outcome === 'refused') return [version];
        const isNamed = call.ifMatch !== undefined && guardOf(call) !== undefined;
        const isOther =
          isNamed &&
          (version.tag === undefined ? version.not === call.ifMatch : version.tag !== call.ifMatch);
        if (outcome === 'made') return isOther ? [] : [next(call)];
        return anyway(version, call);
      },
    },
    broken: (calls) => {
      const guard = calls
        .filter((call) => call.ifMatch !== undefined)
        .map(guardOf)
        .findLast((one) => one !== undefined);
      return guard === undefined ? undefined : { facts: guard, name: 'mismatch' };
    },
  };
}

/** The strong tag of the thing in the answer to a read. */
export function strongTag({ role, seen, isOfWrite }: ThingCall): string | undefined {
  const isRead = role === 'read' && isOfWrite !== true && seen.status < 300;
  return isRead ? strongTagOf(seen) : undefined;
}
