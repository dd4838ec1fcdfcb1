import type { Form } from '../../contract/index.ts';
import type { JobsOptions } from './jobs/options.ts';
import type { RegistryOptions } from './registry/options.ts';
import type { Model } from './router/catalogue.ts';

/** The settings of the built-in contracts, by the names of their modules. */
export interface ModuleOptions {
  /** Models beside those of the mock; one of the same provider and name takes its place. */
  readonly models?: readonly Model[];
  readonly jobs?: JobsOptions;
  readonly registry?: RegistryOptions;
}

/** What a settings file and the command line can say for one module. Data alone: it is read before Prism is loaded. */
export interface ModuleSettings {
  /** The members of a settings file. */
  readonly members: { readonly [Member in keyof ModuleOptions]: Form };
  readonly flags: readonly ModuleFlag[];
}

/** An option of the command line. */
export type ModuleFlag = {
  /** As in the help, such as `--surface <name>`. */
  readonly flags: string;
  readonly description: string;
} & (
  | { readonly isList?: false; readonly choices?: readonly string[]; readonly put: Put<string> }
  /** Values are separated by commas, and the option can be repeated. */
  | { readonly isList: true; readonly put: Put<readonly string[]> }
);

/** Puts a value of the command line into the options of a settings file. */
type Put<Value> = (value: Value, options: ModuleOptions) => ModuleOptions;
