import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { SocketOptions } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { startProxy } from '../../proxy/index.ts';
import { forwardProxy, portOf } from '../conformance/forward-proxy.ts';
import { certificate } from '../conformance/tls-certificates.ts';

const authority = certificate({ name: 'Test Authority' });
const certified = certificate({ name: 'server', hosts: ['localhost', 'api.test'], issuer: authority });
const client = certificate({ name: 'client', issuer: authority });
const tls = { ca: [authority.cert] };

/** Says who calls, as far as TLS tells it, and with which headers. */
const echo: RequestListener = ({ socket, url, headers }, response) => {
  const { subject } = (socket as Partial<TLSSocket>).getPeerCertificate?.() ?? {};
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ url, headers, subject }));
};

interface Echo {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly subject?: { readonly CN: string };
  readonly reason?: string;
  readonly help?: string;
}

async function callThrough(target: string, sockets: SocketOptions): Promise<{ status: number; said: Echo }> {
  const contracts = [await loadOwnContract('router')];
  const proxy = await startProxy({ target: new URL(target), contracts, controlPort: false, sockets });
  onTestFinished(async () => void (await proxy.stop()));
  const answer = await fetch(`${proxy.url}/v1/models?limit=1`);
  return { status: answer.status, said: (await answer.json()) as Echo };
}

test('a server that asks for a client certificate gets the one that is given', async () => {
  const options = { ...certified, ca: authority.cert, requestCert: true };
  const port = await portOf(createHttpsServer(options, echo));
  const { said } = await callThrough(`https://localhost:${port}`, {
    tls: { ...tls, cert: client.cert, key: client.key },
  });
  expect(said.subject?.CN).toBe('client');
  expect(said.headers['host']).toBe(`localhost:${port}`);
});

test('a server with an untrusted certificate: 502, and what to do', async () => {
  const port = await portOf(createHttpsServer(certified, echo));
  const { status, said } = await callThrough(`https://localhost:${port}`, {});
  expect(status).toBe(502);
  expect(said.reason).toMatch(/certificate/);
  expect(said.help).toContain('add --ca FILE');
});

test('a forward proxy gets the whole address and its login; the server gets no login', async () => {
  const login = `Basic ${btoa('me:s3same')}`;
  const { port, seen } = await forwardProxy({ login });
  const url = `http://api.test:${await portOf(createServer(echo))}`;
  const { said } = await callThrough(`${url}/base`, {
    proxyFor: () => new URL(`http://me:s3same@127.0.0.1:${port}`),
  });
  expect(seen).toEqual([`GET ${url}/base/v1/models?limit=1 ${login}`]);
  expect(said.url).toBe('/base/v1/models?limit=1');
  expect(JSON.stringify(said.headers)).not.toContain(login);
});

test('to an https: address a forward proxy opens a tunnel, and sees no path', async () => {
  const { port, seen } = await forwardProxy();
  const url = `https://api.test:${await portOf(createHttpsServer(certified, echo))}`;
  const { said } = await callThrough(url, { tls, proxyFor: () => new URL(`http://127.0.0.1:${port}`) });
  expect(seen).toEqual([`CONNECT ${new URL(url).host}`]);
  expect(said.url).toBe('/v1/models?limit=1');
});

test('a forward proxy that asks for a login: 502, and what to do', async () => {
  const { port } = await forwardProxy({ login: 'Basic x' });
  const { status, said } = await callThrough('https://api.test', {
    proxyFor: () => new URL(`http://127.0.0.1:${port}`),
  });
  expect(status).toBe(502);
  expect(said.help).toContain('--proxy http://USER:PASSWORD@HOST:PORT');
});
