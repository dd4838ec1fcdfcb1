import { relative, resolve } from 'node:path';
import type { ApiConfig } from '../config.ts';
import { findConfig } from '../config/config-file.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { carriedContracts } from '../contracts/own-contracts.ts';
import { sheetBeside } from '../contracts/sheet-beside.ts';
import { shellLine } from '../../contract/index.ts';

/** The values from the command line. */
export interface GenerateFlags {
  /** The name of the option. */
  readonly model?: readonly string[];
  readonly out?: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly sheet?: string;
  readonly name?: string;
  readonly allowRemote?: readonly string[];
  readonly overlay?: readonly string[];
  readonly strict?: true;
  readonly importExtension?: 'js' | 'ts';
  readonly templates?: string;
  readonly server?: true;
  readonly typesOnly?: true;
  readonly query?: true;
  readonly handlers?: string;
  /** The parts to leave out. */
  readonly without?: 'validators';
  /** Ids of models whose input is to be typed. */
  readonly models?: readonly string[];
  /** The address of the server that has their documents. */
  readonly from?: string;
  readonly check?: true;
  readonly dryRun?: true;
  readonly watch?: true;
  readonly overwrite?: readonly string[];
  readonly prune?: true;
  readonly json?: true;
}

/** What to generate, including the values from the configuration. Paths are relative to the working directory. */
export interface GenerateTask extends Omit<GenerateFlags, 'sheet' | 'name' | 'model' | 'overlay'> {
  readonly out: string;
  readonly importExtension: 'js' | 'ts';
  readonly apis: readonly ApiConfig[];
  /** The equivalent command line for help messages, without options that concern one run only. */
  readonly commandLine: string;
  /** The command to run on the written files, with its arguments. */
  readonly afterWrite?: readonly string[];
  /** The absolute path of the configuration file, if there is one. */
  readonly config: string | undefined;
}

/** The default folder of the output. */
const OUT = 'src/tallystick';

/**
 * Combines the command line, the configuration file and the defaults, in this order of precedence.
 *
 * @throws {CommandFailure} for a configuration that cannot be used, and for flags that cannot be combined
 */
export async function settleOptions(
  apis: readonly string[],
  flags: GenerateFlags,
  { cwd }: Pick<Context, 'cwd'>,
  { afresh = false }: { readonly afresh?: boolean } = {},
): Promise<GenerateTask> {
  if (flags.prune === true && flags.watch === true)
    throw new CommandFailure(
      2,
      '--prune cannot be combined with --watch: a half-typed setting would remove code',
      ['run it once with --prune, then watch without it'],
    );
  const found = await findConfig(cwd, { afresh });
  const config = found?.config.generate ?? {};
  const has = { ...config, ...flags };
  if (has.without !== undefined && (has.server === true || has.handlers !== undefined))
    throw new CommandFailure(2, 'servers need validators, to check requests', [
      'leave out --without, or --server and --handlers',
    ]);
  if (has.without !== undefined && (flags.model ?? config.models ?? []).length > 0)
    throw new CommandFailure(2, 'models need validators, to check inputs', [
      'leave out --without, or --model',
    ]);
  if (
    has.typesOnly === true &&
    (has.query === true ||
      has.server === true ||
      has.handlers !== undefined ||
      (flags.model ?? config.models ?? []).length > 0)
  )
    throw new CommandFailure(2, 'servers, models and queries need more than types', [
      'leave out --types-only, or --server, --handlers, --model and --query',
    ]);
  const here = (path: string): string => {
    const shown = relative(cwd, resolve(found?.folder ?? cwd, path)).replaceAll('\\', '/');
    return shown === '' ? '.' : shown;
  };
  const path = (flag: string | undefined, configured: string | undefined): string | undefined =>
    flag ?? (configured === undefined ? undefined : here(configured));
  const { sheet, name, model, overlay, ...others } = flags;
  const ours: readonly string[] = carriedContracts();
  const documents = apis.filter((api) => !ours.includes(api));
  for (const [flag, value] of Object.entries({ sheet, name, overlay })) {
    if (value !== undefined && documents.length !== 1)
      throw new CommandFailure(2, `--${flag} needs exactly one OpenAPI document of your own beside it`);
  }
  const [only, except] = [flags.only ?? config.only, flags.except ?? config.except];
  // A sheet is about all operations: beside some of them, only a sheet that is named counts.
  const beside = (document: string): string | undefined =>
    only === undefined && except === undefined ? sheetBeside(document, cwd) : undefined;
  const asked = apis.map((document): ApiConfig =>
    ours.includes(document)
      ? { document }
      : {
          document,
          ...definedOf({ sheet: sheet ?? beside(document), name, overlays: overlay }),
        },
  );
  const configured = (config.apis ?? found?.config.contracts ?? []).map((api): ApiConfig => {
    const own = typeof api === 'string' ? { document: api } : api;
    const document = isPath(own.document) ? here(own.document) : own.document;
    const unnamed = ours.includes(document) ? undefined : beside(document);
    return {
      ...own,
      document,
      ...definedOf({ sheet: path(undefined, own.sheet) ?? unnamed, overlays: own.overlays?.map(here) }),
    };
  });
  return {
    ...others,
    ...definedOf({
      only,
      except,
      models: model ?? config.models,
      from: flags.from ?? config.from,
      allowRemote: flags.allowRemote ?? config.allowRemote,
      templates: path(flags.templates, config.templates),
      handlers: path(flags.handlers, config.handlers),
      strict: (flags.strict ?? config.strict) === true ? (true as const) : undefined,
      without: flags.without ?? config.without,
      afterWrite: config.afterWrite,
      query: (flags.query ?? config.query) === true ? (true as const) : undefined,
      typesOnly: (flags.typesOnly ?? config.typesOnly) === true ? (true as const) : undefined,
      server: (flags.server ?? config.server) === true ? (true as const) : undefined,
    }),
    out: path(flags.out, config.out) ?? OUT,
    importExtension: flags.importExtension ?? config.importExtension ?? 'js',
    apis: asked.length > 0 ? asked : configured,
    commandLine: commandLine(apis, flags),
    config: found?.path,
  };
}

// --- internal ---

/** Names of built-in contracts stay unchanged. */
function isPath(document: string): boolean {
  return /[./\\]/.test(document) && !/^https?:/.test(document);
}

function definedOf<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };
}

/** The typed options, without those that concern one run only. Options of the configuration need not be repeated. */
function commandLine(apis: readonly string[], flags: GenerateFlags): string {
  const options: readonly (readonly [string, string | undefined])[] = [
    ['sheet', flags.sheet],
    ['name', flags.name],
    ...(flags.overlay ?? []).map((file) => ['overlay', file] as const),
    ['only', flags.only?.join(',')],
    ['except', flags.except?.join(',')],
    ['model', flags.model?.join(',')],
    ['out', flags.out],
    ['allow-remote', flags.allowRemote?.join(',')],
    ['import-extension', flags.importExtension],
    ['templates', flags.templates],
    ['handlers', flags.handlers],
    ['without', flags.without],
  ];
  const words = options.flatMap(([name, value]) => {
    if (value === undefined) return [];
    return value.startsWith('-') ? [`--${name}=${value}`] : [`--${name}`, value];
  });
  if (flags.strict === true) words.push('--strict');
  if (flags.server === true) words.push('--server');
  if (flags.query === true) words.push('--query');
  if (flags.typesOnly === true) words.push('--types-only');
  if (flags.prune === true) words.push('--prune');
  return shellLine('generate', ...apis, ...words);
}
