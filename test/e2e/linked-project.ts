import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { freshFolder, root } from '../cli/command.ts';

/**
 * A folder in which `npx --no tallystick` and `npx tsc` are this build and this compiler: what an installation gives,
 * without the time that it takes. The real one is tested by packed-package.slow.test.ts.
 */
export async function linkedProject(template?: string): Promise<string> {
  const folder = await freshFolder();
  if (template !== undefined) await cp(template, folder, { recursive: true });
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '.bin'), { recursive: true });
  await symlink(root, join(modules, 'tallystick'));
  for (const name of ['typescript', '@blockfrost', '@types', 'msw', 'vite', 'vitest'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  await symlink(join(root, 'dist/cli/bin.cjs'), join(modules, '.bin/tallystick'));
  await symlink(join(root, 'node_modules/typescript/bin/tsc'), join(modules, '.bin/tsc'));
  await symlink(join(root, 'node_modules/vite/bin/vite.js'), join(modules, '.bin/vite'));
  return folder;
}
