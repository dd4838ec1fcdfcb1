import { shortened } from '../exchanges/evidence.ts';
import type { Report, StoredExchange } from '../verdicts/report.ts';

/** The limit for characters of exchanges, because people share the page. */
const BUDGET = 560_000;

/** The limit for characters of a body that is evidence for a broken or undecided rule. */
const LONGEST_TOLD = 4096;

/** Decreasing limits for the length of bodies. */
const STEPS = [1024, 256, 64, 0];

/**
 * The exchanges for a page of bounded size. Evidence for a broken or undecided rule is kept completely; other
 * bodies are shortened until all fit.
 */
export function withinBudget({ rules, exchanges }: Report): readonly StoredExchange[] {
  const told = new Set(
    rules
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-exercised')
      .flatMap((rule) => rule.exchanges),
  );
  // A body that is kept for a script may be long.
  let kept = exchanges.map((exchange) => shortened(exchange, LONGEST_TOLD));
  for (const most of STEPS) {
    if (JSON.stringify(kept).length <= BUDGET) return kept;
    kept = exchanges.map((exchange) => shortened(exchange, told.has(exchange.id) ? LONGEST_TOLD : most));
  }
  return kept;
}
