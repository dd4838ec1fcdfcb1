// @module-tag long
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { main } from '../../cli/main.ts';
import { freshFolder } from '../cli/command.ts';
import { freePort } from '../e2e/free-port.ts';
import { startSick } from './sick/front.ts';

let folder = '';
const servers: Server[] = [];
beforeAll(async () => {
  folder = await freshFolder();
  await writeFile(join(folder, 'misspelt.yaml'), 'model:\n  slwo: { id: p/m, input: {} }\n');
  await writeFile(join(folder, 'type.yaml'), 'deadlineMs: soon\n');
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createServer(listener))}`;

async function tallystick(
  line: string,
  environment: Readonly<Record<string, string>> = { TALLYSTICK_API_KEY: 'service-secret-4711' },
): Promise<{ readonly code: number; readonly said: string }> {
  let said = '';
  const stream = (): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        said += chunk.toString();
        done();
      },
    });
  const code = await main(line.split(' '), {
    stdout: stream(),
    stderr: stream(),
    cwd: folder,
    environment,
    onSignal: () => () => undefined,
  });
  expect(said).not.toMatch(/^ +at .*:\d+/m);
  expect(said).not.toContain('service-secret-4711');
  return { code, said };
}

test.each([
  ['a misspelt fixture', 'misspelt.yaml', 'misspelt.yaml:2', 'did you mean slow?'],
  ['a fixture of the wrong type', 'type.yaml', 'type.yaml:1', 'deadlineMs must be a number'],
  ['a fixtures file that is not there', 'none.yaml', 'none.yaml does not exist', 'fixtures --template'],
])('%s: exit code 2 before anything is sent', async (_, file, ...words) => {
  let asked = 0;
  const url = await serve(() => (asked += 1));
  const { code, said } = await tallystick(`conform ${url} --fixtures ${file}`);
  for (const word of words) expect(said).toContain(word);
  expect(asked).toBe(0);
  expect(code).toBe(2);
});

test('no credential: exit code 2, and where one was looked for', async () => {
  const { code, said } = await tallystick('conform http://127.0.0.1:9', {});
  expect(said).toMatch(/^✖ No credential for http:\/\/127\.0\.0\.1:9\n.*\$TALLYSTICK_API_KEY/);
  expect(code).toBe(2);
});

test('an untrusted certificate: one finding, exit code 3, and how to trust it', async () => {
  const pem = (name: string): Promise<string> =>
    readFile(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');
  const [key, cert] = await Promise.all([pem('self-signed.key.pem'), pem('self-signed.pem')]);
  const port = await listen(createTlsServer({ key, cert }, (_, response) => response.end()));
  const { code, said } = await tallystick(`conform https://localhost:${port}`);
  expect(said).toMatch(/✖ https:\/\/localhost:\d+ does not respond: .*self-signed certificate/);
  expect(said).toContain('NODE_EXTRA_CA_CERTS');
  expect(said).not.toMatch(/\d+ fail/);
  expect(code).toBe(3);
});

test('a server that does not speak TLS: exit code 3, and a question about the address', async () => {
  const url = await serve((_, response) => response.end());
  const { code, said } = await tallystick(`conform ${url.replace('http:', 'https:')}`);
  expect(said).toContain('Did you mean http:// instead of https://?');
  expect(code).toBe(3);
});

