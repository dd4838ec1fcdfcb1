// @module-tag long
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract, loadOwnContract, ownContractNames, packageRoot } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { compilerErrors, contractOf, filesOf, imported, textOf } from './generated.ts';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const answered = { '200': { description: 'Done.', ...json({ type: 'object' }) } };

function documentOf(paths: object, components: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Sample', version: '1' }, paths, components };
}

interface Sent {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Headers; readonly body: unknown };
}
type Call = (
  connection: object,
  input?: object,
  options?: object,
) => Promise<{ data: unknown; status: number }>;

/** Calls a generated function and gives what it would send. */
async function sent(
  document: object,
  name: string,
  input: object,
  response: () => Response = () => Response.json({}),
): Promise<Sent & { answer: { data: unknown } }> {
  const module = await imported(await filesOf(document), 'sample/index.ts');
  const requests: Sent[] = [];
  const fetch = (url: string, init: Sent['init']): Promise<Response> => {
    requests.push({ url, init: { ...init, headers: new Headers(init.headers) } });
    return Promise.resolve(response());
  };
  const connection = (module['connect'] as (options: object) => object)({
    baseUrl: 'https://api.example.com',
    fetch,
    credentials: { Key: 'k', Basic: 'u:p' },
  });
  const answer = await (module[name] as Call)(connection, input);
  return { ...(requests[0] as Sent), answer };
}

test.each<[string, { given: object; path?: string; value: unknown; want: string }]>([
  ['form', { given: { in: 'query' }, value: ['a b', 'c'], want: '/things?x=a%20b&x=c' }],
  [
    'form without explode',
    { given: { in: 'query', explode: false }, value: ['a', 'b,c'], want: '/things?x=a,b%2Cc' },
  ],
  ['form of an object', { given: { in: 'query' }, value: { a: 1, b: 2 }, want: '/things?a=1&b=2' }],
  [
    'spaceDelimited',
    {
      given: { in: 'query', style: 'spaceDelimited', explode: false },
      value: ['a', 'b'],
      want: '/things?x=a%20b',
    },
  ],
  [
    'pipeDelimited',
    {
      given: { in: 'query', style: 'pipeDelimited', explode: false },
      value: ['a', 'b'],
      want: '/things?x=a%7Cb',
    },
  ],
  [
    'deepObject',
    {
      given: { in: 'query', style: 'deepObject', explode: true },
      value: { a: 1 },
      want: '/things?x%5Ba%5D=1',
    },
  ],
  ['allowReserved', { given: { in: 'query', allowReserved: true }, value: 'a/b?c', want: '/things?x=a/b?c' }],
  [
    'content',
    {
      given: { in: 'query', schema: undefined, ...json({ type: 'object' }) },
      value: { a: [1] },
      want: '/things?x=%7B%22a%22%3A%5B1%5D%7D',
    },
  ],
  [
    'simple',
    { given: { in: 'path', required: true }, path: '/things/{x}', value: 'a/b', want: '/things/a%2Fb' },
  ],
  [
    'label',
    {
      given: { in: 'path', required: true, style: 'label' },
      path: '/things/{x}',
      value: ['a', 'b'],
      want: '/things/.a,b',
    },
  ],
  [
    'matrix',
    {
      given: { in: 'path', required: true, style: 'matrix', explode: true },
      path: '/things/{x}',
      value: ['a', 'b'],
      want: '/things/;x=a;x=b',
    },
  ],
])(
  'a parameter in the style %s is written as OpenAPI says',
  async (_, { given, path = '/things', value, want }) => {
    const document = documentOf({
      [path]: {
        get: {
          operationId: 'getThings',
          parameters: [{ name: 'x', schema: {}, ...given }],
          responses: answered,
        },
      },
    });
    expect((await sent(document, 'getThings', { x: value })).url.replace('https://api.example.com', '')).toBe(
      want,
    );
  },
);

test.each<[string, { content: object; value: unknown; type: string | null; body: unknown }]>([
  [
    'JSON',
    {
      content: { 'application/json': { schema: {} } },
      value: { a: 1 },
      type: 'application/json',
      body: '{"a":1}',
    },
  ],
  [
    'JSON of a vendor',
    { content: { 'application/vnd.x+json': {} }, value: [1], type: 'application/vnd.x+json', body: '[1]' },
  ],
  [
    'text',
    { content: { 'text/csv': { schema: { type: 'string' } } }, value: 'a,b', type: 'text/csv', body: 'a,b' },
  ],
  [
    'a form',
    {
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
      value: { a: ['1', '2'] },
      type: 'application/x-www-form-urlencoded',
      body: 'a=1&a=2',
    },
  ],
])('a body of %s is sent as its media type says', async (_, { content, value, type, body }) => {
  const { init } = await sent(
    documentOf({
      '/things': {
        post: { operationId: 'addThing', requestBody: { required: true, content }, responses: answered },
      },
    }),
    'addThing',
    { body: value },
  );
  expect({ type: init.headers.get('content-type'), body: String(init.body) }).toStrictEqual({ type, body });
});

