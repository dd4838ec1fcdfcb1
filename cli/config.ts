import type { Fixtures, Probe } from '../conformance/index.ts';
import type { OwnMockModule } from '../mock/index.ts';

/** The content of a configuration file. Every member is optional; the command line overrides it. */
export interface Config {
  /** The APIs that a command uses if its arguments name none: built-in ones by name, yours by path. */
  readonly contracts?: readonly (string | ApiConfig)[];
  readonly generate?: GenerateConfig;
  readonly mock?: MockConfig;
  readonly conform?: ConformConfig;
}

/** The settings of `tallystick generate`. Paths are relative to the configuration file. */
export interface GenerateConfig {
  /** Built-in contracts by name, your OpenAPI documents by path. Default: all built-in contracts. */
  readonly apis?: readonly (string | ApiConfig)[];
  /** The folder for the code; each API gets its own folder in it. */
  readonly out?: string;
  /** Generate only these operations, by id or tag. */
  readonly only?: readonly string[];
  /** Leave out these operations, by id or tag. */
  readonly except?: readonly string[];
  /** Type and check the input of these router models, such as `acme/echo-1`. */
  readonly models?: readonly string[];
  /** Fetch the schemas of models from this router. Default: use the schemas fetched before. */
  readonly from?: string;
  /** Hosts that `$ref`s may load from. Default: none. */
  readonly allowRemote?: readonly string[];
  /** Refuse mistakes in documents that are otherwise repaired with a warning. */
  readonly strict?: boolean;
  /** The extension in import specifiers: `ts` for runtimes that run TypeScript. Default: `js`. */
  readonly importExtension?: 'js' | 'ts';
  /** A folder with templates that replace the built-in ones with the same name. */
  readonly templates?: string;
  /** Also generate keys, options and React hooks for TanStack Query. */
  readonly query?: boolean;
  /** Also generate servers. */
  readonly server?: boolean;
  /** The folder of your handlers for the servers. */
  readonly handlers?: string;
  /**
   * A program and its arguments, run for the written files, such as `['prettier', '--write']`; without a shell, in the
   * folder of this file.
   */
  readonly afterWrite?: readonly string[];
  /** Generate only types: no client, no guards, no runtime. */
  readonly typesOnly?: boolean;
  /** Leave out guards and checks. */
  readonly without?: 'validators';
}

/** Options of `tallystick mock`, written as on the command line. Paths are relative to the configuration file. */
export interface MockConfig {
  /** The APIs to serve if the command line names none. Default: `contracts`. */
  readonly apis?: readonly (string | ApiConfig)[];
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly publicUrl?: string;
  readonly cors?: string;
  /** The folder for persistent state. */
  readonly data?: string;
  readonly settings?: string;
  readonly dynamic?: boolean;
  readonly seed?: string | number;
  readonly errors?: boolean;
  /** Such as `slow` or `queue-full;after=2;times=1`. */
  readonly scenario?: string | readonly string[];
  /** Such as `300ms`. */
  readonly latency?: string;
  /** Such as `frozen` or `x60`. */
  readonly clock?: string;
  readonly deadline?: string;
  readonly callsInFlight?: number;
  readonly profile?: string;
  readonly allowRemote?: readonly string[];
  readonly strict?: boolean;
}

/** The settings of `tallystick conform`. */
export interface ConformConfig {
  /** Servers by name: `tallystick conform staging`. */
  readonly targets?: Readonly<Record<string, TargetConfig>>;
}

/** A server under test, with options of `tallystick conform` as on the command line. Credentials come from the environment. */
export interface TargetConfig {
  readonly baseUrl: string;
  /** Names of built-in contracts. Default, without `contract`: `contracts`. */
  readonly api?: readonly string[];
  /** Your own API. */
  readonly contract?: string | ApiConfig;
  readonly fixtures?: string;
  readonly allow?: readonly string[];
  readonly maxRuns?: number;
  /** Call only these operations, by id or tag. */
  readonly only?: readonly string[];
  /** Never call these operations, by id or tag. */
  readonly except?: readonly string[];
  readonly rule?: readonly string[];
  readonly level?: readonly string[];
  readonly anonymous?: boolean;
  readonly tokenCommand?: string;
  readonly header?: readonly string[];
  readonly seed?: number;
  readonly concurrency?: number;
  /** Such as `5/s`. */
  readonly rate?: string | number;
  /** Durations such as `60s`. */
  readonly timeout?: string;
  readonly wait?: string;
  readonly maxWait?: string;
  readonly budget?: string;
  readonly retries?: number;
  readonly strict?: boolean;
  readonly baseline?: string;
  /** The folder for the reports. */
  readonly report?: string;
}

/** Your own API. */
export interface ApiConfig {
  readonly document: string;
  /** Its behaviour sheet; default: the one beside it, such as `notes.behaviour.yaml`. */
  readonly sheet?: string;
  /** OpenAPI Overlays 1.0 that correct it, in this order. */
  readonly overlays?: readonly string[];
  /** Its short name; default: from the document's file name. */
  readonly name?: string;
  /** Your own code for the mock and the suite of this API. */
  readonly module?: OwnModule;
}

/** Your code for behaviour that document and sheet cannot express. */
export interface OwnModule extends OwnMockModule {
  /** Judge rules of the sheet that no template judges: `defineProbe` of `tallystick/conformance`. */
  readonly probes?: readonly Probe[];
  /** Values for the suite that the fixtures file does not contain. */
  readonly fixtures?: Pick<Fixtures, 'parameters' | 'bodies'>;
}

/** Returns the module unchanged, and provides its type to editors. */
export function defineModule(module: OwnModule): OwnModule {
  return module;
}

/** Returns the configuration unchanged, and provides its type to editors. */
export function defineConfig(config: Config): Config {
  return config;
}
