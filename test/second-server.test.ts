import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  enhance,
  events,
  follow,
  jobOf,
  publish,
  read,
  settled,
  submit,
} from './fixtures/second-server/calls.ts';
import {
  afterwards,
  bucketOf,
  keyed,
  page,
  rawStatus,
  run,
  send,
  told,
  until,
} from './fixtures/second-server/client.ts';
import type { Case, Fixtures, Got, JobName } from './fixtures/second-server/client.ts';
import { breaks, startSecondServer } from './fixtures/second-server/index.ts';
import type { BreakName, SecondServer, SecondServerOptions } from './fixtures/second-server/index.ts';
import { jobLooks } from './fixtures/second-server/job-looks.ts';
import type { Surface } from './fixtures/second-server/jobs.ts';
import { registryLooks } from './fixtures/second-server/registry-looks.ts';
import { routerLooks } from './fixtures/second-server/router-looks.ts';
import type { Row } from './fixtures/second-server/router-looks.ts';

const running: SecondServer[] = [];

async function start(
  options: SecondServerOptions = {},
): Promise<{ server: SecondServer; fixtures: Fixtures }> {
  const server = await startSecondServer({ deadlineMs: 600, ...options });
  running.push(server);
  return { server, fixtures: server.fixtures as Fixtures };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

test('a walk ends when has_more is false and meets every listed model once', async () => {
  const { server, fixtures } = await start();
  const seen: string[] = [];
  let query = '?limit=1';
  const sizes = new Set<number>();
  for (;;) {
    const { data, has_more, limit, next_cursor } = await page(server, query);
    expect(limit).toBe(1);
    sizes.add(data.length);
    seen.push(...data.map(({ id }) => id));
    expect(typeof next_cursor).toBe(has_more ? 'string' : 'undefined');
    if (!has_more) break;
    query = `?limit=1&cursor=${encodeURIComponent(next_cursor ?? '')}`;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(100);
  expect(seen).not.toContain(fixtures.model.unreleased);
  expect(sizes).toEqual(new Set([0, 1]));
});

test.each([
  ['', 20],
  ['?limit=7', 7],
  ['?limit=100', 100],
  ['?limit=101', 100],
  ['?limit=99999999999999999999', 100],
  ['?limit=0', 20],
  ['?limit=-3', 20],
])('the list %s serves pages of %i', async (query, limit) => {
  const { server } = await start();
  expect((await page(server, query)).limit).toBe(limit);
});

test('a cursor that is empty, foreign, too long, cut, changed or old is refused', async () => {
  const { server, fixtures } = await start();
  const { next_cursor: good } = await page(server, '');
  if (typeof good !== 'string') throw new Error('the first page is the last');
  expect(good).toMatch(/^[A-Za-z0-9._~+/=-]{1,512}$/);
  const changed = good.slice(0, -3) + (good.at(-3) === 'A' ? 'B' : 'A') + good.slice(-2);
  const bad = [
    '',
    'nonsense',
    'a'.repeat(513),
    good.slice(0, -4),
    good.slice(0, 8),
    changed,
    fixtures.cursor.expired,
  ];
  for (const cursor of bad) {
    const got = await send(server, `/v1/models?cursor=${encodeURIComponent(cursor)}`);
    expect([cursor, got.status, bucketOf(got)]).toEqual([cursor, 400, 'invalid_input']);
  }
});

test('every listed model can be read, and only identity and billing facts are in it', async () => {
  const { server } = await start();
  for (const { id } of (await page(server, '?limit=20')).data) {
    const detail: unknown = JSON.parse((await send(server, `/v1/models/${id}`)).text);
    expect(detail).toMatchObject({
      id,
      billing: { charges_on_policy_rejection: expect.any(String) as string },
    });
  }
});

test.each([
  ['/v1/models/Quartz/sketch', 400],
  ['/v1/models/quartz/a..b', 400],
  ['/v1/models/quartz/../onyx.labs', 400],
  ['/v1/models/quartz%2Fsketch_2.1/x', 400],
  ['/v1/models/quartz/%73ketch_2.1', 400],
  [`/v1/models/${'a'.repeat(65)}/b`, 414],
  ['/v1/models/quartz/mirror/variant', 400],
  ['/v1/models/quartz', 404],
  ['/v1/queue/models/quartz/mirror', 501],
  ['/v2/models', 404],
])('the path %s is answered with %i', async (path, status) => {
  const { server } = await start();
  expect(await rawStatus(server, path)).toBe(status);
});

describe('runs', () => {
  test.each<[keyof Fixtures['model'], number, string | null]>([
    ['ok', 200, null],
    ['slow', 200, null],
    ['noSchema', 200, null],
    ['hugeOutput', 200, null],
    ['reject422', 422, 'provider_error'],
    ['policy', 451, 'content_policy_violation'],
    ['deadline', 504, 'deadline_exceeded'],
    ['providerTimeout', 504, 'provider_timeout'],
    ['5xx', 500, 'provider_error'],
    ['503', 503, 'service_unavailable'],
    ['425', 425, 'provider_error'],
  ])('the model %s answers %i', async (name, status, bucket) => {
    const { server, fixtures } = await start();
    const got = await run(server, fixtures.model[name] as Case);
    expect([got.status, bucketOf(got)]).toEqual([status, bucket]);
    expect(got.headers.get('x-service-request-id')).toBeTruthy();
  });

  test('input and output pass byte for byte', async () => {
    const { server, fixtures } = await start();
    const { id, rawInput, rawOutput } = fixtures.model.echo;
    const headers = { 'content-type': 'application/json' };
    expect((await send(server, `/v1/models/${id}`, { method: 'POST', headers, body: rawInput })).text).toBe(
      rawOutput,
    );
  });

  test('a 422 has one entry for each bad field and no error_type', async () => {
    const { server, fixtures } = await start();
    const body = JSON.parse((await run(server, fixtures.model.reject422)).text) as { detail: unknown[] };
    expect(body.detail).toHaveLength(fixtures.model.reject422.expectedFailures);
    expect(body).not.toHaveProperty('error_type');
    expect(JSON.stringify(body.detail)).toContain('"layers",1,"opacity"');
  });

  test.each([
    ['no JSON', '{', 400],
    ['no object', '[]', 400],
    ['not what the schema says', '{"prompt":7}', 400],
  ])('a body that is %s is invalid input', async (_name, body, status) => {
    const { server, fixtures } = await start();
    const headers = { 'content-type': 'application/json' };
    const got = await send(server, `/v1/models/${fixtures.model.ok.id}`, { method: 'POST', headers, body });
    expect([got.status, bucketOf(got)]).toEqual([status, 'invalid_input']);
  });

  test('a model that is not there is a 404, with suggestions that the caller may see', async () => {
    const { server, fixtures } = await start();
    for (const id of [fixtures.model.unknown, fixtures.model.unknownProvider]) {
      const got = await run(server, { id, input: {} });
      expect([got.status, bucketOf(got)]).toEqual([404, 'model_not_found']);
      expect(got.text).not.toContain(fixtures.model.unreleased);
    }
  });

  test('credits are shown for the provider on the list alone', async () => {
    const { server, fixtures } = await start();
    const shown = await run(server, fixtures.model.creditsHeader);
    const other = await run(server, fixtures.model.ok);
    expect([shown, other].map(({ headers }) => headers.has('x-service-credits-used'))).toEqual([true, false]);
  });

  test('the bound on calls and the bound on spend refuse with their own words', async () => {
    const { server, fixtures } = await start();
    const flood = async (bound: Case & { cred: string }, times: number): Promise<Got | undefined> => {
      const all = await Promise.all(
        Array.from({ length: times }, () => run(server, bound, { 'x-api-key': bound.cred })),
      );
      expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        ...Array.from({ length: times - 1 }, () => 200),
        429,
      ]);
      return all.find(({ status }) => status === 429);
    };
    const byCount = await flood(fixtures.concurrency, fixtures.concurrency.bound + 1);
    const bySpend = await flood(fixtures.spend.bound, fixtures.spend.bound.calls);
    expect(byCount?.text).toContain('calls under way (2)');
    expect(byCount?.headers.has('x-committed-spend-limit')).toBe(false);
    expect(bySpend?.text).toContain('spend committed');
    expect(
      ['limit', 'current', 'remaining'].map((name) => bySpend?.headers.get(`x-committed-spend-${name}`)),
    ).toEqual(['500', '487.5', '12.5']);
  });
});

