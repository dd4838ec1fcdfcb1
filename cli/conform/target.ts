import type { Command } from 'commander';
import { suggest } from '../../contract/index.ts';
import { findConfig, type FoundConfig } from '../config/config-file.ts';
import type { ApiConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import type { OwnDocument } from '../contracts/judged-contracts.ts';
import { apiFrom, configureOptions } from '../config/option-config.ts';
import { carriedContracts } from '../contracts/own-contracts.ts';

/**
 * The address of the server under test: the given one, or that of the target with this name in the
 * configuration file. Options that the command line does not set are taken from the target; without a target,
 * the contracts are taken from the file.
 *
 * @throws {CommandFailure} for a text that is neither an address nor the name of a target
 */
export async function settleTarget(
  given: string | undefined,
  command: Command,
  { cwd }: Pick<Context, 'cwd'>,
): Promise<string | undefined> {
  const found = await findConfig(cwd);
  const isTold = ['api', 'contract'].some((name) => command.getOptionValue(name) !== undefined);
  if (given === undefined || URL.canParse(given)) {
    if (found !== undefined && !isTold) tellContract(undefined, found, command, cwd);
    return given;
  }
  const targets = found?.config.conform?.targets ?? {};
  const target = Object.hasOwn(targets, given) ? targets[given] : undefined;
  if (found === undefined || target === undefined) throw unknownTarget(given, Object.keys(targets), found);
  const { baseUrl, contract, ...options } = target;
  const place = { found, within: `conform.targets.${given}`, cwd };
  configureOptions(command, options, { ...place, paths: ['fixtures', 'baseline', 'report'] });
  if (!isTold) tellContract(contract, found, command, cwd);
  return baseUrl;
}

// --- internal ---

function tellContract(
  contract: string | ApiConfig | undefined,
  found: FoundConfig,
  command: Command,
  cwd: string,
): void {
  const ours: readonly string[] = carriedContracts();
  const listed = contract === undefined ? (found.config.contracts ?? []) : [contract];
  const apis = listed.map((api) => apiFrom(found, cwd, api, ours));
  const own = apis.filter(({ document }) => !ours.includes(document));
  const [only] = own;
  if (only === undefined) {
    if (apis.length > 0)
      command.setOptionValueWithSource(
        'api',
        apis.map(({ document }) => document),
        'config',
      );
    return;
  }
  if (apis.length > 1)
    throw new CommandFailure(
      2,
      `${found.file} lists several contracts: choose the one that the server has to keep`,
      [
        `name it with --contract ${only.document}, or in a target as contract: ${JSON.stringify(only.document)}`,
      ],
    );
  const { document, sheet, overlays } = only;
  const value: OwnDocument = { document, sheet, ...(overlays === undefined ? {} : { overlays }) };
  command.setOptionValueWithSource('contract', value, 'config');
}

function unknownTarget(
  given: string,
  names: readonly string[],
  found: FoundConfig | undefined,
): CommandFailure {
  const command = suggest(given, ['replay', 'report', 'compare']);
  const near = suggest(given, names);
  const meant =
    near !== undefined
      ? `. Did you mean ${near}?`
      : command !== undefined
        ? `. Did you mean the command ${command}?`
        : '';
  const known =
    names.length === 0
      ? 'expected one such as https://api.example.com'
      : `expected an address, or a target of ${found?.file ?? 'the configuration'}: ${names.join(', ')}`;
  return new CommandFailure(2, `"${given}" is not a base URL${meant}`, [known]);
}
