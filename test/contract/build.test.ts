import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Contract, loadContract, type Operation } from '../../contract/index.ts';
import { contractOf, documentOf } from '../generator/generated.ts';

const fixtures = join(import.meta.dirname, '../fixtures/documents');

async function library(): Promise<Contract> {
  const result = await loadContract({ document: 'library.yaml', cwd: fixtures });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics, null, 1));
  expect(result.warnings).toStrictEqual([]);
  return result.contract;
}

const idOf = (name: string): object => ({ name, in: 'path', required: true, schema: { type: 'string' } });

async function operation(id: string): Promise<Operation> {
  const found = (await library()).operations.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

test('an operation without an id gets one of its method and path, and its summary from the path', async () => {
  const { operations } = await library();
  expect(operations.map(({ id, summary }) => [id, summary])).toStrictEqual([
    ['get_books_isbn', 'One book'],
    ['replaceBook', 'One book'],
    ['removeBook', 'One book'],
  ]);
});

test('ids that are made of methods and paths are given once, and never where an operation has that id', async () => {
  const responses = { 204: { description: 'Done.' } };
  const paths = {
    '/': { get: { responses } },
    '/a/{b}': { get: { responses, parameters: [idOf('b')] } },
    '/a/b': { get: { responses }, put: { responses, operationId: 'get' } },
    '/a-b': { get: { responses } },
  };
  const { operations } = await contractOf(documentOf({}, paths));
  expect(operations.map(({ id }) => id).sort()).toStrictEqual([
    'get',
    'get_2',
    'get_a_b',
    'get_a_b_2',
    'get_a_b_3',
  ]);
});

test('extensions beside the paths are not operations', async () => {
  const responses = { 204: { description: 'Done.' } };
  const hook = { h: { '{$request.query.url}': { post: { responses } } } };
  const { operations, incoming } = await contractOf(
    documentOf({}, { '/a': { get: { responses } }, 'x-draft': { get: { responses, callbacks: hook } } }),
  );
  expect(operations.map(({ path }) => path)).toStrictEqual(['/a']);
  expect(incoming).toStrictEqual([]);
});

test("an operation's own parameter takes the place of the path's, and what OpenAPI ignores is left out", async () => {
  const { parameters } = await operation('get_books_isbn');
  expect(
    parameters.map(({ name, in: at, required, pointer }) => [at, name, required, pointer]),
  ).toStrictEqual([
    ['path', 'isbn', true, '/paths/~1books~1{isbn}/parameters/0'],
    ['query', 'lang', true, '/paths/~1books~1{isbn}/get/parameters/0'],
    ['query', 'filter', false, '/paths/~1books~1{isbn}/get/parameters/1'],
    ['cookie', 'shelf', false, '/paths/~1books~1{isbn}/get/parameters/2'],
    ['query', 'near', false, '/paths/~1books~1{isbn}/get/parameters/3'],
  ]);
});

test('styles that are not written are those that OpenAPI gives to the position', async () => {
  const { parameters } = await operation('get_books_isbn');
  const styles = parameters.map((one) => [
    one.name,
    one.style,
    one.explode,
    one.allowReserved,
    one.mediaType,
  ]);
  expect(styles).toStrictEqual([
    ['isbn', 'simple', false, false, undefined],
    ['lang', 'form', true, false, undefined],
    ['filter', 'form', true, false, 'application/json'],
    ['shelf', 'form', false, false, undefined],
    ['near', 'deepObject', false, true, undefined],
  ]);
});

test('responses are followed through their references, with headers, media types and examples', async () => {
  const { responses } = await operation('get_books_isbn');
  expect(responses.map(({ status, pointer }) => [status, pointer])).toStrictEqual([
    ['200', '/components/responses/Book'],
    ['4XX', '/paths/~1books~1{isbn}/get/responses/4XX'],
    ['default', '/components/responses/Failed'],
  ]);
  expect(responses[0]?.headers.map(({ name, required, schema }) => [name, required, schema])).toStrictEqual([
    ['ETag', true, { type: 'string' }],
    ['X-Shelf', false, { type: 'integer' }],
  ]);
  expect(
    responses[0]?.content.map(({ mediaType, schema, examples }) => [mediaType, schema, examples]),
  ).toStrictEqual([
    ['application/json', { $ref: '#/components/schemas/Book' }, [{ name: 'example', value: { title: 'B' } }]],
    ['text/plain', undefined, []],
  ]);
});

test('a request body keeps the examples of the document', async () => {
  const { requestBody } = await operation('replaceBook');
  expect(requestBody?.required).toBe(true);
  expect(requestBody?.content[0]?.examples).toStrictEqual([
    { name: 'plain', value: { title: 'A' } },
    { name: 'shared', value: { title: 'C' } },
  ]);
});

test.each([
  ['get_books_isbn', [['Key'], []]],
  ['replaceBook', []],
  ['removeBook', [['Key', 'Login'], ['Basic']]],
])('%s needs one of %j: its own requirements, or those of the document', async (id, want) => {
  const { security } = await operation(id);
  expect(security.map(({ schemes }) => schemes.map(({ name }) => name))).toStrictEqual(want);
});

test('a security scheme has the place of its key, or its HTTP scheme', async () => {
  const { security } = await operation('removeBook');
  const [key, login, basic] = security.flatMap(({ schemes }) => schemes);
  expect(key).toMatchObject({ type: 'apiKey', in: 'header', parameterName: 'X-Key', scheme: undefined });
  expect(login).toMatchObject({ type: 'openIdConnect', in: undefined, parameterName: undefined });
  expect(basic).toMatchObject({ type: 'http', scheme: 'basic' });
});

test('schemas of a 3.0 document are given in JSON Schema 2020-12; the document stays what it was', async () => {
  const { schemas, document } = await library();
  expect(schemas.map(({ name, pointer }) => [name, pointer])).toStrictEqual([
    ['Book', '/components/schemas/Book'],
    ['Any', '/components/schemas/Any'],
  ]);
  expect(schemas[0]?.schema).toStrictEqual({
    type: 'object',
    properties: { title: { type: ['string', 'null'] } },
  });
  expect(document.dialect).toBe('3.0');
  expect(JSON.stringify(document.root)).toContain('"nullable":true');
});

test.each([
  ['./v9', '/v9'],
  ['v9/', '/v9/'],
  ['../api', '/api'],
  ['.', '/'],
  ['/api', '/api'],
  ['//api.test/x', 'https://api.test/x'],
  ['http://api.test', 'http://api.test'],
  ['{base}/v1', '{base}/v1'],
])('the server %s is %s', async (url, want) => {
  const responses = { 204: { description: 'Done.' } };
  const { servers, operations } = await contractOf({
    ...documentOf(
      {},
      { '/a': { get: { responses, servers: [{ url, variables: { base: { default: 'x' } } }] } } },
    ),
    servers: [{ url, variables: { base: { default: 'x' } } }],
  });
  expect([servers[0]?.url, operations[0]?.servers[0]?.url]).toStrictEqual([want, want]);
});
