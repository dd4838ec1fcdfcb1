// @module-tag long
import { expect, test } from 'vitest';
import { typeName } from '../../generator/names.ts';
import { compilerErrors, documentOf, filesOf, imported, textOf } from './generated.ts';

/** Names of the runtime, of modules that use it, and of the platform. */
const contested = (
  'Status Answer Connection Operation Call Failure Failures Api Held Update Checked CallOptions Credential ApiError ' +
  'ConnectionError TimeoutError UploadError ItemStream Told Model Blob Record Array Promise Error Exclude FormData ' +
  'RequestInit URLSearchParams Response Set Map Object Symbol NonNullable Omit Readonly'
).split(' ');

test('components keep their names: those of the runtime and of the platform step aside', async () => {
  const json = (name: string): object => ({
    description: name,
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  const paths = Object.fromEntries(
    contested.map((name) => [
      `/${name.toLowerCase()}`,
      {
        post: {
          operationId: `send ${name}`,
          requestBody: name === 'Blob' ? { content: bytes } : json(name),
          responses: { '200': json(name), '404': json('ApiError'), default: json('Error') },
        },
      },
    ]),
  );
  const schema = (name: string): object => ({
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', const: name },
      any: { type: 'object' },
      file: { type: 'string', format: 'binary' },
      secret: { type: 'string', writeOnly: true },
      next: { $ref: `#/components/schemas/${name}` },
    },
  });
  const schemas = Object.fromEntries(contested.map((name) => [name, schema(name)]));
  const files = await filesOf(documentOf(schemas, paths), 'sample', { server: true });
  const use = {
    path: 'use.ts',
    text: [
      ...contested.map((name) => `import type { ${name} as ${name}Of } from './sample/index.js';`),
      "import { connect, createSample, type RuntimeAnswer, RuntimeApiError, sendBlob, sendStatus } from './sample/index.js';",
      ...contested.map(
        (name) =>
          `export const own${name}: ${name}Of['id'] = '${name}';\nexport const any${name}: ${name}Of['any'] = {};`,
      ),
      "export const client: ReturnType<typeof createSample> = createSample({ baseUrl: 'https://api.example.com' });",
      "export const sent: Promise<RuntimeAnswer<StatusOf>> = sendStatus(connect({ baseUrl: 'https://a.example' }), { body: { id: 'Status', secret: 's' } });",
      'export const bytes: unknown = sendBlob(client.connection, { body: new Uint8Array(2) });',
      'export const isOurs = (error: unknown): boolean => error instanceof RuntimeApiError;',
    ].join('\n'),
  };
  expect(compilerErrors([...files, use])).toStrictEqual([]);
  expect(textOf(files, 'sample/types.ts')).not.toMatch(/\b(?:Status|Answer|Blob)2\b/);
});

test('long names keep their beginning and end, and stay different', () => {
  const common = 'A'.repeat(60);
  const names = ['Created', 'Deleted'].map((end) => typeName(`${common}${'b'.repeat(60)}${end}`));
  expect(new Set(names).size).toBe(2);
  expect(
    names.map((name) => [name.length, name.endsWith('Created') || name.endsWith('Deleted')]),
  ).toStrictEqual([
    [80, true],
    [80, true],
  ]);
});

/** Names of the runtime, of parameters and variables of generated functions, of the language, and of promises. */
const operations = (
  'upload form query update file input options connect at failure check api text name status send explain settle follow ' +
  'followRedirects answer held items pages call link connection error delete class default new then toString'
).split(' ');
const others: Readonly<Record<string, string>> = { then: 'callThen', toString: 'callToString' };

test('operations keep their names: parts of the generated code step aside', async () => {
  const paths = Object.fromEntries(
    operations.map((name) => [
      `/${name}/{id}`,
      {
        get: {
          operationId: name,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: {
            '200': { description: 'ok', content: { 'application/json': { schema: { type: 'string' } } } },
          },
        },
      },
    ]),
  );
  const files = await filesOf(documentOf({}, paths), 'sample', { server: true, query: true });
  const reserved = ['delete', 'class', 'default', 'new'];
  const functions = operations.filter((name) => !reserved.includes(name) && others[name] === undefined);
  const use = {
    path: 'use.ts',
    text: [
      `import { createSample, runtimeConnect, runtimeFailure, ${functions.map((name) => `${name} as own_${name}`).join(', ')} } from './sample/index.js';`,
      "import type { SampleHandlers } from './sample/server.js';",
      "const client = createSample({ baseUrl: 'https://api.example.com' });",
      "const through = runtimeConnect({ baseUrl: 'https://a.example' });",
      'export const ours: unknown = [client.runtimeConnection, runtimeFailure];',
      `export const used: readonly unknown[] = [${functions.map((name) => `own_${name}(through, { id: '1' })`).join(', ')}];`,
      ...operations.map(
        (name, index) =>
          `export const call${index}: Promise<{ data: string }> = client.${others[name] ?? name}({ id: '1' });`,
      ),
      `export const handlers: SampleHandlers = {${operations.map((name) => `${others[name] ?? name}: ({ id }) => ({ status: 200, body: id })`).join(', ')}};`,
    ].join('\n'),
  };
  // Hooks need a package of the user's.
  const compiled = files.filter(({ path }) => path !== 'sample/hooks.ts');
  expect(compilerErrors([...compiled, use])).toStrictEqual([]);
  const { createSample } = (await imported(files, 'sample/index.ts')) as {
    createSample: (options: object) => Record<string, (input: object) => Promise<{ data: unknown }>>;
  };
  const client = createSample({
    baseUrl: 'http://localhost',
    fetch: (url: string) => Promise.resolve(Response.json(new URL(url).pathname)),
  });
  const asked = await Promise.all(
    operations.map(async (name) => (await client[others[name] ?? name]?.({ id: '1' }))?.data),
  );
  expect(asked).toStrictEqual(operations.map((name) => `/${name}/1`));
  const hooks = textOf(files, 'sample/hooks.ts');
  expect(hooks).toContain('export function useUpload(');
  // `useQuery` is the hook of TanStack Query that all of them use.
  expect(hooks).toContain('export function useCallQuery(');
});
