import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tallystick-files-')));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('the reader reports all files of a contract, including missing ones and those of an invalid contract', async () => {
  mkdirSync(join(folder, 'parts'));
  const root = (reference: string): string =>
    `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      responses:
        '200': { description: A., content: { application/json: { schema: { $ref: '${reference}' } } } }
`;
  writeFileSync(join(folder, 'good.yaml'), root('parts/a.yaml#/A'));
  writeFileSync(join(folder, 'parts', 'a.yaml'), "A: { $ref: 'b.yaml#/B' }");
  writeFileSync(join(folder, 'parts', 'b.yaml'), 'B: { type: string }');
  const good = await loadContract({ document: 'good.yaml', cwd: folder });
  expect([good.ok, [...good.files].sort()]).toStrictEqual([
    true,
    ['good.yaml', 'parts/a.yaml', 'parts/b.yaml'].map((file) => join(folder, file)),
  ]);

  writeFileSync(join(folder, 'bad.yaml'), root('parts/missing.yaml#/A'));
  const bad = await loadContract({ document: 'bad.yaml', sheet: 'bad.behaviour.yaml', cwd: folder });
  expect([bad.ok, [...bad.files].sort()]).toStrictEqual([
    false,
    ['bad.behaviour.yaml', 'bad.yaml', 'parts/missing.yaml'].map((file) => join(folder, file)),
  ]);
});
