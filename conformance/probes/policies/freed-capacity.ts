import type { PolicyOf } from '../../../contract/index.ts';
import { isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { Check, Session } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import { whenOf } from './facts.ts';
import type { OperationFacts } from './facts.ts';
import { frees } from './keyed-occasions.ts';
import { statesBucket } from './refusal.ts';
import type { Things } from './things.ts';

/** How many calls `judgeFreed` sends at most. */
export const MOST_LOOKS = 5;

/** Whether an answer is the refusal of a call too many. */
export function isFull({ api, policy }: OperationFacts<PolicyOf<'capacity'>>, seen: Exchange): boolean {
  return seen.status === policy.status && statesBucket(api, seen, policy.bucket);
}

/**
 * Creates things until one is refused, or there is one more than there may be.
 *
 * @param parts.first what was created before
 */
export async function fill(
  session: Session,
  things: Things,
  {
    within,
    most,
    first = [],
  }: { readonly within: Values; readonly most: number; readonly first?: readonly Exchange[] },
): Promise<{ readonly made: Exchange[]; readonly last: Exchange }> {
  const made = [...first];
  let last = await things.attempt(session, within);
  while (isSuccess(last) && made.push(last) <= most) last = await things.attempt(session, within);
  return { made, last };
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

/**
 * A creation after there is room again: with the key of the one that was refused, if its status frees that key.
 *
 * @param parts.keys the policy of the keys; absent if creations have none
 * @param parts.refused absent if its key was used again already
 * @returns the answer to it, or to another one with a new key
 */
export async function* nextCreation(
  session: Session,
  {
    things,
    keys,
    refused,
    within,
  }: {
    readonly things: Things;
    readonly keys: OperationFacts<PolicyOf<'idempotency'>> | undefined;
    readonly refused: Exchange | undefined;
    readonly within: Values;
  },
): AsyncGenerator<Check, Exchange> {
  const isFreed = refused !== undefined && frees(keys?.policy.release, refused.status);
  const key = isFreed ? things.keyOf(refused) : undefined;
  const next = await things.attempt(session, within, { key });
  if (keys === undefined || refused === undefined || key === undefined) return next;
  const other = isSuccess(next) ? next : await things.attempt(session, within);
  // Otherwise there is no room, for whatever key.
  if (isSuccess(other))
    yield* keys.judge(
      'released',
      [refused, next, ...(other === next ? [] : [other])],
      isSuccess(next),
      `a creation with the key of the one that was refused, because ${refused.status} frees the key`,
      sketchAnswer(next),
      whenOf(refused),
    );
  return other;
}

// --- internal ---

const PAUSE_MS = 250;