test('a multipart body brings its own boundary, and bytes become files', async () => {
  const content = {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', format: 'binary' }, name: { type: 'string' } },
      },
    },
  };
  const document = documentOf({
    '/things': { post: { operationId: 'addThing', requestBody: { content }, responses: answered } },
  });
  const { init } = await sent(document, 'addThing', { body: { file: new Blob(['x']), name: 'y' } });
  expect(init.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=\S+$/);
  const form = await new Response(init.body as Blob).formData();
  expect([...form.keys()]).toStrictEqual(['file', 'name']);
  expect(textOf(await filesOf(document), 'sample/types.ts')).toContain('file?: Blob;');
});

test.each<[string, { content?: object; response: () => Response; want: unknown }]>([
  ['text', { content: { 'text/plain': {} }, response: () => new Response('hello'), want: 'hello' }],
  ['nothing', { response: () => new Response(null, { status: 200 }), want: undefined }],
  [
    'JSON among others',
    { content: { 'application/json': {}, 'text/csv': {} }, response: () => Response.json([1]), want: [1] },
  ],
])('an answer of %s is read as such', async (_, { content, response, want }) => {
  const responses = { '200': { description: 'Done.', ...(content === undefined ? {} : { content }) } };
  const { answer } = await sent(
    documentOf({ '/things': { get: { operationId: 'getThing', responses } } }),
    'getThing',
    {},
    response,
  );
  expect(answer.data).toStrictEqual(want);
});

test('a binary answer is a Blob', async () => {
  const responses = { '200': { description: 'Done.', content: { 'image/png': {} } } };
  const { answer } = await sent(
    documentOf({ '/things': { get: { operationId: 'getThing', responses } } }),
    'getThing',
    {},
    () => new Response('x'),
  );
  expect(answer.data).toBeInstanceOf(Blob);
});

test('parameters of one name in several places are distinguished, and one called body does not meet the body', async () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'id', in: 'query', schema: { type: 'string' } },
    { name: 'body', in: 'query', schema: { type: 'string' } },
    { name: 'X-Id', in: 'header', schema: { type: 'string' } },
  ];
  const document = documentOf({
    '/things/{id}': {
      put: { operationId: 'putThing', parameters, requestBody: json({}), responses: answered },
    },
  });
  const { url, init } = await sent(document, 'putThing', {
    id: 'a',
    id_query: 'b',
    body_query: 'c',
    xId: 'd',
    body: 1,
  });
  expect([url, init.headers.get('x-id'), init.body]).toStrictEqual([
    'https://api.example.com/things/a?id=b&body=c',
    'd',
    '1',
  ]);
});

test('credentials: the first alternative for which there are any, and none where none is needed', async () => {
  const components = {
    securitySchemes: {
      Token: { type: 'oauth2', flows: {} },
      Key: { type: 'apiKey', in: 'query', name: 'key' },
      Basic: { type: 'http', scheme: 'basic' },
      Certificate: { type: 'mutualTLS' },
    },
  };
  const paths = (security: object[]): object => ({
    '/things': { get: { operationId: 'getThing', security, responses: answered } },
  });
  const urlWith = async (security: object[]): Promise<[string, string | null]> => {
    const { url, init } = await sent(documentOf(paths(security), components), 'getThing', {});
    return [url.replace('https://api.example.com', ''), init.headers.get('authorization')];
  };
  expect(await urlWith([{ Token: [] }, { Key: [] }])).toStrictEqual(['/things?key=k', null]);
  expect(await urlWith([{}, { Basic: [] }])).toStrictEqual(['/things', 'Basic dTpw']);
  expect(await urlWith([{ Certificate: [] }])).toStrictEqual(['/things', null]);
  expect(await urlWith([])).toStrictEqual(['/things', null]);
});

