// @module-tag long
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { strictest } from '../../strictest.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const sources = ['contract/policies', 'generator/runtime'].flatMap((folder) =>
  readdirSync(`${root}/${folder}`)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${root}/${folder}/${name}`),
);

/** Every strictness that a user may have switched on. */
const everyStrictness: ts.CompilerOptions = {
  ...strictest,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noUncheckedSideEffectImports: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  isolatedDeclarations: true,
  declaration: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

test.each<[string, ts.CompilerOptions]>([
  ['a browser’s types alone', { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: [] }],
  ['Node’s types alone', { lib: ['lib.es2022.d.ts'], types: ['node'], skipLibCheck: true }],
])('what is copied into users’ repositories compiles at every strictness with %s', (_, options) => {
  const program = ts.createProgram(sources, { ...everyStrictness, ...options });
  const findings = ts
    .getPreEmitDiagnostics(program)
    .map(
      (found) => `${found.file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(found.messageText, '\n')}`,
    );
  expect(findings).toStrictEqual([]);
});

test('it imports nothing but its own files', () => {
  for (const source of sources) {
    const { importedFiles } = ts.preProcessFile(ts.sys.readFile(source) ?? '');
    for (const { fileName } of importedFiles) {
      expect(fileName, source).toMatch(/^(\.\/[\w-]+\.ts|\.\.\/\.\.\/contract\/policies\/[\w-]+\.ts)$/);
    }
  }
});
