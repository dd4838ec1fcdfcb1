import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { curlScripts, renderReport, reportFormats, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { freshFolder } from '../cli/command.ts';
import { headerIn, recording, routerContract, scripted } from './servers.ts';

const gateway = 'gw-0123456789abcdef';
let folder = '';
let server: Server;
let url = '';
let seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];

beforeEach(async () => {
  folder = await freshFolder();
  seen = [];
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    // Everything comes back: what is masked must be masked here too.
    response.setHeader('Content-Type', 'application/json');
    const echo = request.headers['x-gateway-key'] ?? '';
    response.end(JSON.stringify({ data: [], has_more: false, limit: 21, echo: `test ${String(echo)}` }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function tallystick(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly said: string }> {
  let said = '';
  const stream = (): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        said += chunk.toString();
        done();
      },
    });
  const code = await main([...words], {
    stdout: stream(),
    stderr: stream(),
    cwd: folder,
    environment: { TALLYSTICK_API_KEY: 'service-secret-4711', ...environment },
    onSignal: () => () => undefined,
  });
  expect(said).not.toContain(gateway);
  return { code, said };
}

const rule = ['--rule', 'router.list.limit-default'];
const headers = ['--header', `X-Gateway-Key: ${gateway}`, '--header', 'X-Env: test'];

test('headers go out with every request, with and without a credential', async () => {
  await tallystick(['conform', url, '--rule', 'router.auth.*', ...headers]);
  expect(seen.some(({ headers }) => headers['x-api-key'] === undefined)).toBe(true);
  expect(seen.length).toBeGreaterThan(3);
  for (const { headers } of seen)
    expect(headers).toMatchObject({ 'x-gateway-key': gateway, 'x-env': 'test' });
});

test('a value can be read from the environment', async () => {
  await tallystick(['conform', url, ...rule, '--header', 'X-Gateway-Key: $GATEWAY'], { GATEWAY: gateway });
  expect(seen[0]?.headers['x-gateway-key']).toBe(gateway);
  const { code, said } = await tallystick(['conform', url, '--header', 'X-Gateway-Key: $GATEWAY']);
  expect(said).toContain('X-Gateway-Key reads $GATEWAY, which is not set');
  expect(code).toBe(2);
});

test('discover sends them too', async () => {
  await tallystick(['fixtures', 'discover', url, ...headers]);
  expect(seen[0]?.headers).toMatchObject({ 'x-gateway-key': gateway, 'x-env': 'test' });
});

test('values are masked in the header itself; elsewhere where they may be a secret', async () => {
  await tallystick(['conform', url, ...rule, ...headers]);
  const text = await readFile(join(folder, 'tallystick-report/report.json'), 'utf8');
  const report = JSON.parse(text) as Report;
  for (const form of [
    text,
    ...reportFormats.map((format) => renderReport(report, format)),
    ...Object.values(curlScripts(report)),
  ])
    expect(form).not.toContain(gateway);
  const [exchange] = report.exchanges;
  expect(exchange?.request.headers).toContainEqual(['X-Gateway-Key', '$HEADER_1']);
  expect(exchange?.request.headers).toContainEqual(['X-Env', '$HEADER_2']);
  expect(exchange?.answer?.body?.text).toContain('"echo":"test $HEADER_1"');
});

test('replay asks for a value that the report does not have, and sends the one that is given', async () => {
  await tallystick(['conform', url, ...rule, ...headers]);
  seen = [];
  const replay = ['conform', 'replay', 'tallystick-report', 'x0001', '--base-url', url];
  const missing = await tallystick(replay);
  expect(missing.said).toContain(
    'x0001 was sent with the header X-Gateway-Key, whose value is not in the report',
  );
  expect(missing.code).toBe(2);
  expect(seen).toEqual([]);
  const { said } = await tallystick([...replay, ...headers]);
  expect(said).toContain('the same status and body as in the report');
  expect(seen[0]?.headers).toMatchObject({ 'x-gateway-key': gateway, 'x-env': 'test' });
  await tallystick(replay, { HEADER_1: gateway, HEADER_2: 'test' });
  expect(seen[1]?.headers).toMatchObject({ 'x-gateway-key': gateway, 'x-env': 'test' });
});

test('replay of a rule sends them too', async () => {
  await tallystick(['conform', url, ...rule, ...headers]);
  seen = [];
  const replay = ['conform', 'replay', 'tallystick-report', 'router.list.limit-default', '--base-url', url];
  await tallystick([...replay, ...headers]);
  expect(seen.length).toBeGreaterThan(0);
  for (const { headers } of seen)
    expect(headers).toMatchObject({ 'x-gateway-key': gateway, 'x-env': 'test' });
});

test.each([
  ['no colon', gateway, '--header: expected a name and a value'],
  ['no name', `: ${gateway}`, '--header: expected a name and a value'],
  ['a blank in the name', `X Y: ${gateway}`, '--header: expected a name and a value'],
  [
    'a name that HTTP does not allow',
    `X(Y): ${gateway}`,
    'its name contains characters that HTTP does not allow',
  ],
  ['no value', 'X-Env:', 'X-Env has no value'],
  ['a line break', `X-Env: a\r\nX-Api-Key: ${gateway}`, 'the value of X-Env contains control characters'],
  ['the key of a call', `idempotency-key: ${gateway}`, 'the suite sets idempotency-key itself'],
  ['the host', 'Host: elsewhere', 'the suite sets Host itself'],
  ['a length', 'Content-Length: 5', 'the suite sets Content-Length itself'],
  ['a bearer', `Authorization: Bearer ${gateway}`, 'use --api-key or --bearer'],
  ['an API key', `x-api-key: ${gateway}`, 'use --api-key or --bearer'],
])('%s: exit 2, nothing is sent, and no value is printed', async (_, line, says) => {
  const { code, said } = await tallystick(['conform', url, '--header', line]);
  expect(said).toContain(says);
  expect(code).toBe(2);
  expect(seen).toEqual([]);
});

test('more headers than there are placeholders: exit 2', async () => {
  const many = Array.from({ length: 10 }, (_, index) => ['--header', `X-H${index}: v`]).flat();
  const { code, said } = await tallystick(['conform', url, ...many]);
  expect(said).toContain('10 headers are given with --header; at most 9 can be');
  expect(code).toBe(2);
});

test('without a declared credential, a header may carry one', async () => {
  await tallystick([
    'conform',
    url,
    '--anonymous',
    '--rule',
    'router.auth.required',
    '--header',
    `Authorization: Bearer ${gateway}`,
  ]);
  expect(seen[0]?.headers.authorization).toBe(`Bearer ${gateway}`);
});

test('a header that a probe sets itself overrides a given one', async () => {
  const { transport, requests } = recording(scripted(() => ({ status: 401 })).transport);
  await runConformance({
    contracts: await routerContract(),
    baseUrl: 'https://api.example.com',
    headers: [
      ['User-Agent', 'mine/1'],
      ['Authorization', 'Basic Z2F0ZTp3YXk='],
    ],
    transport,
    rules: ['router.auth.*'],
  });
  expect(requests.every((request) => headerIn(request, 'user-agent') === 'mine/1')).toBe(true);
  const bearers = requests.flatMap(({ headers }) =>
    headers.filter(([name]) => /^authorization$/i.test(name)),
  );
  expect(bearers.length).toBeGreaterThan(0);
  for (const { headers } of requests)
    expect(headers.filter(([name]) => /^authorization$/i.test(name)).length).toBeLessThanOrEqual(1);
});
