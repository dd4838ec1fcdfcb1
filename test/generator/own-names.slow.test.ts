// @module-tag long
import { expect, test } from 'vitest';
import { typeName } from '../../generator/names.ts';
import { compilerErrors, documentOf, filesOf, textOf } from './generated.ts';

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
