import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-syntax',
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});

const messages = async (code: string): Promise<string[]> => {
  const [result] = await eslint.lintText(`${code}\n`, { filePath: `${root}test/mock/x.test.ts` });
  return (result?.messages ?? []).map(({ message }) => message);
};

test.each([
  'await new Promise((resolve) => setImmediate(resolve));',
  'await new Promise(setImmediate);',
  'const turn = (): Promise<void> => new Promise((resolve) => void queueMicrotask(resolve));',
  'await new Promise((resolve) => setTimeout(resolve, 20));',
  'await new Promise((resolve) => { process.nextTick(resolve); });',
  "import { setImmediate } from 'node:timers/promises';",
  "import { setTimeout as pause } from 'timers/promises';",
  'for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();',
  'await vi.waitUntil(() => isGone, { timeout: 20_000 });',
])('the lint says to wait for the fact instead of: %s', async (code) => {
  expect(await messages(code)).toStrictEqual([expect.stringMatching(/^Wait for the fact, with until\(…\)/)]);
});

test.each([
  "await until('the call arrives', () => calls.length > 0);",
  'await expect.poll(() => calls.length).toBe(1);',
  'const late = new Promise((_, reject) => setTimeout(() => reject(new Error()), 20));',
  'const handler = async (): Promise<void> => { await Promise.resolve(); };',
])('the lint allows: %s', async (code) => {
  expect(await messages(code)).toStrictEqual([]);
});
