import type { Command } from 'commander';
import type { ApiConfig } from '../config.ts';
import { findConfig } from '../config/config-file.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { apiFrom, configureOptions } from '../config/option-config.ts';
import { carriedContracts } from '../contracts/own-contracts.ts';

/**
 * The APIs that a mock serves: those of the command line, else those of the configuration file. Options of
 * the file apply unless the command line sets them.
 *
 * @throws {CommandFailure} for an unusable configuration, and for a sheet or overlay that cannot be assigned
 * to a document
 */
export async function servedApis(
  apis: readonly string[],
  { sheet, overlay }: { readonly sheet?: string; readonly overlay?: readonly string[] },
  command: Command,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<readonly ApiConfig[]> {
  const found = await findConfig(cwd);
  const { mock, contracts } = found?.config ?? {};
  const { apis: configured = contracts ?? [], ...options } = mock ?? {};
  if (found !== undefined)
    configureOptions(command, options, { found, within: 'mock', paths: ['data', 'settings'], cwd });
  const ours: readonly string[] = carriedContracts();
  const served: readonly ApiConfig[] =
    apis.length > 0 || found === undefined
      ? apis.map((document) => ({ document }))
      : configured.map((api) => apiFrom(found, cwd, api, ours));
  const flag = sheet !== undefined ? '--sheet' : overlay !== undefined ? '--overlay' : undefined;
  if (flag === undefined) return served;
  const foreign = served.filter(({ document }) => !ours.includes(document));
  if (foreign.length !== 1)
    throw new CommandFailure(2, `${flag} needs exactly one OpenAPI document of your own`, [
      'give the path of one document as the argument',
    ]);
  return served.map((api) =>
    ours.includes(api.document)
      ? api
      : {
          ...api,
          ...(sheet === undefined ? {} : { sheet }),
          ...(overlay === undefined ? {} : { overlays: overlay }),
        },
  );
}
