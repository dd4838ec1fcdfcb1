// @module-tag attack
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { loadOwnContract, type Contract } from '../../contract/index.ts';
import { startProxy, type ProxyOptions } from '../../proxy/index.ts';
import { freePort } from '../e2e/free-port.ts';
import { heads, request, statuses } from './bytes.ts';

/** A proxy with what its user lends it, pages that would like to use it, and addresses that lead back to it. */
let router: Contract;
beforeAll(async () => {
  router = await loadOwnContract('router');
});

const proxyTo = async (target: string, options: Partial<ProxyOptions> = {}): Promise<string> => {
  const proxy = await startProxy({
    ...{ target: new URL(target), contracts: [router], controlPort: false },
    ...options,
  });
  onTestFinished(async () => void (await proxy.stop()));
  return proxy.url;
};

/** Counts what reaches it. */
async function countingServer(): Promise<{ readonly url: string; readonly calls: () => number }> {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls: () => calls };
}

test.each([
  ['Host: evil.example', 403],
  ['Host: 127.0.0.1.evil.example:PORT', 403],
  ['Host: localhost.:PORT', 403],
  ['Host: 127.0.0.1:PORT@evil.example', 403],
  ['Host: 2130706433:PORT', 403],
  ['Host: 10.1.2.3:PORT', 403],
  ['Host: localhost\r\nOrigin: http://evil.example', 403],
  ['Host: localhost\r\nOrigin: http://10.1.2.3', 403],
  ['Host: localhost\r\nOrigin: https://localhost.evil.example', 403],
  ['Host: localhost\r\nOrigin: https://evil.example/localhost', 403],
  ['Host: localhost\r\nOrigin: null', 403],
  ['Host: localhost\r\nOrigin: file://', 403],
  ['Host: localhost\r\nOrigin: http://localhost:1\r\nOrigin: http://evil.example', 403],
  // Programs and pages of this machine.
  ['Host: 127.0.0.1:PORT', 200],
  ['Host: LOCALHOST:PORT', 200],
  ['Host: [::1]:PORT', 200],
  ['Host: app.localhost', 200],
  ['Host: ', 200],
  ['Host: localhost:PORT\r\nOrigin: http://localhost:3000', 200],
  ['Host: localhost:PORT\r\nOrigin: https://app.localhost', 200],
])('to a request with %j the proxy answers %i, and only then it arrives', async (lines, status) => {
  const server = await countingServer();
  const url = await proxyTo(server.url);
  const given = lines.replaceAll('PORT', new URL(url).port);
  const said = await heads(url, request('POST /', [given, 'Content-Length: 0']));
  expect(statuses(said)).toStrictEqual([status]);
  expect(server.calls()).toBe(status === 200 ? 1 : 0);
});

test.each(['ws://evil.example', 'http://evil.example/', 'http://evil.example@localhost/'])(
  'a target for another host, %s, does not arrive',
  async (target) => {
    const server = await countingServer();
    const said = await heads(await proxyTo(server.url), request(`GET ${target}`, ['Host: localhost']));
    expect(statuses(said)).toStrictEqual([403]);
    expect(server.calls()).toBe(0);
  },
);

test('a page of another site opens no WebSocket connection', async () => {
  const server = await countingServer();
  const wish = [
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Origin: http://evil.example',
  ];
  expect(statuses(await heads(await proxyTo(server.url), request('GET /', wish)))).toStrictEqual([403]);
  expect(server.calls()).toBe(0);
});

test('the names of an option may call, and their pages', async () => {
  const server = await countingServer();
  const url = await proxyTo(server.url, { allowedHosts: ['Proxy', 'app.example'] });
  for (const lines of ['Host: proxy:4720', 'Host: localhost\r\nOrigin: https://app.example:8443'])
    expect(statuses(await heads(url, request('GET /', [lines])))).toStrictEqual([200]);
});

test('where the proxy listens on all addresses, an address may be called, but not by a page of another one', async () => {
  const server = await countingServer();
  const url = await proxyTo(server.url, { host: '0.0.0.0' });
  const said = async (...lines: string[]): Promise<number[]> =>
    statuses(await heads(url, request('GET /', lines)));
  expect(await said('Host: 10.1.2.3:4720', 'Origin: http://10.1.2.3:4720')).toStrictEqual([200]);
  expect(await said('Host: proxy.example')).toStrictEqual([403]);
  expect(await said('Host: 10.1.2.3', 'Origin: http://10.1.2.4')).toStrictEqual([403]);
});

test('a proxy whose server is itself says so at once, and calls itself once', async () => {
  const port = await freePort();
  const seen: number[] = [];
  const url = await proxyTo(`http://localhost:${port}`, {
    port,
    onExchange: ({ entry }) => void seen.push(entry.status),
  });
  const answer = await fetch(`${url}/v1/models`);
  expect([answer.status, answer.headers.get('proxy-status')]).toStrictEqual([
    502,
    'tallystick; error=proxy_loop_detected',
  ]);
  expect(await answer.text()).toContain('the server is this proxy itself, or leads back to it');
  await expect.poll(() => seen).toStrictEqual([0]);
});

test('two proxies that lead to each other say so at once', async () => {
  const [one, other] = [await freePort(), await freePort()];
  const url = await proxyTo(`http://localhost:${other}`, { port: one });
  await proxyTo(`http://localhost:${one}`, { port: other });
  const answer = await fetch(`${url}/v1/models`);
  expect(answer.status).toBe(502);
  expect(await answer.text()).toContain('leads back to it');
});

test('a chain of proxies that ends at a server is not a loop', async () => {
  const server = await countingServer();
  const answer = await fetch(await proxyTo(await proxyTo(server.url)));
  expect(answer.status).toBe(200);
});
