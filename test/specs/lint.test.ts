import { readFileSync } from 'node:fs';
import { createConfig, lint } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { apis, documentFile, pointer, readDocument } from './own-specs.ts';

const ignoreFile = new URL('../../.redocly.lint-ignore.yaml', import.meta.url);

const excused = parse(readFileSync(ignoreFile, 'utf8')) as Record<string, Record<string, readonly string[]>>;

const excusedIn = (file: string): readonly string[] =>
  Object.entries(excused[file] ?? {}).flatMap(([rule, places]) => places.map((place) => `${rule} ${place}`));

test.each(apis)(
  'Redocly and Spectral find in the document of %s what the ignore file excuses, no less and no more',
  async (api) => {
    const found = new Set([...(await redocly(documentFile(api))), ...(await spectralOas(api))]);
    expect([...found].sort()).toEqual([...excusedIn(documentFile(api))].sort());
  },
);

test('every excuse is for a built-in document and has its reason as a comment above it', () => {
  expect(Object.keys(excused).filter((file) => !apis.map(documentFile).includes(file))).toEqual([]);
  const lines = readFileSync(ignoreFile, 'utf8').split('\n');
  const rules = lines.flatMap((line, index) => (/^ {2}[a-z0-9-]+:$/.test(line) ? [index] : []));
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter((index) => !/^ {2}# /.test(lines[index - 1] ?? ''))).toEqual([]);
});

// --- internal ---

async function redocly(file: string): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const found = await lint({ ref: file, config });
  return found.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ''}`);
}

async function spectralOas(api: string): Promise<readonly string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
  const found = await linter.run({ ...readDocument(api) });
  return found.map(({ code, path }) => `${code} ${pointer(path.map(String))}`);
}