const stray: readonly (readonly [string, RequestListener, string, string])[] = [
  [
    'a server that redirects',
    (_, response) => response.writeHead(301, { Location: 'https://elsewhere.example/' }).end(),
    'redirects: GET /v1/models returned 301 to https://elsewhere.example/',
    'redirects are not followed',
  ],
  [
    'a website',
    (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'),
    'returns HTML: GET /v1/models returned 200 text/html',
    'This looks like a website',
  ],
];

test.each(stray)('%s: one request, one finding, exit code 3', async (_, listener, says, help) => {
  let asked = 0;
  const url = await serve((request, response) => {
    asked += 1;
    listener(request, response);
  });
  const { code, said } = await tallystick(`conform ${url} --allow negatives`);
  expect(said).toContain(`✖ ${url} ${says}`);
  expect(said).toContain(help);
  expect(said).not.toMatch(/\d+ (?:pass|fail)/);
  expect(asked).toBe(1);
  expect(code).toBe(3);
});

test('the jobs alone are asked once as well before they are judged', async () => {
  const url = await serve((_, response) => response.writeHead(302, { Location: '/login' }).end());
  const { code, said } = await tallystick(`conform ${url} --api jobs`);
  expect(said).toContain('redirects: GET /api/v2/jobs/');
  expect(code).toBe(3);
});

test('a server that never answers: given up after --timeout, exit code 3', async () => {
  const url = await serve(() => undefined);
  const { code, said } = await tallystick(`conform ${url} --timeout 200ms`);
  expect(said).toContain(`✖ ${url} does not respond: no complete response within 0.2 s`);
  expect(said).toContain('--wait 60s');
  expect(code).toBe(3);
});

test('no server: exit code 3 after --wait', async () => {
  const url = `http://127.0.0.1:${String(await freePort())}`;
  const { code, said } = await tallystick(`conform ${url} --wait 100ms`);
  expect(said).toMatch(/✖ http:\/\/127\.0\.0\.1:\d+ does not respond: .*ECONNREFUSED/);
  expect(code).toBe(3);
});

test('an unknown host name: exit code 3', async () => {
  const { code, said } = await tallystick('conform http://no-such-host.invalid');
  expect(said).toMatch(/does not respond: .*(?:ENOTFOUND|EAI_AGAIN)/);
  expect(code).toBe(3);
});

test('401 to everything: one finding about the credential, exit code 2', async () => {
  const told = { error_type: 'unauthorized', detail: 'no', error: { code: 'unauthorized', message: 'no' } };
  const url = await serve((_, response) =>
    response
      .writeHead(401, { 'X-Service-Request-Id': 'r', 'X-Service-Error-Type': 'unauthorized' })
      .end(JSON.stringify(told)),
  );
  const { code, said } = await tallystick(`conform ${url}`);
  expect(said).toContain('✖ The credential was refused: authenticated GET /v1/models returned 401');
  expect(said).not.toMatch(/\d+ fail/);
  expect(code).toBe(2);
});

test('a server that dies in the run: exit code 3, printed and real, also beside a satisfied baseline', async () => {
  const well = await startSick((call) => call.pass());
  const key = ['--api', 'router', '--api-key', 'service-mock-ok'].join(' ');
  const first = await tallystick(`conform ${well.url} ${key} --write-baseline known.json`);
  await well.stop();
  expect(first.code).toBe(0);
  const dying = await startSick((call) => (call.count < 40 ? call.pass() : call.die()));
  const { code, said } = await tallystick(`conform ${dying.url} ${key} --baseline known.json`);
  await dying.stop();
  expect(said).toMatch(/✖ http:\/\/127\.0\.0\.1:\d+ stopped answering after x\d{4} /);
  expect(said).toContain('exit 3');
  expect(code).toBe(3);
});

test('a server that never answers one operation: exit code 1, also beside a satisfied baseline', async () => {
  const server = await startSick((call) => (call.target.includes('openapi.json') ? undefined : call.pass()));
  await writeFile(join(folder, 'nothing.json'), '{"schemaVersion":1,"known":{}}');
  const { code, said } = await tallystick(
    `conform ${server.url} --api router --api-key service-mock-ok --timeout 300ms --baseline nothing.json`,
  );
  await server.stop();
  expect(said).toContain(
    '✖ GET /v1/models/{provider}/{model}/openapi.json never answers, while other operations do',
  );
  expect(code).toBe(1);
});

test('--events prints events as lines of JSON, from the plan to the sum', async () => {
  const url = await serve(() => undefined);
  const { code, said } = await tallystick(`conform ${url} --timeout 100ms --events`);
  const events = said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { event: string });
  expect(events.at(0)).toMatchObject({ schemaVersion: 1, event: 'planned', billedAtMost: 0 });
  expect(events.at(-1)).toMatchObject({ event: 'finished', status: 'unreachable' });
  expect(code).toBe(3);
});

test('a workflow of GitHub gets the report as its summary', async () => {
  const url = await serve(() => undefined);
  const environment = { TALLYSTICK_API_KEY: 'service-secret-4711', GITHUB_STEP_SUMMARY: 'summary.md' };
  await tallystick(`conform ${url} --timeout 100ms`, environment);
  expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('does not respond');
});

test('--keep says how much of each body the report has', async () => {
  const url = await serve((_, response) => response.writeHead(400).end('x'.repeat(300)));
  const { said } = await tallystick(`conform ${url} --rule router.list.limit-default --json --keep 100`);
  const report = JSON.parse(said.slice(0, said.lastIndexOf('}') + 1)) as Report;
  const bodies = report.exchanges.map(({ answer }) => answer?.body);
  expect(bodies[0]).toMatchObject({ bytes: 300, cut: true });
  expect(bodies.every((body) => (body?.text.length ?? 0) <= 100)).toBe(true);
});
