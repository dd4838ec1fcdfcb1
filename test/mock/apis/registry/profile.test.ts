import { expect, test } from 'vitest';
import { listScenarios, virtualClock, type MockOptions } from '../../../../mock/index.ts';
import { enhancer, errorOf, publication, registryMock, versions } from './registry-mock.ts';

// Its bytes come slowly: the clock has to move by itself.
const odd = (): MockOptions => ({ profile: 'legal-but-odd', clock: virtualClock() });
const withOffset = expect.stringMatching(/^2026-01-05T10:00:0\d\.\d{6}\+01:00$/) as string;

test.each([
  ['is no JSON', '{', 403],
  ['is not there', undefined, 403],
  ['has no token', {}, 403],
  ['has a token and a wrong type', publication({ version: '1.0.0', tags: 'x' }), 400],
  ['has a token and no node', { ...publication(), node: undefined }, 400],
])('odd but legal: rights come before the body; one that %s', async (_, body, status) => {
  const { send } = await registryMock(odd());
  expect((await send(versions, body)).status).toBe(status);
});

test('odd but legal: other statuses where the contract lists none, always in its shape', async () => {
  const { send, publish } = await registryMock(odd());
  expect((await publish('1.0.0', { authorization: null })).status).toBe(401);
  expect((await publish('1.0.0')).status).toBe(201);
  const again = await publish('1.0.0');
  expect([again.status, again.body['error'], typeof again.body['message']]).toStrictEqual([
    409,
    '',
    'string',
  ]);
  expect((await publish('latest')).status).toBe(400);
  expect((await send(enhancer, { image: 'QQ==', sharpen: 101 })).status).toBe(422);
  expect((await send(enhancer, {}, { authorization: null })).status).toBe(403);
});

test('odd but legal: the answers hold more, and every resource as its table says', async () => {
  const { send, publish, mock } = await registryMock(odd());
  const { body } = await publish('1.0.0');
  expect(body).toMatchObject({
    node_version: { status: 'NodeVersionStatusFlagged', createdAt: withOffset },
    node: {
      created_at: withOffset,
      status: 'NodeStatusActive',
      downloads: 0,
      publisher: { id: 'acme', status: 'PublisherStatusActive' },
    },
  });
  const begun = await send(enhancer, { image: 'QQ==' });
  expect(begun.body).toMatchObject({
    data: { status: 'waiting in the darkroom', generated: [expect.any(String)] },
  });
  expect(mock.journal.entries().flatMap(({ responseFindings }) => responseFindings)).toStrictEqual([]);
});

test('the fixtures are honoured, and the next version is one that is free', async () => {
  const { send, publish, mock } = await registryMock();
  const { publish: fixture, proxy } = mock.fixtures() as {
    publish: {
      publisherId: string;
      nodeId: string;
      node: object;
      pat: string;
      nextVersion: string;
      foreign: { publisherId: string; nodeId: string };
      second: { publisherId: string; nodeId: string };
    };
    proxy: { partner: string; image: { base64: string; url: string } };
  };
  const body = publication(
    { version: fixture.nextVersion },
    { node: fixture.node, personal_access_token: fixture.pat },
  );
  const pathOf = (to: { publisherId: string; nodeId: string }): string =>
    `/publishers/${to.publisherId}/nodes/${to.nodeId}/versions`;
  expect((await send(pathOf(fixture), body)).status).toBe(201);
  expect((await send(pathOf(fixture.second), body)).status).toBe(201);
  expect((await send(pathOf(fixture.foreign), body)).status).toBe(403);
  for (const image of Object.values(proxy.image)) {
    expect((await send(`/proxy/${proxy.partner}/v1/ai/skin-enhancer/creative`, { image })).status).toBe(200);
  }
  await publish('2.7.1');
  expect(mock.fixtures()).toMatchObject({ publish: { nextVersion: '2.8.0' } });
});

test('the magic values are listed with their keys', async () => {
  const listed = (await listScenarios()).filter(({ api }) => api === 'registry');
  expect(listed.map(({ key }) => key)).toStrictEqual([
    'service-mock-version-taken',
    'service-mock-partner-fails',
    'service-mock-upload-expired',
    'service-mock-upload-drops',
  ]);
});

test('an answer that rests on an open point says so in the journal', async () => {
  const { publish, mock } = await registryMock();
  await publish('1.0.0');
  await publish('1.0.0');
  expect(errorOf(await publish('1.1.0', { authorization: null }))).toMatch(/^403/);
  expect(mock.journal.entries().map(({ assumptions }) => assumptions)).toStrictEqual([
    ['A-46', 'A-48'],
    ['A-44'],
    ['A-40'],
  ]);
});
