import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, root, run } from './command.ts';

/** The packages of this checkout by which a project has a TypeScript: 7 has no functions that make nodes. */
const versions = { 7: 'typescript-7', '5.0': 'typescript-floor' };

/**
 * A project in whose `node_modules` everything but TypeScript is as in this checkout.
 *
 * @param hoisted the package that is found by the name `typescript`, also by openapi-typescript
 * @param own what tallystick alone finds by that name, if there is such a thing
 */
async function projectWith(hoisted: string, own?: string): Promise<string> {
  const folder = await freshFolder();
  const modules = join(folder, 'node_modules');
  const ours = join(root, 'node_modules');
  await mkdir(join(modules, 'tallystick'), { recursive: true });
  const apart = new Set(['typescript', 'openapi-typescript', '.bin']);
  const names = (await readdir(ours)).filter((name) => !apart.has(name));
  await Promise.all(names.map((name) => symlink(join(ours, name), join(modules, name))));
  await symlink(join(ours, hoisted), join(modules, 'typescript'));
  // Copies: what a link leads to would find the packages of this checkout.
  await cp(join(ours, 'openapi-typescript'), join(modules, 'openapi-typescript'), { recursive: true });
  for (const part of ['package.json', 'dist', 'templates', 'specs', 'generator', 'engine', 'contract'])
    await cp(join(root, part), join(modules, 'tallystick', part), { recursive: true });
  if (own !== undefined) {
    await mkdir(join(modules, 'tallystick/node_modules'));
    await symlink(join(ours, own), join(modules, 'tallystick/node_modules/typescript'));
  }
  await writeFile(join(folder, 'package.json'), '{ "name": "a-team", "private": true, "type": "module" }');
  return folder;
}

test.each([
  ['7 is hoisted, and 5.9 is below tallystick', versions[7], 'typescript'],
  ['5.0 is hoisted, and 5.9 is below tallystick', versions['5.0'], 'typescript'],
  ['7 replaces every other', versions[7], undefined],
])('generate writes the same code where TypeScript %s', async (_, hoisted, own) => {
  const folder = await projectWith(hoisted, own);
  const bin = join(folder, 'node_modules/tallystick/dist/cli/bin.cjs');
  const ended = await run(process.execPath, [bin, 'generate', '--server', '--out', 'src/api'], {
    cwd: folder,
  });
  expect(ended.stderr).not.toContain('✖');
  expect(ended.code).toBe(0);
  for (const path of ['router/types.ts', 'registry/types.ts', 'jobs/types.ts'])
    expect(await readFile(join(folder, 'src/api', path), 'utf8')).toBe(
      await readFile(join(root, 'generated', path), 'utf8'),
    );
});
