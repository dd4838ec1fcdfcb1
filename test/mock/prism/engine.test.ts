import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../../contract/index.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import type { ContractEngine, JudgedRequest } from '../../../mock/call/engine.ts';
import { prismEngine } from '../../../mock/prism/engine.ts';
import { root, run } from '../../cli/command.ts';

const require = createRequire(import.meta.url);

test('the version of Prism is the one whose insides this adapter knows', () => {
  // Steps are imported from dist/, which no version promises to keep: an upgrade is looked at by a person.
  expect((require('@stoplight/prism-http/package.json') as { version: string }).version).toBe('5.16.0');
});

test('what only other users of Prism need is not loaded for a document and an example of it', async () => {
  // A process of its own: in this one, another test may have loaded it.
  const program = `
    import { createRequire } from 'node:module';
    import { loadOwnContract } from './contract/index.ts';
    import { prismEngine } from './mock/prism/engine.ts';
    const require = createRequire(import.meta.filename);
    const engine = prismEngine(await loadOwnContract('router'));
    const request = { method: 'get', path: '/v1/models', query: [], headers: {}, rawHeaders: [] };
    const { status } = engine.example('listModels', request);
    const unneeded = /(postman-collection|json-schema-ref-parser|json-schema-faker|@faker-js)/;
    console.log(status, Object.keys(require.cache).filter((path) => unneeded.test(path)));
  `;
  const { stdout, stderr } = await run(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: root },
  );
  expect(stdout, stderr).toBe('200 []\n');
});

describe('the router', () => {
  let engine: ContractEngine;
  beforeAll(async () => {
    engine = prismEngine(await loadOwnContract('router'));
  });
  const request = (path: string, more: Partial<JudgedRequest> = {}): JudgedRequest => ({
    method: 'get',
    path,
    query: [],
    headers: { 'x-api-key': 'k' },
    body: undefined,
    ...more,
  });

  test.each([
    ['GET', '/v1/models', 'listModels'],
    ['GET', '/v1/models/acme/echo-1', 'getModel'],
    ['POST', '/v1/models/acme/echo-1', 'runModel'],
    ['GET', '/v1/models/acme/echo-1/openapi.json', 'getModelInputSchema'],
    ['GET', '/v1/models/acme/%zz', 'getModel'],
    ['GET', '/v1/models//', 'getModel'],
  ])('%s %s is %s', (method, path, operationId) => {
    expect(engine.match(method, path)).toStrictEqual({ kind: 'operation', operationId });
  });

  test.each([
    ['DELETE', '/v1/models', ['GET']],
    ['PUT', '/v1/models/acme/echo-1', ['GET', 'POST']],
  ])('%s %s is another method of a known path', (method, path, allow) => {
    expect(engine.match(method, path)).toStrictEqual({ kind: 'other-method', allow });
  });

  test.each([
    ['/'],
    [''],
    ['v1/models'],
    ['/v1'],
    ['/v1/models/'],
    ['/v1/models/a/b/c'],
    ['/v1/models/a/b/openapi.jsonx'],
    ['*'],
  ])('%j is no path of the document', (path) => {
    expect(engine.match('GET', path).kind).toBe('none');
  });

  test.each([
    [
      'a limit above the maximum',
      'listModels',
      request('/v1/models', { query: [{ name: 'limit', value: '101' }] }),
      ['query.limit maximum'],
    ],
    ['a limit of zero', 'listModels', request('/v1/models', { query: [{ name: 'limit', value: '0' }] }), []],
    [
      'a limit twice',
      'listModels',
      request('/v1/models', {
        query: [
          { name: 'limit', value: '1' },
          { name: 'limit', value: '2' },
        ],
      }),
      ['query.limit type'],
    ],
    [
      'a cursor outside its alphabet',
      'listModels',
      request('/v1/models', { query: [{ name: 'cursor', value: '!' }] }),
      ['query.cursor pattern'],
    ],
    ['no credential', 'listModels', request('/v1/models', { headers: {} }), ['security 401']],
    ['a segment that cannot be decoded', 'getModel', request('/v1/models/acme/%zz'), ['path.model pattern']],
    ['a body that is missing', 'runModel', request('/v1/models/a/b', { method: 'post' }), ['body required']],
    [
      'a body that is no object',
      'runModel',
      request('/v1/models/a/b', { method: 'post', body: [] }),
      ['body type'],
    ],
    [
      'a body of another type',
      'runModel',
      request('/v1/models/a/b', {
        method: 'post',
        body: {},
        headers: { 'x-api-key': 'k', 'content-type': 'text/plain' },
      }),
      ['body 415'],
    ],
    [
      'a type that is none',
      'runModel',
      request('/v1/models/a/b', {
        method: 'post',
        body: {},
        headers: { 'x-api-key': 'k', 'content-type': '///' },
      }),
      ['body 415'],
    ],
  ] as const)('finds %s', (_what, operationId, asked, found) => {
    expect(
      engine.checkRequest(operationId, asked).map(({ at, keyword }) => `${at} ${keyword}`),
    ).toStrictEqual(found);
  });

  test('finds an undeclared status', () => {
    const response = { status: 409, headers: [['Content-Type', 'application/json']] as const, body: {} };
    expect(engine.checkResponse('runModel', response)).toMatchObject([
      { at: 'status', keyword: 'undeclared' },
    ]);
  });

  test('an example of the document answers for an operation', () => {
    const example = engine.example('getModel', request('/v1/models/acme/easel-2.1'));
    expect(example).toMatchObject({ status: 200, generated: false, body: { id: 'acme/easel-2.1' } });
  });
});

