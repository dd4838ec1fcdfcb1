import { shortened } from '../evidence.ts';
import type { Report, StoredExchange } from '../report.ts';

/** Characters that the exchanges may take in a page that people send to each other. */
const BUDGET = 560_000;

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
  let kept = exchanges;
  for (const most of STEPS) {
    if (JSON.stringify(kept).length <= BUDGET) return kept;
    kept = exchanges.map((exchange) => (told.has(exchange.id) ? exchange : shortened(exchange, most)));
  }
  return kept;
}
