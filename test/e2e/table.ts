import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createParser } from 'eventsource-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as jobsModule from '../../generated/jobs/index.ts';
import type * as registryModule from '../../generated/registry/index.ts';
import type * as routerModule from '../../generated/router/index.ts';
import { plainEnvironment, run } from '../cli/command.ts';

type Router = typeof routerModule;
type Registry = typeof registryModule;
type Jobs = typeof jobsModule;

/** The modules of a generated client, compiled in the project, with a client of each API. */
interface Clients {
  readonly router: Router;
  readonly jobs: Jobs;
  readonly models: ReturnType<Router['createRouter']>;
  readonly nodes: ReturnType<Registry['createRegistry']>;
  readonly work: ReturnType<Jobs['createJobs']>;
}

interface Row {
  readonly row: string;
  /** Calls without the client, as a frontend developer sends them. */
  readonly mock: (call: Caller) => Promise<void>;
  readonly client: (clients: Clients) => Promise<void>;
  /** How the ids of the rules begin that the suite must have found kept. */
  readonly rules: readonly string[];
}

type Caller = (
  target: string,
  init?: {
    readonly key?: string;
    readonly json?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
) => Promise<Response>;

const KEY = 'service-mock-ok';
const MOUNT = '/deployment/d-42';
const text = { 1: { class_type: 'WriteText', inputs: { text: 'a' } } };
const wait = { 1: { class_type: 'Wait', inputs: { seconds: 60 } } };
const prompt = { prompt: 'x' };
const publication = (version: string) => ({
  node: { id: 'acme-upscaler' },
  node_version: { version },
  personal_access_token: 'pat-mock-ok',
});
const publishing = { publisherId: 'acme', nodeId: 'acme-upscaler' };
const versions = '/publishers/acme/nodes/acme-upscaler/versions';
const jsonOf = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

const rows: readonly Row[] = [
  {
    row: 'catalogue',
    mock: async (call) => {
      const page = await jsonOf(await call('/v1/models?limit=2'));
      expect(page).toMatchObject({ has_more: true, limit: 2, data: [{}, {}] });
      expect((await call(`/v1/models?cursor=${String(page['next_cursor'])}`)).status).toBe(200);
    },
    client: async ({ models }) => {
      const ids = new Set<string>();
      for await (const { data } of models.listModels.pages({ limit: 20 }))
        for (const { id } of data.data) ids.add(id);
      expect(ids.has('mock/ok')).toBe(true);
    },
    rules: ['router.list.'],
  },
  {
    row: 'detail',
    mock: async (call) => {
      expect(await jsonOf(await call('/v1/models/mock/ok'))).toMatchObject({ id: 'mock/ok', billing: {} });
      expect((await call('/v1/models/mock/hidden')).status).toBe(404);
    },
    client: async ({ models }) => {
      const { data } = await models.getModel({ provider: 'mock', model: 'policy-refused-billed' });
      expect(data.billing.charges_on_policy_rejection).toBe('yes');
    },
    rules: ['router.detail.'],
  },
  {
    row: 'run',
    mock: async (call) => {
      expect((await call('/v1/models/mock/ok', { json: prompt })).status).toBe(200);
    },
    client: async ({ models, router }) => {
      expect((await models.runModel({ provider: 'mock', model: 'ok', body: prompt })).status).toBe(200);
      const refused = models.runModel({ provider: 'mock', model: 'policy-refused-unbilled', body: prompt });
      await expect(refused).rejects.toBeInstanceOf(router.ContentPolicyViolationError);
    },
    rules: ['router.run.'],
  },
  {
    row: 'idempotency',
    mock: async (call) => {
      const send = () =>
        call('/v1/models/mock/ok', { json: prompt, headers: { 'Idempotency-Key': 'by-hand' } });
      expect((await send()).headers.get('Idempotent-Replayed')).toBeNull();
      expect((await send()).headers.get('Idempotent-Replayed')).toBe('true');
    },
    client: async ({ models }) => {
      const input = { provider: 'mock', model: 'ok', body: prompt };
      const first = await models.runModel(input);
      const again = await models.runModel(input, { idempotencyKey: first.idempotencyKey });
      expect([first.replayed, again.replayed]).toStrictEqual([false, true]);
    },
    rules: ['router.idem.'],
  },
  {
    row: '504s',
    mock: async (call) => {
      for (const [model, bucket] of [
        ['deadline-exceeded', 'deadline_exceeded'],
        ['provider-timeout', 'provider_timeout'],
      ] as const) {
        const response = await call(`/v1/models/mock/${model}`, { json: prompt });
        expect([response.status, response.headers.get('X-Service-Error-Type')]).toStrictEqual([504, bucket]);
      }
    },
    client: async ({ models, router }) => {
      const send = (model: string) =>
        models.runModel({ provider: 'mock', model, body: prompt }, { retries: 0 });
      await expect(send('deadline-exceeded')).rejects.toBeInstanceOf(router.DeadlineExceededError);
      await expect(send('provider-timeout')).rejects.toBeInstanceOf(router.ProviderTimeoutError);
    },
    rules: ['router.run.504'],
  },
  {
    row: '429',
    mock: async (call) => {
      const send = () => call('/v1/models/mock/slow', { json: prompt, key: 'service-mock-one-slot' });
      const both = await Promise.all([send(), send()]);
      expect(both.filter(({ status }) => status === 429)).toHaveLength(1);
    },
    client: async ({ models, router }) => {
      const [answer] = await Promise.allSettled([
        models.runModel(
          { provider: 'mock', model: 'ok', body: prompt },
          { retries: 0, headers: { Prefer: 'scenario=rate-limited' } },
        ),
      ]);
      expect(answer.status === 'rejected' ? answer.reason : undefined).toBeInstanceOf(
        router.RateLimitedError,
      );
    },
    rules: ['router.run.429'],
  },
  {
    row: 'schema document',
    mock: async (call) => {
      const first = await call('/v1/models/mock/ok/openapi.json');
      const etag = first.headers.get('ETag') ?? '';
      expect(await jsonOf(first)).toHaveProperty('paths');
      const again = await call('/v1/models/mock/ok/openapi.json', { headers: { 'If-None-Match': etag } });
      expect([again.status, again.headers.get('ETag')]).toStrictEqual([304, etag]);
    },
    client: async ({ models }) => {
      const { data } = await models.getModelInputSchema({ provider: 'mock', model: 'ok' });
      expect(data).toHaveProperty('openapi');
    },
    rules: ['router.schema.'],
  },
  {
    row: 'credentials',
    mock: async (call) => {
      expect((await call('/v1/models', { key: 'nothing' })).status).toBe(401);
      expect((await call('/v1/models', { headers: { Authorization: '' } })).status).toBe(401);
    },
    client: async ({ router, models }) => {
      const { baseUrl } = models.connection;
      const stranger = router.createRouter({ baseUrl, credentials: { ApiKeyAuth: 'service-nobody' } });
      await expect(stranger.listModels()).rejects.toBeInstanceOf(router.UnauthorizedError);
    },
    rules: ['router.auth.'],
  },
  {
    row: 'publish',
    mock: async (call) => {
      expect((await call(versions, { json: publication('7.0.0') })).status).toBe(201);
      const again = await call(versions, { json: publication('7.0.0') });
      expect([again.status, await jsonOf(again)]).toMatchObject([
        400,
        { message: expect.any(String) as string },
      ]);
    },
    client: async ({ nodes }) => {
      const { status, data } = await nodes.publishNodeVersion({ ...publishing, body: publication('7.1.0') });
      expect([status, data.node_version?.version]).toStrictEqual([201, '7.1.0']);
    },
    rules: ['registry.publish.'],
  },
  {
    row: 'upload',
    mock: async (call) => {
      const { signedUrl } = await jsonOf(await call(versions, { json: publication('7.2.0') }));
      const put = await fetch(String(signedUrl), { method: 'PUT', body: 'an archive' });
      expect([put.status, await jsonOf(put)]).toMatchObject([200, { size: 10 }]);
    },
    client: async ({ nodes }) => {
      const input = { ...publishing, body: publication('7.3.0') };
      const { upload } = await nodes.publishNodeVersion.withUpload(input, new Blob(['an archive']));
      expect(upload.status).toBe(200);
    },
    rules: ['registry.publish.signed-url'],
  },
  {
    row: 'skin enhancer',
    mock: async (call) => {
      const target = '/proxy/northwind/v1/ai/skin-enhancer/creative';
      expect((await call(target, { json: { image: 'QQ==', sharpen: 100 } })).status).toBe(200);
      expect((await call(target, { json: { image: 'QQ==', sharpen: 101 } })).status).toBe(400);
    },
    client: async ({ nodes }) => {
      const { data } = await nodes.startSkinEnhancement({ partner: 'northwind', body: { image: 'QQ==' } });
      expect(data.data?.task_id).toMatch(/^[0-9a-f-]{36}$/);
    },
    rules: ['proxy.skin.'],
  },
  {
    row: 'submit',
    mock: async (call) => {
      expect((await call(`${MOUNT}/api/v2/jobs`, { json: text })).status).toBe(201);
      const wrong = await call(`${MOUNT}/api/v2/jobs`, {
        json: { 1: { class_type: 'Nothing', inputs: {} } },
      });
      expect([wrong.status, await jsonOf(wrong)]).toMatchObject([
        422,
        { error: { code: 'invalid_workflow' } },
      ]);
    },
    client: async ({ work }) => {
      expect((await work.submitJob({ body: text })).status).toBe(201);
    },
    rules: ['jobs.submit.'],
  },
  {
    row: 'keys',
    mock: async (call) => {
      const send = () =>
        call(`${MOUNT}/api/v2/jobs`, { json: text, headers: { 'Idempotency-Key': 'by-hand' } });
      expect([(await send()).status, (await send()).status]).toStrictEqual([201, 422]);
    },
    client: async ({ work }) => {
      const { idempotencyKey } = await work.submitJob({ body: text });
      const [again] = await Promise.allSettled([work.submitJob({ body: text }, { idempotencyKey })]);
      expect(again).toMatchObject({ status: 'rejected', reason: { status: 422 } });
    },
    rules: ['jobs.idem.'],
  },
  {
    row: 'lifecycle and cancel',
    mock: async (call) => {
      const { id } = await jsonOf(await call(`${MOUNT}/api/v2/jobs`, { json: wait }));
      const canceled = await call(`${MOUNT}/api/v2/jobs/${String(id)}/cancel`, { json: {} });
      expect([canceled.status, await jsonOf(canceled)]).toMatchObject([
        200,
        { status: expect.stringMatching(/^cancel/) as string },
      ]);
    },
    client: async ({ work }) => {
      const { data } = await work.submitJob({ body: wait });
      await work.cancelJob({ id: data.id });
      expect((await work.waitForJob({ id: data.id })).status).toBe('canceled');
    },
    rules: ['jobs.state.', 'jobs.cancel.'],
  },
  {
    row: 'logs and links',
    mock: async (call) => {
      const { urls } = await jsonOf(await call(`${MOUNT}/api/v2/jobs`, { json: text }));
      const { self, events } = urls as Record<string, string>;
      expect([self, events].every((link) => link?.startsWith(`${MOUNT}/api/v2/jobs/`))).toBe(true);
      await (await call(events ?? '')).text();
      expect(await jsonOf(await call(self ?? ''))).toMatchObject({ status: 'succeeded', logs: {} });
    },
    client: async ({ jobs, work }) => {
      const submitted = await work.submitJob({ body: text });
      expect('logs' in submitted.data).toBe(false);
      expect((await work.waitForJob({ id: submitted.data.id }, { from: submitted })).logs).toBeDefined();
      expect((await jobs.getJobOf(work.connection, submitted)).data.logs).toBeDefined();
    },
    rules: ['jobs.logs.', 'jobs.urls.'],
  },
  {
    row: 'stream',
    mock: async (call) => {
      const { urls } = await jsonOf(await call(`${MOUNT}/api/v2/jobs`, { json: text }));
      const kinds: string[] = [];
      const parser = createParser({ onEvent: ({ event = '' }) => kinds.push(event) });
      parser.feed(await (await call((urls as Record<string, string>)['events'] ?? '')).text());
      expect([kinds[0], kinds.includes('progress'), kinds.at(-1)]).toStrictEqual(['status', true, 'status']);
    },
    client: async ({ work }) => {
      const submitted = await work.submitJob({ body: text });
      const kinds: string[] = [];
      for await (const { kind } of work.followJob({ id: submitted.data.id })) kinds.push(kind);
      expect([kinds[0], kinds.includes('progress'), kinds.at(-1)]).toStrictEqual(['status', true, 'end']);
    },
    rules: ['jobs.sse.'],
  },
];

/** Each operation of the contract by the mock, by the client and by the suite, all of the packed package. */
export function tableTests(projectOf: () => string): void {
  describe('the table', () => {
    let mock: { readonly url: string; readonly child: ChildProcess };
    let clients: Clients;
    let verdicts: readonly { readonly id: string; readonly verdict: string }[];

    beforeAll(async () => {
      const project = projectOf();
      mock = await startPacked(project);
      [clients, verdicts] = await Promise.all([clientsOf(project, mock.url), judged(project, mock.url)]);
      // A whole run of the suite over sockets, on a machine that has other tests to run.
    }, 240_000);
    afterAll(() => mock.child.kill('SIGKILL'));

    const call: Caller = (target, { key = KEY, json, headers = {} } = {}) =>
      fetch(mock.url + target, {
        method: json === undefined ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      });

    test.each(rows.map((row) => [row.row, row] as const))('%s × mock', async (_name, row) => {
      await row.mock(call);
    });
    test.each(rows.map((row) => [row.row, row] as const))('%s × client', async (_name, row) => {
      await row.client(clients);
    });
    test.each(rows.map((row) => [row.row, row] as const))('%s × suite', (_name, { rules }) => {
      for (const begin of rules) {
        const own = verdicts.filter(({ id }) => id.startsWith(begin));
        expect(
          own.filter(({ verdict }) => ['fail', 'error', 'inconclusive'].includes(verdict)),
        ).toStrictEqual([]);
        expect(own.filter(({ verdict }) => verdict === 'pass').length, begin).toBeGreaterThan(0);
      }
    });
  });
}

// --- internal ---

const binOf = (project: string): string => join(project, 'node_modules/tallystick/dist/cli/bin.cjs');

async function startPacked(project: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const flags = ['--port', '0', '--control-port', '0', '--json', '--quiet', '--deadline', '1s'];
  const jobs = ['--surface', 'serverless', '--mount-prefix', MOUNT];
  const child = spawn(process.execPath, [binOf(project), 'mock', ...flags, ...jobs], {
    cwd: project,
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => reject(new Error(`the packed mock ended with ${String(code)}`)));
  });
  const { url, controlUrl } = JSON.parse(line) as { url: string; controlUrl: string };
  const fixtures = await (await fetch(`${controlUrl}/control/v1/fixtures`)).text();
  await writeFile(join(project, 'table-fixtures.json'), fixtures);
  return { url, child };
}

