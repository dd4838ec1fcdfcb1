import { expect, onTestFinished, test } from 'vitest';
import { baseUrlOf } from '../../mock/base-url.ts';
import { control } from '../../mock/control/control.ts';
import { createMock, type Mock, type MockOptions } from '../../mock/index.ts';
import { Namespaces } from '../../mock/namespaces.ts';
import { startAssembly } from '../../mock/mock.ts';
import { key, publication, versions } from './apis/registry/registry-mock.ts';

const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

function made(options: MockOptions = {}): Mock {
  const mock = createMock({ apis: ['registry', 'router'], ...options });
  onTestFinished(() => {
    mock.close();
  });
  return mock;
}

const publishTo = async (fetch: Mock['fetch'], address: string): Promise<string> => {
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(publication()) });
  return ((await answer.json()) as { readonly signedUrl: string }).signedUrl;
};

test.each([
  ['a path', versions],
  ['a relative path', versions.slice(1)],
  ['a whole address', `https://gw.example.com/base${versions}`],
])('%s below a public address with a base path is served, and so are its links', async (_form, address) => {
  const { fetch } = made({ publicUrl: 'https://gw.example.com/base/' });
  const signedUrl = await publishTo(fetch, address);
  expect(signedUrl).toMatch(/^https:\/\/gw\.example\.com\/base\/uploads\//);
  expect((await fetch(signedUrl, { method: 'PUT', body: 'an archive' })).status).toBe(200);
});

test('https that was called in process is https in the answers', async () => {
  const signedUrl = await publishTo(made().fetch, `https://api.example.com${versions}`);
  expect(signedUrl).toMatch(/^https:\/\/api\.example\.com\/uploads\//);
});

test('one mock is served below several addresses, each with links of its own', async () => {
  const mock = made();
  for (const base of ['https://gw.example.com/base', 'http://localhost:8080/v7']) {
    expect(await publishTo(mock.fetchBelow(base), `${base}${versions}`)).toContain(`${base}/uploads/`);
    mock.reset();
  }
});

test('a path that only begins like the base path is not below it', async () => {
  const { fetch } = made({ publicUrl: 'https://gw.example.com/v1' });
  expect((await fetch('https://gw.example.com/v1/v1/models', { headers })).status).toBe(200);
  expect((await fetch('https://gw.example.com/v10/v1/models', { headers })).status).toBe(404);
});

test('what the control API sends again is answered with the links of the original', async () => {
  const { mock, assembly } = startAssembly({ apis: ['router'] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.fetchBelow('https://gw.example.com/base')('/v1/models/mock/ok', { headers });
  const replay = { method: 'POST', path: 'journal/1/replay', query: new URLSearchParams(), body: undefined };
  const main = { mock, assembly: await assembly };
  const { body } = await control({ ...main, url: mock.url, namespaces: new Namespaces({}, main) }, replay);
  expect((body as { readonly body: string }).body).toContain(
    '"https://gw.example.com/base/v1/models/mock/ok/',
  );
});

test.each(['gw.example.com', '/base', 'ftp://gw.example.com', 'https://gw.example.com/?a=1', 'https://'])(
  'an address that is none is refused at once: %s',
  (address) => {
    expect(() => createMock({ publicUrl: address })).toThrow(/^publicUrl must be an address such as https:/);
    expect(() => made().fetchBelow(address)).toThrow(RangeError);
  },
);

test.each([
  ['api.example.com', 'http://api.example.com'],
  ['my_service:8080', 'http://my_service:8080'],
  ['[::1]:4710', 'http://[::1]:4710'],
  ['', undefined],
  ['evil.example/"><', undefined],
  ['user@evil.example', undefined],
  ['999.999.999.999', undefined],
  ['a.example:99999', undefined],
])('the host %j is repeated only when it is one', (host, expected) => {
  expect(baseUrlOf({ raw: {}, header: () => host }, undefined)).toBe(expected);
});
