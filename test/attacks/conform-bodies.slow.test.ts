// @module-tag long
// @module-tag attack
import { afterEach, expect, test } from 'vitest';
import { exitCode, renderReport, reportFormats, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report } from '../../conformance/index.ts';
import { routerContract } from '../conformance/servers.ts';
import { hostileServer, hostileSocket, jsonHeaders, page, pour } from './hostile-server.ts';
import type { Handler, HostileServer } from './hostile-server.ts';

const servers: HostileServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function judge(server: HostileServer, options: Partial<ConformanceOptions> = {}): Promise<Report> {
  servers.push(server);
  const report = await runConformance({
    contracts: await routerContract(),
    baseUrl: server.url,
    credential: { header: 'X-API-Key', value: 'service-secret-4711' },
    rules: ['router.list.*', 'router.schema.*', 'router.detail.*'],
    ...options,
  });
  for (const format of reportFormats) expect(renderReport(report, format)).not.toBe('');
  return report;
}

const answering = (body: string): Promise<HostileServer> =>
  hostileServer((_, response) => response.writeHead(200, jsonHeaders).end(body));

const MEGABYTE = 1_000_000;
const times = (text: string): string => text.repeat(Math.ceil(MEGABYTE / text.length));

/** The report is about the server, and none of its answers made the suite fail. */
function expectJudged(report: Report): void {
  expect(report.status).toBe('judged');
  expect(report.findings.filter(({ kind }) => kind === 'harness')).toEqual([]);
  expect(report.summary.error).toBe(0);
  expect(exitCode(report)).toBeLessThan(2);
}

test.each<[string, string]>([
  ['text that looks like secrets', JSON.stringify(page({ x: times('secret') }))],
  ['a name that looks like secrets, and does not end', `{"${times('api_key')}`],
  ['beginnings of web tokens', JSON.stringify(page({ x: times('eyJ-') }))],
  ['one line', times('x')],
  ['many lines', times('x\n')],
  [
    'many fields',
    JSON.stringify(page(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`cost${n}`, 'x'])))),
  ],
  [
    'many entries',
    JSON.stringify(page({ data: Array.from({ length: 10_000 }, () => ({ id: 'a/b', provider: 'a' })) })),
  ],
  ['lists that are opened and never closed', times('[')],
  ['escapes', `"${times('\\u0073\\/')}"`],
])('a megabyte of %s costs the run nothing but its rules', async (_, body) => {
  expectJudged(await judge(await answering(body)));
});

