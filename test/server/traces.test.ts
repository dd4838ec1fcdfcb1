import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { clientSpans } from '../../examples/observe/client-spans.ts';
import { clientMetrics, serverMetrics } from '../../examples/observe/metrics.ts';
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
  readonly attributes: KeyValues;
}

type KeyValues = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

interface SeenPoint {
  readonly attributes: KeyValues;
  readonly count?: string;
  readonly sum?: number;
  readonly asInt?: string;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
}

interface SeenMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: { readonly dataPoints: readonly SeenPoint[]; readonly aggregationTemporality: number };
  readonly sum?: { readonly dataPoints: readonly SeenPoint[]; readonly isMonotonic: boolean };
}

interface Posted {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SeenSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeMetrics: readonly { readonly metrics: readonly SeenMetric[] }[];
  }[];
}

const attributesOf = (all: KeyValues = []): Record<string, unknown> =>
  Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]]));

async function listen(listener: RequestListener): Promise<string> {
  const http = createHttpServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}`;
}

test('a collector sees one call, with its retry, in one trace of client and server, and how long each took', async () => {
  const spans: SeenSpan[] = [];
  const metrics = new Map<string, SeenMetric>();
  const collector = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(text) as Posted;
      expect(request.url).toBe(resourceSpans.length > 0 ? '/v1/traces' : '/v1/metrics');
      for (const { scopeSpans } of resourceSpans) spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      for (const { resource, scopeMetrics } of resourceMetrics) {
        expect(attributesOf(resource.attributes)).toStrictEqual({ 'service.name': 'test' });
        // They are sums since the start: the latest says all.
        for (const metric of scopeMetrics.flatMap((scope) => scope.metrics)) metrics.set(metric.name, metric);
      }
      response.end('{}');
    });
  });
  const { send, record, flush } = otlp(collector, 'test');
  const [spanned, measured] = [serverSpans(send), serverMetrics(record)];
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
    {
      authenticate: () => ({ id: 'ada' }),
      onFinding(finding) {
        spanned(finding);
        measured(finding);
      },
    },
  );
  const trace = { traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' };
  const url = await listen(nodeListener(server));
  const router = createRouter({
    baseUrl: url,
    credentials: { ApiKeyAuth: 'service-x' },
    fetch: withMiddleware([clientSpans(send, () => trace), clientMetrics(record)]),
  });
  const answer = await router.runModel({ provider: 'acme', model: 'echo-1', body: {} });
  expect([answer.status, answer.attempts]).toStrictEqual([200, 2]);
  // The server may end its last call a moment after the client has read the answer.
  await expect
    .poll(async () => {
      await flush();
      return spans.length;
    })
    .toBe(4);
  await flush();
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
  const failed = servers.find(({ status }) => status.code === 2);
  expect(attributesOf(failed?.attributes)).toMatchObject({
    ...{ 'http.request.method': 'POST', 'http.response.status_code': '500', 'error.type': 'TypeError' },
    ...{ 'http.route': '/v1/models/{provider}/{model}', 'url.path': '/v1/models/acme/echo-1' },
    'url.scheme': 'http',
  });
  expect(clients.map((span) => attributesOf(span.attributes)['http.request.resend_count'])).toContain('1');
  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));

  const { port, hostname } = new URL(url);
  const shared = { 'http.request.method': 'POST', 'url.scheme': 'http' };
  const onServer = { ...shared, 'http.route': '/v1/models/{provider}/{model}' };
  const onClient = {
    ...shared,
    ...{ 'server.address': hostname, 'server.port': port, 'url.template': '/v1/models/{provider}/{model}' },
  };
  const [ok, broken] = [{ 'http.response.status_code': '200' }, { 'http.response.status_code': '500' }];
  for (const [name, expected] of [
    [
      'http.server.request.duration',
      [
        { ...onServer, ...broken, 'error.type': 'TypeError' },
        { ...onServer, ...ok },
      ],
    ],
    [
      'http.client.request.duration',
      [
        { ...onClient, ...broken, 'error.type': '500' },
        { ...onClient, ...ok },
      ],
    ],
  ] as const) {
    const { unit, histogram } = metrics.get(name) ?? {};
    expect([unit, histogram?.aggregationTemporality]).toStrictEqual(['s', 2]);
    expect(histogram?.dataPoints.map(({ attributes }) => attributesOf(attributes))).toStrictEqual(expected);
    for (const { count, sum, bucketCounts = [], explicitBounds = [] } of histogram?.dataPoints ?? []) {
      expect(count).toBe('1');
      expect(bucketCounts.map(Number).reduce((all, each) => all + each, 0)).toBe(1);
      expect(bucketCounts).toHaveLength(explicitBounds.length + 1);
      const bucket = bucketCounts.indexOf('1');
      expect(sum).toBeLessThanOrEqual(explicitBounds[bucket] ?? Infinity);
      expect(sum).toBeGreaterThanOrEqual(explicitBounds[bucket - 1] ?? 0);
    }
  }
  const active = metrics.get('http.server.active_requests');
  expect([active?.unit, active?.sum?.isMonotonic]).toStrictEqual(['{request}', false]);
  expect(
    active?.sum?.dataPoints.map(({ asInt, attributes }) => [asInt, attributesOf(attributes)]),
  ).toStrictEqual([['0', shared]]);
});

test('an unknown method creates neither a span name nor a metric series', async () => {
  const seen: [name: string, method: unknown][] = [];
  const spanned = serverSpans(({ name, attributes }) => seen.push([name, attributes['http.request.method']]));
  const measured = serverMetrics((name, _value, attributes) =>
    seen.push([name, attributes['http.request.method']]),
  );
  const unused = (): never => {
    throw new Error('not part of this test');
  };
  const server = createServer(
    { ...{ listModels: unused, getModel: unused, getModelInputSchema: unused, runModel: unused } },
    {
      authenticate: () => ({ id: 'ada' }),
      onFinding(finding) {
        spanned(finding);
        measured(finding);
      },
    },
  );
  await (
    await server(new Request('http://x/v1/models', { method: 'BREW', headers: { 'X-API-Key': 'x' } }))
  ).text();
  expect(seen).toStrictEqual([
    ['http.server.active_requests', '_OTHER'],
    ['HTTP', '_OTHER'],
    ['http.server.active_requests', '_OTHER'],
    ['http.server.request.duration', '_OTHER'],
  ]);
});
