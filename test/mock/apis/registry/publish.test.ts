import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  errorOf,
  publication,
  registryMock,
  token,
  versions,
  type Got,
  type RegistryMock,
  type Sent,
} from './registry-mock.ts';

let registry: RegistryMock;

beforeAll(async () => {
  registry = await registryMock();
});
beforeEach(() => {
  registry.mock.reset();
});

const versionIn = ({ body }: Got): Readonly<Record<string, unknown>> =>
  body['node_version'] as Readonly<Record<string, unknown>>;

test('registry.publish.201-shape: a publication answers with the version and with an absolute upload address', async () => {
  const answer = await registry.publish('1.2.3');
  expect(answer.status).toBe(201);
  expect(versionIn(answer)).toStrictEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    node_id: 'acme-upscaler',
    version: '1.2.3',
    createdAt: '2026-01-05T09:00:00.000Z',
    deprecated: false,
    status: 'NodeVersionStatusPending',
  });
  expect(answer.body['signedUrl']).toMatch(
    /^http:\/\/mock\.example\/uploads\/[^?]+\?expires=\d+&signature=[\w-]{43}$/,
  );
  expect(Object.keys(answer.body)).toStrictEqual(['node_version', 'signedUrl']);
});

test('what the registry sets itself is not taken over, and what it does not know is dropped', async () => {
  const answer = await registry.send(
    versions,
    publication({
      version: '1.0.0',
      changelog: '',
      dependencies: [],
      tags: ['image'],
      supported_os: ['linux'],
      // The contract says it of this one: registry.node-version.download-url-output-only.
      downloadUrl: 'https://files.example.com/marker.zip',
      id: 'mine',
      node_id: 'another',
      createdAt: '2001-01-01T00:00:00Z',
      status: 'NodeVersionStatusActive',
      tags_admin: ['security'],
      brand_new: { of: 'a later version' },
    }),
  );
  expect(versionIn(answer)).toMatchObject({ changelog: '', dependencies: [], tags: ['image'] });
  expect(Object.keys(versionIn(answer)).sort()).toStrictEqual([
    'changelog',
    'createdAt',
    'dependencies',
    'deprecated',
    'id',
    'node_id',
    'status',
    'supported_os',
    'tags',
    'version',
  ]);
  expect(versionIn(answer)).toMatchObject({ node_id: 'acme-upscaler', status: 'NodeVersionStatusPending' });
  expect(answer.text).not.toContain('marker.zip');
});

test('empty values and a licence that is a JSON text are taken (open point A-45)', async () => {
  const node = {
    id: '',
    name: '',
    tags: [],
    license: '{"file":"LICENSE"}',
    translations: { de: { name: '' } },
  };
  expect((await registry.send(versions, publication({ version: '1.0.0' }, { node }))).status).toBe(201);
});

describe('registry.publish.auth-required: the bearer', () => {
  test.each([
    ['none', { authorization: null }, 403],
    [
      'an API key in its own header',
      { authorization: null, headers: { 'x-api-key': 'service-mock-ok' } },
      403,
    ],
    ['another scheme', { authorization: 'Basic c2VydmljZQ==' }, 403],
    ['a text that is no token', { authorization: 'Bearer nonsense' }, 403],
    ['a key of nobody', { authorization: 'Bearer service-live-1' }, 403],
    ['a key without access', { authorization: 'Bearer service-mock-forbidden' }, 403],
    ['a key', { authorization: 'Bearer service-mock-ok' }, 201],
    [
      'a key of a workspace without credits: publishing costs nothing',
      { authorization: 'Bearer service-mock-no-credits' },
      201,
    ],
    ['a JWT', { authorization: 'bearer eyJhbGciOiJub25lIn0.e30.' }, 201],
  ] satisfies [string, Sent, number][])('%s', async (_name, sent, status) => {
    expect((await registry.publish('1.0.0', sent)).status).toBe(status);
  });

  test('the bearer token is checked first', async () => {
    expect((await registry.send(versions, '{', { authorization: null })).status).toBe(403);
    expect((await registry.send(versions, undefined, { authorization: null })).status).toBe(403);
  });

  test('is not needed with that assumption (open point A-40), the access token is', async () => {
    const { publish, send } = await registryMock({
      registry: { acceptTokenWithoutBearer: true },
    });
    expect((await publish('1.0.0', { authorization: null })).status).toBe(201);
    const wrong = publication({ version: '1.1.0' }, { personal_access_token: 'somebody-else' });
    expect((await send(versions, wrong, { authorization: null })).status).toBe(403);
    expect((await publish('1.1.0', { authorization: 'Bearer nonsense' })).status).toBe(403);
  });
});

