import { readFileSync } from 'node:fs';

/** A schema of the JSON Schema Test Suite, and values with what is to be said of them. */
export interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly (readonly [isValid: boolean, value: unknown, description: string])[];
}

export type Draft = 'draft-2020-12' | 'draft-4' | 'optional' | 'formats';

/** Groups by the name of their file in the suite. */
export function suiteOf(draft: Draft): Readonly<Record<string, readonly Group[]>> {
  const text = readFileSync(new URL(`${draft}.json`, import.meta.url), 'utf8');
  return JSON.parse(text) as Record<string, readonly Group[]>;
}
