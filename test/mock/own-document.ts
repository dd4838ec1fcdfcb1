import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, loadContract } from '../../contract/index.ts';

/** A contract that this project knows nothing of. */
export async function own(name: string, document: string, sheet?: string): Promise<Contract> {
  const cwd = mkdtempSync(join(tmpdir(), 'tallystick-own-'));
  try {
    writeFileSync(join(cwd, `${name}.yaml`), document);
    if (sheet !== undefined) writeFileSync(join(cwd, `${name}.behaviour.yaml`), sheet);
    const loaded = await loadContract({
      document: `${name}.yaml`,
      cwd,
      ...(sheet === undefined ? {} : { sheet: `${name}.behaviour.yaml` }),
    });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    return loaded.contract;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
