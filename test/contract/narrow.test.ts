import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadContract, type LoadOptions } from '../../contract/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'narrow-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const ok = (schema: string): string =>
  `responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/${schema}'}}}}}`;
const document = `openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /good: {get: {operationId: getGood, tags: [good], ${ok('Good')}}}
  /lost: {get: {operationId: getLost, tags: [bad], ${ok('Nowhere')}}}
  /wrong: {get: {tags: [bad], responses: 5}, post: {operationId: postGood, tags: [good], ${ok('Tree')}}}
components:
  schemas:
    Good: {type: string}
    Tree: {oneOf: [{$ref: '#/components/schemas/Leaf'}], discriminator: {propertyName: kind, mapping: {far: Far}}}
    Leaf: {type: object, required: [kind], properties: {kind: {const: leaf}}}
    Far: {type: object}
    Broken: {type: string, properties: 7}
`;

async function read(options: Partial<LoadOptions>): Promise<unknown> {
  writeFileSync(join(folder, 'a.yaml'), document);
  const loaded = await loadContract({ document: 'a.yaml', cwd: folder, ...options });
  return loaded.ok
    ? [loaded.contract.operations.map(({ id }) => id), loaded.contract.schemas.map(({ name }) => name)]
    : loaded.diagnostics.filter(({ severity }) => severity === 'error').length;
}

test.each<[Partial<LoadOptions>, unknown]>([
  [{}, 3],
  [{ only: ['getGood'] }, [['getGood'], ['Good']]],
  [
    { only: ['good'] },
    [
      ['getGood', 'postGood'],
      ['Good', 'Tree', 'Leaf', 'Far'],
    ],
  ],
  [{ except: ['bad', 'postGood'] }, [['getGood'], ['Good']]],
  [{ only: ['good'], except: ['getGood'] }, [['postGood'], ['Tree', 'Leaf', 'Far']]],
  [
    { except: ['getLost', 'get_wrong'] },
    [
      ['getGood', 'postGood'],
      ['Good', 'Tree', 'Leaf', 'Far'],
    ],
  ],
  [{ only: ['nobody'] }, 3],
])('for a faulty document, %j reads only the parts that it needs', async (options, want) => {
  expect(await read(options)).toStrictEqual(want);
});
