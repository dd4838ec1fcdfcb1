import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { type Render, templateRenderer } from '../../generator/render.ts';
import { root } from './command.ts';

/** The templates that the build compiled say what the same texts say when they are compiled at run time. */
const folder = join(root, 'templates');
const { templateRenderer: shipped } = (await import(
  pathToFileURL(join(root, 'dist/generator/render.js')).href
)) as { readonly templateRenderer: typeof templateRenderer };

/** What a template prints, or its error. */
function saidBy(render: Render, template: string, view: object): string {
  try {
    return render(template, view);
  } catch (error) {
    return String(error);
  }
}

test('each template is built', () => {
  const built = createRequire(import.meta.url)(join(root, 'dist/generator/templates.cjs')) as object;
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(Object.keys(built)).toHaveLength(texts.length);
});

test.each<[string, string, object]>([
  ['a view', 'header', { document: 'a\nb.yaml' }],
  ['a view without a field', 'header', { documant: 'a.yaml' }],
  ['a view without a field of a block', 'types', {}],
  ['text in the place of code', 'types', { declarations: 'type A = 1' }],
])('a built template prints, or refuses, %s like one that is compiled now', (_, template, view) => {
  const [built, compiled] = [shipped(folder, undefined), templateRenderer(folder, undefined)];
  expect(saidBy(built, template, view)).toBe(saidBy(compiled, template, view));
});

test('the compiler of templates is not loaded for those of the package', () => {
  const script = `
    const { generate } = await import('./dist/generator/index.js');
    const { loadOwnContract } = await import('./dist/contract/index.js');
    await generate([await loadOwnContract('registry')], { server: true });
    const { Module } = await import('node:module');
    console.log(JSON.stringify(Object.keys(Module._cache).filter((path) => /handlebars.*compiler/.test(path))));`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(JSON.parse(loaded)).toStrictEqual([]);
});
