import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { inject } from 'vitest';
import { freshFolder, root, run } from '../cli/command.ts';
import { blocksOf } from '../docs/blocks.ts';
import type {} from './run-folder.ts';
import { until } from '../until.ts';

/** The package as a user gets it. */
export interface Packed {
  readonly tarball: string;
  /** What the tarball holds. */
  readonly files: readonly string[];
  /** An empty project into which the command of the README installed it. */
  readonly project: string;
  /** The output of npm. */
  readonly said: string;
}

/** Packs and installs the package, once for all test files of a run; later ones wait for the first. */
export async function packed(): Promise<Packed> {
  const shelf = join(inject('runFolder'), 'packed');
  const [done, failed] = [`${shelf}.json`, `${shelf}.failed`];
  if (await isFirst(shelf)) {
    try {
      await publish(done, JSON.stringify(await packAndInstall(shelf)));
    } catch (error) {
      await publish(failed, error instanceof Error ? error.message : String(error));
    }
  }
  await until('the package is installed', () => existsSync(done) || existsSync(failed), 280_000);
  if (existsSync(failed)) throw new Error(await readFile(failed, 'utf8'));
  return JSON.parse(await readFile(done, 'utf8')) as Packed;
}

/** A project of its own in which that package is installed, with the tools that the guides ask for. */
export async function packedProject(): Promise<string> {
  const { project } = await packed();
  const folder = await freshFolder();
  await writeFile(join(folder, 'package.json'), manifest);
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

// --- internal ---

const manifest = '{ "name": "a-team", "private": true, "type": "module" }';

/** What a reader installs beside the package. It comes from this checkout, which spares the time to install it again. */
const tools = ['vitest', 'vite', 'msw', 'pg', 'redis', '@types/node', '@types/pg'];
const programs = { vitest: 'vitest/vitest.mjs', vite: 'vite/bin/vite.js' };

async function packAndInstall(shelf: string): Promise<Packed> {
  await writeFile(join(shelf, 'package.json'), manifest);
  // dist/ is fresh; packing must not build it again under the feet of the other tests.
  const { stdout } = await npm(`npm pack --ignore-scripts --json --pack-destination '${shelf}'`, root);
  const [made] = JSON.parse(stdout) as [
    { readonly filename: string; readonly files: readonly { path: string }[] },
  ];
  const command = blocksOf('README.md').find(({ text }) =>
    text.startsWith('npm install --save-dev ./'),
  )?.text;
  const { stderr } = await npm(command ?? 'the README names no command to install the tarball', shelf);
  const modules = join(shelf, 'node_modules');
  await Promise.all([
    ...tools.map((name) => link(join(root, 'node_modules', name), join(modules, name))),
    ...Object.entries(programs).map(([name, path]) =>
      link(join(root, 'node_modules', path), join(modules, '.bin', name)),
    ),
  ]);
  const files = made.files.map(({ path }) => path);
  return { tarball: join(shelf, basename(made.filename)), files, project: shelf, said: stderr };
}

async function npm(command: string, cwd: string) {
  const environment = {
    ...{ npm_config_update_notifier: 'false', npm_config_prefer_offline: 'true', npm_config_audit: 'false' },
    ...{ DO_NOT_TRACK: '1', SCARF_ANALYTICS: 'false' },
  };
  const ended = await run('sh', ['-eu', '-c', command], { cwd, environment });
  if (ended.code === 0) return ended;
  const offline = /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(ended.stderr);
  throw new Error(
    `${command} failed${offline ? ': the package registry cannot be reached, and this test has to install from it' : ''}\n${ended.stderr}`,
  );
}

/** A folder can be made only once. */
async function isFirst(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Whole or not at all. */
async function publish(file: string, text: string): Promise<void> {
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}

async function link(target: string, path: string): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
