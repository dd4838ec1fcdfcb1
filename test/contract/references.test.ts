import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Contract } from '../../contract/index.ts';
import { loadContract, type LoadOptions } from '../../contract/load.ts';
import { valueAt } from '../../contract/pointer.ts';

const bundles = join(import.meta.dirname, '../fixtures/bundles');

async function load(options: LoadOptions): Promise<Contract> {
  const result = await loadContract(options);
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  return result.contract;
}

test('a document in several files becomes one with local references only', async () => {
  const { document } = await load({ document: 'shop/openapi.yaml', cwd: bundles });
  const text = `${JSON.stringify(document.root, null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(bundles, 'shop/expected.json'));
});

test.each([
  ['/paths/~1orders/get/operationId', 'shop/parts/orders.yaml:2:16'],
  ['/paths/~1orders~1{id}/get/operationId', 'shop/parts/paths.json:5:22'],
  ['/paths/~1orders~1{id}/summary', 'shop/openapi.yaml:6:14'],
  ['/components/schemas/Order/properties/lines', 'shop/parts/models.yaml:4:5'],
  ['/components/schemas/payment/oneOf/0', 'shop/parts/payment.yaml:2:5'],
  ['/components/schemas/Error_code', 'shop/openapi.yaml:12:42'],
  ['/components/schemas/Nothing', undefined],
])('%s of the whole is located in the part that it came from', async (pointer, want) => {
  const { document } = await load({ document: 'shop/openapi.yaml', cwd: bundles });
  const place = document.locate(pointer);
  expect(place && `${place.file}:${place.line}:${place.column}`).toBe(want);
});

test('the name comes from the folder where the file has none of its own', async () => {
  expect((await load({ document: 'shop/openapi.yaml', cwd: bundles })).name).toBe('shop');
});

test('the hash of one file is that of its bytes, and that of several changes with each', async () => {
  const own = await load({ document: 'specs/router.openapi.yaml', cwd: join(import.meta.dirname, '../..') });
  const bytes = readFileSync(join(import.meta.dirname, '../../specs/router.openapi.yaml'));
  expect(own.document.hash).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  const root = readFileSync(join(bundles, 'shop/openapi.yaml'));
  const { document } = await load({ document: 'shop/openapi.yaml', cwd: bundles });
  expect(document.hash).not.toBe(`sha256:${createHash('sha256').update(root).digest('hex')}`);
  expect(document.hash).toBe((await load({ document: 'shop/openapi.yaml', cwd: bundles })).document.hash);
});

test.each(['before', 'after'])(
  'files in folders refer from where they are, with components of the root %s the paths',
  async (order) => {
    const paths = `paths: {/pets: {get: {parameters: [{$ref: ./parts/kind.yaml}], responses: {'200': {description: ok, content: {application/json: {schema: {$ref: ./models/pet.yaml}}}}, '400': {$ref: ./answers/bad.yaml}}}}}`;
    const components = `components: {schemas: {Own: {type: string}}, responses: {Own: {description: own}}, parameters: {Own: {name: own, in: query, schema: {}}}}`;
    const files = {
      'root.yaml': [
        `openapi: 3.0.3\ninfo: {title: Pets, version: '1'}`,
        ...(order === 'before' ? [components, paths] : [paths, components]),
      ].join('\n'),
      'parts/kind.yaml': `name: kind\nin: query\nschema: {$ref: ../models/base/kind.yaml}`,
      'models/pet.yaml': `properties: {owner: {$ref: ./owner.yaml}, kind: {$ref: base/kind.yaml}}`,
      'models/owner.yaml': `properties: {pets: {type: array, items: {$ref: pet.yaml}}}`,
      'models/base/kind.yaml': `type: string`,
      'answers/bad.yaml': `description: bad\ncontent: {application/json: {schema: {$ref: ../models/owner.yaml}}}`,
    };
    const folder = folderOf(files);
    const { schemas, document } = await load({ document: 'root.yaml', cwd: folder });
    expect(schemas.map(({ name }) => name).toSorted()).toEqual(['Own', 'kind', 'owner', 'pet']);
    expect(document.locate('/components/schemas/owner/properties')?.file).toBe('models/owner.yaml');
  },
);

const head = `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths: {}\n`;

/** Bundlers follow a `$ref` anywhere, and documents in many files rely on it. */
const misplaced = {
  'root.yaml': `openapi: 3.0.3
info: { $ref: ./info.yaml }
tags: { $ref: tags.yaml }
servers: [{ $ref: parts/servers.yaml#/live }]
paths: { $ref: parts/paths.yaml }
components: { schemas: { $ref: 'models\\index.yaml' }, responses: { Lost: { description: { $ref: ./lost.md } } } }
`,
  'info.yaml': `{ title: Pets, version: '1', description: { $ref: ./intro.md } }`,
  'intro.md': '# Pets\n',
  'tags.yaml': '[{ name: pets }]',
  'parts/servers.yaml': 'live: { url: https://pets.example }',
  'parts/paths.yaml': `/pets: { $ref: pets.yaml }`,
  'parts/pets.yaml': `get: { $ref: ./operations/list.yaml }`,
  'parts/operations/list.yaml': `operationId: listPets
description: { $ref: not-there.md }
responses: { '200': { description: ok, content: { application/json: { $ref: '#/json' } } }, '404': { $ref: ../../root.yaml#/components/responses/Lost } }
json: { schema: { $ref: ../../models/pet.yaml }, examples: { file: { value: { $ref: ../example.json } }, literal: { value: { $ref: nowhere.json } } } }`,
  'parts/example.json': '{ "kind": "cat" }',
  'models/index.yaml': `Pet: { $ref: ./pet.yaml }\nKind: { type: string, enum: { $ref: kinds.yaml } }`,
  'models/pet.yaml': `type: object\nproperties: { $ref: parts/members.yaml }\nrequired: { $ref: ../parts/required.yaml }`,
  'models/parts/members.yaml': `kind: { $ref: ../index.yaml#/Kind }\nvalue: { type: array, items: { $ref: ../index.yaml#/Kind } }\ndefault: { $ref: '#/value' }\nmapping: { type: object, properties: { example: { $ref: '../kind.yaml' } } }`,
  'parts/required.yaml': '[kind]',
  'models/kind.yaml': 'type: string',
  'models/kinds.yaml': '[cat, dog]',
};

test('a $ref where OpenAPI has none is followed with a warning, and refused with --strict', async () => {
  const cwd = folderOf(misplaced);
  const result = await loadContract({ document: 'root.yaml', cwd });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  const { root, locate } = result.contract.document;
  expect(root['info']).toEqual({ title: 'Pets', version: '1', description: '# Pets\n' });
  expect([root['tags'], root['servers']]).toEqual([[{ name: 'pets' }], [{ url: 'https://pets.example' }]]);
  expect(valueAt(root, '/paths/~1pets/get')).toMatchObject({
    operationId: 'listPets',
    description: '',
    responses: {
      '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
    },
  });
  expect(valueAt(root, '/paths/~1pets/get/responses/200/content/application~1json/examples')).toEqual({
    file: { value: { kind: 'cat' } },
    literal: { value: { $ref: 'nowhere.json' } },
  });
  expect(valueAt(root, '/components/schemas/Pet')).toMatchObject({ required: ['kind'] });
  expect(valueAt(root, '/components/schemas/Pet/properties/kind')).toEqual({
    $ref: '#/components/schemas/Kind',
  });
  expect(valueAt(root, '/components/schemas/Pet/properties')).toMatchObject({
    value: { type: 'array', items: { $ref: '#/components/schemas/Kind' } },
    mapping: { properties: { example: { $ref: '#/components/schemas/kind_2' } } },
  });
  expect(valueAt(root, '/components/schemas/Kind')).toEqual({ type: 'string', enum: ['cat', 'dog'] });
  expect(locate('/paths/~1pets/get/operationId')?.file).toBe('parts/operations/list.yaml');
  expect(new Set(result.warnings.map(({ code }) => code))).toEqual(new Set(['repaired']));
  const strict = await loadContract({ document: 'root.yaml', cwd, strict: true });
  expect(strict.ok).toBe(false);
});

test.each<[string, string, Readonly<Record<string, string>>]>([
  [
    'in itself',
    'ref-dangling',
    { 'root.yaml': `${head}components: { schemas: { $ref: root.yaml#/components/schemas } }` },
  ],
  [
    'in a circle',
    'ref-dangling',
    {
      'root.yaml': `${head}components: { schemas: { A: { properties: { $ref: a.yaml } } } }`,
      'a.yaml': 'inner: { properties: { $ref: a.yaml } }',
    },
  ],
  ['to nothing', 'ref-dangling', { 'root.yaml': `${head}components: { schemas: { $ref: '#/nothing' } }` }],
  [
    'to a file outside',
    'ref-refused',
    { 'root.yaml': `${head}components: { schemas: { $ref: ../outside.yaml } }` },
  ],
])('a misplaced $ref %s ends with a message', async (_, code, files) => {
  const result = await loadContract({ document: 'root.yaml', cwd: folderOf(files) });
  const codes = result.ok ? [] : result.diagnostics.map(({ code }) => code);
  expect(codes).toContain(code);
  expect(codes.length).toBeLessThan(20);
});

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'folders-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A web of four addresses. */
function web(pages: Readonly<Record<string, string | { to: string } | number>>) {
  const asked: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    asked.push(url);
    const page = pages[url] ?? 404;
    if (typeof page === 'string') return Promise.resolve(new Response(page));
    if (typeof page === 'number') return Promise.resolve(new Response('', { status: page }));
    return Promise.resolve(new Response('', { status: 302, headers: { location: page.to } }));
  };
  return { asked, fetch };
}

const order = `${head}components: { schemas: { Order: { $ref: 'https://a.example/models.yaml#/Order' } } }`;
const refersTo = (reference: string): string =>
  `${head}components: { schemas: { Order: { $ref: '${reference}' } } }`;
const root = 'https://a.example/openapi.yaml';

test(
  'nothing is fetched from a host that is not allowed, including the root document',
  { tags: 'attack' },
  async () => {
    const { asked, fetch } = web({ [root]: order });
    const result = await loadContract({ document: root, fetch });
    expect(result.ok || result.diagnostics).toMatchObject([{ code: 'ref-remote', location: { file: root } }]);
    expect(asked).toStrictEqual([]);
  },
);

test('from an allowed host the document and what it refers to are read', async () => {
  const { asked, fetch } = web({
    [root]: order,
    'https://a.example/models.yaml': 'Order: { $ref: lines.yaml }',
    'https://a.example/lines.yaml': 'type: array',
  });
  const contract = await load({ document: root, fetch, allowRemote: ['a.example'] });
  expect(contract.schemas.map(({ name }) => name)).toStrictEqual(['Order']);
  expect(contract.document.locate('/components/schemas/Order/type')).toStrictEqual({
    file: 'https://a.example/lines.yaml',
    line: 1,
    column: 7,
  });
  expect(asked).toHaveLength(3);
});

test.each([
  ['another host', refersTo('https://b.example/x.yaml'), {}, 'ref-remote', 1],
  ['another port', refersTo('https://a.example:8443/x.yaml'), {}, 'ref-remote', 1],
  ['a file of this machine', refersTo('file:///etc/passwd'), {}, 'ref-refused', 1],
  [
    'a redirect to another host',
    refersTo('moved.yaml'),
    { 'https://a.example/moved.yaml': { to: 'http://127.0.0.1/' } },
    'file-unreachable',
    2,
  ],
  [
    'a redirect to itself',
    refersTo('moved.yaml'),
    { 'https://a.example/moved.yaml': { to: 'moved.yaml' } },
    'file-unreachable',
    7,
  ],
  ['a missing page', refersTo('missing.yaml'), {}, 'file-unreachable', 2],
  ['a binary', refersTo('binary.yaml'), { 'https://a.example/binary.yaml': 'a\0b' }, 'file-unreachable', 2],
])(
  'a remote document that refers to %s is refused',
  { tags: 'attack' },
  async (_, text, pages, code, requests) => {
    const { asked, fetch } = web({ [root]: text, ...pages });
    const result = await loadContract({ document: root, fetch, allowRemote: ['a.example'] });
    expect((result.ok ? result.warnings : result.diagnostics).map((diagnostic) => diagnostic.code)).toContain(
      code,
    );
    expect(result.ok).toBe(false);
    expect(asked).toHaveLength(requests);
  },
);

test('a host that cannot be reached is named, with the cause', async () => {
  const fetch = (): Promise<Response> =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND a.example') }));
  const result = await loadContract({ document: root, fetch, allowRemote: ['a.example'] });
  expect(result.ok || result.diagnostics).toMatchObject([
    { message: `${root} cannot be fetched: getaddrinfo ENOTFOUND a.example` },
  ]);
});

test('a reference by $id leads to the schema of that address, and anchors to those of the same component', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ids-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const schemas = {
    Node: { $id: 'https://a.example/node', $anchor: 'top', properties: { next: { $ref: '#top' } } },
    Leaf: { $id: 'https://a.example/leaf', $anchor: 'top', properties: { next: { $ref: '#top' } } },
    User: {
      properties: {
        whole: { $ref: 'https://a.example/node' },
        anchored: { $ref: 'https://a.example/leaf#top' },
        part: { $ref: 'https://a.example/node#/properties/next' },
      },
    },
  };
  const text = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {}, components: { schemas } };
  writeFileSync(join(folder, 'a.json'), JSON.stringify(text));
  const { document } = await load({ document: 'a.json', cwd: folder });
  const read = valueAt(document.root, '/components/schemas') as Record<string, { properties: object }>;
  expect(read['Node']?.properties).toStrictEqual({ next: { $ref: '#/components/schemas/Node' } });
  expect(read['Leaf']?.properties).toStrictEqual({ next: { $ref: '#/components/schemas/Leaf' } });
  expect(read['User']?.properties).toMatchObject({
    whole: { $ref: '#/components/schemas/Node' },
    anchored: { $ref: '#/components/schemas/Leaf' },
  });
});

/** The schemas of a loaded document, with the diagnostics about them. */
async function loadedSchemas(
  schemas: object,
): Promise<{ read: Record<string, unknown>; diagnostics: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'ids-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const text = { openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {}, components: { schemas } };
  writeFileSync(join(folder, 'a.json'), JSON.stringify(text));
  const loaded = await loadContract({ document: 'a.json', cwd: folder });
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  const read = valueAt(loaded.contract.document.root, '/components/schemas');
  const others = ['no-operations', 'schema-type-missing'];
  const diagnostics = loaded.warnings.map(({ code }) => code).filter((code) => !others.includes(code));
  return { read: read as Record<string, unknown>, diagnostics };
}

test.each<[string, object, string]>([
  ['relative, to an absolute $id', { $id: 'https://a.example/schemas/user', $ref: 'address' }, 'Address'],
  ['relative with dots', { $id: 'https://a.example/schemas/v2/user', $ref: '../address' }, 'Address'],
  ['relative from the root', { $id: 'https://a.example/x', $ref: '/schemas/address' }, 'Address'],
  ['without a scheme', { $id: 'https://a.example/x', $ref: '//a.example/schemas/address#' }, 'Address'],
  ['relative, to a relative $id', { $ref: 'size.json' }, 'Size'],
  ['relative, to a relative $id with a dot', { $ref: './size.json' }, 'Size'],
  [
    'absolute, to an $id that is relative to the one around it',
    { $ref: 'https://a.example/schemas/zip' },
    'Zip',
  ],
  ['to a fragment that an earlier draft named by $id', { $ref: '#old' }, 'Old'],
  ['to the schema with an $id around it', { $id: 'https://a.example/self', items: { $ref: '#' } }, 'Asked'],
])('a reference %s is followed', async (_, asked, target) => {
  const { read, diagnostics } = await loadedSchemas({
    Asked: asked,
    Address: { $id: 'https://a.example/schemas/address', type: 'object' },
    Size: { $id: 'size.json', type: 'integer' },
    Around: { $id: 'https://a.example/schemas/around', properties: { zip: { $ref: 'zip' } } },
    Zip: { $id: 'https://a.example/schemas/zip', type: 'string' },
    Old: { $id: '#old', type: 'boolean' },
  });
  expect(JSON.stringify(read['Asked'])).toContain(`"$ref":"#/components/schemas/${target}"`);
  expect(JSON.stringify(read['Around'])).toContain('"$ref":"#/components/schemas/Zip"');
  expect(JSON.stringify(read)).not.toContain('$id');
  expect(diagnostics).toStrictEqual([]);
});

test('# inside of a schema with an $id is that schema, and what it does not have is read in the file', async () => {
  const { read, diagnostics } = await loadedSchemas({
    Order: {
      $id: 'https://a.example/order',
      $defs: { size: { type: 'integer' } },
      properties: { size: { $ref: '#/$defs/size' }, note: { $ref: '#/components/schemas/Note' } },
    },
    size: { type: 'string' },
    Note: { type: 'string' },
  });
  const { properties } = read['Order'] as { properties: Record<string, { $ref: string }> };
  const name = properties['size']?.$ref.replace('#/components/schemas/', '') ?? '';
  expect(read[name]).toStrictEqual({ type: 'integer' });
  expect(properties['note']).toStrictEqual({ $ref: '#/components/schemas/Note' });
  expect(diagnostics).toStrictEqual(['schema-id']);
});

test('a component that refers to a file is the schema of that file, for every form of reference to it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'split-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files: Record<string, object> = {
    'a.json': {
      ...{ openapi: '3.1.0', info: { title: 't', version: '1' }, paths: {} },
      components: {
        schemas: {
          First: { properties: { pet: { $ref: 'pet.json' }, size: { $ref: 'sizes.json#/status' } } },
          Pet: { $ref: 'pet.json' },
          Owner: { $ref: 'index.json#/Owner' },
          Status: { type: 'string' },
          Lost: { $ref: 'lost.json' },
        },
      },
    },
    'pet.json': { type: 'object', properties: { next: { $ref: 'pet.json' }, of: { $ref: 'owner.json' } } },
    'owner.json': { type: 'object', properties: { pets: { $ref: './index.json#/Pet' } } },
    'index.json': { Owner: { $ref: 'owner.json' }, Pet: { $ref: './pet.json' } },
    'sizes.json': { status: { type: 'integer' } },
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(text));
  const broken = await loadContract({ document: 'a.json', cwd: folder });
  const told = broken.ok ? [] : broken.diagnostics.filter(({ message }) => message.includes('lost.json'));
  expect(told).toHaveLength(1);
  writeFileSync(join(folder, 'lost.json'), '{ "type": "boolean" }');
  const { document } = await load({ document: 'a.json', cwd: folder });
  const schemas = valueAt(document.root, '/components/schemas') as Record<string, { properties: object }>;
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  expect(schemas['First']?.properties).toStrictEqual({ pet: ref('Pet'), size: ref('sizes_status') });
  expect(schemas['Pet']?.properties).toStrictEqual({ next: ref('Pet'), of: ref('Owner') });
  const pets = schemas['Owner']?.properties as { pets: { $ref: string } };
  expect([ref('Pet'), ref('index_Pet')]).toContainEqual(pets.pets);
  expect(Object.keys(schemas)).not.toContain('pet');
});
