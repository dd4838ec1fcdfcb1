import type { Exchange } from './exchange.ts';
import type { Check, Observation } from './scenario.ts';
import { cut, sketchAnswer } from './sketch.ts';

/**
 * A judgement: `holds` on what `seen` shows. `expected` says what a conforming server does; `got` what this one did,
 * by default the answer of the last exchange.
 */
export function check(
  rule: string,
  seen: Exchange | readonly Exchange[],
  holds: boolean,
  expected: string,
  got?: string,
): Check {
  const exchanges = [seen].flat() as Exchange[];
  const last = exchanges.at(-1);
  return {
    kind: 'check',
    rule,
    outcome: holds ? 'pass' : 'fail',
    exchanges: exchanges.map(({ id }) => id).reverse(),
    expected,
    got: cut(got ?? (last === undefined ? 'nothing' : sketchAnswer(last)), 400),
  };
}

/** The rule was tried, and something else stood in the way. */
export function undecided(rule: string, seen: Exchange | readonly Exchange[], why: string): Check {
  const exchanges = [seen].flat() as Exchange[];
  return {
    kind: 'check',
    rule,
    outcome: 'inconclusive',
    exchanges: exchanges.map(({ id }) => id).reverse(),
    expected: '',
    got: why,
  };
}

export function observed(id: string, seen: Exchange | readonly Exchange[], text: string): Observation {
  const exchanges = [seen].flat() as Exchange[];
  return {
    kind: 'observation',
    id,
    seen: cut(text, 200),
    exchanges: exchanges.map((exchange) => exchange.id),
  };
}
