import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkSchemas } from '../../cli/mock/check.ts';
import type { Context } from '../../cli/context.ts';
import { loadContract } from '../../contract/index.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /x:
    post:
      requestBody: { content: { application/json: { schema: { type: string } } } }
      responses: { '200': { description: ok } }
`;

test('mock --check names a schema that cannot be used for validation, with its place, and exits with 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'x.yaml'), DOCUMENT);
  const loaded = await loadContract({ document: 'x.yaml', cwd: folder });
  if (!loaded.ok) throw new Error('not read');
  const { contract } = loaded;
  const said: string[] = [];
  const sign = { good: '+', bad: '-' };
  const context = { terminal: { sign, say: (line: string) => said.push(line) } } as unknown as Context;
  expect(await checkSchemas([contract], context)).toBe(0);
  const [operation] = contract.operations;
  const body = operation?.requestBody;
  if (body === undefined) throw new Error('no body');
  const content = body.content.map((each) => ({ ...each, schema: { $ref: '#/components/schemas/Absent' } }));
  const broken = {
    ...contract,
    operations: [{ ...operation, requestBody: { ...body, content } }],
  } as typeof contract;
  expect(await checkSchemas([broken], context)).toBe(1);
  expect(said[0]).toBe('+ x.yaml: 1 operation, every schema can be used');
  expect(said[1]).toMatch(/^- x\.yaml:6:33 {2}the schema at \/paths\/~1x\/post\//);
});
