import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startMock, virtualClock, type RunningMock } from '../../../../mock/index.ts';
import { Wire } from '../../wire.ts';
import { errorOf, got, key, publication, registryMock, versions, type Got } from './registry-mock.ts';

const clock = virtualClock({ auto: false });
let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ apis: ['registry'], clock, registry: { archiveLimit: 12 * 2 ** 20 } });
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => mock.stop());

async function publish(version: string, headers: Record<string, string> = {}): Promise<Got> {
  const response = await fetch(mock.url + versions, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(publication({ version })),
  });
  return got(response);
}

async function addressFor(version: string): Promise<string> {
  return String((await publish(version)).body['signedUrl']);
}

async function put(address: string, body: string | Uint8Array<ArrayBuffer>, method = 'PUT'): Promise<Got> {
  const headers = { 'content-type': 'application/zip' };
  return got(await fetch(address, { method, headers, ...(method === 'GET' ? {} : { body }) }));
}

async function stateOf(version: string): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(`${String(mock.controlUrl)}/control/v1/registry`);
  const { nodes } = (await response.json()) as {
    nodes: { id: string; versions: Record<string, unknown>[] }[];
  };
  return nodes
    .find(({ id }) => id === 'acme-upscaler')
    ?.versions.find((entry) => entry['version'] === version);
}

test('the upload address is the mock’s own, needs no credential, takes the archive and tells what it took', async () => {
  const archive = Buffer.from('PK\u0003\u0004 an archive');
  const address = await addressFor('1.0.0');
  expect(address.startsWith(`${mock.url}/`)).toBe(true);
  const answer = await put(address, archive);
  const sha256 = createHash('sha256').update(archive).digest('hex');
  expect([answer.status, answer.body]).toStrictEqual([200, { size: archive.length, sha256 }]);
  expect(await stateOf('1.0.0')).toMatchObject({
    archive: { size: archive.length, sha256, contentType: 'application/zip' },
  });
});

test('what was uploaded is read back over the control API', async () => {
  const archive = Buffer.from('PK\u0003\u0004 read me back');
  await put(await addressFor('1.0.0'), archive);
  const id = String((await stateOf('1.0.0'))?.['id']);
  const read = async (path: string): Promise<Got> =>
    got(await fetch(`${String(mock.controlUrl)}/control/v1/registry/archives/${path}`));
  const { body } = await read(id);
  expect(Buffer.from(String(body['base64']), 'base64').equals(archive)).toBe(true);
  expect((await read('nothing')).status).toBe(404);
});

test('an archive may be longer than any other body, up to its own limit', async () => {
  const address = await addressFor('1.0.0');
  expect((await put(address, Buffer.alloc(11 * 2 ** 20))).body['size']).toBe(11 * 2 ** 20);
  const tooLong = await put(address, Buffer.alloc(13 * 2 ** 20));
  expect(errorOf(tooLong)).toMatch(/^413 too_large: .*12582912/);
  expect(await stateOf('1.0.0')).toMatchObject({ archive: { size: 11 * 2 ** 20 } });
});

test('the last upload counts, also an empty one', async () => {
  const address = await addressFor('1.0.0');
  await put(address, 'first');
  expect((await put(address, '')).body['size']).toBe(0);
});

describe('an address is good for an hour of the mock’s clock', () => {
  test('it works until then, and is refused afterwards', async () => {
    const address = await addressFor('1.0.0');
    await clock.advance(3_600_000);
    expect((await put(address, 'in time')).status).toBe(200);
    await clock.advance(2_000);
    expect(errorOf(await put(address, 'too late'))).toMatch(/^403 expired: /);
  });

  test('a reset invalidates it immediately', async () => {
    const address = await addressFor('1.0.0');
    mock.reset();
    expect((await put(address, 'x')).status).toBe(403);
  });
});

