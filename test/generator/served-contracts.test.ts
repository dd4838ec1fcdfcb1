import { beforeEach, expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { generate } from '../../generator/index.ts';
import { imported } from './generated.ts';

// The servers that are generated from the built-in contracts keep their rules, with any handlers.

type Handle = (request: Request) => Promise<Response>;
interface ServerModule {
  createServer(handlers: object, options: object): Handle;
}

const servers: Record<string, ServerModule> = {};

// Made once, by the test that runs first.
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));

async function make(): Promise<void> {
  const contracts = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
  const files = await generate(contracts, { server: true });
  for (const name of ownContractNames)
    servers[name] = (await imported(files, `${name}/server.ts`)) as unknown as ServerModule;
}

const anyCaller = { authenticate: () => ({ id: 'ada' }) };

function serve(api: string, handlers: object, options: object = anyCaller): Handle {
  const handle = servers[api]?.createServer(handlers, options);
  if (handle === undefined) throw new Error(`no server of ${api}`);
  return handle;
}

function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { Authorization: 'Bearer a.b.c' },
): Request {
  return new Request(`http://localhost${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

const VERSIONS = '/publishers/acme/nodes/upscaler/versions';
const publication = {
  node: { id: 'upscaler' },
  node_version: { version: '1.0.0' },
  personal_access_token: 'pat',
};
const without = (member: keyof typeof publication): object =>
  Object.fromEntries(Object.entries(publication).filter(([name]) => name !== member));

const SKIN = '/proxy/northwind/v1/ai/skin-enhancer/creative';
const graph = { '1': { class_type: 'LoadPicture', inputs: {} } };

test.each([
  ['registry.publish.node-required', VERSIONS, without('node'), 'node'],
  ['registry.publish.node-version-required', VERSIONS, without('node_version'), 'node_version'],
  ['registry.publish.pat-required', VERSIONS, without('personal_access_token'), 'personal_access_token'],
  ['registry.publish.wrong-types', VERSIONS, { ...publication, node: { tags: 'image' } }, 'tags'],
  ['registry.publish.malformed-json', VERSIONS, '{"node":', 'JSON'],
  ['proxy.skin.sharpen-range', SKIN, { image: 'aGk=', sharpen: 101 }, 'sharpen'],
  ['proxy.skin.grain-range', SKIN, { image: 'aGk=', smart_grain: -0.5 }, 'smart_grain'],
])('%s: the registry server answers 400 and its handler does not run', async (_rule, path, body, says) => {
  let runs = 0;
  const run = (): object => ({ status: 201, body: { runs: (runs += 1) } });
  const handle = serve('registry', { publishNodeVersion: run, startSkinEnhancement: run });
  const answer = await handle(send('POST', path, body));
  const told = (await answer.json()) as { error: unknown; message: unknown };
  expect([answer.status, runs]).toStrictEqual([400, 0]);
  expect(told).toStrictEqual({ error: expect.any(String), message: expect.stringContaining(says) });
});

test.each([
  ['jobs.submit.webhook-url-rejected', { ...graph, webhook_url: 'https://callback.example' }],
  ['jobs.submit.inputs-rejected', { ...graph, inputs: null }],
  ['a list', [1]],
  ['extra data that are no object', { ...graph, extra_data: 'x' }],
])(
  '%s: the jobs server refuses the submission, its handler does not run, and the key is free',
  async (_rule, body) => {
    let runs = 0;
    const handle = serve('jobs', { submitJob: () => ({ status: 201, body: { runs: (runs += 1) } }) });
    const key = { 'Idempotency-Key': 'a' };
    const answer = await handle(send('POST', '/api/v2/jobs', body, key));
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(await answer.json()).toStrictEqual({
      error: { code: expect.any(String), message: expect.any(String) },
    });
    expect(runs).toBe(0);
    expect((await handle(send('POST', '/api/v2/jobs', graph, key))).status).toBe(201);
  },
);

test('registry.publish.key-as-bearer: a key that is sent as bearer reaches authenticate under the name of the key', async () => {
  const seen: unknown[] = [];
  const handle = serve(
    'registry',
    { publishNodeVersion: () => ({ status: 201, body: {} }) },
    {
      authenticate: (credentials: object) => {
        seen.push(credentials);
        return { id: 'ada' };
      },
    },
  );
  const statuses: number[] = [];
  for (const headers of [
    { Authorization: 'Bearer service-key' },
    { Authorization: 'Bearer a.b.c' },
    // Publishing declares no key in a header of its own.
    { 'X-API-Key': 'service-key' },
  ] as Record<string, string>[])
    statuses.push((await handle(send('POST', VERSIONS, publication, headers))).status);
  expect(statuses).toStrictEqual([201, 201, 401]);
  expect(seen).toStrictEqual([{ ApiKeyAuth: 'service-key' }, { BearerAuth: 'a.b.c' }]);
});

test.each(['/v1/models/acme/%65cho', '/v1/models/%61cme/echo', '/v1/models/acme/echo%2Ffast'])(
  'router.ids.segment-revalidated: the router server finds no model at %s',
  async (path) => {
    let runs = 0;
    const run = (): object => ({ status: 200, body: { runs: (runs += 1) } });
    const handle = serve('router', { getModel: run, runModel: run, getModelInputSchema: run });
    const answers = [
      await handle(send('GET', path)),
      await handle(send('POST', path, {})),
      await handle(send('GET', `${path}/openapi.json`)),
    ];
    expect(answers.map(({ status }) => status)).toStrictEqual([404, 404, 404]);
    expect(runs).toBe(0);
  },
);

test('path parameters of other contracts may be escaped', async () => {
  const seen: unknown[] = [];
  const handle = serve('jobs', {
    getJob: ({ id }: { id: string }) => {
      seen.push(id);
      return { status: 200, body: {} };
    },
  });
  expect((await handle(send('GET', '/api/v2/jobs/%61'))).status).toBe(200);
  expect(seen).toStrictEqual(['a']);
});

const job = (status: string): Record<string, unknown> => ({
  ...{ id: '6f1de4a1-33f3-4a63-8f5a-1e9d1f5c2b10', status, created_at: '2026-01-15T09:30:00Z' },
  ...{ started_at: null, completed_at: null, expires_at: '2026-01-16T09:30:00Z', queue_position: null },
  ...{ progress: null, outputs: [], error: null, urls: {} },
});
const withLogs = (status: string): object => ({ ...job(status), logs: { text: 'printed' } });

test.each([
  ['submitJob', 'POST', '/api/v2/jobs', 201, 'succeeded', undefined, false],
  ['cancelJob', 'POST', '/api/v2/jobs/1/cancel', 200, 'canceled', undefined, false],
  ['getJob', 'GET', '/api/v2/jobs/1', 200, 'running', undefined, false],
  ['getJob', 'GET', '/api/v2/jobs/1', 200, 'succeeded', undefined, true],
  ['getJob', 'GET', '/api/v2/jobs/1', 200, 'failed', 'serverless', true],
  ['getJob', 'GET', '/api/v2/jobs/1', 200, 'failed', 'cloud', false],
] as const)(
  'jobs.logs: %s %s %s answers %s with a job that is %s on surface %s, logs: %s',
  async (operation, method, path, status, state, surface, carries) => {
    const options = surface === undefined ? anyCaller : { ...anyCaller, surface };
    const handle = serve('jobs', { [operation]: () => ({ status, body: withLogs(state) }) }, options);
    const answer = await handle(send(method, path, method === 'POST' ? graph : undefined));
    expect(await answer.json()).toStrictEqual(carries ? withLogs(state) : job(state));
  },
);

test('jobs.logs.null: logs that are null are left out', async () => {
  const handle = serve('jobs', {
    getJob: () => ({ status: 200, body: { ...job('succeeded'), logs: null } }),
  });
  expect(await (await handle(send('GET', '/api/v2/jobs/1'))).json()).toStrictEqual(job('succeeded'));
});

test('jobs.sse.ends-after-terminal: a stream carries no logs, and ends with its terminal status', async () => {
  let ended = false;
  const handle = serve('jobs', {
    streamJobEvents: () => ({
      status: 200,
      events: (async function* () {
        await Promise.resolve();
        try {
          yield { event: 'status', data: withLogs('running') };
          yield { event: 'progress', data: { value: 1, logs: 'a word of the handler' } };
          yield { event: 'status', data: JSON.stringify(withLogs('failed')) };
          yield { event: 'progress', data: { value: 2 } };
        } finally {
          ended = true;
        }
      })(),
    }),
  });
  const text = await (await handle(send('GET', '/api/v2/jobs/1/events'))).text();
  expect(text.split('\n\n')).toStrictEqual([
    `event: status\ndata: ${JSON.stringify(job('running'))}`,
    'event: progress\ndata: {"value":1,"logs":"a word of the handler"}',
    `event: status\ndata: ${JSON.stringify(job('failed'))}`,
    '',
  ]);
  await expect.poll(() => ended).toBe(true);
});

test.each([
  ['https://models.example/acme/echo.json', true],
  ['http://models.example/acme/echo.json', false],
  [`https://models.example/${'a'.repeat(2048)}`, false],
  ['', false],
  [null, false],
])('router.detail.schema-url-https: an address %j leaves the server: %s', async (address, leaves) => {
  const findings: unknown[] = [];
  const detail = {
    id: 'acme/echo',
    provider: 'acme',
    model: 'echo',
    billing: { charges_on_policy_rejection: 'no' },
  };
  const handle = serve(
    'router',
    { getModel: () => ({ status: 200, body: { ...detail, input_schema_url: address } }) },
    { ...anyCaller, onFinding: (finding: unknown) => findings.push(finding) },
  );
  const answer = await handle(send('GET', '/v1/models/acme/echo'));
  expect(await answer.json()).toStrictEqual(leaves ? { ...detail, input_schema_url: address } : detail);
  const misfits = expect.objectContaining({
    ...{ kind: 'response', operation: 'getModel', status: 200 },
    misfits: [expect.stringContaining('/input_schema_url')],
  });
  expect(findings).toStrictEqual([
    expect.objectContaining({ kind: 'started' }),
    ...(leaves || address === null ? [] : [misfits]),
    expect.objectContaining({ kind: 'answered' }),
    expect.objectContaining({ kind: 'ended' }),
  ]);
});

