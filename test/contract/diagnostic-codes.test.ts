import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnosticCodes } from '../../contract/diagnostics/diagnostic-codes.ts';
import { packageRoot } from '../../contract/index.ts';

const page = readFileSync(join(packageRoot(), 'docs/diagnostics.md'), 'utf8');
const codes = Object.keys(diagnosticCodes).sort();

test('every code is explained once, with its severity, and no other code is', () => {
  const documented = [...page.matchAll(/^### `([^`]+)` \((error|warning)\)$/gm)].map(
    ([, code = '', severity]) => [code, severity],
  );
  expect(documented.map(([code]) => code).sort()).toStrictEqual(codes);
  expect(Object.fromEntries(documented)).toStrictEqual(diagnosticCodes);
});

test('every explanation has a title, a cause and a fix', () => {
  for (const section of page.split(/^### /m).slice(1)) {
    expect(section).toMatch(/^`[^\n]+\n\n\S[^\n]+\.\n\n- Cause: \S[\s\S]+\.\n- Fix: \S[\s\S]+\.\n/);
  }
});

test('every code is given by the code that reads contracts', () => {
  const folder = join(packageRoot(), 'contract');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && file !== 'diagnostic-codes.ts',
  );
  const sources = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  expect(codes.filter((code) => !sources.includes(`'${code}'`))).toStrictEqual([]);
});

test('every code is shown by a test: in a transcript of a broken file, or by name', () => {
  const broken = join(packageRoot(), 'test/fixtures/broken');
  const transcripts = ['documents', 'sheets'].flatMap((folder) =>
    readdirSync(join(broken, folder, 'expected')).map((file) =>
      readFileSync(join(broken, folder, 'expected', file), 'utf8'),
    ),
  );
  const named = ['hostile-files.slow', 'references', 'repairs/slips', 'overlay', 'shared-paths'];
  const tests = [
    ...named,
    'untyped-schemas',
    'schema-contradictions',
    'sequential/pieces',
    'sheet-slips',
  ].map((name) => readFileSync(join(import.meta.dirname, `${name}.test.ts`), 'utf8'));
  const shown = (code: string): boolean =>
    transcripts.some((text) => new RegExp(`  ${code.replace('.', '\\.')}$`, 'm').test(text)) ||
    tests.some((text) => text.includes(`'${code}`));
  expect(codes.filter((code) => !shown(code))).toStrictEqual([]);
});
