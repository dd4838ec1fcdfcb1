import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import type { GenerateOptions } from './generate-options.ts';

/** Changes that come this close together are one. */
const SETTLE_MS = 50;

/**
 * Runs at once, and again whenever something changes beside the documents, their sheets or the templates: files that a
 * document refers to stand in its folder. What goes wrong is told, and the watch goes on until the process is asked to end.
 *
 * @throws {Failure} where nothing of the user's is read, so that nothing can change
 */
export async function watchAndRepeat(
  options: GenerateOptions,
  run: () => Promise<void>,
  context: Context,
): Promise<void> {
  const { cwd, terminal } = context;
  const folders = watchedFolders(options, cwd);
  if (folders.length === 0)
    throw new Failure(2, '--watch has nothing to watch: our own contracts do not change', [
      'name an OpenAPI document of your own, or --templates',
    ]);
  const attempt = async (): Promise<void> => {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      terminal.say(`${terminal.paint('red', terminal.sign.bad, 'say')} ${error.message}`);
      for (const line of error.help) terminal.say(`   ${line}`);
    }
  };
  await attempt();

  const { watch } = await import('chokidar');
  const out = resolve(cwd, options.out);
  const watcher = watch(folders, {
    ignoreInitial: true,
    ignored: (path, stats) =>
      path.startsWith(out) ||
      /[\\/](?:node_modules|\.git)(?:[\\/]|$)/.test(path) ||
      (stats?.isFile() === true && !/\.(?:json|ya?ml|hbs)$/.test(path)),
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  await new Promise<void>((stop, fail) => {
    const off = context.onSignal(() => {
      off();
      stop();
    });
    watcher.on('error', fail);
    watcher.on('ready', () => {
      const shown = folders.map((folder) => relative(cwd, folder) || '.').join(', ');
      terminal.say(`${terminal.sign.info} watching ${shown}; end it with Ctrl+C`);
    });
    watcher.on('all', () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(attempt);
        running.catch(fail);
      }, SETTLE_MS);
    });
  }).finally(async () => {
    clearTimeout(timer);
    await watcher.close();
  });
}

// --- internal ---

function watchedFolders({ apis, templates }: GenerateOptions, cwd: string): string[] {
  const files = apis.flatMap(({ document, sheet }) => [document, ...(sheet === undefined ? [] : [sheet])]);
  const own = files.map((file) => resolve(cwd, file)).filter((file) => existsSync(file));
  const folders = [
    ...own.map((file) => dirname(file)),
    ...(templates === undefined ? [] : [resolve(cwd, templates)]),
  ];
  return [...new Set(folders)];
}
