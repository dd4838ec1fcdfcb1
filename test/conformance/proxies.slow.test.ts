// @module-tag long
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { proxiesOf } from '../../cli/network/proxies.ts';
import { socketTransport } from '../../conformance/index.ts';
import { freshFolder } from '../cli/command.ts';
import { freePort } from '../e2e/free-port.ts';
import { forwardProxy, portOf } from './forward-proxy.ts';
import { certificate } from './tls-certificates.ts';

const authority = certificate({ name: 'Test Authority' });
const certified = certificate({ name: 'server', hosts: ['localhost', 'api.test'], issuer: authority });

let folder = '';
beforeAll(async () => {
  folder = await freshFolder();
  await writeFile(join(folder, 'ca.pem'), authority.cert);
});
const page: RequestListener = (_, response) =>
  response.setHeader('Content-Type', 'application/json').end('{"data":[],"has_more":false,"limit":20}');

async function conform(
  url: string,
  line: string,
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
  const words = `conform ${url} --rule router.list.limit-default ${line}`.trim().split(' ');
  const code = await main(words, {
    stdout: stream(),
    stderr: stream(),
    cwd: folder,
    environment: { TALLYSTICK_API_KEY: 'service-secret-4711', ...environment },
    onSignal: () => () => undefined,
  });
  expect(said).not.toContain('s3same');
  return { code, said };
}

const plainServer = async (): Promise<string> => `http://api.test:${await portOf(createHttpServer(page))}`;
const secureServer = async (): Promise<string> =>
  `https://api.test:${await portOf(createHttpsServer(certified, page))}`;

test('http: a proxy gets whole addresses, and the login of its own address', async () => {
  const { port, seen } = await forwardProxy({ login: `Basic ${btoa('me:s3same@')}` });
  const url = await plainServer();
  const { code, said } = await conform(url, `--proxy http://me:s3same%40@127.0.0.1:${port}`);
  expect(said).toContain('1 pass');
  expect(seen[0]).toBe(`GET ${url}/v1/models Basic ${btoa('me:s3same@')}`);
  expect(code).toBe(0);
});

test('https: a proxy opens a tunnel and sees neither path nor credential', async () => {
  const { port, seen } = await forwardProxy();
  const url = await secureServer();
  const { said } = await conform(url, `--proxy http://127.0.0.1:${port} --ca ca.pem`);
  expect(said).toContain('1 pass');
  expect(new Set(seen)).toEqual(new Set([`CONNECT ${new URL(url).host}`]));
});

test('a proxy may be reached by TLS itself', async () => {
  const { port, seen } = await forwardProxy({ certified });
  const { said } = await conform(await secureServer(), `--proxy https://localhost:${port} --ca ca.pem`);
  expect(said).toContain('1 pass');
  expect(seen[0]).toMatch(/^CONNECT /);
});

test.each(['HTTP_PROXY', 'http_proxy'])('%s is used, and --no-proxy leaves it out', async (name) => {
  const { port, seen } = await forwardProxy();
  const environment = { [name]: `http://127.0.0.1:${port}` };
  expect((await conform(await plainServer(), '', environment)).said).toContain('1 pass');
  expect(seen.length).toBeGreaterThan(0);
  const direct = await conform('http://api.test:9', '--no-proxy', environment);
  expect(direct.said).toMatch(/ENOTFOUND|EAI_AGAIN/);
});

test('a variable is not used for this machine; --proxy is', async () => {
  const { port, seen } = await forwardProxy();
  const url = `http://127.0.0.1:${await portOf(createHttpServer(page))}`;
  expect((await conform(url, '', { HTTP_PROXY: `http://127.0.0.1:${port}` })).said).toContain('1 pass');
  expect(seen).toEqual([]);
  expect((await conform(url, `--proxy http://127.0.0.1:${port}`)).said).toContain('1 pass');
  expect(seen.length).toBeGreaterThan(0);
});

test('discover and replay go through the proxy too', async () => {
  const { port, seen } = await forwardProxy();
  const url = await plainServer();
  const environment = { HTTP_PROXY: `http://127.0.0.1:${port}` };
  await conform(url, '', environment);
  for (const words of [
    ['fixtures', 'discover', url],
    ['conform', 'replay', 'tallystick-report', 'x0001', '--base-url', url],
  ]) {
    seen.length = 0;
    const sink = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
    const code = await main(words, {
      stdout: sink(),
      stderr: sink(),
      cwd: folder,
      environment: { TALLYSTICK_API_KEY: 'service-secret-4711', ...environment },
      onSignal: () => () => undefined,
    });
    expect(code).toBe(0);
    expect(seen[0]).toContain(`GET ${url}/v1/models`);
  }
});

test.each([
  [
    'asks for a login',
    'http',
    { login: 'Basic x' },
    'asks for a login (407)',
    '--proxy http://USER:PASSWORD@HOST:PORT',
  ],
  [
    'asks for a login',
    'https',
    { login: 'Basic x' },
    'asks for a login (407)',
    '--proxy http://USER:PASSWORD@HOST:PORT',
  ],
  ['does not allow the server', 'https', { refuse: 403 }, 'refused the tunnel with 403', 'add --no-proxy'],
] as const)('a proxy that %s (%s): exit 3, and what to do', async (_, protocol, options, says, help) => {
  const { port } = await forwardProxy(options);
  const url = protocol === 'http' ? await plainServer() : await secureServer();
  const { code, said } = await conform(url, `--proxy http://me:s3same@127.0.0.1:${port}`);
  expect(said).toContain(`does not respond: the proxy 127.0.0.1:${port} ${says}`);
  expect(said).toContain(help);
  expect(code).toBe(3);
});

