import { createHash } from 'node:crypto';
import { isAbsolute, posix } from 'node:path';
import { diffContracts, loadOwnContract, ownContractNames, shellLine } from '../../contract/index.ts';
import type { Contract, Diff } from '../../contract/index.ts';
import type { Manifest } from '../../generator/index.ts';
import type { Context } from '../context.ts';
import { bytesOf, commitsIn, loadRevision } from '../diff/git-revision.ts';

/** The changes in a contract since the last code was generated from it. */
export interface ContractChange {
  readonly contract: Contract;
  /** The command that shows all changes; the reader has to name the old side if git does not have that version. */
  readonly command: string;
  /** Only if the old version was found, by the hashes in the manifest. */
  readonly diff: Diff | undefined;
}

type Recorded = Manifest['contracts'][string];

/**
 * Compares contracts with those that the manifest records. The manifest has their hashes. Their text is searched for
 * in git, and used only if the hashes are the same.
 *
 * @param chosen the operations that code is generated for, by contract
 */
export async function contractChanges(
  contracts: readonly Contract[],
  manifest: Manifest | undefined,
  chosen: ReadonlyMap<string, ReadonlySet<string>>,
  context: Context,
): Promise<readonly ContractChange[]> {
  const { folderName } = await import('../../generator/index.ts');
  const found: ContractChange[] = [];
  for (const contract of contracts) {
    const recorded = manifest?.contracts[folderName(contract.name)];
    const { document, sheet } = contract;
    if (
      recorded === undefined ||
      (recorded.documentHash === document.hash && recorded.sheetHash === sheet?.hash)
    )
      continue;
    const old = await recordedContract(contract, recorded, context);
    const side = await sideOf(contract);
    if (old === undefined) {
      found.push({ contract, command: shellLine('diff', 'OLD', side), diff: undefined });
      continue;
    }
    const ids = chosen.get(contract.name);
    const { changes } = await diffContracts(old.contract, contract);
    const isChosen = (operations: readonly string[]): boolean =>
      ids === undefined || operations.length === 0 || operations.some((id) => ids.has(id));
    const gone = new Set(
      old.contract.operations
        .map(({ id }) => id)
        .filter((id) => !contract.operations.some((each) => each.id === id)),
    );
    found.push({
      contract,
      command: shellLine('diff', old.side, side),
      diff: {
        changes: changes.filter(
          ({ operations }) => isChosen(operations) || operations.some((id) => gone.has(id)),
        ),
      },
    });
  }
  return found;
}

/** Summarises what changed, and names the command that prints all changes. */
export async function sayContractChanges(
  changes: readonly ContractChange[],
  { terminal }: Context,
): Promise<void> {
  if (changes.length === 0) return;
  const { summaryOf } = await import('../diff/report.ts');
  const { breaks } = await import('../../contract/diff/change.ts');
  const { say, sign } = terminal;
  for (const { contract, command, diff } of changes) {
    const since = `${contract.document.file} changed since this code was generated`;
    if (diff === undefined) {
      say(`${sign.info} ${since}; its earlier version is not in git`);
      say(`   what that breaks: ${command}`);
      continue;
    }
    const breaking = diff.changes.filter((change) => breaks(change, 'callers') || breaks(change, 'servers'));
    say(`${breaking.length > 0 ? sign.warning : sign.info} ${since}: ${summaryOf(diff)}`);
    for (const { says } of breaking.slice(0, MOST_SHOWN)) say(`   ${says}`);
    if (breaking.length > MOST_SHOWN) say(`   and ${String(breaking.length - MOST_SHOWN)} more`);
    say(`   all of it: ${command}`);
  }
}

// --- internal ---

/** How the command line names a contract. */
async function sideOf(contract: Contract): Promise<string> {
  const own = ownContractNames.find((name) => name === contract.name);
  if (own !== undefined && (await loadOwnContract(own)) === contract) return own;
  const { document, sheet } = contract;
  return sheet === undefined ? document.file : `${document.file},${sheet.file}`;
}

const MOST_SHOWN = 5;
/** Reading a large document takes as long as generating, so only the last versions are tried. */
const MOST_READ = 3;

/** The version that the manifest records, from git. */
async function recordedContract(
  { document, sheet, name }: Contract,
  recorded: Recorded,
  context: Context,
): Promise<{ readonly contract: Contract; readonly side: string } | undefined> {
  const [path, beside] = [document.file, sheet?.file].map((file) =>
    file === undefined ? undefined : fromHere(file),
  );
  if (path === undefined || (sheet !== undefined && beside === undefined)) return undefined;
  const folders = new Set([path, beside ?? path].map((file) => posix.dirname(file)));
  const listed = await Promise.all([...folders].map((folder) => commitsIn(folder, context)));
  const commits = [...new Set(listed.flat())];
  const isRecorded = async (commit: string): Promise<boolean> => {
    const bytes = await bytesOf({ commit, path }, context);
    return (
      bytes !== undefined &&
      recorded.documentHash === `sha256:${createHash('sha256').update(bytes).digest('hex')}`
    );
  };
  const sure: string[] = [];
  for (const commit of commits) if (await isRecorded(commit)) sure.push(commit);
  for (const commit of (sure.length > 0 ? sure : commits).slice(0, MOST_READ)) {
    const used = recorded.sheet === undefined ? false : beside;
    const loaded = await loadRevision(
      { commit, path },
      { name, ...(used === undefined ? {} : { sheet: used }) },
      context,
    ).catch(() => undefined);
    if (loaded?.ok !== true) continue;
    const { contract } = loaded;
    if (contract.document.hash !== recorded.documentHash || contract.sheet?.hash !== recorded.sheetHash)
      continue;
    const short = `${commit.slice(0, 12)}:${path}`;
    return { contract, side: used === undefined || used === false ? short : `${short},${used}` };
  }
  return undefined;
}

/** The name of a file in git; `undefined` for a file outside this folder. */
function fromHere(file: string): string | undefined {
  const path = file.replaceAll('\\', '/');
  if (isAbsolute(path) || /^[a-z]+:/i.test(path)) return undefined;
  return /^\.{1,2}\//.test(path) ? path : `./${path}`;
}
