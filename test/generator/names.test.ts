import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderName, isIdentifier, nameTable, typeName, valueName } from '../../generator/names.ts';
import { documentOf, filesOf, textOf } from './generated.ts';

test.each([
  ['RouterModelDetail', { type: 'RouterModelDetail', value: 'routerModelDetail' }],
  ['block_content', { type: 'BlockContent', value: 'blockContent' }],
  ['repos/list-for-org', { type: 'ReposListForOrg', value: 'reposListForOrg' }],
  ['PublishNode', { type: 'PublishNode', value: 'publishNode' }],
  ['URLParser', { type: 'URLParser', value: 'urlParser' }],
  ['URL', { type: 'URL', value: 'url' }],
  ['404', { type: 'Schema404', value: 'call404' }],
  ['2fa-code', { type: 'Schema2faCode', value: 'call2faCode' }],
  ['', { type: 'Schema', value: 'call' }],
  ['🎉', { type: 'Schema', value: 'call' }],
  ['größe', { type: 'Größe', value: 'größe' }],
  ['ユーザー', { type: 'ユーザー', value: 'ユーザー' }],
  ["'; pwned(); '", { type: 'Pwned', value: 'pwned' }],
  ['a\u200db', { type: 'AB', value: 'aB' }],
])('%j names a type and a function', (name, want) => {
  expect({ type: typeName(name), value: valueName(name) }).toStrictEqual(want);
});

test('each name gets a unique identifier, for any names in a document', { tags: 'attack' }, () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('__proto__', 'constructor', 'class', 'then', 'Blob', 'foo', 'Foo', 'FOO'),
        ),
      ),
      (all) => {
        const table = nameTable();
        const claimed = all.flatMap((name) => [table.claim(typeName(name)), table.claim(valueName(name))]);
        expect(new Set(claimed).size).toBe(claimed.length);
        expect(claimed.filter((name) => !isIdentifier(name))).toStrictEqual([]);
      },
    ),
  );
});

test('names that look the same get different identifiers, composed or not', () => {
  const table = nameTable();
  expect([typeName('caf\u00e9'), typeName('cafe\u0301')].map((name) => table.claim(name))).toStrictEqual([
    'Caf\u00e9',
    'Caf\u00e92',
  ]);
});

test(
  'a name of 10 kB is shortened, and two with the same beginning stay different',
  { tags: 'attack' },
  () => {
    const [first, second] = ['x', 'y'].map((end) => typeName('a'.repeat(10_000) + end));
    expect(first?.length).toBe(80);
    expect(first).not.toBe(second);
  },
);

test('each further request for a used name gets a number', () => {
  const table = nameTable(['Taken', 'Taken2']);
  expect([table.claim('Taken'), table.claim('Taken'), table.claim('Taken3')]).toStrictEqual([
    'Taken3',
    'Taken4',
    'Taken32',
  ]);
});

test.each([
  ['router', 'router'],
  ['My API v2', 'my-api-v2'],
  ['../../etc', 'etc'],
  ['C:\\x', 'c-x'],
  ['CON', 'con-api'],
  ['runtime', 'runtime-api'],
  ['ÄPI', 'a-pi'],
  ['\0', 'api'],
  ['🎉', 'api'],
])('the API %j goes into the folder %s', (name, folder) => {
  expect(folderName(name)).toBe(folder);
});

test('what has a name that is taken gets one that says where it is from', () => {
  const table = nameTable(['basic', 'Pet']);
  expect(table.claim('basic', 'callBasic')).toBe('callBasic');
  expect(table.claim('basic', 'callBasic')).toBe('basic2');
  expect(table.claimType('Pet', 'Pet', 'ShopPet')).toBe('ShopPet');
});

test('of schemas and operations of one name each has one that says where it is from', async () => {
  const object = (properties: object): object => ({ type: 'object', properties });
  const here = '#/components/schemas/Order';
  const body = {
    content: { 'application/json': { schema: object({}) }, 'text/csv': { schema: { type: 'array' } } },
  };
  const files = await filesOf(
    documentOf(
      {
        Status: { type: 'string' },
        Order: {
          ...object({ status: { type: 'integer' }, of: { $ref: `${here}/properties/status` } }),
          $defs: { status: { type: 'boolean' } },
          not: { $ref: `${here}/$defs/status` },
        },
      },
      {
        '/a': {
          post: { operationId: 'basic', requestBody: body, responses: { '204': { description: '' } } },
        },
      },
    ),
  );
  const types = textOf(files, 'sample/types.ts');
  const names = [...types.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name);
  expect(names).toContain('OrderStatus');
  expect(names).toContain('OrderDefsStatus');
  expect(names.filter((name) => /\d$/.test(name ?? ''))).toStrictEqual([]);
  expect(textOf(files, 'sample/client.ts')).toContain('export { callBasic as basic };');
});
