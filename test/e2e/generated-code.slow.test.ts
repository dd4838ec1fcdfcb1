// @module-tag long
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, root, run, tallystick } from '../cli/command.ts';
import { strictest } from '../strictest.ts';

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** A project as strict as they come, with nothing of Node's. */
const strict = {
  ...strictest,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  skipLibCheck: false,
  outDir: 'out',
  rootDir: '.',
};

async function compile(folder: string, options: Readonly<Record<string, unknown>>): Promise<string> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...strict, ...options }, include: ['api'] }),
  );
  return (await run(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: folder })).stdout;
}

test('the code for all built-in contracts compiles in a strict project', async () => {
  const folder = await freshFolder();
  expect((await tallystick(['generate', '--out', 'api'], { cwd: folder })).code).toBe(0);
  expect(await compile(folder, {})).toBe('');
});

test("a user's document has its own folder and shares the runtime with the built-in ones", async () => {
  const folder = await freshFolder();
  await mkdir(join(folder, 'docs'));
  await cp(join(root, 'specs/router.openapi.yaml'), join(folder, 'docs/second.yaml'));
  const { code } = await tallystick(
    ['generate', 'router', 'docs/second.yaml', '--out', 'api', '--import-extension', 'ts'],
    {
      cwd: folder,
    },
  );
  expect(code).toBe(0);
  expect(await compile(folder, { allowImportingTsExtensions: true, noEmit: true })).toBe('');
});