test('an unreachable proxy: exit 3, and it is not mistaken for the server', async () => {
  const port = await freePort();
  const { code, said } = await conform('http://api.test', `--proxy http://me:s3same@127.0.0.1:${port}`);
  expect(said).toMatch(/the proxy 127\.0\.0\.1:\d+ does not respond: .*ECONNREFUSED/);
  expect(said).toContain('Check the address of the proxy');
  expect(code).toBe(3);
});

test.each([
  'socks5://proxy',
  'proxy.example.com:3128',
  'http://',
  'ftp://me:s3same@proxy',
  '//me:s3same@proxy',
])('--proxy %s: exit 2', async (address) => {
  const { code, said } = await conform('http://api.test', `--proxy ${address}`);
  expect(said.toLowerCase()).toContain('expected an address such as http://proxy.example.com:3128');
  expect(code).toBe(2);
});

test('a variable that is not the address of a proxy: exit 2, without its text', async () => {
  const { code, said } = await conform('http://api.test', '', { HTTP_PROXY: 'socks5://me:s3same@proxy' });
  expect(said).toContain('$HTTP_PROXY is not the address of an HTTP proxy');
  expect(code).toBe(2);
});

test('an abort while a proxy keeps silent closes the connection', async () => {
  const hangUp = new AbortController();
  const closed = new Promise<void>((resolve) => {
    const silent = createHttpServer();
    silent.on('connect', (_, socket: Socket) => {
      socket.resume().on('end', () => resolve());
      hangUp.abort(new Error('enough'));
    });
    void portOf(silent).then((port) => {
      const transport = socketTransport(new URL('https://api.test'), {
        proxyFor: () => new URL(`http://127.0.0.1:${port}`),
      });
      const request = { method: 'GET', target: '/', headers: [], signal: hangUp.signal } as const;
      transport(request).catch(() => undefined);
    });
  });
  await closed;
});

const P = 'http://p:1';
test.each<[string, Readonly<Record<string, string>>, string, string | undefined]>([
  ['nothing is set', {}, 'https://a.test', undefined],
  ['the variable of the protocol', { HTTPS_PROXY: P }, 'https://a.test', 'http://p:1/'],
  ['not that of the other one', { HTTP_PROXY: P }, 'https://a.test', undefined],
  ['lower case comes first', { http_proxy: 'http://low:1', HTTP_PROXY: P }, 'http://a.test', 'http://low:1/'],
  ['an empty one is none', { http_proxy: '', HTTP_PROXY: '' }, 'http://a.test', undefined],
  ['without a scheme', { HTTP_PROXY: 'p:3128' }, 'http://a.test', 'http://p:3128/'],
  ['localhost', { HTTP_PROXY: P }, 'http://localhost:4710', undefined],
  ['a name below localhost', { HTTP_PROXY: P }, 'http://api.localhost', undefined],
  ['127.0.0.0/8', { HTTP_PROXY: P }, 'http://127.9.9.9', undefined],
  ['::1', { HTTP_PROXY: P }, 'http://[::1]:80', undefined],
  ['NO_PROXY: all', { HTTP_PROXY: P, NO_PROXY: '*' }, 'http://a.test', undefined],
  ['NO_PROXY: the host', { HTTP_PROXY: P, NO_PROXY: 'b.test, A.test' }, 'http://a.test', undefined],
  ['NO_PROXY: a domain', { HTTP_PROXY: P, no_proxy: '.test' }, 'http://a.test', undefined],
  ['NO_PROXY: a domain without a dot', { HTTP_PROXY: P, no_proxy: 'test' }, 'http://a.test', undefined],
  ['NO_PROXY: a domain with a star', { HTTP_PROXY: P, no_proxy: '*.test' }, 'http://a.test', undefined],
  ['NO_PROXY: not the end of a word', { HTTP_PROXY: P, no_proxy: 'a.test' }, 'http://aa.test', 'http://p:1/'],
  ['NO_PROXY: with a port', { HTTP_PROXY: P, no_proxy: 'a.test:8080' }, 'http://a.test:8080', undefined],
  ['NO_PROXY: with another port', { HTTP_PROXY: P, no_proxy: 'a.test:8080' }, 'http://a.test', 'http://p:1/'],
  [
    'NO_PROXY: with the default port',
    { HTTPS_PROXY: P, no_proxy: 'a.test:443' },
    'https://a.test',
    undefined,
  ],
  [
    'NO_PROXY: an IPv6 address',
    { HTTP_PROXY: P, no_proxy: '[2001:db8::1]' },
    'http://[2001:db8::1]',
    undefined,
  ],
  [
    'NO_PROXY: an IPv6 address with a port',
    { HTTP_PROXY: P, no_proxy: '[2001:db8::1]:80' },
    'http://[2001:db8::1]',
    undefined,
  ],
  [
    'NO_PROXY: an IPv6 address with another port',
    { HTTP_PROXY: P, no_proxy: '[2001:db8::1]:81' },
    'http://[2001:db8::1]',
    'http://p:1/',
  ],
  [
    'NO_PROXY: an IPv6 address, bare',
    { HTTP_PROXY: P, no_proxy: '2001:db8::1' },
    'http://[2001:db8::1]',
    undefined,
  ],
])('environment: %s', (_, environment, address, expected) => {
  expect(proxiesOf(undefined, environment)(new URL(address))?.href).toBe(expected);
});
