import type { Exchange } from '../exchanges/exchange.ts';
import type { SendOptions, Session } from './scenario.ts';

/** The maximum number of requests of a race. */
export const RACERS = 8;
const ROUNDS = 5;
/** The maximum number of requests in all rounds of a race. */
export const RACE_TIMES = RACERS * ROUNDS;

export interface Round {
  readonly number: number;
  readonly answers: readonly Exchange[];
  /** The answered requests: neither a 429, nor a server failure, nor a lost response. */
  readonly answered: readonly Exchange[];
  readonly lost: readonly Exchange[];
}

/**
 * Sends equal requests at the same moment, several times. If a server lacks the capacity for all of them,
 * fewer are sent the next time, so that its limit does not prevent a verdict.
 */
export async function* rounds<Name extends string>(
  session: Session<Name>,
  name: Name,
  call: () => SendOptions,
): AsyncGenerator<Round, void> {
  let racers = RACERS;
  for (let number = 1; number <= ROUNDS; number += 1) {
    const same = call();
    const answers = await session.race(
      name,
      Array.from({ length: racers }, () => same),
    );
    const isLost = ({ answer, status }: Exchange): boolean =>
      answer === undefined || status === 429 || status >= 500;
    const lost = answers.filter(isLost);
    racers = Math.max(2, racers - lost.filter(({ status }) => status === 429).length);
    yield { number, answers, answered: answers.filter((one) => !isLost(one)), lost };
  }
}

/** Why a race was not judged. */
export function sketchLost({ number, answers, lost }: Round): string {
  const refused = lost.filter(({ status }) => status === 429).length;
  const parts = [
    ...(refused > 0 ? [`${refused} got 429`] : []),
    ...(lost.length > refused ? [`${lost.length - refused} failed or had no response`] : []),
  ];
  return `round ${number}: of ${answers.length} requests ${parts.join(', ')}`;
}
