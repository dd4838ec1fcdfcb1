import type { Report, StoredBody, StoredExchange } from '../report.ts';

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

// --- internal ---

function shortened(exchange: StoredExchange, most: number): StoredExchange {
  const { request, answer } = exchange;
  return {
    ...exchange,
    request: { ...request, body: cutBody(request.body, most) },
    answer: answer === undefined ? undefined : { ...answer, body: cutBody(answer.body, most) },
  };
}

function cutBody(body: StoredBody | undefined, most: number): StoredBody | undefined {
  if (body === undefined || body.text.length <= most) return body;
  return { ...body, text: body.text.slice(0, most), cut: true };
}
