import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { loadContract, type Contract } from '../../contract/index.ts';
import { startProxy } from '../../proxy/index.ts';

const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../examples/your-own-api/project/${name}`, import.meta.url));

async function orders(): Promise<Contract> {
  const loaded = await loadContract({
    document: fileOf('orders.openapi.yaml'),
    sheet: fileOf('orders.behaviour.yaml'),
  });
  if (!loaded.ok) throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
  return loaded.contract;
}

/** A server that answers the calls of a test in turn. */
async function serverThatSays(
  answers: readonly { status: number; body: unknown; headers?: Record<string, string> }[],
): Promise<string> {
  const left = [...answers];
  const server: Server = createServer((request, response) => {
    request.resume();
    const { status = 500, body, headers = {} } = left.shift() ?? {};
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'r', ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function through(
  server: string,
  calls: readonly (readonly [path: string, init: RequestInit])[],
): Promise<Report> {
  const proxy = await startProxy({
    target: new URL(server),
    contracts: [await orders()],
    controlPort: false,
  });
  for (const [path, init] of calls) await (await fetch(`${proxy.url}${path}`, init)).text();
  return proxy.stop();
}

const broken = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

const authorized = { Authorization: 'Bearer t' };
const place: RequestInit = {
  method: 'POST',
  headers: { ...authorized, 'Idempotency-Key': 'one', 'Content-Type': 'application/json' },
  body: '{"title":"Poster","copies":1}',
};
const order = (state: string): object => ({ id: 'o-1', title: 'Poster', copies: 1, state });
const replayed = { 'Idempotency-Replayed': 'true' };

test('a replay repeats an earlier state of a resource, and breaks no rule about its lifecycle', async () => {
  const server = await serverThatSays([
    { status: 201, body: order('queued') },
    { status: 200, body: order('done') },
    { status: 201, body: order('queued'), headers: replayed },
  ]);
  const calls = [
    ['/orders', place],
    ['/orders/o-1', { headers: authorized }],
    ['/orders', place],
  ] as const;
  expect(broken(await through(server, calls))).toStrictEqual([]);
});

test('a replay of what was recorded before the proxy started is not taken for a new resource', async () => {
  const server = await serverThatSays([{ status: 201, body: order('done'), headers: replayed }]);
  expect(broken(await through(server, [['/orders', place]]))).toStrictEqual([]);
});

test('a new resource in another state breaks the rule about the first state', async () => {
  const server = await serverThatSays([{ status: 201, body: order('done') }]);
  expect(broken(await through(server, [['/orders', place]]))).toStrictEqual(['lifecycle.Order.initial']);
});

test('credentials in headers that the document does not declare are masked', async () => {
  const server = await serverThatSays([{ status: 200, body: { items: [], has_more: false, limit: 2 } }]);
  const secrets = {
    'X-Auth-Token': 'first-secret',
    'X-Session': 'second-secret',
    'Acme-Api-Key': 'third-secret',
    'X-Amz-Security-Token': 'fourth-secret',
    'X-Client-Secret': 'fifth-secret',
  };
  const report = await through(server, [['/orders', { headers: { ...authorized, ...secrets } }]]);
  expect(report.exchanges).toHaveLength(1);
  expect(JSON.stringify(report)).not.toMatch(/(?:first|second|third|fourth|fifth)-secret/);
});
