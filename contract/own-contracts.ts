import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { renderDiagnostics } from './diagnostics/diagnostics.ts';
import type { Contract } from './model.ts';
import { packageRoot } from './package-root.ts';

/** The names of the built-in contracts. */
export type OwnContractName = 'router' | 'registry' | 'jobs';

/** The built-in contracts. */
export const ownContractNames: readonly OwnContractName[] = ['router', 'registry', 'jobs'];

/** A packaged contract cannot be read: the package is broken, not the user's file. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

const loaded = new Map<OwnContractName, Promise<Contract>>();

/**
 * A built-in contract, read once per process.
 *
 * @throws {ContractError} when its files are missing or broken
 */
export function loadOwnContract(name: OwnContractName): Promise<Contract> {
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
}

// --- internal ---

async function load(name: OwnContractName): Promise<Contract> {
  const { loadContract } = await import('./load.ts');
  const cwd = packageRoot();
  const document = `specs/${name}.openapi.yaml`;
  const sheet = `specs/${name}.behaviour.yaml`;
  const result = await loadContract({
    name,
    document,
    cwd,
    // Validation takes three times as long as reading, and the tests of this project have validated these
    // files.
    trusted: true,
    ...(existsSync(join(cwd, sheet)) ? { sheet } : {}),
  });
  if (result.ok) return result.contract;
  throw new ContractError(renderDiagnostics(result.diagnostics, { colour: false }));
}
