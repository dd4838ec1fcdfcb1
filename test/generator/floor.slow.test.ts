// @module-tag long
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts, { type CompilerOptions } from 'typescript';
import floor from 'typescript-floor';
import { expect, test } from 'vitest';
import { loadContract, packageRoot } from '../../contract/index.ts';
import { generate, type GeneratedFile } from '../../generator/index.ts';
import { compilerErrors } from './generated.ts';

const root = packageRoot();

function committed(): GeneratedFile[] {
  const folder = join(root, 'generated');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
}

/** What is made of a document of a team's own; one runtime serves it and ours. */
async function ofOwnDocument(document: string): Promise<readonly GeneratedFile[]> {
  const loaded = await loadContract({ document, cwd: import.meta.dirname });
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  const files = await generate([loaded.contract], { server: true });
  return files.filter(({ path }) => path.startsWith(loaded.contract.name) && path.endsWith('.ts'));
}

/** A team's own code, which hands bytes to the functions that take some. */
const use: GeneratedFile = {
  path: 'use.ts',
  text: `import { connect, publishNodeVersion, publishNodeVersionUpload, type PublishNodeVersionParameters } from './registry/index.js';
export async function publish(input: PublishNodeVersionParameters, bytes: Uint8Array): Promise<number> {
  const connection = connect({ baseUrl: 'https://api.example.com' });
  const answer = await publishNodeVersion(connection, input);
  await publishNodeVersionUpload(connection, answer, new Uint8Array(bytes));
  await publishNodeVersionUpload(connection, answer, new Blob([new Uint8Array(bytes)]));
  return answer.status;
}
`,
};

const browser: CompilerOptions = {
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
};
const node: CompilerOptions = {
  lib: ['lib.es2022.d.ts'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};
/** What a project gets that asks for nothing. */
const loose: CompilerOptions = {
  strict: false,
  exactOptionalPropertyTypes: false,
  isolatedDeclarations: false,
  noPropertyAccessFromIndexSignature: false,
  noUncheckedIndexedAccess: false,
};
const inexact: CompilerOptions = { exactOptionalPropertyTypes: false };

const projects: readonly (readonly [string, CompilerOptions])[] = [
  ['as strictly as can be, for browsers', browser],
  ['strictly, for Node alone', { ...node, ...inexact }],
  ['without strict, for browsers', { ...browser, ...loose }],
  ['without strict, for Node alone', { ...node, ...loose }],
];

test('the oldest compiler that is tried is the one that the guide states', () => {
  const guide = readFileSync(join(root, 'docs/guides/generate.md'), 'utf8');
  expect(/TypeScript (\d+\.\d+) or later/.exec(guide)?.[1]).toBe(floor.versionMajorMinor);
});

const compilers = [floor as unknown as typeof ts, ts];

test.each(
  projects.flatMap(([how, options]) =>
    compilers.map((compiler) => ({ version: compiler.version, how, options, compiler })),
  ),
)('TypeScript $version accepts clients and servers $how', async ({ options, compiler }) => {
  const files = [...committed(), ...(await ofOwnDocument('../fixtures/documents/every-part.yaml')), use];
  expect(compilerErrors(files, 'nodenext', options, compiler)).toStrictEqual([]);
});
