import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { packageRoot } from '../../contract/index.ts';
import { configNames } from '../config/config-file.ts';
import { sourcesOf } from '../config/config-module.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { FileWatch } from '../files/file-watch.ts';
import type { GenerateTask } from './options.ts';

/** Runs once. Reports the local files that the run reads, missing ones too, whether it succeeds or not. */
export type RunOnce = (options: GenerateTask, onFiles: (files: readonly string[]) => void) => Promise<void>;

/**
 * Runs at once, and again whenever a file that a run read has changed: documents, files that they refer to,
 * sheets, overlays, templates. After a change of the configuration, or of a file that it imports, the next
 * run has its new settings. A failed run is reported, and the watch continues until the process is asked to
 * end.
 *
 * @param first the initial settings
 * @param settle reads the settings again
 * @throws {CommandFailure} if the run reads no files of the user, so that nothing can change
 */
export async function watchAndRepeat(
  first: GenerateTask,
  settle: () => Promise<GenerateTask>,
  run: RunOnce,
  context: Context,
): Promise<void> {
  const { cwd, terminal } = context;
  const { say, sign, paint } = terminal;
  let options = first;
  if (ownInputs(options).length === 0 && options.config === undefined)
    throw new CommandFailure(2, '--watch has nothing to watch: built-in contracts do not change', [
      'name an OpenAPI document of your own, or --templates',
    ]);
  let settings = settingsOf(options, cwd);
  // A change to a file of the last successful run can repair a failed one.
  let good: readonly string[] = [];

  const attempt = async (isAfterSettings: boolean): Promise<void> => {
    const began = Date.now();
    const files = new Set<string>();
    try {
      if (isAfterSettings) {
        // Its imports may have changed before it could be read.
        settings = settingsOf(options, cwd);
        options = await settled(settle, options, cwd);
        settings = settingsOf(options, cwd);
      }
      await run(options, (read) => {
        for (const file of read) files.add(file);
      });
      good = [...files];
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      say(`${paint('red', sign.bad, 'say')} ${error.message}`);
      for (const line of error.help) say(`   ${line}`);
    }
    await watch.watch([...new Set([...files, ...good, ...settings, ...templatesOf(options, cwd)])], began);
  };
  const { promise: ended, resolve: end, reject: fail } = withResolvers();
  const watch = new FileWatch((changed) => attempt(changed.some((file) => settings.has(file))).catch(fail));
  const off = context.onSignal(() => {
    off();
    end();
  });
  try {
    await attempt(false);
    const shown = [
      ...ownInputs(options),
      ...(options.config === undefined ? [] : [relative(cwd, options.config)]),
    ];
    say(`${sign.info} watching ${shown.join(', ')}; end it with Ctrl+C`);
    await ended;
  } finally {
    off();
    await watch.close();
  }
}

// --- internal ---

/**
 * Files whose change means new settings: the configuration and its imports, or the possible files of a
 * configuration.
 */
function settingsOf({ config }: GenerateTask, cwd: string): ReadonlySet<string> {
  return new Set(config === undefined ? configNames.map((name) => resolve(cwd, name)) : sourcesOf(config));
}

async function settled(
  settle: () => Promise<GenerateTask>,
  { config }: GenerateTask,
  cwd: string,
): Promise<GenerateTask> {
  const next = await settle();
  if (next.config === undefined && config !== undefined)
    throw new CommandFailure(2, `${relative(cwd, config)} is gone`, [
      'nothing was changed; the watch continues when it is back',
    ]);
  return next;
}

/** The files that the user named and that can change. */
function ownInputs({ apis, templates }: GenerateTask): string[] {
  const files = apis.flatMap(({ document, sheet, overlays = [] }) => [
    document,
    ...(sheet === undefined ? [] : [sheet]),
    ...overlays,
  ]);
  const local = files.filter((file) => /[./\\]/.test(file) && !/^https?:/i.test(file));
  return [...new Set([...local, ...(templates === undefined ? [] : [templates])])];
}

/** A missing template may be added later. */
function templatesOf({ templates }: GenerateTask, cwd: string): string[] {
  if (templates === undefined) return [];
  const folder = resolve(cwd, templates);
  return readdirSync(join(packageRoot(), 'templates')).map((name) => join(folder, name));
}

/** Like `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers(): {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
} {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => undefined, () => undefined];
  const promise = new Promise<void>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}
