import { expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';
import { apis, documentFile, sheetFile } from './own-specs.ts';

test.each(apis)('document and sheet of %s load as one contract, without a warning', async (api) => {
  const loaded = await loadContract({ document: documentFile(api), sheet: sheetFile(api), name: api });
  expect(loaded).toMatchObject({ ok: true, warnings: [] });
});
