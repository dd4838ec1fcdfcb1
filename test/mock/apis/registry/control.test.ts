import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../../../mock/index.ts';
import { enhancer, got, key, publication, versions, type Got } from './registry-mock.ts';

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ apis: ['router', 'registry'] });
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

async function control(method: string, path: string, body?: unknown): Promise<Got> {
  const response = await fetch(`${String(mock.controlUrl)}/control/v1/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return got(response);
}

async function post(path: string, body: unknown, bearer = key): Promise<Got> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  return got(await fetch(mock.url + path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

test('the control API shows publishers, nodes, versions and tasks, with what callers do not see', async () => {
  await post(versions, publication({ version: '1.0.0', tags_admin: ['security'] }));
  await post(enhancer, { image: 'QQ==', sharpen: 3 });
  const { body } = await control('GET', 'registry');
  expect(body).toMatchObject({
    publishers: expect.arrayContaining([
      expect.objectContaining({ id: 'acme', status: 'PublisherStatusActive' }),
    ]) as unknown,
    nodes: expect.arrayContaining([
      expect.objectContaining({
        id: 'acme-upscaler',
        publisher_id: 'acme',
        name: 'Upscaler',
        versions: [
          expect.objectContaining({
            version: '1.0.0',
            tags_admin: ['security'],
            published_by: 'mock-user',
            archive: null,
          }),
        ],
      }),
    ]) as unknown,
    tasks: [{ partner: 'northwind', status: 'CREATED', settings: { sharpen: 3, smart_grain: 2 } }],
    namespaces: {},
  });
});

test('it counts them in the state of the mock', async () => {
  await post(versions, publication());
  const { body } = await control('GET', 'state');
  const apis = body['apis'] as { name: string; holds?: object }[];
  expect(apis.find(({ name }) => name === 'registry')?.holds).toMatchObject({
    nodes: 3,
    versions: 1,
    tasks: 0,
  });
});

test('states are moved by hand: a banned publisher and a banned node publish no more', async () => {
  await post(versions, publication());
  const moved = await control('PUT', 'registry/nodes/acme-upscaler/versions/1.0.0', {
    status: 'NodeVersionStatusFlagged',
    status_reason: 'a virus',
  });
  expect(moved.text).toContain('"status":"NodeVersionStatusFlagged","status_reason":"a virus"');
  await control('PUT', 'registry/nodes/acme-upscaler', { status: 'NodeStatusBanned' });
  expect((await post(versions, publication({ version: '1.0.1' }))).status).toBe(403);
  const other = '/publishers/acme/nodes/acme-denoiser/versions';
  expect((await post(other, publication())).status).toBe(201);
  await control('PUT', 'registry/publishers/acme', { status: 'PublisherStatusBanned' });
  expect((await post(other, publication({ version: '1.0.1' }))).status).toBe(403);
});

test('publishers are added with their members, also in a namespace', async () => {
  const members = [{ user: 'mock-user', role: 'owner' }];
  const path = '/publishers/dune/nodes/sand/versions';
  await control('PUT', 'registry/publishers/dune', { members, namespace: 'alice' });
  expect((await post(path, publication())).status).toBe(403);
  expect((await post(path, publication(), `${key}+alice`)).status).toBe(201);
  expect((await control('GET', 'registry')).text).toContain('"namespaces":{"alice":{"publishers":');
});

test.each([
  ['registry/nodes/acme-upscaler', { status: 'banned' }, 400],
  ['registry/nodes/nobody', { status: 'NodeStatusBanned' }, 404],
  ['registry/nodes/acme-upscaler/versions/9.9.9', {}, 404],
  ['registry/publishers/Dune', {}, 400],
  ['registry/publishers/acme', { members: {} }, 400],
  ['registry/publishers/acme', { members: [{ user: 1 }] }, 400],
  ['registry/publishers/acme', [], 400],
  ['registry/elsewhere', {}, 404],
])('PUT %s with %j is answered with %i and words', async (path, body, status) => {
  const answer = await control('PUT', path, body);
  expect([answer.status, typeof answer.body['error']]).toStrictEqual([status, 'string']);
});

test('an unknown resource is answered with the list of known ones', async () => {
  expect((await control('GET', 'registries')).text).toMatch(/Resources: .*state.*registry/);
  expect((await control('DELETE', 'registry')).status).toBe(405);
});

test('a scenario can be put in the way of the next publication, and of nothing else', async () => {
  await control('POST', 'scenarios', { name: 'version-taken' });
  expect((await post(enhancer, { image: 'QQ==' })).status).toBe(200);
  expect((await post(versions, publication())).status).toBe(400);
  expect((await post(versions, publication())).status).toBe(201);
});

test('a reset forgets the whole state', async () => {
  await post(versions, publication());
  mock.reset();
  expect((await post(versions, publication())).status).toBe(201);
});

test.each<[string, string, unknown, number]>([
  ['an unknown state', 'publishers/acme', { status: 'Asleep' }, 400],
  ['a node that is not there', 'nodes/nowhere', { status: 'NodeStatusActive' }, 404],
  ['a place that is none', 'tasks/1', {}, 404],
])('%s is refused and makes no namespace', async (_what, path, change, status) => {
  const before = (await control('GET', 'registry')).body;
  const refused = await control('PUT', `registry/${path}`, {
    ...(change as object),
    namespace: 'made-by-mistake',
  });
  expect(refused.status).toBe(status);
  expect((await control('GET', 'registry')).body).toStrictEqual(before);
});
