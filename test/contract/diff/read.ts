import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../../contract/index.ts';
import { loadContract } from '../../../contract/load.ts';
import { temporaryFolder } from '../../generator/generated.ts';

/** A document that is known to be valid, read without being judged: that takes most of the time. */
export async function readValid(document: object): Promise<Contract> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document, undefined, 1));
  const loaded = await loadContract({ document: 'openapi.json', cwd: folder, name: 'sample', trusted: true });
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  return loaded.contract;
}
