import { isRecord, suggest } from '../../contract/index.ts';
import type {
  ApiConfig,
  Config,
  ConformConfig,
  GenerateConfig,
  MockConfig,
  OwnModule,
  TargetConfig,
} from '../config.ts';
import { CommandFailure } from '../failure.ts';

/** Finds the place of a property by its path, such as `conform.targets.staging.allow`. */
export type PlaceOf = (path: string) => string;

/**
 * What a configuration file exports, judged by its form.
 *
 * @throws {CommandFailure} for properties that are unknown, missing or of the wrong type, with their place
 */
export function checkedConfig(value: unknown, placeOf: PlaceOf, file: string): Config {
  const within = (part: unknown, known: Properties, name: string): Record<string, unknown> =>
    requireProperties(part, known, placeOf, file, name);
  const config = within(value, { contracts: list, generate: any, mock: any, conform: any }, '');
  const { contracts, generate, mock, conform } = config;
  requireApis(contracts, 'contracts', within, file);
  if (generate !== undefined) {
    const { apis } = within(generate, generateProperties, 'generate');
    requireApis(apis, 'generate.apis', within, file);
  }
  if (mock !== undefined) {
    const { apis } = within(mock, mockProperties, 'mock');
    requireApis(apis, 'mock.apis', within, file);
  }
  if (conform !== undefined) requireTargets(conform, within, placeOf, file);
  return config as Config;
}

// --- internal ---

/** What a property must be: a test, and the same in words. */
interface Wanted {
  readonly fits: (value: unknown) => boolean;
  readonly words: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const text: Wanted = { fits: isText, words: 'a string that is not empty' };
const texts: Wanted = {
  fits: (value) => Array.isArray(value) && value.every(isText),
  words: 'an array of strings that are not empty',
};
const flag: Wanted = { fits: (value) => typeof value === 'boolean', words: 'true or false' };

const textOrNumber: Wanted = {
  fits: (value) => isText(value) || Number.isFinite(value),
  words: 'a string or a number',
};
const number: Wanted = { fits: Number.isFinite, words: 'a number' };
const list: Wanted = { fits: Array.isArray, words: 'an array' };
const object: Wanted = { fits: isRecord, words: 'an object' };
const any: Wanted = { fits: () => true, words: '' };

type Properties = Readonly<Record<string, Wanted>>;
type Within = (part: unknown, known: Properties, name: string) => Record<string, unknown>;

const apiProperties: Readonly<Record<keyof ApiConfig, Wanted>> = {
  document: text,
  sheet: text,
  overlays: texts,
  name: text,
  module: object,
};
const moduleProperties: Readonly<Record<keyof OwnModule, Wanted>> = {
  probes: list,
  fixtures: object,
  answers: object,
  deviations: list,
};
const generateProperties: Readonly<Record<keyof GenerateConfig, Wanted>> = {
  apis: list,
  out: text,
  only: texts,
  except: texts,
  models: texts,
  from: text,
  allowRemote: texts,
  strict: flag,
  importExtension: { fits: (value) => value === 'js' || value === 'ts', words: "'js' or 'ts'" },
  templates: text,
  server: flag,
  typesOnly: flag,
  query: flag,
  afterWrite: texts,
  handlers: text,
  without: { fits: (value) => value === 'validators', words: "'validators'" },
};

const mockProperties: Readonly<Record<keyof MockConfig, Wanted>> = {
  apis: list,
  port: number,
  controlPort: number,
  host: text,
  publicUrl: text,
  cors: text,
  data: text,
  settings: text,
  dynamic: flag,
  seed: textOrNumber,
  errors: flag,
  scenario: { fits: (value) => isText(value) || texts.fits(value), words: 'a string or an array of strings' },
  latency: text,
  clock: text,
  deadline: text,
  callsInFlight: number,
  profile: text,
  allowRemote: texts,
  strict: flag,
};
const conformProperties: Readonly<Record<keyof ConformConfig, Wanted>> = {
  targets: object,
};
const targetProperties: Readonly<Record<keyof TargetConfig, Wanted>> = {
  baseUrl: { fits: (value) => typeof value === 'string' && URL.canParse(value), words: 'an address' },
  api: texts,
  contract: { fits: (value) => isText(value) || isRecord(value), words: 'a path or an object' },
  fixtures: text,
  allow: texts,
  maxRuns: number,
  only: texts,
  except: texts,
  rule: texts,
  level: texts,
  anonymous: flag,
  tokenCommand: text,
  header: texts,
  seed: number,
  concurrency: number,
  rate: textOrNumber,
  timeout: text,
  wait: text,
  maxWait: text,
  budget: text,
  retries: number,
  strict: flag,
  baseline: text,
  report: text,
};

function requireApis(apis: unknown, name: string, within: Within, file: string): void {
  ((apis ?? []) as readonly unknown[]).forEach((api, index) => {
    if (!isText(api)) requireApi(api, `${name}[${String(index)}]`, within, file);
  });
}

function requireApi(api: unknown, name: string, within: Within, file: string): void {
  const { document, module } = within(api, apiProperties, name);
  if (module !== undefined) within(module, moduleProperties, `${name}.module`);
  if (document !== undefined) return;
  throw new CommandFailure(2, `${file}: missing property document in ${name}`, [
    'give the path of its OpenAPI document',
  ]);
}

function requireTargets(conform: unknown, within: Within, placeOf: PlaceOf, file: string): void {
  const { targets } = within(conform, conformProperties, 'conform');
  for (const [name, target] of Object.entries((targets ?? {}) as object)) {
    const path = `conform.targets.${name}`;
    if (URL.canParse(name))
      throw new CommandFailure(2, `${placeOf(path)}: ${path}: a target cannot be named by an address`);
    const { baseUrl, contract } = within(target, targetProperties, path);
    if (baseUrl === undefined)
      throw new CommandFailure(2, `${placeOf(path)}: missing property baseUrl in ${path}`, [
        'give the address of the server',
      ]);
    if (isRecord(contract)) requireApi(contract, `${path}.contract`, within, file);
  }
}

function requireProperties(
  value: unknown,
  known: Readonly<Record<string, Wanted>>,
  placeOf: PlaceOf,
  file: string,
  within: string,
): Record<string, unknown> {
  if (!isRecord(value))
    throw new CommandFailure(
      2,
      `${file}: ${within || 'the configuration'} must be an object, not ${shown(value)}`,
    );
  for (const [name, property] of Object.entries(value)) {
    const path = within === '' ? name : `${within}.${name}`;
    const wanted = Object.hasOwn(known, name) ? known[name] : undefined;
    if (wanted === undefined) {
      const near = suggest(name, Object.keys(known));
      throw new CommandFailure(
        2,
        `${placeOf(path)}: unknown property ${path}${near === undefined ? '' : `. Did you mean ${near}?`}`,
        [`known: ${Object.keys(known).join(', ')}`],
      );
    }
    if (property !== undefined && !wanted.fits(property))
      throw new CommandFailure(
        2,
        `${placeOf(path)}: ${path} must be ${wanted.words}, not ${shown(property)}`,
      );
  }
  return value;
}

function shown(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (typeof value === 'function') return 'a function';
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