describe('the order of checks (open point A-43)', () => {
  // Each request has every later fault as well: the answer tells which check came first.
  const bad = { version: 'latest', tags: 'x' };
  const foreign = '/publishers/birch/nodes/birch-toolbox/versions';
  test.each([
    ['JSON before members', versions, '{"node":', /not JSON/],
    [
      'members before types',
      versions,
      { node: { tags: 'x' }, node_version: bad },
      /^400 .*\/personal_access_token/,
    ],
    [
      'types before the token',
      foreign,
      publication(bad, { personal_access_token: 'no' }),
      /^400 .*\/node_version\/tags/,
    ],
    [
      'the token before the right',
      foreign,
      publication({ version: 'latest' }, { personal_access_token: 'no' }),
      /^403 .*token/,
    ],
    ['the right before the version', foreign, publication({ version: 'latest' }), /^403 .*birch/],
    [
      'the version before its uniqueness',
      versions,
      publication({ version: 'latest' }),
      /^400 invalid_version/,
    ],
  ])('%s', async (_name, path, body, wanted) => {
    expect(errorOf(await registry.send(path, body))).toMatch(wanted);
  });

  test('the order of checks can be configured', async () => {
    const order = ['bearer', 'rightOnPublisher', 'accessToken', 'json', 'requiredMembers', 'types'];
    const { send } = await registryMock({
      assumptions: { 'A-43': { order: [...order, 'semanticVersion', 'uniqueness'] } },
    });
    expect((await send(versions, {})).status).toBe(403);
  });
});

describe('permissions to publish', () => {
  test.each([
    [
      'registry.publish.403: a publisher of somebody else',
      '/publishers/birch/nodes/birch-toolbox/versions',
      token,
      403,
    ],
    ['a publisher that is not there', '/publishers/nobody/nodes/x/versions', token, 403],
    ['a publisher in capitals is another one', '/publishers/ACME/nodes/x/versions', token, 403],
    ['a publisher that is banned', '/publishers/cedar/nodes/x/versions', token, 403],
    ['a node of another publisher', '/publishers/acme/nodes/birch-toolbox/versions', token, 403],
    ['registry.publish.pat-checked: a token of nobody', versions, 'wrong', 403],
    ['a token of a member who may only look', versions, 'pat-mock-viewer', 403],
    ['a token of a member who may publish', versions, 'pat-mock-developer', 201],
    ['a token of somebody elsewhere', versions, 'pat-mock-stranger', 403],
    ['… who may publish there', '/publishers/birch/nodes/birch-toolbox/versions', 'pat-mock-stranger', 201],
    ['a new node of one’s own', '/publishers/acme/nodes/brand-new/versions', token, 201],
  ])('%s', async (_name, path, accessToken, status) => {
    const body = publication({ version: '1.0.0' }, { personal_access_token: accessToken });
    expect((await registry.send(path, body)).status).toBe(status);
  });

  test('publishers and tokens of the options count as well', async () => {
    const { send } = await registryMock({
      registry: {
        publishers: [{ id: 'dune', members: [{ user: 'paula', role: 'owner' }], nodes: ['sand'] }],
        accessTokens: { 'a-token-of-mine': 'paula' },
      },
    });
    const body = publication({ version: '1.0.0' }, { personal_access_token: 'a-token-of-mine' });
    expect((await send('/publishers/dune/nodes/sand/versions', body)).status).toBe(201);
    expect((await send(versions, body)).status).toBe(403);
  });

  test('a publisher with capitals in its id is refused when the mock starts', async () => {
    await expect(registryMock({ registry: { publishers: [{ id: 'Dune' }] } })).rejects.toThrow(/lower case/);
  });
});

