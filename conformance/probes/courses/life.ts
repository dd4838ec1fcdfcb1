import type { PolicyOf } from '../../../contract/index.ts';
import { isRecord } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import { at } from '../../exchanges/exchange.ts';
import type { Facts } from '../policies/facts.ts';
import { waysOf } from '../policies/lifecycle-ways.ts';
import { reachable } from '../policies/reachable.ts';
import { writeOutcome, isWrite } from './thing-call.ts';
import type { ThingSide, ThingCall } from './thing-call.ts';

type Lifecycle = PolicyOf<'lifecycle'>;

/** A lifecycle of things, with the calls that bring about its transitions. */
export interface LifeOfThings {
  readonly facts: Facts<Lifecycle>;
  readonly actions: readonly Operation[];
}

/** The transitions that no call is named like: they happen by themselves. */
export function ownWays({ facts: { policy }, actions }: LifeOfThings): Pick<Lifecycle, 'transitions'> {
  const called = actions.flatMap((one) => waysOf(policy, one));
  return { transitions: policy.transitions.filter((way) => !called.includes(way)) };
}

interface Life {
  /** Absent while the state is not known. */
  readonly state?: string;
  /** Whether a call may still be at work, after its answer. */
  readonly isMoving?: true;
}

/** The state of a thing: calls bring about the transitions that are named like them, and others happen by themselves. */
export function lifeOf(life: LifeOfThings): ThingSide<Life> {
  const { facts } = life;
  const { policy } = facts;
  const { property, refusal } = policy;
  const own = ownWays(life);
  /** The states in which a thing can be by now. */
  const byNow = ({ state, isMoving }: Life): readonly string[] =>
    state === undefined ? policy.states : [...reachable(isMoving === true ? policy : own, state)];
  const stateIn = (shown: ThingCall['shown']): string | undefined => {
    const state = at(shown, property);
    return typeof state === 'string' && policy.states.includes(state) ? state : undefined;
  };
  const moved = (state: string, operation: Operation): readonly string[] =>
    waysOf(policy, operation)
      .filter(({ from }) => from === state)
      .map(({ to }) => to);
  const anyway = (life: Life, call: ThingCall): readonly Life[] => {
    if (!isWrite(call) || call.role === 'delete') return [life];
    // A change may set the state, or bring about any transition.
    if (isRecord(call.body) && Object.hasOwn(call.body, property)) return [{}];
    return byNow(life).map((state) => ({ state, isMoving: true }));
  };
  return {
    about: property,
    specification: {
      start: [{}],
      anyway,
      after: (life, call) => {
        const { role, operation, seen, shown } = call;
        if (!isWrite(call)) {
          const state = isRecord(shown) ? stateIn(shown) : undefined;
          if (state === undefined) return [life];
          return byNow(life).includes(state) ? [{ ...life, state }] : [];
        }
        if (role === 'delete') return [life];
        const isStated = seen.status === refusal?.status;
        if (writeOutcome(call) === 'refused' || isStated)
          return byNow(life).map((state) => ({ ...life, state }));
        if (role !== 'act' || writeOutcome(call) === 'unknown') return anyway(life, call);
        return byNow(life).flatMap((state): readonly Life[] => {
          const ends = moved(state, operation);
          if (ends.length === 0) return refusal === undefined ? [{ ...life, state }] : [];
          // Only an answer with the thing shows that the call is at its end.
          const isOver = isRecord(shown) && ends.some((end) => reachable(own, end).has(stateIn(shown) ?? ''));
          return isOver ? ends.map((end) => ({ ...life, state: end })) : [{ state, isMoving: true }];
        });
      },
    },
    broken: (calls) => {
      const last = calls.findLast((call) => call.isOfWrite !== true);
      return { facts, name: refusal !== undefined && last?.role === 'act' ? 'refused' : 'transitions' };
    },
  };
}
