import type { Form } from '../../contract/index.ts';
import type { JobsOptions } from './jobs/options.ts';
import type { RegistryOptions } from './registry/options.ts';
import type { Model } from './router/catalogue.ts';

/** The settings of the built-in contracts, by the names of their modules. */
export interface ModuleOptions {
  /** Additional models; one with the same provider and name replaces that of the mock. */
  readonly models?: readonly Model[];
  readonly jobs?: JobsOptions;
  readonly registry?: RegistryOptions;
}

/**
 * The members of a settings file and the command-line options of one module. Only data: it is read before
 * Prism is loaded.
 */
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

/** Adds a value of the command line to the options of a settings file. */
type Put<Value> = (value: Value, options: ModuleOptions) => ModuleOptions;
