import type { Contract } from '../model.ts';
import { isRecord } from '../record.ts';

/** The texts that documents publish as examples, defaults and choices: they are no secrets at any place. */
export function publicValuesOf(contracts: readonly Pick<Contract, 'document'>[]): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = { shown: new Set<unknown>(), other: new Set<unknown>() };
  const visit = (value: unknown, isShown: boolean): void => {
    if (isShown && typeof value === 'string') found.add(value);
    if (typeof value !== 'object' || value === null || found.size >= MOST_VALUES) return;
    // Documents may contain themselves.
    const visited = isShown ? seen.shown : seen.other;
    if (visited.has(value)) return;
    visited.add(value);
    if (Array.isArray(value)) for (const item of value) visit(item, isShown);
    else if (isRecord(value))
      for (const [name, item] of Object.entries(value)) visit(item, isShown || SHOWN.has(name));
  };
  for (const { document } of contracts) visit(document.root, false);
  return found;
}

// --- internal ---

const MOST_VALUES = 100_000;

const SHOWN = new Set(['example', 'examples', 'default', 'enum', 'const']);
