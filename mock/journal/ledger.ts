import type { Prices } from '../control/api-control.ts';
import type { Ledger, LedgerLine } from './ledger-shape.ts';
import type { Outline } from './journal.ts';

/**
 * The cost that the calls of the journal would have had, by logical call (document 1, "Errors", rule 4, and
 * "Idempotency key handling", introduction). Calls that reached no model cost nothing and are listed only
 * together with those that did.
 *
 * @param prices after the window, a key counts as another call
 */
export function ledgerOf(outlines: readonly Outline[], { centsOf, windowMs }: Prices): Ledger {
  const runs = outlines.filter(({ model, key, isRun }) => isRun && (model ?? key) !== undefined);
  const latest = new Map<string, Outline[]>();
  const lines: Outline[][] = [];
  for (const run of runs) {
    const name = JSON.stringify([run.caller, run.key ?? [run.model, run.bodyHash()]]);
    const earlier = latest.get(name);
    if (earlier !== undefined && !hasEnded(earlier, run, windowMs)) {
      earlier.push(run);
      continue;
    }
    const line = [run];
    latest.set(name, line);
    lines.push(line);
  }
  // A replay is answered before its model is looked up. If no attempt names a model, no run was requested.
  const named = lines.filter((attempts) => attempts.some(({ model }) => model !== undefined));
  return {
    lines: named.map((attempts) => lineOf(attempts, centsOf)),
    byCaller: byCaller(named.flat(), centsOf),
  };
}

// --- internal ---

/**
 * Whether a run is a separate call although it has the same key, because the window of the earlier charge has
 * ended.
 */
function hasEnded(
  attempts: readonly Outline[],
  { key, model, replayed, answeredAt }: Outline,
  windowMs: number,
): boolean {
  const paid = attempts.find(({ billed }) => billed === true);
  // A replayed answer was recorded after it was charged, and expires that much later. A call that no model was looked
  // up for, such as one with another body, met the same record.
  if (key === undefined || replayed || model === undefined || paid === undefined) return false;
  return answeredAt - paid.answeredAt >= windowMs;
}

function lineOf(attempts: readonly Outline[], centsOf: (model: string) => number): LedgerLine {
  const count = (holds: (attempt: Outline) => boolean): number => attempts.filter(holds).length;
  const [first] = attempts;
  const model = attempts.find((attempt) => attempt.model !== undefined)?.model ?? '';
  const billed = count((attempt) => attempt.billed === true);
  // A charged key is not charged again, so nothing is unknown any more.
  const isSettled = first?.key !== undefined && billed > 0;
  const isUnknown =
    !isSettled && attempts.some((attempt) => attempt.dispatched && attempt.billed === undefined);
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
