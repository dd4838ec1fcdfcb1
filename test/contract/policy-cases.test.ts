import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { loadContract, loadOwnContract, ownContractNames, packageRoot } from '../../contract/index.ts';
import type { Policy } from '../../contract/policies/policy.ts';
import { policyCases } from '../../contract/sheet/policy-cases.ts';
import { usualCases } from '../../contract/sheet/usual-cases.ts';

const kinds = Object.keys(policyCases) as Policy['kind'][];

test.each(kinds)('the parts of cases of %s are parts of a whole one', (kind) => {
  const cases = policyCases[kind] ?? {};
  for (const { partOf } of Object.values(cases)) {
    if (partOf === undefined) continue;
    expect(cases).toHaveProperty([partOf]);
    expect(cases[partOf]?.partOf).toBeUndefined();
  }
});

test('each usual rule of our sheets and those of the tests is about a case that is described', async () => {
  const files = execFileSync('git', ['ls-files', '*.behaviour.yaml'], {
    cwd: packageRoot(),
    encoding: 'utf8',
  });
  const own = await Promise.all(ownContractNames.map(loadOwnContract));
  const others = await Promise.all(
    files
      .split('\n')
      .filter((file) => file !== '' && !file.startsWith('specs/'))
      .map((sheet) => ofSheet(sheet)),
  );
  const contracts = [...own, ...others.flat()];
  const described = contracts.flatMap(({ sheet, operations }) =>
    (sheet?.policies ?? []).flatMap((policy) =>
      usualCases(policy, operations).flatMap(({ cases }) =>
        cases.map((one) => [policy.kind, typeof one === 'string' ? one : one.name] as const),
      ),
    ),
  );
  expect(new Set(described.map(([kind]) => kind)).size).toBeGreaterThan(10);
  expect(described.filter(([kind, name]) => !Object.hasOwn(policyCases[kind] ?? {}, name))).toEqual([]);
});

async function ofSheet(sheet: string) {
  const document = sheet.replace('.behaviour.yaml', '.openapi.yaml');
  const loaded = await loadContract({ document, sheet, cwd: packageRoot() }).catch(() => undefined);
  return loaded?.ok === true ? [loaded.contract] : [];
}
