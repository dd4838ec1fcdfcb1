import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freshFolder, root } from '../cli/command.ts';

/**
 * A copy of a project in which `tallystick` is this build, and `tsc` and `vite` are those of this checkout. It needs no
 * registry. `packedProject` has the package as npm installs it.
 */
export async function linkedProject(template?: string): Promise<string> {
  const folder = await freshFolder();
  if (template !== undefined) await cp(template, folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await symlink(root, join(modules, 'tallystick'));
  for (const name of [
    'typescript',
    '@types',
    'vite',
    'react',
    'react-dom',
    'express',
    'fastify',
    'hono',
    '@hono',
    '@tanstack',
    '@standard-schema',
  ])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  await symlink(join(root, 'dist/cli/bin.cjs'), join(modules, '.bin/tallystick'));
  await symlink(join(root, 'node_modules/typescript/bin/tsc'), join(modules, '.bin/tsc'));
  await symlink(join(root, 'node_modules/vite/bin/vite.js'), join(modules, '.bin/vite'));
  return folder;
}