test('operations without an id, with reserved words and with names that only differ in signs all have a function', async () => {
  const operation = (operationId?: string): object => ({
    ...(operationId === undefined ? {} : { operationId }),
    responses: answered,
  });
  const files = await filesOf(
    documentOf({
      '/a': { get: operation(), post: operation('delete'), put: operation('constructor') },
      '/a/': { get: operation(), post: operation('get-it'), put: operation('get_it') },
      '/{b}': {
        parameters: [{ name: 'b', in: 'path', required: true, schema: {} }],
        get: operation(),
        post: operation('then'),
        put: operation('listModelsItems'),
      },
      '/ä/ö': { get: operation(), post: operation('🎉'), put: operation('connect') },
    }),
  );
  // A function with a name of the runtime is declared under another one.
  const declared = /^export (?:function (\S+?)\(|\{ \w+ as (\w+) \};)/gm;
  const names = [...textOf(files, 'sample/client.ts').matchAll(declared)].map(
    ([, name, alias]) => name ?? alias,
  );
  expect(new Set(names).size).toBe(13);
  expect(compilerErrors(files)).toStrictEqual([]);
});

test('errors are classes by status, exact ones before ranges', async () => {
  const body = json({ type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } });
  const responses = {
    ...answered,
    '404': { description: '', ...body },
    '4XX': { description: '' },
    '5XX': { description: '' },
  };
  const module = await imported(
    await filesOf(documentOf({ '/a': { get: { operationId: 'getA', responses } } })),
    'sample/index.ts',
  );
  const failure = module['failure'] as (answer: object) => { name: string; status: number };
  const nameOf = (status: number): string =>
    failure({ status, headers: new Headers(), url: '', method: 'GET', operation: 'getA', attempts: 1 }).name;
  expect([404, 409, 503, 302].map(nameOf)).toStrictEqual([
    'NotFoundError',
    'ClientFaultError',
    'ServerFaultError',
    'ApiError',
  ]);
});

test('a document without paths, and one without schemas, give modules that compile', async () => {
  const schemasOnly = documentOf({}, { schemas: { A: { type: 'string' } } });
  const pathsOnly = documentOf({ '/a': { get: { responses: { '204': { description: '' } } } } });
  for (const document of [schemasOnly, pathsOnly])
    expect(compilerErrors(await filesOf(document))).toStrictEqual([]);
});

test("a real vendor's document of more than a hundred operations compiles under every strictness", async () => {
  const loaded = await loadContract({
    document: 'node_modules/@blockfrost/openapi/openapi.yaml',
    cwd: packageRoot(),
    name: 'vendor',
  });
  if (!loaded.ok) throw new Error('the document does not load');
  expect(loaded.contract.operations.length).toBeGreaterThan(100);
  expect(compilerErrors(await generate([loaded.contract]))).toStrictEqual([]);
});

test('a document of webhooks alone has a server that compiles, with nothing to handle', async () => {
  const webhook = { post: { responses: { '200': { description: 'Heard.' } } } };
  const document = { openapi: '3.1.0', info: { title: 'Sample', version: '1' }, webhooks: { told: webhook } };
  const files = await filesOf(document, 'sample', { server: true });
  expect(compilerErrors(files)).toStrictEqual([]);
});

// With .js in them they are compiled for both ways of resolution in server.test.ts. A specifier that names its file means
// the same to both.
test('our own documents compile under every strictness with .ts in their imports', async () => {
  const contracts = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
  const files = await generate(contracts, { importExtension: 'ts' });
  expect(compilerErrors(files, 'nodenext', { allowImportingTsExtensions: true })).toStrictEqual([]);
});

test('the same contracts give the same bytes, without a place of this machine or a moment in them', async () => {
  const contract = await contractOf(documentOf({ '/a': { get: { responses: answered } } }));
  const [first, second] = [await generate([contract]), await generate([contract])];
  expect(first).toStrictEqual(second);
  const all = first.map(({ text }) => text).join('\n');
  expect(all).not.toContain(packageRoot());
  expect(all).not.toContain(join('/', 'tmp'));
  expect(all).not.toMatch(new RegExp(`${new Date().getFullYear()}-\\d\\d-\\d\\dT`));
});

test.each(['bearer', 'Bearer', 'BEARER'])('the name of an HTTP scheme has no case: %s', async (scheme) => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Sample', version: '1' },
    security: [{ Token: [] }],
    paths: { '/a': { get: { operationId: 'readA', responses: { 200: { description: 'A' } } } } },
    components: { securitySchemes: { Token: { type: 'http', scheme, bearerFormat: 'JWT' } } },
  };
  const client = textOf(await filesOf(document), 'sample/client.ts');
  expect(client).toContain("{ name: 'Token', write: bearer }");
});
