import { expect, onTestFinished, test } from 'vitest';
import { generate } from '../../generator/index.ts';
import { createMock } from '../../mock/index.ts';
import { contractOf, imported } from './generated.ts';

// The methods of OpenAPI 3.2.
const answers = {
  '200': { description: '', content: { 'application/json': { schema: { type: 'string' } } } },
};
const filter = { type: 'object', required: ['colour'], properties: { colour: { type: 'string' } } };
const document = {
  openapi: '3.2.0',
  info: { title: 'Sample', version: '1' },
  paths: {
    '/pets/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      query: {
        operationId: 'searchPets',
        requestBody: { required: true, content: { 'application/json': { schema: filter } } },
        responses: answers,
      },
      additionalOperations: { COPY: { operationId: 'copyPet', responses: answers } },
    },
    '/plain': { get: { operationId: 'readPlain', responses: answers } },
  },
};

type Client = Record<string, (input: object) => Promise<{ readonly status: number; readonly data: unknown }>>;

test('clients send them, and servers serve them and judge their input', async () => {
  const files = await generate([await contractOf(document)], { server: true });
  const { createSample } = (await imported(files, 'sample/index.ts')) as {
    createSample: (options: object) => Client;
  };
  const { createServer } = (await imported(files, 'sample/server.ts')) as {
    createServer: (handlers: object, options: object) => (request: Request) => Promise<Response>;
  };
  const handlers = {
    searchPets: ({ id, body }: { id: string; body: { colour: string } }) => ({
      status: 200,
      body: `${id} ${body.colour}`,
    }),
    copyPet: ({ id }: { id: string }) => ({ status: 200, body: id }),
  };
  const serve = createServer(handlers, { authenticate: () => ({ id: 'ada' }) });
  const methods: unknown[] = [];
  const client = createSample({
    baseUrl: 'http://localhost',
    retries: 0,
    fetch: (url: string, init: RequestInit) => {
      methods.push(init.method);
      return serve(new Request(url, init));
    },
  });
  const found = await client['searchPets']?.({ id: 'a', body: { colour: 'red' } });
  const copied = await client['copyPet']?.({ id: 'b' });
  expect([found?.data, copied?.data, methods]).toStrictEqual(['a red', 'b', ['QUERY', 'COPY']]);
  await expect(client['searchPets']?.({ id: 'a', body: {} })).rejects.toMatchObject({ status: 400 });
});

test('a document that has them is mocked', async () => {
  const mock = createMock({ contracts: [await contractOf(document)] });
  onTestFinished(() => {
    mock.close();
  });
  const ask = async (path: string, method: string): Promise<number> =>
    (await mock.fetch(`http://localhost${path}`, { method })).status;
  expect([await ask('/plain', 'GET'), await ask('/pets/1', 'COPY')]).toStrictEqual([200, 200]);
});

test('a whole query that is a form is sent as the pairs of an object, also from components', async () => {
  const query = { r: 'x & y', list: ['a', 'b'], flag: false, n: 1 };
  const schema = {
    type: 'object',
    properties: {
      r: { type: 'string' },
      list: { type: 'array', items: { type: 'string' } },
      flag: { type: 'boolean' },
      n: { type: 'integer' },
    },
  };
  const whole = {
    name: 'whole',
    in: 'querystring',
    content: { 'application/x-www-form-urlencoded': { schema } },
  };
  const get = (operationId: string, parameter: object): object => ({
    get: { operationId, parameters: [parameter], responses: answers },
  });
  const asked = {
    openapi: '3.2.0',
    info: { title: 'Sample', version: '1' },
    paths: {
      '/here': get('readHere', whole),
      '/there': get('readThere', { $ref: '#/components/parameters/Whole' }),
    },
    components: { parameters: { Whole: whole } },
  };
  const files = await generate([await contractOf(asked)], { server: true });
  const { createSample } = (await imported(files, 'sample/index.ts')) as {
    createSample: (options: object) => Client;
  };
  const { createServer } = (await imported(files, 'sample/server.ts')) as {
    createServer: (handlers: object, options: object) => (request: Request) => Promise<Response>;
  };
  const received: unknown[] = [];
  const handle = (input: unknown): object => (received.push(input), { status: 200, body: '' });
  const serve = createServer(
    { readHere: handle, readThere: handle },
    { authenticate: () => ({ id: 'ada' }) },
  );
  const urls: string[] = [];
  const client = createSample({
    baseUrl: 'http://localhost',
    retries: 0,
    fetch: (url: string, init: RequestInit) => (urls.push(url), serve(new Request(url, init))),
  });
  await client['readHere']?.({ whole: query });
  await client['readThere']?.({ whole: query });
  const sent = '?r=x%20%26%20y&list=a&list=b&flag=false&n=1';
  expect(urls).toStrictEqual([`http://localhost/here${sent}`, `http://localhost/there${sent}`]);
  expect(received).toStrictEqual([{ whole: query }, { whole: query }]);
});
