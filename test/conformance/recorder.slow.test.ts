// @module-tag long
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, request as sendOn } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import type { Report, StoredExchange } from '../../conformance/index.ts';
import { createMock } from '../../mock/index.ts';
import type { Mock } from '../../mock/index.ts';
import { freshFolder } from '../cli/command.ts';

/** An address that the user did not name: every connection to it is a leak. */
interface Recorder {
  readonly url: string;
  connections: number;
}

const header = 'gateway-secret-000111';
let folder = '';
let recorder: Recorder;
const servers: Server[] = [];
const sockets = new Set<Socket>();

async function portOf(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  folder = await freshFolder();
  const open = createTcpServer((socket) => {
    recorder.connections += 1;
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
  });
  recorder = { url: `http://127.0.0.1:${await portOf(open)}`, connections: 0 };
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all(servers.splice(0).map((one) => new Promise((resolve) => one.close(resolve))));
  expect(recorder.connections).toBe(0);
});

/** Headers with which a server or a proxy may try to redirect a client. */
const luring = (): Readonly<Record<string, string>> => ({
  Location: `${recorder.url}/v1/models`,
  'Content-Location': `${recorder.url}/v1/models`,
  Link: `<${recorder.url}/v1/models?cursor=x>; rel="next"`,
  Refresh: `0; url=${recorder.url}/`,
  'Alt-Svc': `http/1.1="${new URL(recorder.url).host}"`,
  'Set-Cookie': 'a=b; Domain=127.0.0.1',
});

/** Every `http` address in a body becomes one of the recorder. */
const rewritten = (text: string): string =>
  text
    .replaceAll(/https?:\/\/[\w.:[\]-]+/g, recorder.url)
    .replaceAll(/"\/api\/v2\/jobs/g, `"${recorder.url}/api/v2/jobs`);

async function asMock(
  mock: Mock,
  request: IncomingMessage,
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const method = request.method ?? 'GET';
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'connection' ? [[name, value]] : [],
  );
  const answer = await mock.fetch(`http://mock${request.url ?? ''}`, {
    method,
    headers,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }),
  });
  const kept = [...answer.headers].filter(([name]) => name !== 'content-length');
  return { status: answer.status, headers: Object.fromEntries(kept), text: await answer.text() };
}

/** Behaves as documented, but for its links, which all lead to the recorder. */
const linking =
  (mock: Mock): RequestListener =>
  (request, response) =>
    void asMock(mock, request).then(({ status, headers, text }) => {
      response.writeHead(status, { ...headers, ...luring() });
      response.end(status === 204 || status === 304 ? undefined : rewritten(text));
    });

/** Redirects everything but what the suite asks first. */
const redirecting =
  (status: number, mock: Mock): RequestListener =>
  (request, response) => {
    const isFirst = request.url === '/v1/models' || /jobs\/0{8}-/.test(request.url ?? '');
    if (isFirst) return linking(mock)(request, response);
    response.writeHead(status, { ...luring(), 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ error_type: 'moved', detail: 'see Location', url: recorder.url }));
  };

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
    environment: { ...secrets, ...environment },
    onSignal: () => () => undefined,
  });
  return { code, said };
}

const secrets = {
  TALLYSTICK_API_KEY: 'service-mock-ok',
  API_KEY: 'service-mock-ok',
  JWT: 'secret-jwt-000222',
  PAT: 'secret-pat-000333',
  STATIC_TOKEN: 'secret-static-000444',
};

async function judged(
  listener: (mock: Mock) => RequestListener,
  rules: string,
): Promise<{ readonly url: string; readonly report: Report }> {
  const mock = createMock();
  await mock.ready();
  await writeFile(join(folder, 'fixtures.json'), JSON.stringify(mock.fixtures()));
  const url = `http://127.0.0.1:${await portOf(createServer(listener(mock)))}`;
  const { said } = await tallystick([
    ...['conform', url, '--fixtures', 'fixtures.json', '--allow', 'negatives,billed,publish,jobs'],
    ...['--rule', rules, '--header', `X-Gateway: ${header}`],
  ]);
  expect(said).toContain('tallystick-report/');
  await tallystick(['fixtures', 'discover', url, '--header', `X-Gateway: ${header}`]);
  mock.close();
  const report = JSON.parse(await readFile(join(folder, 'tallystick-report/report.json'), 'utf8')) as Report;
  return { url, report };
}

test('links, Location, signed URLs and schema documents that lead elsewhere are not followed', async () => {
  const { report } = await judged(
    linking,
    'router.list.*,router.schema.*,registry.publish.*,jobs.urls.*,jobs.submit.*',
  );
  const told = JSON.stringify(report.exchanges);
  // The server did lure, in headers and in bodies.
  expect(told.split(recorder.url).length).toBeGreaterThan(20);
  expect(report.exchanges.some(({ answer }) => answer?.body?.text.includes(recorder.url) === true)).toBe(
    true,
  );
});

test.each([301, 302, 303, 305, 307, 308, 401])(
  'a server that answers everything with %d and another address',
  async (status) => {
    const { report } = await judged((mock) => redirecting(status, mock), '*');
    expect(report.exchanges.filter(({ answer }) => answer?.status === status).length).toBeGreaterThan(10);
  },
);

