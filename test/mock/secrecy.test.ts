// @module-tag attack
import { expect, test } from 'vitest';
import { createMock } from '../../mock/index.ts';
import { enhancer, publication, registryMock, token, versions } from './apis/registry/registry-mock.ts';

const secret = 'pat-mock-very-secret';
const withSecret = publication({ version: '1.0.0' }, { personal_access_token: secret });

test('registry.publish.pat-not-echoed: no answer holds the access token, at any place of the request', async () => {
  const { send, mock } = await registryMock();
  const bodies = [
    withSecret,
    withSecret,
    { ...withSecret, node_version: { version: secret } },
    { ...withSecret, node_version: { version: '2.0.0', changelog: `by ${secret}`, tags: [secret] } },
    { ...withSecret, node: { translations: { [secret]: 1 } } },
    { ...withSecret, personal_access_token: [secret] },
    { personal_access_token: secret },
  ];
  const statuses: number[] = [];
  for (const body of bodies) {
    const answer = await send(versions, body);
    statuses.push(answer.status);
    expect(answer.text).not.toContain(secret);
  }
  expect(statuses).toStrictEqual([201, 400, 400, 201, 400, 400, 400]);
  expect(JSON.stringify(mock.journal.entries())).not.toContain(secret);
});

test.each([
  ['a path that nobody serves', '/publishers/acme/node/x/version', withSecret],
  ['a route of the partner', enhancer, { personal_access_token: secret }],
  ['the address', `/publishers/acme?personal_access_token=${secret}`, {}],
  ['half an object', versions, `{"personal_access_token":"${secret}`],
  ['a member name with escapes', versions, `{"personal_access\\u005ftoken":"${secret}"}`],
  ['half an object with escapes', versions, `{"personal_access\\u005ftoken":"${secret}`],
  ['a form', versions, `personal_access_token=${secret}`],
  [
    'a body past the limit',
    versions,
    `{"personal_access_token":"${secret}","x":"${'x'.repeat(11 * 2 ** 20)}"}`,
  ],
  [
    'a body that is nested without end',
    versions,
    `{"personal_access_token":"${secret}","x":${'['.repeat(90_000)}${']'.repeat(90_000)}}`,
  ],
  [
    'the secret with escapes',
    versions,
    `{"personal_access_token":"pat-mock-very\\u002dsecret","node":"${secret}"}`,
  ],
])('the journal hides the access token in %s', async (_name, target, body) => {
  const { send, mock } = await registryMock();
  await send(target, body);
  const [entry] = mock.journal.entries();
  expect(entry).toBeDefined();
  expect(JSON.stringify(entry)).not.toContain(secret);
});

test('the journal also hides it in requests to another API', async () => {
  const mock = createMock({ apis: ['router', 'registry'] });
  const body = JSON.stringify(withSecret);
  await mock.fetch(new Request('http://mock.example/v1/models/mock/ok', { method: 'POST', body }));
  const [entry] = mock.journal.entries();
  expect(entry?.api).toBe('router');
  expect(JSON.stringify(entry)).not.toContain(secret);
  mock.close();
});

test('the journal shows the rest of a publication, and bodies without a secret as they were', async () => {
  const { send, mock } = await registryMock();
  await send(versions, publication());
  await send(enhancer, '{"image" : 3}');
  const bodies = mock.journal.entries().map(({ request }) => request.body);
  expect(JSON.parse(bodies[0] ?? '')).toStrictEqual({ ...publication(), personal_access_token: '…' });
  expect(bodies[1]).toBe('{"image" : 3}');
});

test('the journal keeps no signature of an upload address', async () => {
  const { send, publish, mock } = await registryMock();
  const address = String((await publish('1.0.0')).body['signedUrl']);
  await send(address, 'x', { method: 'PUT' });
  const [, signature = ''] = address.split('signature=');
  const journal = JSON.stringify(mock.journal.entries());
  expect(signature).toHaveLength(43);
  expect(journal).not.toContain(signature);
  expect(journal).toContain('signature=…');
});

test('no access token is in the fixtures’ journal or state, only in the fixtures', async () => {
  const { publish, mock } = await registryMock();
  await publish('1.0.0');
  expect(JSON.stringify(mock.journal.entries())).not.toContain(token);
  expect(mock.fixtures()).toMatchObject({ publish: { pat: token } });
});
