import type { PolicyOf } from '../../../contract/index.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { OperationFacts } from './facts.ts';

/** How many calls `judgeFreed` sends at most. */
export const MOST_LOOKS = 5;

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
  for (let look = 1; look < MOST_LOOKS && last.status === status; look += 1) {
    await session.clock.sleep(PAUSE_MS);
    last = await send();
  }
  const lost = session.lostCalls().at(-1);
  if (lost !== undefined && last.status === status)
    yield* facts.open('calls', [...before, last], `${lost} had no response, and may still run`);
  else
    yield* facts.judge(
      'calls',
      [...before, last],
      last.status !== status,
      `a call that is not refused with ${status}, after all others have ended`,
    );
  return last;
}

// --- internal ---

const PAUSE_MS = 250;
