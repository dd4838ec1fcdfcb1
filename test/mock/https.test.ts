import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as browser from '../../mock/browser.ts';
import { selfSigned } from '../../mock/certificate.ts';
import * as mockModule from '../../mock/index.ts';
import { startMock, type RunningMock } from '../../mock/index.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ apis: ['router'], https: true });
});
afterAll(() => mock.stop());

/** What a client gets that trusts the certificate of the mock, and nothing else. */
function get(url: string): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { ca: mock.certificate, headers: { 'X-API-Key': 'service-mock-ok' } },
      (response) => {
        buffer(response).then((bytes) => {
          resolve({ status: response.statusCode ?? 0, body: bytes.toString() });
        }, reject);
      },
    );
    sent.on('error', reject).end();
  });
}

test('with https the address of a schema in an answer can be followed', async () => {
  expect(mock.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
  const { body } = await get(`${mock.url}/v1/models/acme/echo-1`);
  const { input_schema_url: schema } = JSON.parse(body) as { readonly input_schema_url: string };
  expect(schema.startsWith(`${mock.url}/`)).toBe(true);
  expect((await get(schema)).status).toBe(200);
  expect((await get(`${mock.url.replace('127.0.0.1', 'localhost')}/v1/models`)).status).toBe(200);
});

test('a client that does not trust the certificate gets no answer', async () => {
  await expect(fetch(`${mock.url}/v1/models`)).rejects.toThrow(TypeError);
});

test('the control port serves the certificate, and a client in another process trusts it', async () => {
  const answer = await fetch(new URL('/certificate.pem', mock.controlUrl));
  expect([answer.status, answer.headers.get('content-type')]).toStrictEqual([200, 'application/x-pem-file']);
  const file = join(await mkdtemp(join(tmpdir(), 'tallystick-https-')), 'mock.pem');
  onTestFinished(() => rm(dirname(file), { recursive: true }));
  await writeFile(file, await answer.text());
  const program = `fetch('${mock.url}/v1/models', { headers: { 'X-API-Key': 'service-mock-ok' } }).then(({ status }) => console.log(status))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program], {
    env: { NODE_EXTRA_CA_CERTS: file },
  });
  expect(stdout).toBe('200\n');
});

test('without TLS, the control port serves no certificate', async () => {
  const plain = await startMock({ apis: ['router'] });
  onTestFinished(() => plain.stop());
  expect((await fetch(new URL('/certificate.pem', plain.controlUrl))).status).toBe(404);
});

test('a certificate names its hosts, is good for a month, and signs itself', () => {
  const { cert } = selfSigned(['mock.example', '10.1.2.3', 'fe80::12:3']);
  const read = new X509Certificate(cert);
  expect(read.checkHost('mock.example')).toBe('mock.example');
  expect(read.checkHost('other.example')).toBeUndefined();
  expect(read.checkIP('10.1.2.3')).toBe('10.1.2.3');
  expect(read.checkIP('fe80::12:3')).toBe('fe80::12:3');
  expect(read.verify(read.publicKey)).toBe(true);
  // Its key cannot make a certificate for another host.
  expect(read.ca).toBe(false);
  const days = (new Date(read.validTo).getTime() - new Date(read.validFrom).getTime()) / 86_400_000;
  expect(days).toBe(31);
});

test('in a bundle for browsers, the mock has the same names and says what to do instead', () => {
  expect(Object.keys(browser).sort()).toStrictEqual(Object.keys(mockModule).sort());
  expect(() => browser.createMock()).toThrow(
    /^tallystick\/mock needs Node and does not run in a page: start it beside the page with tallystick\/vite or "npx --no -- tallystick mock"/,
  );
  expect(browser.startOfSeeded).toBe(mockModule.startOfSeeded);
});
