import { InvalidArgumentError } from 'commander';
import type { Command, Option } from 'commander';
import { relative, resolve } from 'node:path';
import type { ApiConfig } from '../config.ts';
import type { FoundConfig } from './config-file.ts';
import { CommandFailure } from '../failure.ts';
import { afterColon } from '../usage-failure.ts';

/**
 * Sets options of a command from a configuration file, unless the command line or the environment sets them.
 * The values are parsed as on the command line.
 *
 * @param paths options whose values are paths: these are relative to the configuration file
 * @throws {CommandFailure} for a value that the option does not accept, with its place
 */
export function configureOptions(
  command: Command,
  values: object,
  {
    found,
    within,
    paths,
    cwd,
  }: {
    readonly found: Pick<FoundConfig, 'placeOf' | 'folder'>;
    /** The property with the values, such as `mock`. */
    readonly within: string;
    readonly paths: readonly string[];
    readonly cwd: string;
  },
): void {
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    const option = command.options.find((each) => each.attributeName() === name);
    const source = command.getOptionValueSource(name);
    if (option === undefined || value === undefined || source === 'cli' || source === 'env') continue;
    const texts = [value]
      .flat()
      .map((each) => (paths.includes(name) ? pathFrom(found, cwd, String(each)) : String(each)));
    const read =
      typeof value === 'boolean'
        ? value
          ? true
          : undefined
        : readOption(option, texts, `${found.placeOf(`${within}.${name}`)}: ${within}.${name}`);
    if (read !== undefined) command.setOptionValueWithSource(name, read, 'config');
  }
}

/** A path of a configuration file, relative to the working directory. */
export function pathFrom({ folder }: Pick<FoundConfig, 'folder'>, cwd: string, path: string): string {
  const shown = relative(cwd, resolve(folder, path)).replaceAll('\\', '/');
  return shown === '' ? '.' : shown;
}

/**
 * An API of a configuration file, with paths relative to the working directory. Names of built-in contracts
 * stay unchanged.
 */
export function apiFrom(
  found: Pick<FoundConfig, 'folder'>,
  cwd: string,
  api: string | ApiConfig,
  ours: readonly string[],
): ApiConfig {
  const { document, sheet, overlays, name, module } =
    typeof api === 'string' ? ({ document: api } as ApiConfig) : api;
  if (ours.includes(document)) return { document };
  const isAddress = /^https?:/.test(document);
  return {
    document: isAddress ? document : pathFrom(found, cwd, document),
    ...(sheet === undefined ? {} : { sheet: pathFrom(found, cwd, sheet) }),
    ...(overlays === undefined ? {} : { overlays: overlays.map((overlay) => pathFrom(found, cwd, overlay)) }),
    ...(name === undefined ? {} : { name }),
    ...(module === undefined ? {} : { module }),
  };
}

// --- internal ---

function readOption(option: Option, texts: readonly string[], place: string): unknown {
  const parse = option.parseArg as ((text: string, previous: unknown) => unknown) | undefined;
  if (parse === undefined) return texts.at(-1);
  try {
    return texts.reduce((previous: unknown, text) => parse.call(option, text, previous), undefined);
  } catch (cause) {
    if (!(cause instanceof InvalidArgumentError)) throw cause;
    throw new CommandFailure(2, `${place}: ${afterColon(cause.message)}`, [], { cause });
  }
}
