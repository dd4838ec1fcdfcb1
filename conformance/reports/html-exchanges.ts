import { shortened } from '../evidence.ts';
import type { Report, StoredExchange } from '../report.ts';

/** Characters that the exchanges may take in a page that people send to each other. */
const BUDGET = 560_000;

/** Characters of a body that a broken or undecided rule rests on. */
const LONGEST_TOLD = 4096;

/** Ever shorter bodies. */
const STEPS = [1024, 256, 64, 0];

/**
 * The exchanges for a page of bounded size. What a broken or undecided rule rests on is kept whole; the bodies of the
 * others get shorter until all fit.
 */
export function withinBudget({ rules, exchanges }: Report): readonly StoredExchange[] {
  const told = new Set(
    rules
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-exercised')
      .flatMap((rule) => rule.exchanges),
  );
  // What is kept for a script that sends it again may be long.
  let kept = exchanges.map((exchange) => shortened(exchange, LONGEST_TOLD));
  for (const most of STEPS) {
    if (JSON.stringify(kept).length <= BUDGET) return kept;
    kept = exchanges.map((exchange) => shortened(exchange, told.has(exchange.id) ? LONGEST_TOLD : most));
  }
  return kept;
}