describe('uploads fail on demand', () => {
  test.each<[string, Record<string, string>]>([
    ['Prefer', { prefer: 'scenario=upload-expired' }],
    ['a key', { authorization: 'Bearer service-mock-upload-expired' }],
  ])('by %s, a version gets an address that has expired', async (_how, headers) => {
    const address = String((await publish('1.0.0', headers)).body['signedUrl']);
    expect(errorOf(await put(address, 'x'))).toMatch(/^403 expired: /);
    expect(await stateOf('1.0.0')).toMatchObject({ archive: null });
  });

  test('forced, the next address expires, also one that has been given away', async () => {
    const address = await addressFor('1.0.0');
    mock.scenarios.force({ name: 'upload-expired' });
    expect(errorOf(await put(address, 'x'))).toMatch(/^403 expired: /);
    expect((await put(address, 'x')).status).toBe(200);
    mock.scenarios.force({ name: 'upload-expired' });
    expect(errorOf(await put(await addressFor('1.0.1'), 'x'))).toMatch(/^403 expired: /);
  });

  test.each<[string, Record<string, string>]>([
    ['Prefer', { prefer: 'scenario=upload-drops' }],
    ['a key', { authorization: 'Bearer service-mock-upload-drops' }],
  ])('by %s, the first upload of a version is cut, and the second is stored', async (_how, headers) => {
    const address = String((await publish('1.0.0', headers)).body['signedUrl']);
    await expect(put(address, 'x')).rejects.toThrow('fetch failed');
    expect(await stateOf('1.0.0')).toMatchObject({ archive: null });
    expect((await put(address, 'x')).status).toBe(200);
  });

  test('forced, the next upload is cut, and no publication before it', async () => {
    const address = await addressFor('1.0.0');
    mock.scenarios.force({ name: 'upload-drops' });
    await expect(put(address, 'x')).rejects.toThrow('fetch failed');
    expect((await put(address, 'x')).status).toBe(200);
    mock.scenarios.force({ name: 'upload-drops' });
    const next = await addressFor('1.0.1');
    await expect(put(next, 'x')).rejects.toThrow('fetch failed');
    expect((await put(next, 'x')).status).toBe(200);
  });

  test('forced, an upload is cut before or after it is stored', async () => {
    const address = await addressFor('1.0.0');
    mock.scenarios.force({ name: 'cut-before' });
    await expect(put(address, 'x')).rejects.toThrow('fetch failed');
    expect(await stateOf('1.0.0')).toMatchObject({ archive: null });
    mock.scenarios.force({ name: 'cut-after' });
    await expect(put(address, 'x')).rejects.toThrow('fetch failed');
    expect(await stateOf('1.0.0')).toMatchObject({ archive: { size: 1 } });
  });

  test('a request cannot make a forged address expire', { tags: 'attack' }, async () => {
    const address = (await addressFor('1.0.0')).replace(/signature=.*/, 'signature=x');
    mock.scenarios.force({ name: 'upload-expired' });
    expect(errorOf(await put(address, 'x'))).toMatch(/^403 forbidden: /);
  });
});

describe('a changed address is refused with 403', { tags: 'attack' }, () => {
  const changes: readonly [string, (address: string) => string][] = [
    ['a later end', (address) => address.replace(/expires=\d/, 'expires=9')],
    [
      'another signature',
      (address) =>
        address.replace(/signature=(.)/, (_, first: string) => `signature=${first === 'A' ? 'B' : 'A'}`),
    ],
    ['no signature', (address) => address.replace(/&signature=.*/, '')],
    ['no query', (address) => address.replace(/\?.*/, '')],
    ['an end given twice', (address) => `${address}&expires=9999999999`],
    [
      'another version',
      (address) => address.replace(/uploads\/[^?]+/, 'uploads/00000000-0000-4000-8000-000000000000'),
    ],
  ];
  test.each(changes)('%s', async (_name, change) => {
    const address = await addressFor('1.0.0');
    const changed = change(address);
    expect(changed).not.toBe(address);
    expect(errorOf(await put(changed, 'x'))).toMatch(/^403 forbidden: /);
    expect(await stateOf('1.0.0')).toMatchObject({ archive: null });
  });
});

test.each(['GET', 'POST', 'DELETE'])('%s is not how an archive is uploaded', async (method) => {
  const answer = await put(await addressFor('1.0.0'), 'x', method);
  expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, 'PUT']);
});

test('an incomplete upload stores nothing', async () => {
  const address = new URL(await addressFor('1.0.0'));
  const wire = await Wire.open(mock.url);
  wire.write(
    `PUT ${address.pathname}${address.search} HTTP/1.1\r\nHost: ${address.host}\r\nContent-Length: 100\r\n\r\nhalf`,
  );
  wire.drop();
  expect((await publish('1.0.1')).status).toBe(201);
  expect(await stateOf('1.0.0')).toMatchObject({ archive: null });
});

test('pages of this machine may upload: the preflight names PUT', async () => {
  const address = await addressFor('1.0.0');
  const response = await fetch(address, { method: 'OPTIONS', headers: { origin: 'http://localhost:5173' } });
  expect(response.headers.get('access-control-allow-methods')).toBe('PUT');
});

test('registry.publish.version-unique-race: of 200 connections at once one publishes', async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, () => publish('4.0.0')));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 400)).toHaveLength(199);
});

test(
  'behind a public address the upload address is there, and a host that is none is not repeated',
  { tags: 'attack' },
  async () => {
    const { publish: publishThere } = await registryMock({ publicUrl: 'https://api.example.com/' });
    expect(String((await publishThere('1.0.0')).body['signedUrl'])).toMatch(
      /^https:\/\/api\.example\.com\/uploads\//,
    );
    const { mock: bare } = await registryMock();
    const handled = await bare.handle({
      method: 'POST',
      target: versions,
      rawHeaders: [
        'Host',
        'evil.example/"><',
        'Authorization',
        `Bearer ${key}`,
        'Content-Type',
        'application/json',
      ],
      body: Buffer.from(JSON.stringify(publication())),
    });
    handled.settle('delivered');
    expect(String(handled.reply.body)).toContain('"signedUrl":"http://localhost/uploads/');
  },
);
