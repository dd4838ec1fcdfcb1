import type { Ledger, LedgerLine } from './control-shape.ts';
import type { Outline } from './journal.ts';

/**
 * What the calls of the journal would have cost, by logical call (document 1, "Errors", column Billed, and "Idempotency
 * key handling"). Calls that reached no model cost nothing and stand in a line only beside those that did.
 *
 * @param centsOf what a run of a model costs, in US cents
 */
export function ledgerOf(outlines: readonly Outline[], centsOf: (model: string) => number): Ledger {
  const runs = outlines.filter(({ model, key, isRun }) => isRun && (model ?? key) !== undefined);
  const lines = new Map<string, Outline[]>();
  for (const run of runs) {
    const name = JSON.stringify([run.caller, run.key ?? [run.model, run.bodyHash()]]);
    const earlier = lines.get(name);
    if (earlier === undefined) lines.set(name, [run]);
    else earlier.push(run);
  }
  // A replay is answered before its model is looked up; where no attempt names one, nothing was to be run.
  const named = [...lines.values()].filter((attempts) => attempts.some(({ model }) => model !== undefined));
  return {
    lines: named.map((attempts) => lineOf(attempts, centsOf)),
    byCaller: byCaller(named.flat(), centsOf),
  };
}

// --- internal ---

function lineOf(attempts: readonly Outline[], centsOf: (model: string) => number): LedgerLine {
  const count = (holds: (attempt: Outline) => boolean): number => attempts.filter(holds).length;
  const [first] = attempts;
  const model = attempts.find((attempt) => attempt.model !== undefined)?.model ?? '';
  const billed = count((attempt) => attempt.billed === true);
  const isUnknown = attempts.some((attempt) => attempt.dispatched && attempt.billed === undefined);
  return {
    caller: first?.caller ?? '',
    key: first?.key,
    model,
    exchanges: attempts.map(({ number }) => number),
    dispatched: count(({ dispatched }) => dispatched),
    replayed: count(({ replayed }) => replayed),
    billed,
    cents: billed * centsOf(model),
    charged: billed > 1 ? 'more than once' : isUnknown ? 'unknown' : billed === 1 ? 'once' : 'never',
  };
}

function byCaller(runs: readonly Outline[], centsOf: (model: string) => number): Ledger['byCaller'] {
  const sums = new Map<string, { calls: number; billed: number; cents: number }>();
  for (const { caller = '', model = '', billed } of runs) {
    const sum = sums.get(caller) ?? { calls: 0, billed: 0, cents: 0 };
    const isBilled = billed === true;
    sums.set(caller, {
      calls: sum.calls + 1,
      billed: sum.billed + (isBilled ? 1 : 0),
      cents: sum.cents + (isBilled ? centsOf(model) : 0),
    });
  }
  return [...sums].map(([caller, sum]) => ({ caller, ...sum }));
}