describe('idempotency keys', () => {
  test.each<[keyof Fixtures['model'], string, number]>([
    ['ok', '200 replayed', 1],
    ['reject422', '422 replayed', 1],
    ['policy', '451 replayed', 1],
    ['hugeOutput', '409', 1],
    ['5xx', '500', 2],
    ['503', '503', 2],
    ['425', '425', 2],
    ['deadline', '504', 2],
    ['providerTimeout', '504', 2],
  ])(
    'after %s the same key says %s, and the partner was called %i times',
    async (name, second, dispatches) => {
      const { server, fixtures } = await start();
      const model = fixtures.model[name] as Case;
      const first = await run(server, model, keyed('k'));
      expect(told(first)).not.toContain('replayed');
      const again = await run(server, model, keyed('k'));
      expect([told(again), server.dispatches(model.id)]).toEqual([second, dispatches]);
      if (second.endsWith('replayed')) expect(again.text).toBe(first.text);
    },
  );

  test('while a call runs its key says 409 and when to come back, then it replays', async () => {
    const { server, fixtures } = await start();
    const first = run(server, fixtures.model.slow, keyed('k'));
    await until(() => server.dispatches(fixtures.model.slow.id) === 1);
    expect(told(await run(server, fixtures.model.slow, keyed('k')))).toBe('409 wait');
    expect(told(await first)).toBe('200');
    expect(told(await run(server, fixtures.model.slow, keyed('k')))).toBe('200 replayed');
  });

  test('another body is refused and the record stays', async () => {
    const { server, fixtures } = await start();
    const { id, input } = fixtures.model.ok;
    await run(server, { id, input }, keyed('k'));
    expect(told(await run(server, { id, input: { ...input, more: 1 } }, keyed('k')))).toBe('409');
    expect(told(await run(server, { id, input }, keyed('k')))).toBe('200 replayed');
  });

  test('another account has keys of its own', async () => {
    const { server, fixtures } = await start();
    await run(server, fixtures.model.ok, keyed('k'));
    const other = { ...keyed('k'), 'x-api-key': fixtures.cred.secondAccount };
    expect(told(await run(server, fixtures.model.ok, other))).toBe('200');
  });

  test('a caller that hangs up gives its key back', async () => {
    const { server, fixtures } = await start();
    const hangUp = new AbortController();
    const lost = run(server, fixtures.model.slow, keyed('k'), hangUp.signal).catch(() => 'lost');
    await until(() => server.dispatches(fixtures.model.slow.id) === 1);
    hangUp.abort();
    expect(await lost).toBe('lost');
    expect(await afterwards(() => run(server, fixtures.model.slow, keyed('k')))).toBe('200');
    expect(server.dispatches(fixtures.model.slow.id)).toBe(2);
  });

  test('a timeout with Retry-After is collected with the same key, without a second dispatch', async () => {
    const { server, fixtures } = await start({ collects: true });
    const { providerTimeout } = fixtures.model;
    expect(told(await run(server, providerTimeout, keyed('k')))).toBe('504 wait');
    expect(told(await run(server, providerTimeout, keyed('k')))).toBe('200');
    expect(told(await run(server, providerTimeout, keyed('k')))).toBe('200 replayed');
    expect(server.dispatches(providerTimeout.id)).toBe(1);
  });

  test('a record is forgotten after 24 hours', async () => {
    let time = 0;
    const { server, fixtures } = await start({ now: () => time });
    await run(server, fixtures.model.ok, keyed('k'));
    time = 24 * 3_600_000 - 1;
    expect(told(await run(server, fixtures.model.ok, keyed('k')))).toBe('200 replayed');
    time += 1;
    expect(told(await run(server, fixtures.model.ok, keyed('k')))).toBe('200');
  });
});

