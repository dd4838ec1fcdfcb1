// @module-tag attack
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { errorOf, publication, registryMock, token, versions, type RegistryMock } from './registry-mock.ts';

let registry: RegistryMock;

beforeAll(async () => {
  registry = await registryMock();
});
beforeEach(() => {
  registry.mock.reset();
});

type Kind = 'text' | 'texts' | 'whole' | 'number' | 'flag' | 'time' | 'state' | 'record' | 'list';

const wrong: Readonly<Record<Kind, readonly unknown[]>> = {
  text: [null, 1, true, [], {}],
  texts: [null, 'a,b', {}, [1], [null], ['a', ['b']]],
  whole: [null, '12', 1.5, true],
  number: [null, '4.5', [], false],
  flag: [null, 'true', 1],
  time: [null, 1_767_603_600, 'yesterday', '2026-01-05'],
  state: [null, 'active', 'NodeStatusPending', 1],
  record: [null, [], 'x', 1],
  list: [null, {}, 'x'],
};

const version: Readonly<Record<string, Kind>> = {
  id: 'text',
  node_id: 'text',
  version: 'text',
  changelog: 'text',
  createdAt: 'time',
  dependencies: 'texts',
  deprecated: 'flag',
  downloadUrl: 'text',
  status: 'state',
  status_reason: 'text',
  service_node_extract_status: 'text',
  supported_accelerators: 'texts',
  supported_app_version: 'text',
  supported_app_frontend_version: 'text',
  supported_os: 'texts',
  tags: 'texts',
  tags_admin: 'texts',
};

const publisher: Readonly<Record<string, Kind>> = {
  id: 'text',
  name: 'text',
  description: 'text',
  logo: 'text',
  website: 'text',
  support: 'text',
  source_code_repo: 'text',
  createdAt: 'time',
  status: 'state',
  members: 'list',
};

const node: Readonly<Record<string, Kind>> = {
  id: 'text',
  name: 'text',
  description: 'text',
  author: 'text',
  banner_url: 'text',
  icon: 'text',
  category: 'text',
  tags: 'texts',
  tags_admin: 'texts',
  created_at: 'time',
  downloads: 'whole',
  code_host_stars: 'whole',
  rating: 'number',
  search_ranking: 'whole',
  license: 'text',
  repository: 'text',
  latest_version: 'record',
  publisher: 'record',
  status: 'state',
  status_detail: 'text',
  preempted_service_node_names: 'texts',
  supported_accelerators: 'texts',
  supported_app_version: 'text',
  supported_app_frontend_version: 'text',
  supported_os: 'texts',
  translations: 'record',
};

/** A good publication with one value at a pointer; objects on the way are made. */
function withValueAt(pointer: string, value: unknown): unknown {
  const build = (base: unknown, [first, ...rest]: readonly string[]): unknown => {
    if (first === undefined) return value;
    if (first === '0') return [build({}, rest)];
    const record = (base ?? {}) as Record<string, unknown>;
    return { ...record, [first]: build(record[first], rest) };
  };
  return build(publication({ version: '1.0.0' }), pointer.split('/').slice(1));
}

const members: readonly [pointer: string, kind: Kind][] = [
  ['/node', 'record'],
  ['/node_version', 'record'],
  ['/personal_access_token', 'text'],
  ...under('/node', node),
  ...under('/node_version', version),
  ...under('/node/latest_version', version),
  ...under('/node/publisher', publisher),
  ['/node/publisher/members/0/user', 'record'],
  ...under('/node/publisher/members/0/user', { id: 'text', name: 'text', email: 'text' }),
  ['/node/translations/de', 'record'],
];

function under(pointer: string, table: Readonly<Record<string, Kind>>): [string, Kind][] {
  return Object.entries(table).map(([name, kind]) => [`${pointer}/${name}`, kind]);
}

test.each(members)('registry.publish.wrong-types: %s must be of its type (%s)', async (pointer, kind) => {
  for (const value of wrong[kind]) {
    const answer = await registry.send(versions, withValueAt(pointer, value));
    expect([answer.status, answer.text], JSON.stringify(value)).toStrictEqual([400, answer.text]);
    expect(String(answer.body['message']), JSON.stringify(value)).toContain(pointer);
    expect(typeof answer.body['error']).toBe('string');
  }
});

