// @module-tag long
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type GeneratedFile, generate } from '../../../generator/index.ts';
import { nativeTsc } from '../../e2e/reader.ts';
import { contractOf, temporaryFolder } from '../../generator/generated.ts';
import { base } from './base.ts';
import { changed, pairs } from './pairs.ts';

const functions = ['listPets', 'createPet', 'getPet', 'deletePet', 'putNote'];

/** A module of a team that uses generated code; only what it names is imported. */
function moduleOf(folder: string, path: string, text: string): GeneratedFile {
  const title = folder.charAt(0).toUpperCase() + folder.slice(1);
  const isNamed = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const named = [
    ...functions.filter(isNamed),
    ...(isNamed('createClient') ? [`create${title} as createClient`] : []),
    ...['Problem', 'Pet'].filter(isNamed).map((name) => `type ${name}`),
  ];
  const imports = [
    ...(named.length > 0 ? [`import { ${named.join(', ')} } from './${folder}/index.js';`] : []),
    ...(isNamed('createPetFailure') ? [`import { createPetFailure } from './${folder}/failures.js';`] : []),
    ...(isNamed('Handlers')
      ? [`import type { ${title}Handlers as Handlers } from './${folder}/server.js';`]
      : []),
    "import type { Connection } from './runtime/connection.js';",
    'declare const connection: Connection;',
    'void connection;',
  ];
  return { path, text: `${imports.join('\n')}\n${text}\n` };
}

/** What the compiler says about these modules, in one program. */
function compiled(files: readonly GeneratedFile[], modules: readonly GeneratedFile[]): string[] {
  const folder = temporaryFolder();
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{
      lib: ['es2022', 'dom', 'dom.iterable'],
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    },
  };
  const config = { compilerOptions, files: modules.map(({ path }) => path) };
  const all = [...files, { path: 'package.json', text: '{"type":"module"}' }];
  for (const { path, text } of [...all, { path: 'tsconfig.json', text: JSON.stringify(config) }]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const args = [nativeTsc, '-p', 'tsconfig.json', '--pretty', 'false'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return stdout.split('\n').filter((line) => /: error TS/.test(line));
}

test('what is called breaking does not compile with the new code, and compiled with the old', async () => {
  const shown = pairs.filter(({ caller, handler }) => caller !== undefined || handler !== undefined);
  const contracts = await Promise.all(
    shown.map((pair, index) => contractOf(changed(pair), `p${String(index)}`)),
  );
  const files = await generate([await contractOf(base, 'base'), ...contracts], {
    server: true,
    withoutValidators: true,
  });
  const uses = shown.flatMap(({ caller, handler }, index) =>
    Object.entries({ caller, handler }).flatMap(([party, text]) => {
      if (text === undefined) return [];
      const name = `${party}-${String(index)}.ts`;
      return [
        { party, name, file: moduleOf(`p${String(index)}`, `new-${name}`, text), pair: shown[index] },
        { party, name, file: moduleOf('base', `old-${name}`, text), pair: shown[index] },
      ];
    }),
  );
  const modules = uses.map(({ file }) => file);
  const errors = compiled([...files, ...modules], modules);
  const broken = new Set(errors.map((error) => error.split('(')[0]));
  expect(errors.filter((error) => !error.startsWith('new-'))).toStrictEqual([]);
  const misfits = uses.filter(({ file }) => file.path.startsWith('new-') && !broken.has(file.path));
  expect(misfits.map(({ party, pair }) => `${party}: ${pair?.name ?? ''} compiles`)).toStrictEqual([]);
  // The judgement says so: only changes that break the party have code of it.
  for (const { party, pair } of uses) {
    const effects = (pair?.expected ?? []).map(
      (each) => each.split(' ')[1]?.split('/')[party === 'caller' ? 0 : 1],
    );
    expect([
      pair?.name,
      party,
      effects.some((effect) => effect === 'wire' || effect === 'code'),
    ]).toStrictEqual([pair?.name, party, true]);
  }
});

test('both sides of every pair are documents that people could have', async () => {
  for (const pair of pairs) expect((await contractOf(changed(pair))).title).toBe('Pets');
});
