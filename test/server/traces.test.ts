import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { clientSpans } from '../../examples/observe/client-spans.ts';
import { otlp } from '../../examples/observe/otlp.ts';
import { serverSpans } from '../../examples/observe/server-spans.ts';
import { createRouter, withMiddleware } from '../../generated/router/index.ts';
import { createServer } from '../../generated/router/server.ts';
import { nodeListener } from '../../generated/server-runtime/node.ts';

interface SeenSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Posted {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SeenSpan[] }[];
  }[];
}

async function listen(listener: RequestListener): Promise<string> {
  const http = createHttpServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
}

test('a collector sees one call, with its retry, in one trace of client and server', async () => {
  const spans: SeenSpan[] = [];
  const collector = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      expect(request.url).toBe('/v1/traces');
      for (const { scopeSpans } of (JSON.parse(text) as Posted).resourceSpans)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.end('{}');
    });
  });
  const { send, flush } = otlp(collector, 'test');
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  let runs = 0;
  const server = createServer(
    {
      ...{ listModels: unused, getModel: unused, getModelInputSchema: unused },
      runModel() {
        runs += 1;
        if (runs === 1) throw new TypeError('the first run fails');
        return { status: 200, body: {} };
      },
    },
    { authenticate: () => ({ id: 'ada' }), onFinding: serverSpans(send) },
  );
  const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' };
  const router = createRouter({
    baseUrl: await listen(nodeListener(server)),
    credentials: { ApiKeyAuth: 'service-x' },
    fetch: withMiddleware([clientSpans(send, () => trace)]),
  });
  const answer = await router.runModel({ provider: 'acme', model: 'echo-1', body: {} });
  expect([answer.status, answer.attempts]).toStrictEqual([200, 2]);
  await flush();
  await expect.poll(() => spans.length).toBe(4);
  expect(new Set(spans.map(({ traceId }) => traceId))).toStrictEqual(new Set([trace.traceId]));
  expect(new Set(spans.map(({ name }) => name))).toStrictEqual(
    new Set(['POST /v1/models/{provider}/{model}']),
  );
  const clients = spans.filter(({ kind }) => kind === 3);
  const servers = spans.filter(({ kind }) => kind === 2);
  expect(clients.map(({ parentSpanId }) => parentSpanId)).toStrictEqual([
    trace.parentSpanId,
    trace.parentSpanId,
  ]);
  expect(servers.map(({ parentSpanId }) => parentSpanId).sort()).toStrictEqual(
    clients.map(({ spanId }) => spanId).sort(),
  );
  const attributes = ({ attributes: all }: SeenSpan): Record<string, unknown> =>
    Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]]));
  const failed = servers.find(({ status }) => status.code === 2);
  expect(attributes(failed ?? ({ attributes: [] } as unknown as SeenSpan))).toMatchObject({
    ...{ 'http.request.method': 'POST', 'http.response.status_code': '500', 'error.type': 'TypeError' },
    ...{ 'http.route': '/v1/models/{provider}/{model}', 'url.path': '/v1/models/acme/echo-1' },
  });
  expect(clients.map((span) => attributes(span)['http.request.resend_count'])).toContain('1');
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
});