test.each<[string, string]>([
  ['lists', `{"data":[],"has_more":false,"limit":20,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['objects', `{"data":[],"has_more":false,"limit":20,"x":${'{"cost":'.repeat(4000)}1${'}'.repeat(4000)}}`],
])('%s within each other are a finding, and no rule passes or fails by them', async (_, body) => {
  const report = await judge(await answering(body));
  expectJudged(report);
  expect(report.findings[0]).toMatchObject({ kind: 'broken' });
  expect(report.findings[0]?.says).toMatch(
    /responses are larger than the limit of the suite: x\d+ nests deeper than 500 levels/,
  );
  const rule = report.rules.find(({ id }) => id === 'router.list.body-required');
  expect(rule).toMatchObject({ verdict: 'inconclusive' });
  expect(rule?.reason).toMatch(/the body of x\d+ nests deeper than 500 levels/);
});

test('an answer with more values than the limit is inconclusive, with the reason', async () => {
  const report = await judge(
    await answering(`{"data":[${'1,'.repeat(1_000_000)}1],"has_more":false,"limit":20}`),
    {
      rules: ['router.list.limit-default'],
    },
  );
  expectJudged(report);
  expect(report.rules[0]).toMatchObject({ verdict: 'inconclusive' });
  expect(report.rules[0]?.reason).toMatch(/has more than 1000000 values/);
});

test('a body without an end is truncated: the exchange says where, and its rules are inconclusive', async () => {
  const server = await hostileServer((_, response) => {
    response.writeHead(200, jsonHeaders).write('{"data":[],"has_more":false,"limit":20,"x":"');
    pour(response, 'x'.repeat(1 << 20));
  });
  const report = await judge(server, { rules: ['router.list.limit-default'], concurrency: 1 });
  expectJudged(report);
  const [exchange] = report.exchanges;
  expect(exchange?.answer?.unreadable).toBe('was truncated at 67108864 bytes');
  expect(exchange?.answer?.body).toMatchObject({ bytes: 67_108_864, cut: true });
  expect(report.rules[0]).toMatchObject({ verdict: 'inconclusive' });
  expect(report.rules[0]?.reason).toMatch(
    /^the body of x\d+ was (truncated at 67108864 bytes|not read: the run holds 134217728 bytes of answers already)$/,
  );
});

test('many large answers together stay within the memory limit of a run', async () => {
  // A page of 3 MB whose parsed form is many times as large, and which leads to another one.
  let served = 0;
  const handler: Handler = (_, response) => {
    served += 1;
    const entries = `[],`.repeat(400_000);
    const next = `"has_more":true,"next_cursor":"c${served}"`;
    response.writeHead(200, jsonHeaders).end(`{"data":[${entries}[]],${next},"limit":100}`);
  };
  const report = await judge(await hostileServer(handler), { rules: ['router.list.walk-terminates'] });
  expectJudged(report);
  const refused = report.exchanges.map(({ answer }) => answer?.unreadable).filter((why) => why !== undefined);
  expect(refused.join()).toMatch(/was not read: the run holds \d+ bytes of answers already/);
});

test.each<[string, string]>([
  ['headers without an end', `X-A: ${'a'.repeat(60_000)}\r\n`],
  ['informational answers without an end', 'HTTP/1.1 102 Processing\r\n\r\n'],
])('%s do not count as an answer', async (what, piece) => {
  const server = await hostileSocket((socket) => {
    if (what.startsWith('headers')) socket.write('HTTP/1.1 200 OK\r\n');
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  });
  const report = await judge(server, { rules: ['router.list.limit-default'] });
  expect(report.status).toBe('unreachable');
  expect(report.findings[0]?.says).toMatch(/headers are longer than|more than 20 informational answers/);
});

test('a chunk for each byte, endless trailers, and unsolicited bytes', async () => {
  const body = JSON.stringify(page({ x: 'x'.repeat(200_000) }));
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('');
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const server = await hostileSocket((socket, request) => {
    if (request.includes('limit='))
      return void socket.write(`${head}${chunks}0\r\n${'A: b\r\n'.repeat(1000)}`);
    socket.write(`${head}${chunks}0\r\n\r\n`);
    // On a connection that the suite keeps for later.
    setImmediate(() => socket.write('x'.repeat(1 << 20)));
  });
  const report = await judge(server, { rules: ['router.list.limit-default', 'router.list.limit-clamped'] });
  expectJudged(report);
  expect(report.exchanges.some(({ answer }) => answer?.body?.bytes === body.length)).toBe(true);
  expect(report.exchanges.map(({ failure }) => failure ?? '').join()).toContain('more than 100 trailers');
});

const schemas = {
  'all of itself': { allOf: [{ $ref: '#/components/schemas/A' }] },
  'twice each of a long chain': {
    allOf: [{ $ref: '#/components/schemas/S0' }, { $ref: '#/components/schemas/S0' }],
  },
  'itself in each of many properties': {
    type: 'object',
    required: ['a', 'b'],
    properties: Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`p${n}`, { $ref: '#/components/schemas/A' }]),
    ),
  },
  'a pattern that takes a lifetime': {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 40, pattern: '^(x+x+)+y$' } },
  },
  'patterns that refuse nothing': { type: 'object', properties: { text: { type: 'string', pattern: '' } } },
};

test.each(Object.entries(schemas))('a served schema that is %s does not block the run', async (_, schema) => {
  const chain = Object.fromEntries(
    Array.from({ length: 60 }, (__, n) => [
      `S${n}`,
      { allOf: [{ $ref: `#/components/schemas/S${n + 1}` }, { $ref: `#/components/schemas/S${n + 1}` }] },
    ]),
  );
  const body = {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
  };
  const document = {
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
    'x-service-router-model-id': 'a/b',
    'x-service-input-schema-authored': false,
    paths: { '/%zz': {}, '/v1/models/a/b': { post: { requestBody: body, responses: {} } } },
    components: { schemas: { A: schema, ...chain, S60: { $ref: '#/components/%zz' } } },
  };
  const entry = { id: 'a/b', provider: 'a', model: 'b' };
  const server = await hostileServer((request, response) => {
    const target = request.url ?? '';
    const told = target.endsWith('/openapi.json')
      ? document
      : target.startsWith('/v1/models/')
        ? { ...entry, billing: { charges_on_policy_rejection: 'no' } }
        : page({ data: [entry] });
    const headers = { ...jsonHeaders, ETag: '"1"', 'Cache-Control': 'no-cache' };
    response.writeHead(request.method === 'POST' ? 422 : 200, headers).end(JSON.stringify(told));
  });
  const report = await judge(server, {
    rules: ['router.schema.*', 'router.run.schema-is-enforced'],
    fixtures: { model: { ok: { id: 'a/b', input: { text: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' } } } },
    allow: ['negatives'],
    fuzz: 5,
  });
  expectJudged(report);
  expect(report.rules.find(({ id }) => id === 'router.schema.200')?.verdict).not.toBe('error');
});
