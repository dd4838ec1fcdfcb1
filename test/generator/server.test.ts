import { beforeEach, expect, test } from 'vitest';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { type GeneratedFile, generate } from '../../generator/index.ts';
import { contractOf, imported } from './generated.ts';
import { petDocument } from './pet-document.ts';

type Handle = (request: Request) => Promise<Response>;
interface ServerModule {
  createServer(handlers: object, options: object): Handle;
  refuse(reason: string, message: string, options?: object): Error;
}

let files: readonly GeneratedFile[];
let router: ServerModule;
let jobs: ServerModule;
let pets: ServerModule;

// Made once, by whichever test runs first.
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));

async function make(): Promise<void> {
  const own = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
  const contracts = [...own, await contractOf(petDocument, 'pets')];
  files = await generate(contracts, { server: true });
  const load = async (path: string): Promise<ServerModule> =>
    (await imported(files, path)) as unknown as ServerModule;
  router = await load('router/server.ts');
  jobs = await load('jobs/server.ts');
  pets = await load('pets/server.ts');
}

const KEY = { 'X-API-Key': 'service-one' };
const caller = {
  authenticate: (credentials: Record<string, string>) =>
    Object.values(credentials)[0] === undefined ? { id: 'nobody' } : { id: Object.values(credentials)[0] },
};

