// @module-tag long
import fc from 'fast-check';
import { createRequire } from 'node:module';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../../contract/index.ts';
import type { Operation } from '../../../contract/model.ts';
import type { JudgedRequest, JudgedResponse } from '../../../mock/call/engine.ts';
import { prismEngine } from '../../../mock/prism/engine.ts';
import { own } from '../own-document.ts';

/** What is judged without all of Prism is judged as Prism does: the same findings, in the same words. */
const odd = await own(
  'odd',
  `
openapi: 3.1.0
info: { title: Odd, version: '1' }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    query: { type: apiKey, in: query, name: key }
    cookie: { type: apiKey, in: cookie, name: key }
    basic: { type: http, scheme: basic }
    open: { type: openIdConnect, openIdConnectUrl: 'https://id.example.com' }
  schemas:
    Node:
      type: object
      required: [id, secret]
      properties:
        id: { type: string, readOnly: true }
        secret: { type: string, writeOnly: true }
        next: { $ref: '#/components/schemas/Node' }
paths:
  /things/{id}/parts/{part}:
    put:
      operationId: putPart
      security: [{ key: [], open: [] }, { query: [] }, { cookie: [] }, { basic: [] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
        - { name: part, in: path, required: true, schema: { type: string, maxLength: 3 } }
        - { name: Limit, in: query, schema: { type: integer, maximum: 10 } }
        - { name: must, in: query, required: true, schema: { enum: [a, b] } }
        - { name: X-Step, in: header, schema: { type: [integer, 'null'] } }
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } }
      responses:
        '200':
          description: ok
          headers: { X-Left: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } }
        '204': { description: none }
        default: { description: other, content: { text/plain: {}, application/json: { schema: false } } }
  /files/{name}.{ext}:
    get:
      operationId: getFile
      parameters:
        - { name: name, in: path, required: true, schema: { type: string } }
        - { name: ext, in: path, required: true, schema: { type: string, enum: [json] } }
        - { name: tags, in: query, schema: { type: array, items: { type: string, minLength: 2 } } }
        - { name: old, in: query, deprecated: true, schema: { type: string } }
        - { name: raw, in: query, content: { application/json: { schema: { type: integer } } } }
      responses: { '2XX': { description: ok, content: { application/json: { schema: { type: string } } } } }
`,
);
const contracts = [...(await Promise.all(ownContractNames.map((name) => loadOwnContract(name)))), odd];

const RUNS = 500;
const prismsOwn = createRequire(import.meta.url)('@stoplight/prism-http/dist/validator/index.js') as {
  readonly validateInput: (judged: object) => unknown;
};
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(contracts.map((contract) => [contract.name, contract] as const))('%s', (_name, contract) => {
  test('requests and answers are judged as all of Prism judges them', async () => {
    const engine = prismEngine(contract);
    const prism = prismEngine(contract, { judge: 'prism' });
    const asked = vi.spyOn(prismsOwn, 'validateInput');
    let spared = 0;
    const requests = fc.constantFrom(...contract.operations).chain((operation) =>
      fc.record({
        id: fc.constant(operation.id),
        request: requestTo(operation),
        without: fc.constantFrom(undefined, undefined, 'parameters' as const, 'input' as const),
      }),
    );
    fc.assert(
      fc.property(requests, ({ id, request, without }) => {
        asked.mockClear();
        const found = engine.checkRequest(id, request, without);
        if (asked.mock.calls.length === 0) spared += 1;
        expect(found).toStrictEqual(prism.checkRequest(id, request, without));
      }),
      { numRuns: RUNS, seed: 22 },
    );
    expect(spared).toBeGreaterThan(RUNS / 20);
    const answers = fc.constantFrom(...contract.operations).chain((operation) =>
      fc.record({
        id: fc.constant(operation.id),
        answer: answerOf(operation),
        without: fc.constantFrom(undefined, undefined, 'body' as const),
      }),
    );
    fc.assert(
      fc.property(answers, ({ id, answer, without }) => {
        expect(engine.checkResponse(id, answer, without)).toStrictEqual(
          prism.checkResponse(id, answer, without),
        );
      }),
      { numRuns: RUNS, seed: 22 },
    );
  });
});

// --- internal ---

