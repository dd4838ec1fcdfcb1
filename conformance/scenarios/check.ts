import { Unreadable } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import type { Check, Observation } from './scenario.ts';
import { cut, sketchAnswer } from '../exchanges/sketch.ts';

/**
 * A judgement: `holds` for the exchanges in `seen`. `expected` describes a conforming server; `got` this one,
 * by default by the answer of the last exchange.
 *
 * @param cause of a failure, in the words that all failures with this cause share
 */
export function check(
  rule: string,
  seen: Exchange | readonly Exchange[],
  holds: boolean,
  expected: string,
  got?: string,
  cause?: string,
): Check {
  const exchanges = [seen].flat() as Exchange[];
  const last = exchanges.at(-1);
  return {
    kind: 'check',
    rule,
    outcome: holds ? 'pass' : 'fail',
    exchanges: exchanges.map(({ id }) => id).reverse(),
    expected: cut(expected, LONGEST_EXPECTED),
    got: cut(got ?? (last === undefined ? 'nothing' : sketchAnswer(last)), 400),
    ...(cause === undefined || holds ? {} : { cause: cut(cause, LONGEST_CAUSE) }),
  };
}

/** The rule was exercised, but something else prevented a verdict. */
export function undecided(rule: string, seen: Exchange | readonly Exchange[], why: string): Check {
  const exchanges = [seen].flat() as Exchange[];
  return {
    kind: 'check',
    rule,
    outcome: 'inconclusive',
    exchanges: exchanges.map(({ id }) => id).reverse(),
    expected: '',
    got: cut(why, 400),
  };
}

/**
 * The judgements of an oracle about a body, or that these rules are undecided because the body exceeds the
 * suite's limits.
 */
export function* unlessUnreadable(
  exchange: Exchange,
  rules: readonly string[],
  look: Iterable<Check | Observation>,
): Generator<Check | Observation> {
  const judged = new Set<string>();
  try {
    for (const item of look) {
      if (item.kind === 'check') judged.add(item.rule);
      yield item;
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    for (const rule of rules) if (!judged.has(rule)) yield undecided(rule, exchange, error.message);
  }
}

type Named = Pick<Exchange, 'id'>;

export function observed(id: string, seen: Named | readonly Named[], text: string): Observation {
  const exchanges = [seen].flat() as Named[];
  return {
    kind: 'observation',
    id,
    seen: cut(text, 200),
    exchanges: exchanges.map((exchange) => exchange.id),
  };
}

// --- internal ---

/** The expectation may quote earlier text of the server. */
const LONGEST_EXPECTED = 4000;

/** It may quote the document, and a media type of the server. */
const LONGEST_CAUSE = 200;