test(
  'the scripts of a run at a server that redirects, for a curl that follows',
  { tags: 'curl' },
  async () => {
    await writeFile(join(folder, '.curlrc'), 'location\n');
    const { report } = await judged((mock) => redirecting(307, mock), 'router.list.*');
    expect(report.rules.some(({ verdict }) => verdict === 'fail')).toBe(true);
    const scripts = join(folder, 'tallystick-report/curl');
    const names = await readdir(scripts);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      await promisify(execFile)('sh', [join(scripts, name)], {
        env: { PATH: process.env['PATH'], HOME: folder, HEADER_1: header, ...secrets },
      }).catch(() => undefined);
  },
);

/** Changes that an attacker could make to a report. */
const forgeries: Readonly<Record<string, (exchange: StoredExchange) => Partial<StoredExchange['request']>>> =
  {
    'nothing but the address': () => ({}),
    'an absolute target': () => ({ target: `${recorder.url}/v1/models` }),
    'a target with an authority': () => ({ target: `//${new URL(recorder.url).host}/v1/models` }),
    'a target that continues the origin': () => ({ target: `@${new URL(recorder.url).host}/` }),
    'a secret in the target': () => ({ target: `${recorder.url}/?$API_KEY` }),
    'another host': ({ request }) => ({
      headers: [
        ...request.headers,
        ['Host', new URL(recorder.url).host],
        ['X-Forwarded-Host', new URL(recorder.url).host],
      ],
    }),
    'a tunnel': () => ({ method: 'CONNECT', target: new URL(recorder.url).host }),
    'every secret': ({ request }) => ({
      headers: [
        ...request.headers,
        ...['$JWT', '$PAT', '$STATIC_TOKEN', '$HEADER_1', '$API_KEY'].map((name): [string, string] => [
          'X-More',
          name,
        ]),
      ],
    }),
  };

/** A forward proxy that remembers where it was asked to send requests. */
async function startProxy(): Promise<{ readonly url: string; readonly hosts: Set<string> }> {
  const hosts = new Set<string>();
  const proxy = createServer((request: IncomingMessage, response: ServerResponse) => {
    const to = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined;
    hosts.add(to?.host ?? `no address: ${request.url ?? ''}`);
    if (to === undefined) return void response.writeHead(400).end();
    const { hostname, port, pathname, search } = to;
    const onward = sendOn(
      { host: hostname, port, path: pathname + search, method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    hosts.add(request.url ?? '');
    socket.end('HTTP/1.1 403 No\r\n\r\n');
  });
  return { url: `http://127.0.0.1:${await portOf(proxy)}`, hosts };
}

test.each(Object.keys(forgeries))('a report that was handed back, with %s', async (name) => {
  const { url, report } = await judged(linking, 'router.list.limit-default');
  const [exchange] = report.exchanges;
  if (exchange === undefined) throw new Error('no exchange');
  const forged: Report = {
    ...report,
    target: { ...report.target, baseUrl: recorder.url, origins: { router: recorder.url } },
    exchanges: [{ ...exchange, request: { ...exchange.request, ...forgeries[name]?.(exchange) } }],
  };
  await writeFile(join(folder, 'forged.json'), JSON.stringify(forged));
  const replay = ['conform', 'replay', 'forged.json', exchange.id, '--header', `X-Gateway: ${header}`];

  const untyped = await tallystick(replay);
  expect(untyped.said).toContain('Name the server that may receive it');
  expect(untyped.code).toBe(2);

  const typed = await tallystick([...replay, '--base-url', url]);
  if (name === 'nothing but the address') expect(typed.code).toBe(0);

  const [rule] = report.rules;
  const ofRule = ['conform', 'replay', 'forged.json', rule?.id ?? '', '--header', `X-Gateway: ${header}`];
  expect((await tallystick(ofRule)).code).toBe(2);
  expect((await tallystick([...ofRule, '--base-url', url])).said).toContain(`to    ${url}`);

  const { url: proxy, hosts } = await startProxy();
  await tallystick([...replay, '--base-url', url, '--proxy', proxy]);
  expect([...hosts].filter((host) => host !== new URL(url).host)).toEqual([]);

  for (const form of ['html', 'text', 'markdown'])
    await tallystick(['conform', 'report', 'forged.json', '--format', form]);
  await tallystick(['conform', 'compare', 'forged.json', 'tallystick-report']);
});

test('only --trust-report lets the report say where to', async () => {
  const { report } = await judged(linking, 'router.list.limit-default');
  const forged = {
    ...report,
    target: { ...report.target, baseUrl: recorder.url, origins: { router: recorder.url } },
  };
  await writeFile(join(folder, 'forged.json'), JSON.stringify(forged));
  await tallystick([
    'conform',
    'replay',
    'forged.json',
    'x0001',
    '--trust-report',
    '--header',
    `X-Gateway: ${header}`,
  ]);
  // The recorder is no blind instrument: it does see what is sent there.
  expect(recorder.connections).toBe(1);
  recorder.connections = 0;
});
