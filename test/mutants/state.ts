import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Area } from './areas.ts';
import { whyNotCounted } from './classified/index.ts';
import type { Fate } from './document.ts';
import { nameOf } from './mutations.ts';
import type { Mutation } from './mutations.ts';

/** What became of mutations in earlier runs. */
export interface KeptFates {
  /** What is settled: what showed a mutation before, or that nothing did and a reason sets it aside. */
  settled(area: Area, mutation: Mutation): Fate | undefined;
  keep(fate: Fate): void;
}

/** @param file one JSON object a line; without a file nothing is kept */
export function keptFates(file: string | undefined): KeptFates {
  const known = new Map<string, readonly string[]>();
  if (file !== undefined && existsSync(file))
    for (const line of readFileSync(file, 'utf8')
      .split('\n')
      .filter((text) => text !== '')) {
      const { key, signs } = JSON.parse(line) as Line;
      if (signs.length > 0 || !known.has(key)) known.set(key, signs);
    }
  return {
    settled(area, mutation) {
      const signs = known.get(keyOf(area, mutation));
      const isSettled = signs !== undefined && (signs.length > 0 || whyNotCounted(mutation) !== undefined);
      return isSettled ? { area, mutation, signs, lost: [] } : undefined;
    },
    keep({ area, mutation, signs }) {
      const line: Line = { key: keyOf(area, mutation), signs };
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
    },
  };
}

// --- internal ---

interface Line {
  readonly key: string;
  readonly signs: readonly string[];
}

/** Two places of a file may be changed alike. */
function keyOf(area: Area, mutation: Mutation): string {
  return `${area} ${mutation.line}:${mutation.column} ${nameOf(mutation)}`;
}
