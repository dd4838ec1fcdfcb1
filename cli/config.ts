import type { Fixtures, Probe } from '../conformance/index.ts';
import type { OwnMockModule } from '../mock/index.ts';

/** What a configuration file can say; every member can be left out, and the command line wins over all of them. */
export interface Config {
  /** The APIs that commands work on which are told no others: ours by their names, your own by path. */
  readonly contracts?: readonly (string | ApiConfig)[];
  readonly generate?: GenerateConfig;
  readonly mock?: MockConfig;
  readonly conform?: ConformConfig;
}

/** Paths count from the configuration file. */
export interface GenerateConfig {
  /** Ours by their names, OpenAPI documents of your own by path. All of ours where it is left out. */
  readonly apis?: readonly (string | ApiConfig)[];
  /** The folder that the code goes to, one folder for each API. */
  readonly out?: string;
  /** Operations by their ids or tags, where not all are wanted. */
  readonly only?: readonly string[];
  /** Operations by their ids or tags that are not wanted. */
  readonly except?: readonly string[];
  /** Models of the router whose input is to be typed and checked, such as `acme/echo-1`. */
  readonly models?: readonly string[];
  /** The address of the router that has their documents. Without it the kept ones are used. */
  readonly from?: string;
  /** Hosts that documents may take `$ref`s from. None where it is left out. */
  readonly allowRemote?: readonly string[];
  /** Refuse slips in documents that are repaired with a warning otherwise. */
  readonly strict?: boolean;
  /** Of import specifiers in the code; `ts` for runtimes that run TypeScript. */
  readonly importExtension?: 'js' | 'ts';
  /** A folder with templates that take the place of ours of the same name. */
  readonly templates?: string;
  /** Keys and options of TanStack Query as well, and hooks of its adapter for React. */
  readonly query?: boolean;
  /** Servers as well: handlers to write, held to the contract. */
  readonly server?: boolean;
  /** The folder of your handlers for the servers. */
  readonly handlers?: string;
  /**
   * A program and its arguments, run over each file that was written, such as `['prettier', '--write']`; without a shell, in the
   * folder of this file.
   */
  readonly afterWrite?: readonly string[];
  /** Types alone: no client, no guards, no runtime. */
  readonly typesOnly?: boolean;
  /** Leaves out guards and checks. */
  readonly without?: 'validators';
}

/** Options of `tallystick mock`, written as on the command line. Paths count from the configuration file. */
export interface MockConfig {
  /** What is served where the command line names nothing; `contracts` where it is left out. */
  readonly apis?: readonly (string | ApiConfig)[];
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly publicUrl?: string;
  readonly cors?: string;
  /** The folder that state is kept in. */
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

export interface ConformConfig {
  /** Servers by names: `tallystick conform staging`. */
  readonly targets?: Readonly<Record<string, TargetConfig>>;
}

/** A server under test, with options of `tallystick conform` as on the command line. Credentials come from the environment. */
export interface TargetConfig {
  readonly baseUrl: string;
  /** Names of ours; `contracts` where it and `contract` are left out. */
  readonly api?: readonly string[];
  /** An API of your own. */
  readonly contract?: string | ApiConfig;
  readonly fixtures?: string;
  readonly allow?: readonly string[];
  readonly maxRuns?: number;
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

/** An API of your own. */
export interface ApiConfig {
  readonly document: string;
  /** Its behaviour sheet. */
  readonly sheet?: string;
  /** OpenAPI Overlays 1.0 that correct it, in this order. */
  readonly overlays?: readonly string[];
  /** Its short name; made from the document's file name where it is left out. */
  readonly name?: string;
  /** Code of your own for the mock and the suite of this API. */
  readonly module?: OwnModule;
}

/** What your own code adds to document and sheet, for rules that no policy states. */
export interface OwnModule extends OwnMockModule {
  /** Judge rules of the sheet that no template judges: `defineProbe` of `tallystick/conformance`. */
  readonly probes?: readonly Probe[];
  /** Values for the suite, where the fixtures file has no others. */
  readonly fixtures?: Pick<Fixtures, 'parameters' | 'bodies'>;
}

/** Gives a module back as it is, so that an editor knows what can stand in it. */
export function defineModule(module: OwnModule): OwnModule {
  return module;
}

/** Gives a configuration back as it is, so that an editor knows what can stand in it. */
export function defineConfig(config: Config): Config {
  return config;
}
