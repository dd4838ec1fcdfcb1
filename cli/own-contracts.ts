import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadOwnContract, ownContractNames, packageRoot } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';

/** The names of the contracts that this build of the package carries. */
export function carriedContracts(): readonly (typeof ownContractNames)[number][] {
  return ownContractNames.filter((name) => existsSync(join(packageRoot(), 'specs', `${name}.openapi.yaml`)));
}

/** The contracts of these names, or all that the package carries. */
export function loadContracts(names?: readonly string[]): Promise<Contract[]> {
  const wanted = carriedContracts().filter((name) => names === undefined || names.includes(name));
  return Promise.all(wanted.map((name) => loadOwnContract(name)));
}
