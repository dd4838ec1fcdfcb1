import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { packageRoot } from '../../contract/index.ts';

interface Bundle {
  readonly text: string;
  /** Of min + gzip. */
  readonly bytes: number;
  readonly modules: readonly string[];
}

/** What a browser gets of a page whose module is this. */
async function bundle(source: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: source, resolveDir: packageRoot(), loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const text = outputFiles[0]?.text ?? '';
  const [output] = Object.values(metafile.outputs);
  const modules = Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [path.replace(/^generated\//, '')] : [],
  );
  return { text, bytes: gzipSync(text, { level: 9 }).length, modules };
}

const listOnly = `
  import { connect, listModels } from './generated/router/index.ts';
  export const list = () => listModels(connect({ baseUrl: '/' }));
`;

test('a page with one call gets less than 4,000 bytes, compressed', async () => {
  expect((await bundle(listOnly)).bytes).toBeLessThan(4_000);
});

test('the bundle of a page with one call contains only what this call uses', async () => {
  const { text, modules } = await bundle(listOnly);
  expect(text).toContain('/v1/models');
  expect(text).not.toContain('/v1/models/{provider}');
  expect(modules).not.toContain('router/validators.ts');
  expect(modules).not.toContain('router/answers.ts');
  expect(modules).not.toContain('runtime/follow.ts');
  expect(modules).not.toContain('runtime/patience.ts');
});

test('the index loads no guard, even without tree shaking', async () => {
  const loaded = new Set<string>();
  const load = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    const text = readFileSync(new URL(`../../generated/${path}`, import.meta.url), 'utf8');
    for (const [, module = ''] of text.matchAll(/^(?:import|export) (?!type)[^']*? from '([^']*)\.js';$/gm))
      load(join(dirname(path), `${module}.ts`));
  };
  for (const api of ['router', 'registry', 'jobs']) load(`${api}/index.ts`);
  expect([...loaded].filter((path) => /\/(?:client|values)\.ts$/.test(path))).not.toStrictEqual([]);
  expect([...loaded].filter((path) => /\/(?:validators|failures|formats)\.ts$/.test(path))).toStrictEqual([]);
});

test('the bundle of a guard contains its checks and no client', async () => {
  const { modules } = await bundle(`
    import { isRouterModelListEntry } from './generated/router/validators.ts';
    export const is = isRouterModelListEntry;
  `);
  expect(modules).toContain('router/validators.ts');
  expect(modules).not.toContain('runtime/http.ts');
});
