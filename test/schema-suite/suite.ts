import { readFileSync } from 'node:fs';

/** A schema of the JSON Schema Test Suite, and values with what is to be said of them. */
export interface Group {
  readonly file: string;
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly (readonly [isValid: boolean, value: unknown, description: string])[];
}

export type Draft = 'draft-2020-12' | 'draft-4' | 'optional' | 'formats';

/** All groups, each with the name of its file in the suite. */
export function suiteOf(draft: Draft): readonly Group[] {
  const text = readFileSync(
    new URL(`../fixtures/json-schema-test-suite/${draft}.json`, import.meta.url),
    'utf8',
  );
  const files = JSON.parse(text) as Record<string, readonly Omit<Group, 'file'>[]>;
  return Object.entries(files).flatMap(([file, groups]) => groups.map((group) => ({ ...group, file })));
}
