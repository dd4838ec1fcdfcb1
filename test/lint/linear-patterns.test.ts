import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const rules = ['regexp/no-super-linear-backtracking', 'regexp/no-super-linear-move'];

const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => rules.includes(ruleId),
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

const findings = async (file: string, code: string): Promise<(string | null)[]> => {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: `${root}${file}` });
  return (result?.messages ?? []).map(({ ruleId }) => ruleId);
};

const rooms = [
  'contract/x.ts',
  'contract/policies/x.ts',
  'generator/runtime/x.ts',
  'mock/inspector/views/x.tsx',
  'server/x.ts',
  'scripts/x.mjs',
];

test.each(rooms)('the lint refuses patterns of exponential and quadratic time in %s', async (file) => {
  expect(await findings(file, 'export const found = /^(a+)+$/.test(name);')).toStrictEqual([rules[0]]);
  expect(await findings(file, "export const kept = name.replace(/\\/+$/, '');")).toStrictEqual([rules[1]]);
  expect(await findings(file, "export const kept = name.replace(/(?<!\\/)\\/+$/, '');")).toStrictEqual([]);
});
