import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { configNames } from './config-file.ts';
import { sourcesOf } from './config-module.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import type { GenerateOptions } from './generate-options.ts';

/** Changes that come this close together are one. */
const SETTLE_MS = 50;

/**
 * Runs at once, and again whenever something changes beside the documents, their sheets or the templates: files that a
 * document refers to stand in its folder. After a change of the configuration, or of what it imports, the next run has
 * its new settings. What goes wrong is told, and the watch goes on until the process is asked to end.
 *
 * @param first the settings to begin with
 * @param settle makes the settings afresh
 * @throws {Failure} where nothing of the user's is read, so that nothing can change
 */
export async function watchAndRepeat(
  first: GenerateOptions,
  settle: () => Promise<GenerateOptions>,
  run: (options: GenerateOptions) => Promise<void>,
  context: Context,
): Promise<void> {
  const { cwd, terminal } = context;
  const { say, sign, paint } = terminal;
  let options = first;
  let folders = watchedFolders(options, cwd);
  let settings = settingsOf(options, cwd);
  // The output folders of earlier settings too: what is in them is no input.
  const outs = new Set([resolve(cwd, options.out)]);
  if (folders.length === 0 && options.config === undefined)
    throw new Failure(2, '--watch has nothing to watch: built-in contracts do not change', [
      'name an OpenAPI document of your own, or --templates',
    ]);

  const { watch } = await import('chokidar');
  const documents = watch(folders, {
    ignoreInitial: true,
    ignored: (path, stats) =>
      isWritten(path, outs, inputsOf(options, cwd)) ||
      /[\\/](?:node_modules|\.git)(?:[\\/]|$)/.test(path) ||
      (stats?.isFile() === true && !/\.(?:json|ya?ml|hbs)$/.test(path)),
  });
  // Their folders and not they themselves: an editor may put a new file in the place of the old one.
  const configuration = watch(foldersOf(settings), { ignoreInitial: true, depth: 0 });

  const settleAgain = async (): Promise<void> => {
    // What it imports may have changed before it could be read.
    settings = settingsOf(options, cwd);
    configuration.add(foldersOf(settings));
    const next = await settle();
    if (next.config === undefined && options.config !== undefined)
      throw new Failure(2, `${relative(cwd, options.config)} is gone`, [
        'nothing was changed; the watch continues when it is back',
      ]);
    options = next;
    outs.add(resolve(cwd, options.out));
    settings = settingsOf(options, cwd);
    configuration.add(foldersOf(settings));
    const wanted = watchedFolders(options, cwd);
    documents.unwatch(folders.filter((folder) => !wanted.includes(folder)));
    documents.add(wanted.filter((folder) => !folders.includes(folder)));
    folders = wanted;
  };
  const attempt = async (isAfterSettings: boolean): Promise<void> => {
    try {
      if (isAfterSettings) await settleAgain();
      await run(options);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      say(`${paint('red', sign.bad, 'say')} ${error.message}`);
      for (const line of error.help) say(`   ${line}`);
    }
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  let areSettingsNew = false;
  let running: Promise<void> = Promise.resolve();
  await new Promise<void>((stop, fail) => {
    const off = context.onSignal(() => {
      off();
      stop();
    });
    const soon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const isAfterSettings = areSettingsNew;
        areSettingsNew = false;
        running = running.then(() => attempt(isAfterSettings));
        running.catch(fail);
      }, SETTLE_MS);
    };
    for (const watcher of [documents, configuration]) watcher.on('error', fail);
    documents.on('all', soon);
    configuration.on('all', (_event, path) => {
      if (!settings.has(path)) return;
      areSettingsNew = true;
      soon();
    });
    // Nothing that changes from the first reading on is missed.
    const watchers = [...(folders.length === 0 ? [] : [documents]), configuration];
    running = Promise.all(watchers.map(untilReady)).then(() => attempt(false));
    running.then(() => {
      const shown = [...folders, ...(options.config === undefined ? [] : [options.config])];
      say(
        `${sign.info} watching ${shown.map((path) => relative(cwd, path) || '.').join(', ')}; end it with Ctrl+C`,
      );
    }, fail);
  }).finally(async () => {
    clearTimeout(timer);
    await Promise.all([documents.close(), configuration.close()]);
  });
}

// --- internal ---

function untilReady(watcher: { once(event: 'ready', listener: () => void): unknown }): Promise<void> {
  return new Promise((resolve) => watcher.once('ready', resolve));
}

/** Files whose change means new settings: the configuration and what it imports, or what would be one. */
function settingsOf({ config }: GenerateOptions, cwd: string): ReadonlySet<string> {
  return new Set(config === undefined ? configNames.map((name) => resolve(cwd, name)) : sourcesOf(config));
}

function foldersOf(files: ReadonlySet<string>): string[] {
  return [...new Set([...files].map((file) => dirname(file)))];
}

function inputsOf({ apis, templates }: GenerateOptions, cwd: string): string[] {
  const files = apis.flatMap(({ document, sheet, overlays = [] }) => [
    document,
    ...(sheet === undefined ? [] : [sheet]),
    ...overlays,
  ]);
  // One that is not there yet may come to be.
  const own = files
    .filter((file) => /[./\\]/.test(file))
    .map((file) => resolve(cwd, file))
    .filter((file) => existsSync(dirname(file)));
  return [...own, ...(templates === undefined ? [] : [resolve(cwd, templates, '.')])];
}

function watchedFolders(options: GenerateOptions, cwd: string): string[] {
  const { templates } = options;
  const folder = templates === undefined ? undefined : resolve(cwd, templates);
  return [...new Set(inputsOf(options, cwd).map((path) => (path === folder ? path : dirname(path))))];
}

/** Whether runs write it; where documents stand among the output, that is told of the list of what was written alone. */
function isWritten(path: string, outs: ReadonlySet<string>, inputs: readonly string[]): boolean {
  const isWithin = (file: string, out: string): boolean => file === out || file.startsWith(out + sep);
  return [...outs].some(
    (out) =>
      isWithin(path, out) &&
      (basename(path) === '.tallystick.json' || !inputs.some((input) => isWithin(input, out))),
  );
}
