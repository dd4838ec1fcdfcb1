import { resolve } from 'node:path';
import type { ConformanceOptions, Fixtures } from '../../conformance/index.ts';
import type { ApiConfig, OwnModule } from '../config.ts';
import { findConfig } from '../config/config-file.ts';
import type { Context } from '../context.ts';
import { readFixturesFile } from '../fixtures/file.ts';
import { pathFrom } from '../config/option-config.ts';

/**
 * The module of the configuration file for a document, found through the contract of that document.
 *
 * @throws {CommandFailure} for an unusable configuration
 */
export async function moduleOf(
  document: string | undefined,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<OwnModule | undefined> {
  const found = document === undefined ? undefined : await findConfig(cwd);
  if (document === undefined || found === undefined) return undefined;
  const { contracts = [], mock, conform } = found.config;
  const targets = Object.values(conform?.targets ?? {}).flatMap(({ contract }) => contract ?? []);
  const wanted = resolve(cwd, document);
  return [...contracts, ...(mock?.apis ?? []), ...targets]
    .filter((api): api is ApiConfig => typeof api !== 'string' && api.module !== undefined)
    .find((api) => resolve(cwd, pathFrom(found, cwd, api.document)) === wanted)?.module;
}

/**
 * The fixtures of a run, from the fixtures file and from the module of its document. An anonymous run has no
 * credential from either.
 *
 * @throws {CommandFailure} for a file that cannot be used
 */
export async function ownParts(
  options: {
    readonly fixtures?: string;
    readonly contract?: { readonly document: string };
    readonly anonymous?: true;
  },
  context: Context,
): Promise<Pick<ConformanceOptions, 'probes' | 'fixtures'>> {
  const { fixtures: file, contract, anonymous } = options;
  const given = file === undefined ? undefined : await readFixturesFile(file, context);
  const parts = suiteParts(await moduleOf(contract?.document, context), given);
  return anonymous === true ? { ...parts, fixtures: { ...parts.fixtures, cred: {} } } : parts;
}

/** The part of a module that the suite uses. Fixtures of a file take precedence. */
export function suiteParts(
  module: OwnModule | undefined,
  fixtures: Fixtures | undefined,
): Pick<ConformanceOptions, 'probes' | 'fixtures'> {
  if (module === undefined) return { fixtures };
  const { probes, fixtures: own } = module;
  return {
    ...(probes === undefined ? {} : { probes }),
    fixtures:
      own === undefined
        ? fixtures
        : {
            ...fixtures,
            parameters: { ...own.parameters, ...fixtures?.parameters },
            bodies: { ...own.bodies, ...fixtures?.bodies },
          },
  };
}
