// @module-tag long
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { runConformance, socketTransport, systemClock } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { complete, follow } from '../../conformance/http/receive.ts';
import { createMock } from '../../mock/index.ts';
import { routerContract } from './servers.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const request = {
  method: 'GET',
  target: '/',
  headers: [['Host', 'h']],
  body: undefined,
  as: 'none',
} as const;
const bounds = { clock: systemClock, timeoutMs: 20_000, signals: [], take: () => undefined };

async function answered(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Promise<Awaited<ReturnType<typeof complete>>> {
  const base = await serve((_, response) => void response.writeHead(200, headers).end(body));
  const transport = socketTransport(base);
  const answer = await complete(transport, request, bounds);
  transport.close?.();
  return answer;
}

const text = JSON.stringify({
  data: Array.from({ length: 500 }, (_, id) => ({ id: `provider/model-${id}` })),
});

test.each<[string, (text: string) => Buffer]>([
  ['gzip', (plain) => gzipSync(plain)],
  ['GZIP', (plain) => gzipSync(plain)],
  ['deflate', (plain) => deflateSync(plain)],
  ['deflate', (plain) => deflateRawSync(plain)],
  ['br', (plain) => brotliCompressSync(plain)],
  ['gzip, br', (plain) => brotliCompressSync(gzipSync(plain))],
])('a body with Content-Encoding %s is decompressed, and the coding is kept', async (coding, encode) => {
  const { answer, failure } = await answered({ 'Content-Encoding': coding }, encode(text));
  expect(failure).toBeUndefined();
  expect(Buffer.from(answer?.body ?? []).toString()).toBe(text);
  expect(answer?.compressed).toBe(coding);
  expect(answer?.truncated).toBeUndefined();
});

test.each(['identity', ''])('Content-Encoding "%s" changes nothing', async (coding) => {
  const { answer } = await answered({ 'Content-Encoding': coding }, Buffer.from(text));
  expect(Buffer.from(answer?.body ?? []).toString()).toBe(text);
  expect(answer).not.toHaveProperty('compressed');
});

test('an unknown coding is reported, and no rule is judged by such a body', async () => {
  const { answer } = await answered({ 'Content-Encoding': 'zstd' }, Buffer.from([40, 181, 47, 253, 0]));
  expect(answer?.truncated).toBe('is encoded as "zstd", which the suite does not decode');
});

test.each<[string, Buffer, RegExp]>([
  ['no gzip at all', Buffer.from('{"data":[]}'), /the body is not valid gzip: incorrect header check/],
  ['cut short', gzipSync(text).subarray(0, 40), /the body is not valid gzip: unexpected end of file/],
])('a body that claims to be gzip and is %s is reported as such', async (_, bytes, failure) => {
  expect((await answered({ 'Content-Encoding': 'gzip' }, bytes)).failure).toMatch(failure);
});

test('a compressed body that the connection cuts is reported as cut', async () => {
  const bytes = gzipSync(text);
  const base = await serve((_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': String(bytes.length) });
    response.write(bytes.subarray(0, 50), () => response.socket?.end());
  });
  const transport = socketTransport(base);
  expect((await complete(transport, request, bounds)).failure).toMatch(/bytes of the body are missing/);
});

test(
  'a decompression bomb ends at the bound of a body, and the reason names the coding',
  { tags: 'attack' },
  async () => {
    const bomb = createGzip({ level: 9 });
    const block = Buffer.alloc(1024 * 1024);
    const base = await serve((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      bomb.pipe(response);
      const pour = (left: number): void => {
        if (left === 0) bomb.end();
        else bomb.write(block, () => pour(left - 1));
      };
      pour(200);
    });
    const transport = socketTransport(base);
    const { answer } = await complete(transport, request, bounds);
    expect(answer?.body.length).toBe(64 * 1024 * 1024);
    expect(answer?.truncated).toBe('was truncated at 67108864 bytes, decompressed from gzip');
  },
);

test('events of a compressed stream arrive as they are sent', async () => {
  const base = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Content-Encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    gzip.write('event: status\ndata: {"n":1}\n\n');
    gzip.flush();
  });
  const transport = socketTransport(base);
  const { events, ended } = await follow(transport, request, { until: (seen) => seen.length > 0 }, bounds);
  expect(events.map(({ data }) => data)).toEqual(['{"n":1}']);
  expect(ended).toBe('enough');
});

test('a server that compresses without being asked is judged like any other, and reported once', async () => {
  const mock = createMock();
  await mock.ready();
  const accepted = new Set<string | undefined>();
  const judge = async (compress: boolean): Promise<Report> => {
    const base = await serve((incoming, response) => {
      accepted.add(incoming.headers['accept-encoding'] as string | undefined);
      void (async () => {
        const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
          typeof value === 'string' ? [[name, value] as [string, string]] : [],
        );
        const answer = await mock.fetch(`http://mock${incoming.url ?? ''}`, {
          method: incoming.method ?? 'GET',
          headers,
        });
        const body = Buffer.from(await answer.arrayBuffer());
        const plain = Object.fromEntries([...answer.headers].filter(([name]) => name !== 'content-length'));
        const isCoded = compress && body.length > 0;
        response.writeHead(answer.status, isCoded ? { ...plain, 'Content-Encoding': 'gzip' } : plain);
        response.end(isCoded ? gzipSync(body) : body);
      })();
    });
    return runConformance({
      contracts: await routerContract(),
      baseUrl: base.href,
      credential: { header: 'X-API-Key', value: 'service-mock-ok' },
      rules: ['router.list.*', 'router.errors.*', 'router.schema.*'],
      seed: 1,
    });
  };
  const [plain, coded] = [await judge(false), await judge(true)];
  mock.close();
  expect([...accepted]).toEqual(['identity']);
  expect(coded.rules.map(({ id, verdict }) => [id, verdict])).toEqual(
    plain.rules.map(({ id, verdict }) => [id, verdict]),
  );
  expect(plain.findings).toEqual([]);
  expect(coded.findings).toMatchObject([
    {
      kind: 'doubt',
      says: expect.stringContaining('responses were compressed (gzip), although the requests asked for'),
    },
  ]);
  expect(coded.exchanges.some(({ answer }) => answer?.compressed === 'gzip')).toBe(true);
});
