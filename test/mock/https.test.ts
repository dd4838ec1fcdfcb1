import { X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

test('who does not trust the certificate gets no answer', async () => {
  await expect(fetch(`${mock.url}/v1/models`)).rejects.toThrow(TypeError);
});

test('a certificate names its hosts, is good for a month, and signs itself', () => {
  const { cert } = selfSigned(['mock.example', '10.1.2.3', 'fe80::12:3']);
  const read = new X509Certificate(cert);
  expect(read.checkHost('mock.example')).toBe('mock.example');
  expect(read.checkHost('other.example')).toBeUndefined();
  expect(read.checkIP('10.1.2.3')).toBe('10.1.2.3');
  expect(read.checkIP('fe80::12:3')).toBe('fe80::12:3');
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.ca).toBe(true);
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