test('jobs.submit.ui-format: the jobs server refuses an export of the editor by its code, and the key is free', async () => {
  const seen: unknown[] = [];
  const handle = serve('jobs', {
    submitJob: ({ body }: { body: unknown }) => {
      seen.push(body);
      return { status: 201, body: {} };
    },
  });
  const key = { 'Idempotency-Key': 'a' };
  const answer = await handle(
    send('POST', '/api/v2/jobs', { nodes: [{ id: 1 }], links: [], version: 1 }, key),
  );
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await answer.json()).toStrictEqual({
    error: { code: 'workflow_format_ui', message: expect.any(String) },
  });
  // Nodes of a graph may have these names.
  const named = { nodes: graph['1'], links: graph['1'] };
  expect((await handle(send('POST', '/api/v2/jobs', named, key))).status).toBe(201);
  expect(seen).toStrictEqual([named]);
});

test.each([
  ['null on the last page', { has_more: false, next_cursor: null }, { has_more: false }],
  ['a cursor on the last page', { has_more: false, next_cursor: 'abc' }, { has_more: false }],
  ['a cursor before it', { has_more: true, next_cursor: 'abc' }, { has_more: true, next_cursor: 'abc' }],
])('router.list.cursor-iff-more: the router server answers a page with %s', async (_, given, leaves) => {
  const page = { data: [], limit: 20 };
  const handle = serve('router', { listModels: () => ({ status: 200, body: { ...page, ...given } }) });
  expect(await (await handle(send('GET', '/v1/models'))).json()).toStrictEqual({ ...page, ...leaves });
});