function post(url: string, body: unknown, headers: Record<string, string> = {}): Request {
  return new Request(`http://localhost${url}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const get = (url: string, headers: Record<string, string> = {}): Request =>
  new Request(`http://localhost${url}`, { headers });

test('no module of a client contains a server', () => {
  const clients = files.filter(({ path }) => path.endsWith('.ts') && !/server/.test(path));
  expect(clients.length).toBeGreaterThan(20);
  for (const { path, text } of clients) expect(text, path).not.toMatch(/from '[^']*server/);
});

test('parameters are read by their style and as their type', async () => {
  const seen: unknown[] = [];
  const serve = pets.createServer(
    {
      readPet: (input: unknown) => {
        seen.push(input);
        return { status: 200, body: { name: 'Rex' } };
      },
    },
    caller,
  );
  const answer = await serve(
    get('/pets/7?tag=a&tag=b&near[lat]=1.5&near[exact]=true&sizes=1|2', {
      'X-Depth': '3',
      cookie: 'a=b; session=s=1',
    }),
  );
  expect(answer.status).toBe(200);
  expect(seen).toStrictEqual([
    { id: 7, tag: ['a', 'b'], near: { lat: 1.5, exact: true }, sizes: [1, 2], xDepth: 3, session: 's=1' },
  ]);
});

test.each([
  ['a query that is not in the list', '/pets/7?tag=c', 400, 'tag/0'],
  ['a text that is not a number', '/pets/7?sizes=1|x', 400, 'sizes'],
  ['a parameter that is sent twice', '/pets/7?sizes=1&sizes=2', 400, 'is sent 2 times'],
  ['a path that names nothing', '/pets/0', 404, 'Nothing is served at this path: path /id '],
] as const)('%s is refused before the handler', async (_name, url, status, says) => {
  const serve = pets.createServer(
    {
      readPet: () => {
        throw new Error('reached');
      },
    },
    caller,
  );
  const answer = await serve(get(url));
  expect(answer.status).toBe(status);
  expect(JSON.stringify(await answer.json())).toContain(says);
});

test.each([
  ['JSON', 'application/json', '{"name":"Rex"}', 204],
  ['a form', 'application/x-www-form-urlencoded', 'name=Rex', 204],
  ['another type', 'text/plain', 'Rex', 415],
  ['broken JSON', 'application/json', '{"name":', 400],
  ['JSON that does not fit', 'application/json', '{"name":"R"}', 400],
  ['no UTF-8', 'application/json', new Uint8Array([0x22, 0xff, 0x22]), 400],
  ['nothing', 'application/json', '', 400],
])('a body of %s is accepted or refused as the document declares', async (_name, type, body, status) => {
  const serve = pets.createServer({ writePet: () => ({ status: 204 }) }, caller);
  const request = new Request('http://localhost/pets/1', {
    method: 'PUT',
    headers: { 'Content-Type': type },
    body,
  });
  expect((await serve(request)).status).toBe(status);
});

test('paths and methods that the document does not know are answered as errors of the API', async () => {
  const serve = router.createServer({}, caller);
  const unknown = await serve(get('/v1/queue/models/acme/echo', KEY));
  expect([unknown.status, unknown.headers.get('x-service-error-type')]).toStrictEqual([
    404,
    'model_not_found',
  ]);
  const other = await serve(new Request('http://localhost/v1/models', { method: 'DELETE', headers: KEY }));
  expect([other.status, other.headers.get('allow')]).toStrictEqual([405, 'GET, HEAD']);
  expect(unknown.headers.get('x-service-request-id')).not.toBe(other.headers.get('x-service-request-id'));
});

test('router.auth.required, router.auth.prefix: a credential is needed, and a prefixed bearer value is a key', async () => {
  const seen: unknown[] = [];
  const serve = router.createServer(
    { listModels: () => ({ status: 200, body: { data: [], has_more: false, limit: 20 } }) },
    {
      authenticate: (credentials: object) => {
        seen.push(credentials);
        return { id: 'x' };
      },
    },
  );
  expect((await serve(get('/v1/models'))).status).toBe(401);
  await serve(get('/v1/models', { Authorization: 'Bearer service-one' }));
  await serve(get('/v1/models', { Authorization: 'bearer a.b.c' }));
  await serve(get('/v1/models', KEY));
  expect(seen).toStrictEqual([
    { ApiKeyAuth: 'service-one' },
    { BearerAuth: 'a.b.c' },
    { ApiKeyAuth: 'service-one' },
  ]);
});

test.each([
  ['500', 100],
  ['0', 20],
  ['-3', 20],
  ['7', 7],
  ['', undefined],
  ['x', undefined],
])('router.list.limit-clamped: a limit of %j reaches the handler as %s', async (limit, served) => {
  const seen: unknown[] = [];
  const handlers = {
    listModels: (input: { limit: number }) => {
      seen.push(input.limit);
      return { status: 200, body: { data: [], has_more: false, limit: input.limit } };
    },
  };
  const answer = await router.createServer(handlers, caller)(get(`/v1/models?limit=${limit}`, KEY));
  expect(answer.status).toBe(served === undefined ? 400 : 200);
  expect(seen).toStrictEqual(served === undefined ? [] : [served]);
});

const run = (key: string, body: unknown = {}): Request =>
  post('/v1/models/acme/echo', body, { ...KEY, 'Idempotency-Key': key });

test('router.idem.replay: a recorded answer is replayed, but for what may not be', async () => {
  let runs = 0;
  const serve = router.createServer(
    {
      runModel: () => ({
        status: 200,
        headers: { 'X-Service-Credits-Used': '3' },
        body: { run: (runs += 1) },
      }),
    },
    caller,
  );
  const first = await serve(run('a'));
  const text = await first.text();
  const second = await serve(run('a'));
  expect([runs, await second.text()]).toStrictEqual([1, text]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect([
    first.headers.get('x-service-credits-used'),
    second.headers.get('x-service-credits-used'),
  ]).toStrictEqual(['3', null]);
  const other = await serve(run('a', { other: true }));
  expect([other.status, other.headers.get('retry-after')]).toStrictEqual([409, null]);
});

test.each([
  [503, 2],
  [425, 2],
  [404, 1],
  [422, 1],
])('router.idem: an answer of %s lets a retry reach the handler %s times', async (status, times) => {
  let runs = 0;
  const serve = router.createServer(
    {
      runModel: () => {
        runs += 1;
        throw router.refuse('provider_error', 'no', { status });
      },
    },
    caller,
  );
  await (await serve(run('a'))).text();
  const again = await serve(run('a'));
  await again.text();
  expect([again.status, runs]).toStrictEqual([status, times]);
});

test('router.idem.in-flight-409: a key in flight is refused with a time to wait, and one call runs', async () => {
  let runs = 0;
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const serve = router.createServer(
    {
      runModel: async () => {
        runs += 1;
        await held;
        return { status: 200, body: {} };
      },
    },
    caller,
  );
  const first = serve(run('a'));
  // Bodies are hashed off the main thread: what is sent first need not be the first to claim.
  await expect.poll(() => runs).toBe(1);
  const second = await serve(run('a'));
  expect([second.status, second.headers.get('retry-after')]).toStrictEqual([409, '1']);
  finish();
  expect((await first).status).toBe(200);
  expect(runs).toBe(1);
});

test('router.idem.consumed-409: an answer past the replay cap is recorded as used up', async () => {
  const serve = router.createServer(
    { runModel: () => ({ status: 200, body: { long: 'x'.repeat(200) } }) },
    { ...caller, replayCapBytes: 100 },
  );
  await (await serve(run('a'))).text();
  const second = await serve(run('a'));
  expect([second.status, second.headers.get('retry-after')]).toStrictEqual([409, null]);
});

test('router.idem.release-dropped: a body that the caller does not read frees the key', async () => {
  let runs = 0;
  const serve = router.createServer(
    { runModel: () => ({ status: 200, body: { run: (runs += 1) } }) },
    caller,
  );
  await (await serve(run('a'))).body?.cancel();
  await (await serve(run('a'))).text();
  expect(runs).toBe(2);
});

test("router.deadline.504: the deadline ends the wait, aborts the handler's signal, and releases the key", async () => {
  const reasons: unknown[] = [];
  const serve = router.createServer(
    {
      runModel: (_input: unknown, call: { signal: AbortSignal }) =>
        new Promise(() => {
          call.signal.addEventListener('abort', () => reasons.push(call.signal.reason));
        }),
    },
    { ...caller, deadlineMs: 20 },
  );
  const answer = await serve(run('a'));
  expect([answer.status, answer.headers.get('x-service-error-type')]).toStrictEqual([
    504,
    'deadline_exceeded',
  ]);
  expect(reasons).toHaveLength(1);
  await answer.text();
  expect((await serve(run('a'))).status).toBe(504);
});

test('router.capacity.429: the capacity of a caller is limited, and its spend is reported', async () => {
  const finish: (() => void)[] = [];
  const serve = router.createServer(
    {
      runModel: async () => {
        await new Promise<void>((resolve) => finish.push(resolve));
        return { status: 200, body: {} };
      },
    },
    { ...caller, capacity: { bounds: () => ({ calls: 3, cents: 100 }), cents: () => 60 } },
  );
  const first = serve(run('a'));
  await expect.poll(() => finish.length).toBe(1);
  const second = await serve(run('b'));
  expect(second.status).toBe(429);
  expect(second.headers.get('x-service-error-type')).toBe('concurrency_limit_exceeded');
  const spend = ['limit', 'current', 'remaining'].map((name) =>
    second.headers.get(`x-committed-spend-${name}`),
  );
  expect(spend).toStrictEqual(['100', '60', '40']);
  finish.forEach((end) => {
    end();
  });
  await (await first).text();
  const third = serve(run('b'));
  await expect.poll(() => finish.length).toBe(2);
  finish.forEach((end) => {
    end();
  });
  expect((await third).status).toBe(200);
});

test('router.schema.304: a current copy gets no body, by weak comparison', async () => {
  const body = {
    openapi: '3.1.0',
    'x-service-router-model-id': 'a/b',
    'x-service-input-schema-authored': true,
  };
  const serve = router.createServer(
    { getModelInputSchema: () => ({ status: 200, headers: { 'Cache-Control': 'no-cache' }, body }) },
    caller,
  );
  const full = await serve(get('/v1/models/a/b/openapi.json', KEY));
  const etag = full.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\da-f]+"$/);
  const current = await serve(
    get('/v1/models/a/b/openapi.json', { ...KEY, 'If-None-Match': `"x", W/${etag}` }),
  );
  expect([
    current.status,
    await current.text(),
    current.headers.get('etag'),
    current.headers.get('cache-control'),
  ]).toStrictEqual([304, '', etag, 'no-cache']);
  expect(current.headers.get('x-service-request-id')).not.toBeNull();
  expect((await serve(get('/v1/models/a/b/openapi.json', { ...KEY, 'If-None-Match': '"x"' }))).status).toBe(
    200,
  );
});

test(
  'a fault of a handler is an internal error, and its message is not sent',
  { tags: 'attack' },
  async () => {
    const findings: { kind: string }[] = [];
    const serve = router.createServer(
      {
        runModel: () => {
          throw new Error('secret');
        },
        getModel: () => ({ status: 200, body: { id: 'x' } }),
      },
      { ...caller, checkResponses: true, onFinding: (finding: { kind: string }) => findings.push(finding) },
    );
    const answer = await serve(run('a'));
    expect([answer.status, answer.headers.get('x-service-error-type')]).toStrictEqual([
      500,
      'internal_error',
    ]);
    expect(await answer.text()).not.toContain('secret');
    await serve(get('/v1/models/acme/echo', KEY));
    expect(
      findings.map(({ kind }) => kind).filter((kind) => kind !== 'started' && kind !== 'ended'),
    ).toStrictEqual(['handler', 'answered', 'response', 'answered']);
  },
);

const submit = (key: string, body: unknown = {}): Request =>
  post('/api/v2/jobs', body, { 'Idempotency-Key': key });

test.each<[string, (refuse: ServerModule['refuse']) => unknown, number, number]>([
  ['a job came of it', () => ({ status: 201, body: {} }), 422, 1],
  [
    'it was refused',
    (refuse) => {
      throw refuse('invalid_workflow', 'no', { status: 400, details: { node_errors: {} } });
    },
    400,
    2,
  ],
  [
    'nobody knows',
    (refuse) => {
      throw refuse('upstream', 'no', { status: 504 });
    },
    422,
    1,
  ],
  [
    'the handler failed',
    () => {
      throw new Error('oops');
    },
    422,
    1,
  ],
])('jobs.idem: what a second use of a key is answered when %s', async (_name, act, status, times) => {
  let calls = 0;
  const serve = jobs.createServer(
    {
      submitJob: () => {
        calls += 1;
        return act(jobs.refuse);
      },
    },
    caller,
  );
  await (await serve(submit('a'))).text();
  const second = await serve(submit('a', { other: 1 }));
  expect([second.status, calls]).toStrictEqual([status, times]);
  const { error } = (await second.json()) as { error: { code: string; details?: unknown } };
  expect(error.code).toBe(status === 422 ? 'idempotency_key_reuse' : 'invalid_workflow');
});

test('jobs.idem.concurrent: of two submissions with one key at once, one is taken', async () => {
  let calls = 0;
  const serve = jobs.createServer(
    {
      submitJob: async () => {
        calls += 1;
        await Promise.resolve();
        return { status: 201, body: {} };
      },
    },
    caller,
  );
  const statuses = (await Promise.all([serve(submit('a')), serve(submit('a'))])).map(({ status }) => status);
  expect([statuses.sort(), calls]).toStrictEqual([[201, 422], 1]);
});

test('jobs.events: a stream is framed, lives while nothing happens, and tells its handler when its caller has left', async () => {
  let ended = false;
  const serve = jobs.createServer(
    {
      async streamJobEvents(_input: unknown, call: { signal: AbortSignal }) {
        await Promise.resolve();
        return {
          status: 200,
          events: (async function* () {
            yield { event: 'status', data: { status: 'queued' } };
            try {
              await new Promise((_resolve, reject) => {
                call.signal.addEventListener('abort', () => {
                  reject(new Error('gone'));
                });
              });
            } finally {
              ended = true;
            }
          })(),
        };
      },
    },
    { ...caller, keepAliveMs: 5 },
  );
  const answer = await serve(get('/api/v2/jobs/1/events'));
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  const reader = answer.body?.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  expect(await read()).toBe('event: status\ndata: {"status":"queued"}\n\n');
  expect(await read()).toBe(': \n\n');
  await reader?.cancel();
  await expect.poll(() => ended).toBe(true);
});

test.each([['x'], [undefined], [101], [600], [200.5], [Number.NaN], ['204'], [null]])(
  'a handler that answers with the status %j is reported as a fault, and the connection is not cut',
  async (status) => {
    const told: unknown[] = [];
    const serve = pets.createServer(
      { readPet: () => ({ status, body: {} }) },
      {
        ...caller,
        onFinding: (finding: { kind: string; error?: unknown }) => {
          if (finding.kind === 'handler') told.push(String(finding.error));
        },
      },
    );
    const answer = await serve(get('/pets/7'));
    expect([answer.status, (await answer.text()).length > 0]).toStrictEqual([500, true]);
    expect(told).toStrictEqual([expect.stringContaining('a status must be a whole number from 200 to 599')]);
  },
);

test.each([204, 205, 304])('a body with the status %i is not sent', async (status) => {
  const serve = pets.createServer({ readPet: () => ({ status, body: { a: 1 } }) }, caller);
  const answer = await serve(get('/pets/7'));
  expect([answer.status, await answer.text()]).toStrictEqual([status, '']);
});

test.each<[what: string, options: object]>([
  ['status', { status: 700 }],
  ['header', { headers: { 'X-Why': 'a\r\nb: c' } }],
])('a refusal with an invalid %s is answered and reported, wherever it is thrown', async (_, options) => {
  const told: unknown[] = [];
  const thrown = (): never => {
    throw router.refuse('rate_limited', 'Later.', options);
  };
  const onFinding = ({ kind }: { kind: string }): unknown => kind === 'handler' && told.push(kind);
  const statuses: number[] = [];
  for (const more of [{ authenticate: thrown }, { ...caller, lookup: { getModel: thrown } }, caller]) {
    const serve = router.createServer({ getModel: thrown }, { ...more, onFinding });
    statuses.push((await serve(get('/v1/models/a/b', KEY))).status);
  }
  expect([statuses, told.length]).toStrictEqual([[500, 500, 500], 3]);
});
