import { loadOwnContract } from '../../contract/index.ts';
import type { Contract } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { carriedContracts, loadNamed } from '../contracts/own-contracts.ts';
import { CommandFailure } from '../failure.ts';
import type { GenerateTask } from './options.ts';

/**
 * Built-in contracts come first, in any order of arguments. Each document of a user has its own sheet and
 * name.
 */
export async function loadAll(
  options: GenerateTask,
  context: Context,
  onFiles?: (files: readonly string[]) => void,
): Promise<Contract[]> {
  const carried = carriedContracts();
  const asked = options.apis.length > 0 ? options.apis : carried.map((document) => ({ document }));
  const { allowRemote, strict, only, except } = options;
  const shared = {
    ...(only === undefined ? {} : { only }),
    ...(except === undefined ? {} : { except }),
    ...(allowRemote === undefined ? {} : { allowRemote }),
    ...(strict === undefined ? {} : { strict }),
    ...(onFiles === undefined ? {} : { onFiles }),
  };
  const ours = new Set<(typeof carried)[number]>();
  const foreign: Contract[] = [];
  for (const { document, ...own } of asked) {
    const named = await loadNamed([document], carried, { ...own, ...shared }, context);
    for (const name of named.ours) ours.add(name);
    foreign.push(...named.foreign);
  }
  const own = carried.filter((name) => ours.has(name));
  const all = [...(await Promise.all(own.map((name) => loadOwnContract(name)))), ...foreign];
  requireDistinctNames(all);
  return all;
}

// --- internal ---

/** A folder holds one API. */
function requireDistinctNames(contracts: readonly Contract[]): void {
  const seen = new Map<string, Contract>();
  for (const contract of contracts) {
    const name = contract.name.toLowerCase();
    const other = seen.get(name);
    if (other !== undefined)
      throw new CommandFailure(
        2,
        `two APIs are called ${contract.name}: ${other.document.file} and ${contract.document.file}`,
        [
          'rename one of them: `{ document, name }` in tallystick.config, or --name when you generate only that API',
        ],
      );
    seen.set(name, contract);
  }
}