async function clientsOf(project: string, url: string): Promise<Clients> {
  await succeed(project, [binOf(project), 'generate', '--out', 'table/api']);
  const options = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    outDir: 'table-out',
    rootDir: 'table',
  };
  await writeFile(
    join(project, 'tsconfig.table.json'),
    JSON.stringify({ compilerOptions: options, include: ['table'] }),
  );
  await succeed(project, [join(project, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.table.json']);
  const load = async <Module>(api: string): Promise<Module> =>
    (await import(pathToFileURL(join(project, `table-out/api/${api}/index.js`)).href)) as Module;
  const [router, registry, jobs] = await Promise.all([
    load<Router>('router'),
    load<Registry>('registry'),
    load<Jobs>('jobs'),
  ]);
  return {
    router,
    jobs,
    models: router.createRouter({ baseUrl: url, credentials: { ApiKeyAuth: KEY } }),
    nodes: registry.createRegistry({ baseUrl: url, credentials: { BearerAuth: KEY } }),
    work: jobs.createJobs({ baseUrl: `${url}${MOUNT}`, credentials: { BearerAuth: KEY } }),
  };
}

async function judged(
  project: string,
  url: string,
): Promise<readonly { readonly id: string; readonly verdict: string }[]> {
  const permissions = ['--fixtures', 'table-fixtures.json', '--allow', 'negatives,billed,publish,jobs,slow'];
  await succeed(project, [binOf(project), 'conform', url, ...permissions, '--report', 'table-report']);
  const report = JSON.parse(await readFile(join(project, 'table-report/report.json'), 'utf8')) as {
    rules: { id: string; verdict: string }[];
  };
  return report.rules;
}

async function succeed(cwd: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}\n${stdout}\n${stderr}`);
}
