import type { PolicyOf } from '../../../contract/index.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';
import { statesBucket } from './refusal.ts';

/** How many calls `judgeFreed` sends at most. */
export const MOST_LOOKS = 5;

/** Whether an answer is the refusal of a call too many. */
export function isFull({ api, policy }: OperationFacts<PolicyOf<'capacity'>>, seen: Exchange): boolean {
  return seen.status === policy.status && statesBucket(api, seen, policy.bucket);
}

/** Whether a refusal can be about the state of what other calls change at the same time. */
export function isOfState({ policy }: OperationFacts<PolicyOf<'capacity'>>, { status }: Exchange): boolean {
  return (status === 409 || status === 423) && status !== policy.status;
}

/**
 * A call after all others have ended: neither refused calls nor ended calls use capacity.
 *
 * @param send sends the call; more than once, because a server may notice late that a call has ended
 * @returns the last answer
 */
export async function* judgeFreed(
  facts: OperationFacts<PolicyOf<'capacity'>>,
  session: Session,
  before: readonly Exchange[],
  send: () => Promise<Exchange>,
): AsyncGenerator<Check, Exchange> {
  const { status } = facts.policy;
  let last = await send();
  for (let look = 1; look < MOST_LOOKS && isFull(facts, last); look += 1) {
    await session.clock.sleep(PAUSE_MS);
    last = await send();
  }
  const lost = session.lostCalls().at(-1);
  if (lost !== undefined && isFull(facts, last))
    yield* facts.open('calls', [...before, last], `${lost} had no response, and may still run`);
  else
    yield* facts.judge(
      'calls',
      [...before, last],
      !isFull(facts, last),
      `a call that is not refused with ${status}, after all others have ended`,
    );
  return last;
}

// --- internal ---

const PAUSE_MS = 250;
