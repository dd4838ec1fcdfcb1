import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadOwnContract, ownContractNames, packageRoot } from '../../contract/index.ts';
import { generate, writeGenerated } from '../../generator/index.ts';

test('generated/ is up to date', async () => {
  const contracts = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
  const result = await writeGenerated(await generate(contracts, { server: true }), {
    out: join(packageRoot(), 'generated'),
    check: true,
  });
  const { added, changed, removed } = result.ok
    ? result
    : { added: [], changed: result.inTheWay, removed: [] };
  // Stale? npm run build && node dist/cli/bin.cjs generate --server --out generated
  expect({ added, changed, removed }).toStrictEqual({ added: [], changed: [], removed: [] });
});
