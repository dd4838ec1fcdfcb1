import { isServerError } from '../exchanges/foreign.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { check, undecided } from './check.ts';
import type { Check, SendOptions, Session } from './scenario.ts';

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
  /** A server error that a request of each round has got so far, beside one that was answered. */
  readonly errors: readonly number[];
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
  let errors: readonly number[] | undefined;
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
    const answered = answers.filter((one) => !isLost(one));
    // A gateway may answer for a busy server.
    const own = answered.length === 0 ? [] : lost.map(({ status }) => status).filter(isServerError);
    errors = (errors ?? own).filter((status) => own.includes(status));
    yield { number, answers, answered, lost, errors };
  }
}

/**
 * The judgement of a race of which no round was answered by all: load or a lost connection explains one round, but not the
 * same server error in each of them.
 */
export function judgeLost(rule: string, last: Round, expected: string): Check {
  const [status] = last.number === ROUNDS ? last.errors : [];
  return status === undefined
    ? undecided(rule, last.lost, sketchLost(last))
    : check(
        rule,
        last.answers,
        false,
        expected,
        `${status} in each of ${ROUNDS} rounds`,
        `${status} for requests at the same moment`,
      );
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
