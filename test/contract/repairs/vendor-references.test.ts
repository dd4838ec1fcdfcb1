import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadContract } from '../../../contract/load.ts';
import { valueAt } from '../../../contract/pointer.ts';
import { operation, slipLoader } from './slip-documents.ts';

const load = slipLoader();
const GET = '/paths/~1x/get';
const JSON_OF_PET = { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } };
const components = (text: string): string => `components: {${text}, schemas: {Pet: {type: object}}}`;
const withComponents = (members: string, text: string): string =>
  operation(members).replace(/components: .*/, components(text));
const ok = `responses: {'200': {description: ok}}`;
const CONTENT = `content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}`;

/** References to a component of a kind that has the same members. */
test.each([
  [
    'a response that refers to a request body',
    withComponents(
      `responses: {'200': {$ref: '#/components/requestBodies/B'}}`,
      `requestBodies: {B: {required: true, ${CONTENT}}}`,
    ),
    `${GET}/responses/200`,
    { description: '', content: JSON_OF_PET },
  ],
  [
    'a request body that refers to a response',
    withComponents(
      `requestBody: {$ref: '#/components/responses/R'}, ${ok}`,
      `responses: {R: {description: d, headers: {h: {schema: {}}}, ${CONTENT}}}`,
    ),
    `${GET}/requestBody`,
    { description: 'd', content: JSON_OF_PET },
  ],
  [
    'a header that refers to a parameter',
    withComponents(
      `responses: {'200': {description: ok, headers: {h: {$ref: '#/components/parameters/P'}}}}`,
      `parameters: {P: {name: h, in: header, required: true, description: d, schema: {type: string}}}`,
    ),
    `${GET}/responses/200/headers/h`,
    { required: true, description: 'd', schema: { type: 'string' } },
  ],
])('%s is read with its members', async (_, document, pointer, read) => {
  const result = await load(document);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  expect(valueAt(result.contract.document.root, pointer)).toStrictEqual(read);
  expect(result.warnings.filter(({ code }) => code === 'repaired')).toHaveLength(1);
});

test('a reference in the members, which has a new target already, stays one', async () => {
  const part = '#/components/requestBodies/B/content/application~1json/schema/properties/a';
  const result = await load(
    `openapi: 3.0.3
info: {title: t, version: '1'}
components:
  requestBodies: {B: {content: {application/json: {schema: {properties: {a: {type: object}, b: {$ref: '${part}'}}}}}}}
paths: {/x: {get: {responses: {'200': {$ref: '#/components/requestBodies/B'}}}}}`,
  );
  expect(result.ok ? [] : result.diagnostics.filter(({ severity }) => severity === 'error')).toStrictEqual(
    [],
  );
});

test('a mapping through the target of a reference is followed', async () => {
  const result = await load(
    `openapi: 3.0.3
info: {title: t, version: '1'}
paths: {/x: {get: {responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}}}
components:
  schemas:
    A: {type: object, properties: {data: {oneOf: [{$ref: '#/components/schemas/B'}]}}}
    B: {type: object, properties: {k: {type: string}}, required: [k]}
    C:
      oneOf: [{$ref: '#/components/schemas/B'}]
      discriminator: {propertyName: k, mapping: {b: '#/paths/~1x/get/responses/200/content/application~1json/schema/properties/data/oneOf/0'}}`,
  );
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  expect(valueAt(result.contract.document.root, '/components/schemas/C/discriminator/mapping/b')).toBe(
    '#/components/schemas/B',
  );
});

