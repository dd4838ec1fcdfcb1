// @module-tag long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { loadOwnContract, packageRoot } from '../../contract/index.ts';
import { runConformance } from '../../conformance/index.ts';
import { startMock } from '../../mock/index.ts';
import { undocumentedExports } from '../../scripts/reference/exports.ts';
import { referencePages } from '../../scripts/reference/pages.ts';

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** The first page compiles the sources: seconds on an idle machine. */
const PATIENCE = 180_000;

test.each(referencePages)(
  '$path is what the sources say: npm run docs',
  ({ path, text }) => {
    expect(text() === read(path), `${path} is out of date: npm run docs`).toBe(true);
  },
  PATIENCE,
);

test('every public export has a doc comment', () => {
  expect(undocumentedExports()).toStrictEqual([]);
});

test('a report of a run satisfies the published schema', async () => {
  const mock = await startMock({ controlPort: false });
  const report = await runConformance({
    contracts: [await loadOwnContract('router')],
    baseUrl: mock.url,
    credential: { header: 'X-API-Key', value: 'service-mock-ok' },
  }).finally(() => mock.stop());
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read('docs/reference/report.schema.json')));
  expect(validate(JSON.parse(JSON.stringify(report))), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...report, schemaVersion: 2 })).toBe(false);
});
