import { explainedBySetUp } from './set-up.ts';
import type { FailureCause, FailedCheck, RuleResult, StoredExchange } from './report.ts';

/** The broken rules by their causes: server errors first, then what breaks a must, then what breaks a should. */
export function causesOf(
  rules: readonly RuleResult[],
  exchanges: readonly StoredExchange[],
): readonly FailureCause[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const found = new Map<string, Found>();
  for (const rule of rules) {
    const { verdict } = rule;
    if (verdict !== 'fail' && verdict !== 'warn') continue;
    for (const failure of rule.failures ?? []) {
      const says = failure.cause ?? inGeneral(failure);
      const [deciding = ''] = failure.exchanges;
      const exchange = byId.get(deciding);
      const isServerError = (exchange?.answer?.status ?? 0) >= 500;
      const key = `${verdict} ${says}`;
      const cause = found.get(key) ?? { says, verdict, isServerError, rules: new Set(), exchanges: [] };
      cause.rules.add(rule);
      if (exchange !== undefined && cause.exchanges.length < MOST_EXAMPLES) cause.exchanges.push(exchange);
      found.set(key, cause);
    }
  }
  return [...found.values()].sort(byWeight).map(({ says, verdict, rules: broken, exchanges: seen }) => {
    const [help, ...others] = seen.map((exchange) => explainedBySetUp(exchange, says));
    return {
      says,
      verdict,
      ...(help === undefined || others.includes(undefined) ? {} : { help }),
      rules: [...broken].map(({ id }) => id),
      operations: [...new Set([...broken].flatMap(({ operation = [] }) => operation))],
      exchanges: [...new Set(seen.map(({ id }) => id))],
    };
  });
}

// --- internal ---

interface Found {
  readonly says: string;
  readonly verdict: FailureCause['verdict'];
  readonly isServerError: boolean;
  readonly rules: Set<RuleResult>;
  readonly exchanges: StoredExchange[];
}

const MOST_EXAMPLES = 3;

function byWeight(a: Found, b: Found): number {
  return (
    Number(b.isServerError) - Number(a.isServerError) ||
    Number(a.verdict === 'warn') - Number(b.verdict === 'warn') ||
    b.rules.size - a.rules.size
  );
}

/** The cause of a failure that names none: what was expected and seen, without the values of one exchange. */
function inGeneral({ expected, observed }: FailedCheck): string {
  const [, status] = /^(\d{3})(?: |$)/.exec(observed) ?? [];
  return status === undefined
    ? `expected ${general(expected)}, got ${general(observed)}`
    : `${status} in place of ${general(expected)}`;
}

function general(text: string): string {
  return text
    .slice(0, LONGEST)
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…')
    .replaceAll(/\b\d{4,}\b/g, '…');
}

const LONGEST = 200;