test.each([
  ['registry.publish.body-required: nothing', undefined],
  ['registry.publish.malformed-json: half an object', '{"node":{}'],
  ['registry.publish.malformed-json: two objects', '{}{}'],
  ['bytes that are no text', '\u0000\u0001'],
  ['a list', '[]'],
  ['a number', '1e400'],
  ['null', 'null'],
  ['no member at all', '{}'],
  ['registry.publish.node-required: no node', publication({ version: '1.0.0' }, { node: undefined })],
  ['registry.publish.node-version-required: no version', { node: {}, personal_access_token: token }],
  ['registry.publish.pat-required: no token', { node: {}, node_version: { version: '1.0.0' } }],
  [
    'members of the prototype only',
    '{"__proto__":{"node":{},"node_version":{},"personal_access_token":"pat-mock-ok"}}',
  ],
])('%s is refused with 400', async (_name, body) => {
  const answer = await registry.send(versions, body);
  expect(errorOf(answer)).toMatch(/^400 bad_request: ./);
});

test('another media type is refused with 400', async () => {
  const headers = { 'content-type': 'text/plain' };
  const answer = await registry.send(versions, publication(), { headers });
  expect(errorOf(answer)).toMatch(/^400 .*application\/json/);
});

test('a body past the limit is refused with 400', async () => {
  const body = `{"personal_access_token":"${'x'.repeat(11 * 2 ** 20)}"}`;
  expect((await registry.send(versions, body)).status).toBe(400);
});

describe('members with names of the language', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is like any other',
    async (name) => {
      const evil = `{"${name}":{"tags":["x"],"version":"9.9.9","polluted":true}}`;
      const body = `{"personal_access_token":"${token}","node":${evil},"node_version":{"version":"1.0.0","${name}":${evil}}}`;
      const answer = await registry.send(versions, body);
      expect(answer.status).toBe(201);
      expect(answer.text).not.toContain('9.9.9');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  test('as path parameters they are nodes and publishers like any other', async () => {
    expect(
      (await registry.publish('1.0.0', { to: '/publishers/__proto__/nodes/constructor/versions' })).status,
    ).toBe(403);
    expect(
      (await registry.publish('1.0.0', { to: '/publishers/acme/nodes/__proto__/versions' })).status,
    ).toBe(201);
  });
});

test('what is nested without end is refused by its place, and harmless where it is dropped', async () => {
  const deep = '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000);
  const head = `{"personal_access_token":"${token}","node_version":{"version":"1.0.0"}`;
  const kept = await registry.send(versions, `${head},"node":{"translations":{"de":${deep}}}}`);
  expect(errorOf(kept)).toMatch(/^400 bad_request: \/node\/translations/);
  const dropped = await registry.send(versions, `${head},"node":{"brand_new":${deep}}}`);
  expect(dropped.status).toBe(201);
  expect(JSON.stringify(registry.mock.journal.entries())).not.toContain(token);
});

test('a node id that cannot be one is refused by its name', async () => {
  for (const id of ['%zz', 'a%00b', 'x'.repeat(300)]) {
    const got = await registry.mock.handle({
      method: 'POST',
      target: `/publishers/acme/nodes/${id}/versions`,
      rawHeaders: ['Authorization', 'Bearer service-mock-ok', 'Content-Type', 'application/json'],
      body: Buffer.from(JSON.stringify(publication())),
    });
    expect([got.reply.status, String(got.reply.body)]).toStrictEqual([
      400,
      expect.stringContaining('nodeId') as string,
    ]);
    got.settle('delivered');
  }
});

test('any body gets one of the documented answers', async () => {
  const places = members.map(([pointer]) => pointer);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 4 }), async (pointer, value) => {
      const answer = await registry.send(versions, withValueAt(pointer, value));
      expect([201, 400, 403]).toContain(answer.status);
      if (answer.status === 201) registry.mock.reset();
      else
        expect([typeof answer.body['error'], typeof answer.body['message']]).toStrictEqual([
          'string',
          'string',
        ]);
    }),
    { numRuns: 200 },
  );
});

test('of a body with very many faults, the first ones are reported', async () => {
  const tags = Array.from({ length: 100_000 }, (_, index) => index);
  const answer = await registry.send(versions, publication({ version: '1.0.0', tags }));
  expect(errorOf(answer)).toMatch(/^400 bad_request: \/node_version\/tags\/0 must be string/);
  expect(registry.mock.journal.entries().at(-1)?.requestFindings).toHaveLength(100);
});