/** Mostly as the operation wants it, with few faults and oddities: both sides of the line are crossed often. */
function requestTo({ method, path, parameters, requestBody }: Operation): fc.Arbitrary<JudgedRequest> {
  const segment = often(fc.constantFrom('7', 'acme', 'a-1'), [
    '',
    '0',
    'A',
    'a,b',
    '%41',
    '%zz',
    'a.b',
    'ü',
    'json',
  ]);
  const paths = fc
    .array(segment, { minLength: 4, maxLength: 4 })
    .map((values) => path.replace(/\{ext\}/, 'json').replace(/\{[^}]+\}/g, () => values.pop() ?? ''))
    .chain((whole) =>
      often(fc.constant(whole), [`/base${whole}`, `${whole}/`, whole.replace('/', '//'), '']),
    );
  const named = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const name = fc.constantFrom(...named, ...named, ...named, 'key', 'other', 'LIMIT', '__proto__');
  const value = fc.constantFrom('1', 'a', 'bmV4dA', 'b', '', '11', '1.5', 'null', 'x y', '[1]');
  const must = parameters.some((parameter) => parameter.in === 'query' && parameter.required)
    ? [{ name: 'must', value: 'a' }]
    : [];
  const query = fc.array(fc.record({ name, value }), { maxLength: 2 }).map((pairs) => [...must, ...pairs]);
  const inHeader = parameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => parameter.name.toLowerCase());
  const headers = fc.record(
    {
      authorization: often(fc.constant('Bearer a'), ['Bearer ', 'bearer a', 'Basic YTpi', '']),
      'x-api-key': often(fc.constant('k'), ['']),
      'x-key': often(fc.constant('k'), ['']),
      cookie: fc.constantFrom('key=a', 'other=a'),
      'content-type': often(fc.constantFrom('application/json', 'application/json; charset=utf-8'), [
        'Application/JSON',
        'text/plain',
        'application/vnd.a+json',
        'application/json;charset="x',
        'multipart/form-data',
        '?',
        '',
      ]),
      'content-length': fc.constantFrom('0', '5', 'x'),
      ...Object.fromEntries(inHeader.map((wanted) => [wanted, fc.constantFrom('1', 'a', 'null', '')])),
    },
    { requiredKeys: ['authorization', 'x-key', 'content-type'] },
  );
  const body =
    requestBody === undefined
      ? often<unknown>(fc.constant(undefined), [{}, null])
      : bodies(requestBody.content.flatMap(({ examples }) => examples));
  return fc.record({ method: fc.constant(method), path: paths, query, headers, body });
}

function answerOf({ responses }: Operation): fc.Arbitrary<JudgedResponse> {
  return fc.constantFrom(...responses).chain(({ status, content, headers }) => {
    const declared = /^\d+$/.test(status) ? Number(status) : status === '2XX' ? 200 : 418;
    const names = headers.map(({ name }) => name);
    const lines = fc.record(
      {
        'Content-Type': often(
          fc.constantFrom(...content.map(({ mediaType }) => mediaType), 'application/json'),
          ['', 'text/plain', 'application/json; charset=utf-8'],
        ),
        ...Object.fromEntries(names.map((name) => [name, often(fc.constant('1'), ['', 'a'])])),
      },
      { requiredKeys: ['Content-Type', ...(names.slice(0, -1) as 'Content-Type'[])] },
    );
    return fc
      .record({
        status: often(fc.constant(declared), [200, 204, 409, 503]),
        headers: lines.map((known) =>
          Object.entries<string | undefined>(known).flatMap(([name, value]): [string, string][] =>
            value === undefined ? [] : [[name, value]],
          ),
        ),
        body: bodies(content.flatMap(({ examples }) => examples)),
      })
      .map((answer) => ({ ...answer, bodyText: JSON.stringify(answer.body) }));
  });
}

/** Examples, and what becomes of them when one of their members is another value or is not there. */
function bodies(examples: readonly { readonly value: unknown }[]): fc.Arbitrary<unknown> {
  const known = examples.map(({ value }) => value);
  const small = [
    undefined,
    {},
    [],
    null,
    0,
    '',
    'a',
    false,
    { id: 'a' },
    { secret: 's', next: { secret: 's' } },
    { id: 'a', next: { id: 1 } },
  ];
  const changed = known.flatMap((value) => mutants(value));
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...known, ...small) },
    { weight: 1, arbitrary: fc.constantFrom(...changed, ...small) },
  );
}

function mutants(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [null, 0, 'a', true];
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _gone, ...rest } = value as Record<string, unknown>;
    if (Array.isArray(value)) return mutants(member).map((other) => [other]);
    return [rest, ...mutants(member).map((other) => ({ ...rest, [name]: other }))];
  });
}

function often<Value>(usual: fc.Arbitrary<Value>, odd: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
}