test('a $ref in the place of properties leads to the file that its own file means', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'references-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const files = {
    'api.yaml': `openapi: 3.0.3\ninfo: {title: t, version: '1'}\npaths: {/x: {post: {$ref: parts/add.yml}}}`,
    'parts/add.yml': `requestBody: {content: {application/json: {schema: {type: object, properties: {$ref: 'models/ids.yml#/ids'}}}}}\n${ok}`,
    'parts/models/ids.yml': `ids: {droplet_ids: {type: array, items: {type: integer}}}`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const result = await loadContract({ document: 'api.yaml', cwd: folder });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  expect(
    valueAt(
      result.contract.document.root,
      '/paths/~1x/post/requestBody/content/application~1json/schema/properties',
    ),
  ).toStrictEqual({ droplet_ids: { type: 'array', items: { type: 'integer' } } });
});

test.each([
  ['properties', '{"A":{"type":"object","properties":{"$ref":"#/components/schemas"}}}'],
  [
    'properties of each other',
    '{"A":{"properties":{"b":{"properties":{"$ref":"#/components/schemas/B/properties"}}}},"B":{"properties":{"a":{"properties":{"$ref":"#/components/schemas/A/properties"}}}}}',
  ],
  ['examples', '{"A":{"type":"string","examples":{"$ref":"#"}}}'],
])(
  'a $ref in the place of %s that leads around itself is no document without an end',
  async (_name, schemas) => {
    const text = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":${schemas}}}`;
    const loaded = await load(text);
    const diagnostics = loaded.ok ? loaded.warnings : loaded.diagnostics;
    expect(diagnostics.every(({ location }) => location !== undefined)).toBe(true);
    if (loaded.ok) expect(() => JSON.stringify(loaded.contract.document.root)).not.toThrow();
  },
);

test('a $ref in the place of a list that leads around itself is reported with its place', async () => {
  const loaded = await load(
    '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"servers":{"$ref":"#"},"paths":{}}',
  );
  expect(loaded).toMatchObject({ ok: false });
  for (const { location } of loaded.ok ? [] : loaded.diagnostics) expect(location).toMatchObject({ line: 1 });
});

test.each([
  ['a list', '"servers":{"$ref":"#/servers/x","x":[{"url":"/a","colour":1}]},"paths":{}', 'colour'],
  [
    'a path item',
    '"paths":{"/x":{"$ref":"#/paths/~1x/x","x":{"get":{"responses":{"200":{"description":"d","colour":2}}}}}}',
    'colour',
  ],
])(
  'a reference to a part inside of %s that it is in has the place of that part',
  async (_name, members, wrong) => {
    const text = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},${members}}`;
    const loaded = await load(text);
    const diagnostics = loaded.ok ? loaded.warnings : loaded.diagnostics;
    const about = diagnostics.find(({ message }) => message.includes(`"${wrong}"`));
    expect(about?.location).toMatchObject({ line: 1, column: text.indexOf(`"${wrong}"`) + 1 });
  },
);

test.each([
  ['the components', '"components":{"schemas":{"A":{"$ref":"#/components/schemas"}}},"paths":{}', 'ref-kind'],
  [
    'all components',
    '"components":{"schemas":{"A":{"items":{"$ref":"#/components"}}}},"paths":{}',
    'ref-kind',
  ],
  [
    'the path of its callback',
    '"paths":{"/x":{"post":{"responses":{"200":{"description":"d"}},"callbacks":{"C":{"{$request.body}":{"$ref":"#/paths/~1x"}}}}}}',
    'ref-loop',
  ],
])('a reference to %s, which hold the reference, is refused with its place', async (_name, members, code) => {
  const loaded = await load(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},${members}}`);
  expect(loaded).toMatchObject({ ok: false });
  const diagnostics = loaded.ok ? [] : loaded.diagnostics;
  expect(diagnostics).toContainEqual(
    expect.objectContaining({ code, location: expect.anything() as unknown }),
  );
});

test('a schema can be an extension beside the components', async () => {
  const members =
    '"components":{"x-size":{"type":"integer"},"schemas":{"A":{"items":{"$ref":"#/components/x-size"}}}},"paths":{}';
  const loaded = await load(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},${members}}`);
  expect(loaded).toMatchObject({ ok: true });
});
