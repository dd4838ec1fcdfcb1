// @module-tag long
import { createPrivateKey } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { freshFolder } from '../cli/command.ts';
import { certificate } from './tls-certificates.ts';

const authority = certificate({ name: 'Test Authority' });
const server = certificate({ name: 'server', hosts: ['localhost', '127.0.0.1'], issuer: authority });
const expired = certificate({ name: 'old', hosts: ['localhost'], issuer: authority, from: -9, until: -2 });
const early = certificate({ name: 'early', hosts: ['localhost'], issuer: authority, from: 5 });
const elsewhere = certificate({ name: 'other', hosts: ['api.example.com'], issuer: authority });
const selfSigned = certificate({ name: 'localhost', hosts: ['localhost'] });
const client = certificate({ name: 'client', issuer: authority });
const expiredClient = certificate({ name: 'old client', issuer: authority, from: -9, until: -2 });
const stranger = certificate({ name: 'stranger' });

const encrypted = createPrivateKey(client.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'open sesame',
}) as string;

let folder = '';
const servers: Server[] = [];
beforeAll(async () => {
  folder = await freshFolder();
  const files: Readonly<Record<string, string>> = {
    'ca.pem': authority.cert,
    'self.pem': selfSigned.cert,
    'client.pem': client.cert,
    'client.key': client.key,
    'both.pem': `${client.cert}${client.key}`,
    'encrypted.key': encrypted,
    'stranger.pem': stranger.cert,
    'stranger.key': stranger.key,
    'expired.pem': expiredClient.cert,
    'expired.key': expiredClient.key,
    'damaged.pem': client.cert.replace(/\n[^\n]{20}/, '\nAAAAAAAAAAAAAAAAAAAA'),
    'damaged.key': client.key.replace(/\n[^\n]{20}/, '\nAAAAAAAAAAAAAAAAAAAA'),
    'notes.txt': 'no certificate\n',
  };
  const [, base64 = ''] = /-----\n([\s\S]*)-----END/.exec(client.cert) ?? [];
  await writeFile(join(folder, 'client.der'), Buffer.from(base64, 'base64'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((one) => {
      if ('closeAllConnections' in one) (one.closeAllConnections as () => void)();
      return new Promise((resolve) => one.close(resolve));
    }),
  );
});

async function portOf(one: Server): Promise<number> {
  servers.push(one.listen(0, '127.0.0.1'));
  await once(one, 'listening');
  return (one.address() as AddressInfo).port;
}

const page: RequestListener = (_, response) =>
  response.setHeader('Content-Type', 'application/json').end('{"data":[],"has_more":false,"limit":20}');

async function secure(options: ServerOptions, listener: RequestListener = page): Promise<string> {
  return `https://localhost:${await portOf(createServer(options, listener))}`;
}

async function conform(
  url: string,
  line = '',
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
  expect(said).not.toMatch(/^ +at .*:\d+/m);
  expect(said).not.toContain('open sesame');
  return { code, said };
}

test('--ca trusts a certificate of an own authority, and a self-signed one', async () => {
  expect((await conform(await secure(server), '--ca ca.pem')).said).toContain('1 pass');
  expect((await conform(await secure(selfSigned), '--ca self.pem')).said).toContain('1 pass');
});

test.each([
  ['of an unknown authority', server, '', /UNABLE_TO_VERIFY_LEAF_SIGNATURE/, 'add --ca FILE'],
  ['self-signed', selfSigned, '', /self-signed certificate/, 'add --ca FILE'],
  ['expired', expired, '--ca ca.pem', /CERT_HAS_EXPIRED/, 'ask the operators of the server to renew it'],
  ['not yet valid', early, '--ca ca.pem', /CERT_NOT_YET_VALID/, 'check the clock of this machine'],
  ['for another name', elsewhere, '--ca ca.pem', /api\.example\.com/, 'use the name that it is for'],
] as const)(
  "a server's certificate that is %s: exit 3, and what to do",
  async (_, made, line, says, help) => {
    const { code, said } = await conform(await secure(made), line);
    expect(said).toMatch(/✖ https:\/\/localhost:\d+ does not respond: /);
    expect(said).toMatch(says);
    expect(said).toContain(help);
    expect(code).toBe(3);
  },
);

const demanding: ServerOptions = {
  ...server,
  requestCert: true,
  rejectUnauthorized: true,
  ca: authority.cert,
};

test.each([
  ['two files', '--cert client.pem --key client.key', {}],
  ['one file', '--cert both.pem', {}],
  ['an encrypted key', '--cert client.pem --key encrypted.key', { TALLYSTICK_KEY_PASSPHRASE: 'open sesame' }],
])('a client certificate in %s is presented', async (_, line, environment) => {
  const { code, said } = await conform(await secure(demanding), `--ca ca.pem ${line}`, environment);
  expect(said).toContain('1 pass');
  expect(code).toBe(0);
});

test.each([
  ['TLS 1.3', {}, /ALERT_CERTIFICATE_REQUIRED|asked for a client certificate/],
  ['TLS 1.2', { maxVersion: 'TLSv1.2' }, /ALERT_HANDSHAKE_FAILURE/],
] as const)(
  'a server that demands a client certificate by %s: exit 3, and --cert is named',
  async (_, more, says) => {
    const { code, said } = await conform(await secure({ ...demanding, ...more }), '--ca ca.pem');
    expect(said).toMatch(says);
    expect(said).toContain('add --cert FILE --key FILE');
    // The words of OpenSSL have addresses of memory in them.
    expect(said).not.toMatch(/[0-9A-F]{16}:error/);
    expect(code).toBe(3);
  },
);

test('a server that asks for a certificate and hangs up without an alert: --cert is named', async () => {
  const one = createServer({ ...demanding, rejectUnauthorized: false }, page);
  one.on('secureConnection', (socket) => socket.destroy());
  const { said } = await conform(`https://localhost:${await portOf(one)}`, '--ca ca.pem');
  expect(said).toContain('the server asked for a client certificate and closed the connection');
  expect(said).toContain('add --cert FILE --key FILE');
});

test('a client certificate that the server does not trust: exit 3, and --cert is named', async () => {
  const { code, said } = await conform(
    await secure(demanding),
    '--ca ca.pem --cert stranger.pem --key stranger.key',
  );
  expect(said).toMatch(/The server refused the client certificate|ended the handshake/);
  expect(code).toBe(3);
});

test('an expired client certificate is reported before the run', async () => {
  const { said } = await conform(await secure(server), '--ca ca.pem --cert expired.pem --key expired.key');
  expect(said).toContain('the certificate in expired.pem expired on ');
});

test('http: to a port that speaks TLS: exit 3, and https: is named', async () => {
  const { code, said } = await conform((await secure(server)).replace('https:', 'http:'));
  expect(said).toMatch(/port \d+ speaks TLS, and the address begins with http:/);
  expect(said).toContain('Use https:// in the address.');
  expect(code).toBe(3);
});

test.each([
  ['No required SSL certificate was sent', 'add --cert FILE --key FILE'],
  ['The SSL certificate error', 'The server refused the client certificate'],
  ['The plain HTTP request was sent to HTTPS port', 'Use https:// in the address.'],
  ['Client sent an HTTP request to an HTTPS server.', 'Use https:// in the address.'],
])('a 400 with the text "%s" is reported as a TLS mismatch: exit 3', async (text, help) => {
  const one = createHttpServer((_, response) => response.writeHead(400).end(`<html>400 ${text}</html>`));
  const { code, said } = await conform(`http://localhost:${await portOf(one)}`);
  expect(said).toMatch(/returned 400: /);
  expect(said).toContain(help);
  expect(said).not.toMatch(/\d+ fail/);
  expect(code).toBe(3);
});

test('http: a port that closes every connection is not treated as TLS', async () => {
  const one = createTcpServer((socket) => socket.once('data', () => socket.end()));
  const { said } = await conform(`http://localhost:${await portOf(one)}`);
  expect(said).toContain('does not respond: the connection was closed before any response');
  expect(said).not.toContain('TLS');
});

test('https: to a port that speaks plain HTTP: exit 3, and http: is named', async () => {
  const { code, said } = await conform(`https://localhost:${await portOf(createHttpServer(page))}`);
  expect(said).toContain('ERR_SSL_WRONG_VERSION_NUMBER wrong version number');
  expect(said).toContain('Did you mean http:// instead of https://?');
  expect(code).toBe(3);
});

test.each([
  ['--cert none.pem --key client.key', 'none.pem does not exist', ''],
  ['--cert notes.txt --key client.key', '--cert: notes.txt contains no certificate', 'PEM'],
  [
    '--cert client.key --key client.key',
    '--cert: client.key contains no certificate',
    'is it the file for --key?',
  ],
  [
    '--cert client.pem --key client.pem',
    '--key: client.pem contains no private key',
    'is it the file for --cert?',
  ],
  ['--cert client.pem', 'client.pem contains no private key', 'add --key FILE'],
  ['--key client.key', '--key needs --cert', 'add --cert FILE'],
  [
    '--cert client.pem --key stranger.key',
    'stranger.key does not belong to the certificate in client.pem',
    '',
  ],
  [
    '--cert client.pem --key encrypted.key',
    'encrypted.key is encrypted',
    'export TALLYSTICK_KEY_PASSPHRASE=…',
  ],
  ['--cert damaged.pem --key client.key', 'The certificate in damaged.pem is damaged', ''],
  ['--cert client.pem --key damaged.key', 'The private key in damaged.key is damaged', ''],
  ['--cert client.der --key client.key', 'client.der is binary, not text', 'openssl x509 -inform DER'],
  ['--ca .', '. is a directory', ''],
  ['--ca notes.txt', '--ca: notes.txt contains no certificate', 'PEM'],
])('%s: exit 2 before anything is sent', async (line, says, help) => {
  const { code, said } = await conform('https://localhost:9', line);
  expect(said).toContain(says);
  expect(said).toContain(help);
  expect(code).toBe(2);
});

test('a wrong passphrase: exit 2', async () => {
  const { code, said } = await conform('https://localhost:9', '--cert client.pem --key encrypted.key', {
    TALLYSTICK_KEY_PASSPHRASE: 'wrong',
  });
  expect(said).toContain(
    '$TALLYSTICK_KEY_PASSPHRASE is not the passphrase of the private key in encrypted.key',
  );
  expect(code).toBe(2);
});
