import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Contract } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';

interface HandlersOptions {
  readonly out: string;
  /** The folder of the hand-written handlers. */
  readonly handlers: string;
  readonly importExtension: 'js' | 'ts';
  /** Reports missing handlers and writes nothing. */
  readonly check: boolean;
}

/** Adds stubs for missing operations to the files of handlers, and reports handlers whose operation no longer exists. */
export async function completeHandlers(
  contracts: readonly Contract[],
  options: HandlersOptions,
  { cwd, terminal, exit }: Context,
): Promise<void> {
  const { handlersOf, mergeHandlers } = await import('../../generator/index.ts');
  const folder = resolve(cwd, options.handlers);
  const toOut = relative(folder, resolve(cwd, options.out)).replaceAll('\\', '/');
  const from = toOut === '' || !toOut.startsWith('.') ? `./${toOut}`.replace(/\/$/, '') : toOut;
  const views = handlersOf(contracts, (api) => `${from}/${api}/server.${options.importExtension}`);
  for (const view of views) {
    const path = join(folder, `${view.folder}.ts`);
    const shown = relative(cwd, path);
    if ((await lstat(path).catch(() => undefined))?.isSymbolicLink() === true)
      throw new CommandFailure(2, `${shown} is a symbolic link`, [
        'name the folder that it leads to with --handlers',
      ]);
    const existing = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    const { text, added, removed, problem } = await mergeHandlers(existing, view);
    const sign = terminal.paint('yellow', terminal.sign.warning, 'say');
    if (problem !== undefined) terminal.say(`${sign} ${shown}: ${problem}`);
    for (const { name, line, column } of removed)
      terminal.say(
        `${sign} ${shown}:${String(line)}:${String(column)}: ${name} is not an operation of the contract any more: remove it`,
      );
    if (added.length === 0) continue;
    if (options.check) {
      exit(1);
      terminal.say(`${terminal.paint('red', terminal.sign.bad, 'say')} ${shown} lacks ${added.join(', ')}`);
      continue;
    }
    await mkdir(dirname(path), { recursive: true });
    // Removed first, because a file with that name may be a link to somewhere else.
    await rm(`${path}.partial`, { force: true });
    await writeFile(`${path}.partial`, text, { flag: 'wx' });
    await rename(`${path}.partial`, path);
    terminal.say(
      `${terminal.sign.good} ${shown}: ${existing === undefined ? 'created with' : 'added'} ${added.join(', ')}`,
    );
  }
}