/**
 * Prism against a validator of our own on the same schemas: both must say the same about every example and about each
 * of its mutants. Prism goes through a chain of conversions; where it would read a schema otherwise, it shows here.
 */
describe.each(ownContractNames)('Prism and Ajv agree on the answers of %s', (name) => {
  let contract: Contract;
  let engine: ContractEngine;
  let ajv: Ajv2020;
  beforeAll(async () => {
    contract = await loadOwnContract(name);
    engine = prismEngine(contract);
    ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ ...contract.document.root, $id: 'contract' });
  });

  test('on examples and their mutants', () => {
    const disagreements = contract.operations.flatMap((operation) => disagreementsOf(operation));
    expect(disagreements).toStrictEqual([]);
  });

  function disagreementsOf(operation: Operation): string[] {
    return operation.responses.flatMap((response) =>
      response.content
        .filter(({ mediaType }) => mediaType === 'application/json')
        .flatMap((media) => {
          const validate = ajv.getSchema(`contract#${encodeURI(`${media.pointer}/schema`)}`);
          if (validate === undefined) throw new Error(`no schema at ${media.pointer}`);
          const status = /^\d+$/.test(response.status)
            ? Number(response.status)
            : response.status === '2XX'
              ? 200
              : 400;
          return media.examples
            .flatMap(({ value }) => [value, ...mutants(value)])
            .flatMap((body) => {
              const found = engine
                .checkResponse(operation.id, {
                  status,
                  headers: [['Content-Type', 'application/json']],
                  body: structuredClone(body),
                })
                .filter(({ at }) => at === 'body' || at.startsWith('body.'));
              const agreed = (found.length === 0) === validate(body);
              return agreed
                ? []
                : [
                    `${operation.id} ${response.status} ${JSON.stringify(body)} Prism: ${JSON.stringify(found)}`,
                  ];
            });
        }),
    );
  }
});

/** The value without each member, with each member of another type, and with an unknown member. */
function mutants(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry: unknown, i) =>
      mutants(entry).map((mutant) => value.map((other: unknown, j) => (i === j ? mutant : other))),
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  const record = value as Readonly<Record<string, unknown>>;
  const here = Object.keys(record).flatMap((member) => {
    const { [member]: old, ...rest } = record;
    const others = [null, 'text', '', 7, 1.5, -1, 101, true, [], [null], {}].map((other) => ({
      ...record,
      [member]: other,
    }));
    return [rest, ...others, ...mutants(old).map((mutant) => ({ ...record, [member]: mutant }))];
  });
  return [{ ...record, x_unknown: 1 }, ...here];
}