test('even what is no HTTP gets a request id and a bucket', async () => {
  const { server } = await start();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
    socket.write('rubbish\r\n\r\n'),
  );
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(
    /^HTTP\/1.1 400 .*x-service-request-id: \S+\r\nx-service-error-type: invalid_input\r\n/s,
  );
});

test('a schema document is read once and then confirmed', async () => {
  const { server, fixtures } = await start();
  const path = `/v1/models/${fixtures.model.ok.id}/openapi.json`;
  const first = await send(server, path);
  const etag = first.headers.get('etag') ?? '';
  expect(JSON.parse(first.text)).toMatchObject({
    'x-service-router-model-id': fixtures.model.ok.id,
    'x-service-input-schema-authored': true,
  });
  for (const condition of ['*', etag, etag.slice(2), `"other", ${etag}, W/"x"`]) {
    const got = await send(server, path, { headers: { 'if-none-match': condition } });
    expect([got.status, got.text, got.headers.get('etag')]).toEqual([304, '', etag]);
    expect(got.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
    expect(got.headers.has('x-service-request-id')).toBe(true);
  }
  expect((await send(server, path, { headers: { 'if-none-match': '"other"' } })).text).toBe(first.text);
  const fallback = await send(server, `/v1/models/${fixtures.model.noSchema.id}/openapi.json`);
  expect(JSON.parse(fallback.text)).toMatchObject({ 'x-service-input-schema-authored': false });
});

test('a credential is an API key, the same as a bearer, or a JWT', async () => {
  const { server, fixtures } = await start();
  const { apiKey, jwt, forbidden } = fixtures.cred;
  const read = async (headers: Record<string, string>): Promise<string> => {
    const response = await fetch(`${server.url}/v1/models/no/one`, { headers });
    await response.text();
    return `${response.status} ${response.headers.get('x-service-error-type') ?? ''}`;
  };
  expect(await read({ 'X-API-Key': apiKey })).toBe('404 model_not_found');
  expect(await read({ Authorization: `Bearer ${apiKey}` })).toBe('404 model_not_found');
  expect(await read({ Authorization: `Bearer ${jwt}` })).toBe('404 model_not_found');
  expect(await read({ 'X-API-Key': forbidden })).toBe('403 forbidden');
  expect(await read({ 'X-API-Key': jwt })).toBe('401 unauthorized');
  expect(await read({ Authorization: 'Bearer rubbish' })).toBe('401 unauthorized');
  expect(await read({})).toBe('401 unauthorized');
  const poor = await run(server, fixtures.model.ok, { 'x-api-key': fixtures.account.noCredits });
  expect(bucketOf(poor)).toBe('insufficient_credits');
});

describe('publishing', () => {
  test('a version is published once, and its archive is put where the address says', async () => {
    const { server, fixtures } = await start();
    const first = await publish(server, '1.0.0-rc.1+b5');
    expect(first.status).toBe(201);
    const { signedUrl, node_version } = JSON.parse(first.text) as { signedUrl: string; node_version: object };
    expect(node_version).toMatchObject({ version: '1.0.0-rc.1+b5', status: 'NodeVersionStatusActive' });
    expect((await fetch(signedUrl, { method: 'PUT', body: 'zip' })).status).toBe(204);
    expect((await fetch(signedUrl.replace('by=', 'by=x'), { method: 'PUT', body: 'zip' })).status).toBe(403);
    expect((await publish(server, '1.0.0-rc.1+b5')).status).toBe(400);
    expect((await publish(server, '1.0.0-rc.1+b5', {}, fixtures.publish.second)).status).toBe(201);
  });

  test.each<[string, number, object]>([
    ['no node', 400, { node: undefined }],
    ['no version', 400, { node_version: undefined }],
    ['no token', 400, { personal_access_token: undefined }],
    ['a token of nobody', 403, { personal_access_token: 'pat-nobody' }],
    ['a version that is not semantic', 400, { node_version: { version: '1.0' } }],
    ['tags that are no list', 400, { node: { tags: 'ink' } }],
    [
      'a publisher whose member has no text for a role',
      400,
      { node: { publisher: { members: [{ role: 1 }] } } },
    ],
    ['a status that does not exist', 400, { node_version: { version: '1.0.0', status: 'Active' } }],
  ])('a publication with %s is answered with %i', async (_name, status, body) => {
    const { server } = await start();
    const got = await publish(server, '1.0.0', body);
    expect(got.status).toBe(status);
    const { error, message } = JSON.parse(got.text) as Record<string, unknown>;
    expect([typeof error, typeof message]).toEqual(['string', 'string']);
  });
});

test.each<[string, number, object]>([
  ['a picture in Base64', 200, { image: 'iVBORw0KGgo=' }],
  ['a picture by its address', 200, { image: 'https://images.second.example/face.png' }],
  ['both bounds', 200, { sharpen: 0, smart_grain: 100 }],
  ['an address for news', 200, { webhook_url: 'https://hooks.second.example' }],
  ['too much', 422, { sharpen: 100.5 }],
  ['too little', 422, { smart_grain: -1 }],
  ['an insecure address', 422, { image: 'http://images.second.example/face.png' }],
])('the proxy answers %s with %i', async (_name, status, body) => {
  const { server } = await start();
  expect((await enhance(server, body)).status).toBe(status);
});

describe('jobs', () => {
  test.each<[JobName, number, string | undefined]>([
    ['ok', 201, undefined],
    ['tiny', 201, undefined],
    ['invalid', 400, 'invalid_workflow'],
    ['unknownClass', 400, 'invalid_workflow'],
    ['uiFormat', 415, 'workflow_format_ui'],
    ['unknownAsset', 404, 'asset_unknown'],
    ['foreignAsset', 404, 'asset_unknown'],
  ])('submitting %s is answered with %i', async (name, status, code) => {
    const { server, fixtures } = await start();
    const got = await submit(server, fixtures.job[name]);
    const { error } = JSON.parse(got.text) as { error?: { code: string } | null };
    expect([got.status, error?.code]).toEqual([status, code]);
  });

  test('an invalid graph says which field of which node is missing', async () => {
    const { server, fixtures } = await start();
    expect(JSON.parse((await submit(server, fixtures.job.invalid)).text)).toMatchObject({
      error: { details: { node_errors: { first: [{ field: 'with.motif', reason: 'missing_input' }] } } },
    });
  });

  test.each([
    [{ webhook_url: null }, 409],
    [{ inputs: {} }, 409],
    [{ extra_data: { unheard: 1 } }, 400],
    [{ extra_data: { mood: 'calm' } }, 201],
  ])('a submission with %j is answered with %i', async (sibling, status) => {
    const { server, fixtures } = await start();
    expect((await submit(server, { ...fixtures.job.tiny, ...sibling })).status).toBe(status);
  });

  test('a job walks from queued to its end, and only the read says what it printed', async () => {
    const { server, fixtures } = await start();
    const ends = { ok: 'succeeded', fail: 'failed' } as const;
    for (const [name, status] of Object.entries(ends)) {
      const submitted = jobOf(await submit(server, fixtures.job[name as keyof typeof ends]));
      expect(submitted).toMatchObject({ status: 'queued', started_at: null, progress: null, outputs: [] });
      const last = (await events(server, submitted)).at(-1);
      expect(last).toMatchObject({ event: fixtures.sse.eventNames.status, data: { status } });
      expect(last?.data).not.toHaveProperty('logs');
      expect(await read(server, submitted)).toMatchObject({
        status,
        logs: { printed: expect.any(String) as string },
      });
    }
  });

  test('a stream of a finished job gives what is known and ends with the status', async () => {
    const { server, fixtures } = await start();
    const job = jobOf(await submit(server, fixtures.job.preview));
    const live = (await events(server, job)).map(({ event }) => event);
    const { status, progress, preview } = fixtures.sse.eventNames;
    expect(new Set(live)).toEqual(new Set([status, progress, preview]));
    expect((await events(server, job)).map(({ event }) => event)).toEqual([progress, preview, status]);
  });

  test.each<JobName>(['slow', 'tiny'])('cancelling %s passes through canceling', async (name) => {
    const { server, fixtures } = await start();
    const job = jobOf(await submit(server, fixtures.job[name]));
    if (name === 'slow') await settled(server, job, 'running');
    expect(jobOf(await follow(server, job.urls.halt, 'POST')).status).toBe('canceling');
    expect(jobOf(await follow(server, job.urls.halt, 'POST')).status).toBe('canceling');
    expect((await events(server, job)).at(-1)?.data).toMatchObject({ status: 'canceled' });
    expect(jobOf(await follow(server, job.urls.halt, 'POST')).status).toBe('canceled');
  });

  test('a key submits once, whatever comes second; a refusal gives it back, an unknown outcome does not', async () => {
    const { server, fixtures } = await start();
    const { tiny, invalid } = fixtures.job;
    const of = (does: string): object => ({ graph: { first: { does } } });
    const codes = async (...bodies: object[]): Promise<number[]> => {
      const key = keyed(crypto.randomUUID());
      const all: number[] = [];
      for (const body of bodies) all.push((await submit(server, body, key)).status);
      return all;
    };
    expect(await codes(tiny, tiny, of('paint'), invalid)).toEqual([201, 422, 422, 422]);
    expect(await codes(invalid, tiny)).toEqual([400, 201]);
    expect(await codes(of('crowd'), tiny)).toEqual([429, 201]);
    expect(await codes(of('fog'), tiny)).toEqual([502, 422]);
  });

  test.each<[Surface, number, boolean]>([
    ['cloud', 401, false],
    ['serverless', 401, true],
    ['self-hosted', 201, false],
    ['demo', 201, false],
  ])('on the surface %s a caller without a key gets %i', async (surface, status, hasLogs) => {
    const { server, fixtures } = await start({ surface });
    expect((await submit(server, fixtures.job.tiny, { authorization: '' })).status).toBe(status);
    const job = jobOf(await submit(server, fixtures.job.tiny));
    expect('logs' in (await settled(server, job, 'succeeded'))).toBe(hasLogs);
  });

  test('a self-hosted instance with a token asks for it', async () => {
    const { server, fixtures } = await start({ surface: 'self-hosted', staticToken: 'sesame' });
    const statuses = ['', 'Bearer wrong', 'Bearer sesame'].map(
      async (authorization) => (await submit(server, fixtures.job.tiny, { authorization })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 201]);
  });

  test('a job is nobody else’s, and a job that never was is not found', async () => {
    const { server, fixtures } = await start();
    const job = jobOf(await submit(server, fixtures.job.tiny));
    const other = await follow(server, job.urls.look, 'GET', fixtures.cred.secondAccount);
    expect(other.status).toBe(404);
    expect((await follow(server, job.urls.look.replace(job.id, 'none'))).status).toBe(404);
  });
});

const looks: Record<BreakName, Row> = { ...routerLooks, ...jobLooks, ...registryLooks };

describe('breaks', () => {
  test.each(Object.entries(looks) as [BreakName, Row][])(
    '%s is seen, and the honest server does not have it',
    async (name, { look, honest, broken }) => {
      expect(breaks[name].rule).toMatch(/^[a-z]+(\.[a-z0-9-]+){2}$/);
      let time = Date.now();
      const tick = (ms: number): void => {
        time += ms;
      };
      const now = (): number => time;
      const good = await start({ now });
      expect(await look(good.server, good.fixtures, tick)).toEqual(honest);
      const bad = await start({ now, breaks: [name] });
      expect(await look(bad.server, bad.fixtures, tick)).toEqual(broken);
    },
  );
});
