import { expect, test } from 'vitest';
import {
  discoverFixtures,
  fixturesTemplate,
  planConformance,
  readFixtures,
  runConformance,
} from '../../conformance/index.ts';
import { createMock } from '../../mock/index.ts';
import { smallestValue } from '../../conformance/schemas/smallest-value.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { allContracts, headerIn, recording, scripted } from './servers.ts';
import type { Scripted } from './servers.ts';

const credential = { header: 'X-API-Key', value: 'service-mock-ok' };
const baseUrl = 'https://api.example.com';
const contracts = await allContracts();

test('values from a live server let more rules be tested, and the input that discover proposes succeeds', async () => {
  const mock = createMock();
  await mock.ready();
  const { transport, requests } = recording(inProcess(mock.handle));
  const discovery = await discoverFixtures({ contracts, baseUrl, credential, transport, most: 1000 });
  if (!discovery.ok) throw new Error(discovery.says);
  expect(requests.every(({ method }) => method === 'GET')).toBe(true);
  expect(Object.keys(discovery.found).sort()).toEqual(['model.noSchema', 'model.ok']);

  const text = fixturesTemplate({ ...discovery.found, 'cred.apiKey': '$KEY' });
  expect(text).not.toContain('service-mock-ok');
  const read = readFixtures(text, { KEY: 'service-mock-ok' });
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join());
  expect(read.fixtures.model).toEqual({
    ok: discovery.found['model.ok'],
    noSchema: discovery.found['model.noSchema'],
  });
  const closed = planConformance({ contracts, baseUrl, fixtures: {}, allow: ['billed'] });
  const opened = planConformance({ contracts, baseUrl, fixtures: read.fixtures, allow: ['billed'] });
  expect(opened.rulesOpen.length).toBeGreaterThan(closed.rulesOpen.length + 20);

  const report = await runConformance({
    contracts,
    baseUrl,
    transport,
    fixtures: read.fixtures,
    allow: ['billed'],
    rules: ['router.run.output-object'],
  });
  mock.close();
  expect(report.rules[0]?.verdict).toBe('pass');
});

test.each<[string, Scripted, string]>([
  ['a router before its rollout', { status: 404, body: {} }, 'not-served'],
  ['a refused credential', { status: 401, body: {} }, 'credential'],
  [
    'a website',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' },
    'unreadable',
  ],
])('%s is recognised and nothing more is requested', async (_, answer, why) => {
  const { transport, requests } = scripted(() => answer);
  expect(await discoverFixtures({ contracts, baseUrl, credential, transport })).toMatchObject({
    ok: false,
    why,
  });
  expect(requests).toHaveLength(1);
});

test('a server that does not answer is reported as such', async () => {
  const { transport } = scripted(() => {
    throw new Error('connect ECONNREFUSED');
  });
  expect(await discoverFixtures({ contracts, baseUrl, credential, transport })).toMatchObject({
    ok: false,
    why: 'unreachable',
    says: 'no response: connect ECONNREFUSED',
  });
});

test('the number of schema documents that are read is limited, and the rest is reported', async () => {
  const mock = createMock();
  await mock.ready();
  const { transport, requests } = recording(inProcess(mock.handle));
  const discovery = await discoverFixtures({ contracts, baseUrl, credential, transport, most: 2 });
  mock.close();
  expect(requests.filter(({ target }) => target.endsWith('/openapi.json'))).toHaveLength(2);
  expect(requests.every((request) => headerIn(request, 'x-api-key') === 'service-mock-ok')).toBe(true);
  expect(discovery.ok && discovery.notes.at(-1)).toMatch(
    /^\d+ models were not read; to read all, add --models \d+$/,
  );
});

test.each<[string, { given: unknown; want: unknown }]>([
  ['an example', { given: { type: 'string', example: 'a cat' }, want: 'a cat' }],
  ['a default', { given: { type: 'integer', default: 3, minimum: 1 }, want: 3 }],
  ['the first of an enumeration', { given: { enum: ['small', 'large'] }, want: 'small' }],
  [
    'required members only',
    {
      given: {
        type: 'object',
        required: ['size'],
        properties: { size: { type: 'integer', minimum: 64 }, seed: { type: 'integer' } },
      },
      want: { size: 64 },
    },
  ],
  [
    'as many items as there must be',
    { given: { type: 'array', minItems: 2, items: { type: 'boolean' } }, want: [true, true] },
  ],
  ['the first of alternatives', { given: { oneOf: [{ type: 'number', maximum: 0.5 }] }, want: 0 }],
  [
    'the members of all parts',
    {
      given: {
        allOf: [
          { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
          { type: 'object', required: ['b'], properties: { b: { type: 'string', format: 'uri' } } },
        ],
      },
      want: { a: 1, b: 'https://example.com/' },
    },
  ],
  ['an end to what contains itself', { given: { $ref: '#/components/Node' }, want: expect.anything() }],
])('a small value for a schema: %s', (_, { given, want }) => {
  const document = {
    components: {
      Node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/Node' } } },
    },
  };
  expect(smallestValue(document, given)).toEqual(want);
});
