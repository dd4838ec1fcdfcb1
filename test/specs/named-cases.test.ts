import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadOwnContract, ownContractNames, packageRoot } from '../../contract/index.ts';
import { policyCases } from '../../contract/sheet/policy-cases.ts';
import type { PolicyKind } from '../../contract/policies/policy.ts';

interface NamedRule {
  readonly id: string;
  readonly policy?: string;
  readonly case?: unknown;
}

/** The rules of a policy with cases that name none: nothing of the policy judges them. */
function unnamed(rules: readonly NamedRule[]): readonly string[] {
  return rules
    .filter(
      ({ policy, case: named }) => named === undefined && policyCases[policy as PolicyKind] !== undefined,
    )
    .map(({ id }) => id);
}

/** The sheets that users see: files of the examples, and blocks of the guides. */
function shownSheets(): readonly (readonly [string, string])[] {
  const files = execFileSync('git', ['ls-files', 'examples', 'docs', 'README.md'], {
    cwd: packageRoot(),
    encoding: 'utf8',
  }).split('\n');
  const read = (file: string): string => readFileSync(join(packageRoot(), file), 'utf8');
  return files.flatMap((file): (readonly [string, string])[] => {
    if (file.endsWith('.behaviour.yaml')) return [[file, read(file)]];
    if (!file.endsWith('.md')) return [];
    const blocks = [...read(file).matchAll(/^```yaml.*\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    return blocks.filter((text) => /^policies:$/m.test(text)).map((text) => [file, text] as const);
  });
}

test('each rule about a policy in the examples and guides names its case', () => {
  const sheets = shownSheets();
  expect(sheets.length).toBeGreaterThan(3);
  const found = sheets.flatMap(([file, text]) => {
    const { rules } = parse(text) as { readonly rules?: readonly NamedRule[] };
    return unnamed(rules ?? []).map((id) => `${file}: ${id}`);
  });
  expect(found).toEqual([]);
});

test.each(ownContractNames)('each rule about a policy in the sheet of %s names its case', async (name) => {
  const { sheet } = await loadOwnContract(name);
  const forServers = (sheet?.rules ?? []).filter(
    ({ level, audience, unobservable }) =>
      level !== 'info' && level !== 'client' && /server|both/.test(audience) && unobservable === undefined,
  );
  expect(unnamed(forServers)).toEqual([]);
});
