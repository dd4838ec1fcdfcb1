import { nextState, type LifecyclePolicy } from '../../../contract/policies/lifecycle.ts';

/** The states of a job by the events that lead to them, so that code need not contain their names. */
export interface JobStates {
  readonly initial: string;
  readonly start: string;
  readonly success: string;
  readonly failure: string;
  readonly retention: string;
  /** The states that a cancelled job passes through; the last one is terminal. */
  readonly cancelRunning: readonly string[];
  readonly cancelWaiting: readonly string[];
}

/**
 * @param cancelWaiting the states of a queued job after it is cancelled, which the contract leaves open (open
 * point A-81); expiring from other states than the one that the contract names is open as well
 */
export function jobStates(policy: LifecyclePolicy, cancelWaiting: readonly string[]): JobStates {
  const follow = (from: string, on: string): string => {
    const state = nextState(policy, from, on);
    if (state === undefined) throw new Error(`the lifecycle states no way out of ${from} on ${on}`);
    return state;
  };
  const start = follow(policy.initial, 'start');
  const cancel = follow(start, 'cancel');
  return {
    initial: policy.initial,
    start,
    success: follow(start, 'success'),
    failure: follow(start, 'failure'),
    retention: follow(start, 'retention'),
    cancelRunning: [cancel, follow(cancel, 'completion')],
    cancelWaiting,
  };
}
