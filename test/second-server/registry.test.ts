import { describe, expect, test } from 'vitest';
import { enhance, publish } from '../fixtures/second-server/calls.ts';
import { start } from './start.ts';

describe('publishing', () => {
  test('a version is published once, and its archive is put where the address says', async () => {
    const { server, fixtures } = await start();
    const first = await publish(server, '1.0.0-rc.1+b5');
    expect(first.status).toBe(201);
    const { signedUrl, node_version } = JSON.parse(first.text) as { signedUrl: string; node_version: object };
    expect(node_version).toMatchObject({ version: '1.0.0-rc.1+b5', status: 'NodeVersionStatusActive' });
    expect((await fetch(signedUrl, { method: 'PUT', body: 'zip' })).status).toBe(204);
    expect((await fetch(signedUrl.replace('by=', 'by=x'), { method: 'PUT', body: 'zip' })).status).toBe(403);
    expect((await publish(server, '1.0.0-rc.1+b5')).status).toBe(400);
    expect((await publish(server, '1.0.0-rc.1+b5', {}, fixtures.publish.second)).status).toBe(201);
  });

  test.each<[string, number, object]>([
    ['no node', 400, { node: undefined }],
    ['no version', 400, { node_version: undefined }],
    ['no token', 400, { personal_access_token: undefined }],
    ['a token of nobody', 403, { personal_access_token: 'pat-nobody' }],
    ['a version that is not semantic', 400, { node_version: { version: '1.0' } }],
    ['tags that are no list', 400, { node: { tags: 'ink' } }],
    [
      'a publisher whose member has no text for a role',
      400,
      { node: { publisher: { members: [{ role: 1 }] } } },
    ],
    ['a status that does not exist', 400, { node_version: { version: '1.0.0', status: 'Active' } }],
  ])('a publication with %s is answered with %i', async (_name, status, body) => {
    const { server } = await start();
    const got = await publish(server, '1.0.0', body);
    expect(got.status).toBe(status);
    const { error, message } = JSON.parse(got.text) as Record<string, unknown>;
    expect([typeof error, typeof message]).toEqual(['string', 'string']);
  });
});

test.each<[string, number, object]>([
  ['a picture in Base64', 200, { image: 'iVBORw0KGgo=' }],
  ['a picture by its address', 200, { image: 'https://images.second.example/face.png' }],
  ['both bounds', 200, { sharpen: 0, smart_grain: 100 }],
  ['an address for news', 200, { webhook_url: 'https://hooks.second.example' }],
  ['too much', 422, { sharpen: 100.5 }],
  ['too little', 422, { smart_grain: -1 }],
  ['an insecure address', 422, { image: 'http://images.second.example/face.png' }],
])('the proxy answers %s with %i', async (_name, status, body) => {
  const { server } = await start();
  expect((await enhance(server, body)).status).toBe(status);
});