describe('versions', () => {
  test.each(['1', 'v1.2', '1.2.3.4', '', 'latest', ' 1.0.0', '01.0.0'])(
    'registry.publish.semver: %j is not published',
    async (version) => {
      const answer = await registry.publish(version);
      expect(errorOf(answer)).toMatch(/^400 invalid_version: \/node_version\/version /);
    },
  );

  test('registry.publish.semver: nor is a publication without one', async () => {
    expect(errorOf(await registry.send(versions, publication({})))).toMatch(/^400 .*\/node_version\/version/);
  });

  test('registry.publish.version-unique: a version is published once', async () => {
    expect((await registry.publish('1.0.0')).status).toBe(201);
    const again = await registry.publish('1.0.0');
    expect(errorOf(again)).toMatch(/^400 version_exists: /);
  });

  test('registry.publish.version-unique-per-node: another node may have it too', async () => {
    await registry.publish('1.0.0');
    expect(
      (await registry.publish('1.0.0', { to: '/publishers/acme/nodes/acme-denoiser/versions' })).status,
    ).toBe(201);
  });

  test('an older one may follow a newer one, unless an assumption says otherwise (open point A-49)', async () => {
    expect((await registry.publish('2.0.0')).status).toBe(201);
    expect((await registry.publish('1.0.0')).status).toBe(201);
    const rising = await registryMock({ assumptions: { 'A-49': { versionsMustRise: true } } });
    await rising.publish('2.0.0');
    expect(errorOf(await rising.publish('2.0.0-rc.1'))).toMatch(/higher than 2\.0\.0/);
    expect((await rising.publish('10.0.0')).status).toBe(201);
  });

  test('registry.publish.version-unique-race: of 200 that arrive together one is published', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => registry.publish('3.0.0')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(199);
  });

  test('a refused publication changes nothing', async () => {
    await registry.send('/publishers/acme/nodes/ghost/versions', publication({ version: 'latest' }));
    expect(registry.mock.fixtures()).toMatchObject({ publish: { nextVersion: '1.0.0' } });
    expect((await registry.publish('1.0.0')).status).toBe(201);
  });

  test('keys of a namespace have a registry of their own', async () => {
    await registry.publish('1.0.0');
    const alice = { authorization: 'Bearer service-mock-ok+alice' };
    expect((await registry.publish('1.0.0', alice)).status).toBe(201);
    expect((await registry.publish('1.0.0', alice)).status).toBe(400);
  });
});

describe('magic values', () => {
  test('service-mock-version-taken: every version is there already', async () => {
    const answer = await registry.publish('9.9.9', { authorization: 'Bearer service-mock-version-taken' });
    expect(errorOf(answer)).toMatch(/^400 version_exists/);
    expect((await registry.publish('9.9.9')).status).toBe(201);
  });

  test('Prefer asks for the same, so many times', async () => {
    const headers = { prefer: 'scenario=version-taken; times=1' };
    expect((await registry.publish('9.9.9', { headers })).status).toBe(400);
    expect((await registry.publish('9.9.9', { headers })).status).toBe(201);
  });

  test('service-mock-rate-limited waits for a second', async () => {
    const answer = await registry.publish('1.0.0', { authorization: 'Bearer service-mock-rate-limited' });
    expect([answer.status, answer.headers.get('retry-after')]).toStrictEqual([429, '1']);
  });
});

test('headers of the model router stay with the router (open point A-56)', async () => {
  const answers = [await registry.publish('1.0.0'), await registry.publish('1.0.0', { authorization: null })];
  for (const { headers } of answers) {
    expect([...headers.keys()].filter((name) => name.startsWith('x-'))).toStrictEqual([]);
  }
});

test('paths and methods that are not served are answered in the shape of the registry', async () => {
  expect(errorOf(await registry.send('/publishers/acme', {}))).toMatch(/^404 not_here: /);
  const got = await registry.send(versions, undefined, { method: 'GET' });
  expect([got.status, got.headers.get('allow')]).toStrictEqual([405, 'POST']);
});
