import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { breaks, startSecondServer } from './fixtures/second-server/index.ts';
import type { BreakName, SecondServer, SecondServerOptions } from './fixtures/second-server/index.ts';

interface Case {
  readonly id: string;
  readonly input: Record<string, unknown>;
}

/** The members of the fixtures that these tests use. */
interface Fixtures {
  readonly deadlineMs: number;
  readonly cred: { apiKey: string; jwt: string; forbidden: string; secondAccount: string };
  readonly account: { noCredits: string };
  readonly concurrency: Case & { bound: number; cred: string };
  readonly spend: { bound: Case & { cred: string; calls: number } };
  readonly cursor: { expired: string };
  readonly model: Record<
    'ok' | 'slow' | 'policy' | 'deadline' | 'providerTimeout' | '5xx' | '503' | '425',
    Case
  > &
    Record<'hugeOutput' | 'noSchema' | 'creditsHeader', Case> & {
      echo: Case & { rawInput: string; rawOutput: string };
      reject422: Case & { single: object; expectedFailures: number };
    } & Record<'unreleased' | 'unknown' | 'unknownProvider', string>;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

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

async function send(server: SecondServer, path: string, sent: Sent = {}): Promise<Got> {
  const { apiKey } = (server.fixtures as Fixtures).cred;
  const response = await fetch(server.url + path, {
    ...sent,
    headers: { 'x-api-key': apiKey, ...sent.headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function run(
  server: SecondServer,
  { id, input }: Case,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
) {
  return send(server, `/v1/models/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
    ...(signal === undefined ? {} : { signal }),
  });
}

const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });

/** The status, with what marks a replay and what asks to wait. */
const told = ({ status, headers }: Got): string =>
  [status, headers.has('idempotent-replayed') ? 'replayed' : '', headers.has('retry-after') ? 'wait' : '']
    .filter(Boolean)
    .join(' ');

const bucketOf = ({ headers }: Got): string | null => headers.get('x-service-error-type');

interface Page {
  data: { id: string }[];
  has_more: boolean;
  limit: number;
  next_cursor?: string | null;
}

async function page(server: SecondServer, query: string): Promise<Page> {
  return JSON.parse((await send(server, `/v1/models${query}`)).text) as Page;
}

/** The status of a path that a client would tidy up before sending it. */
function rawStatus(server: SecondServer, path: string): Promise<number> {
  const { apiKey } = (server.fixtures as Fixtures).cred;
  return new Promise((resolve, reject) => {
    request(server.url, { path, headers: { 'x-api-key': apiKey } }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });
}

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
    await pause(60);
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
    await pause(60);
    hangUp.abort();
    expect(await lost).toBe('lost');
    await pause(60);
    expect(told(await run(server, fixtures.model.slow, keyed('k')))).toBe('200');
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

type Look = (server: SecondServer, fixtures: Fixtures, tick: (ms: number) => void) => Promise<unknown>;

const twice =
  (name: keyof Fixtures['model']): Look =>
  async (server, { model }) => {
    await run(server, model[name] as Case, keyed('k'));
    return told(await run(server, model[name] as Case, keyed('k')));
  };

async function failureEntry(
  server: SecondServer,
  { model }: Fixtures,
): Promise<{ detail: { loc: unknown[] }[] }> {
  return JSON.parse((await run(server, model.reject422)).text) as { detail: { loc: unknown[] }[] };
}

async function detailOf(server: SecondServer, { model }: Fixtures): Promise<Record<string, unknown>> {
  return JSON.parse((await send(server, `/v1/models/${model.ok.id}`)).text) as Record<string, unknown>;
}

async function conditional(server: SecondServer, { model }: Fixtures): Promise<Got> {
  const path = `/v1/models/${model.ok.id}/openapi.json`;
  const etag = (await send(server, path)).headers.get('etag') ?? '';
  return send(server, path, { headers: { 'if-none-match': etag } });
}

/** One look at the server for each break: what the honest one shows, and what the broken one shows. */
const looks: Record<BreakName, { look: Look; honest: unknown; broken: unknown }> = {
  'list.refuses-large-limit': {
    look: async (server) => (await send(server, '/v1/models?limit=101')).status,
    honest: 200,
    broken: 400,
  },
  'list.null-next-cursor': {
    look: async (server) => {
      const { next_cursor } = await page(server, '?limit=100');
      return (await page(server, `?limit=100&cursor=${encodeURIComponent(next_cursor ?? '')}`)).next_cursor;
    },
    honest: undefined,
    broken: null,
  },
  'list.ignores-bad-cursor': {
    look: async (server) => (await send(server, '/v1/models?cursor=nonsense')).status,
    honest: 400,
    broken: 200,
  },
  'list.zero-limit-is-one': {
    look: async (server) => (await page(server, '?limit=0')).limit,
    honest: 20,
    broken: 1,
  },
  'list.shows-unreleased': {
    look: async (server, { model }) =>
      (await page(server, '')).data.some(({ id }) => id === model.unreleased),
    honest: false,
    broken: true,
  },
  'list.stale-cursor-lives': {
    look: async (server, { cursor }) =>
      (await send(server, `/v1/models?cursor=${encodeURIComponent(cursor.expired)}`)).status,
    honest: 400,
    broken: 200,
  },
  'detail.boolean-charges': {
    look: async (server, fixtures) => (await detailOf(server, fixtures))['billing'],
    honest: { charges_on_policy_rejection: 'no' },
    broken: { charges_on_policy_rejection: false },
  },
  'detail.plain-http-schema-url': {
    look: async (server, fixtures) =>
      String((await detailOf(server, fixtures))['input_schema_url']).split(':')[0],
    honest: 'https',
    broken: 'http',
  },
  'run.reformats-output': {
    look: async (server, { model }) => {
      const headers = { 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body: model.echo.rawInput };
      return (await send(server, `/v1/models/${model.echo.id}`, sent)).text === model.echo.rawOutput;
    },
    honest: true,
    broken: false,
  },
  'run.suggests-unreleased': {
    look: async (server, { model }) =>
      (await run(server, { id: model.unknown, input: {} })).text.includes(model.unreleased),
    honest: false,
    broken: true,
  },
  'run.error-type-in-422': {
    look: async (server, fixtures) => Object.keys(await failureEntry(server, fixtures)),
    honest: ['detail'],
    broken: ['detail', 'error_type'],
  },
  'run.index-as-string': {
    look: async (server, fixtures) => (await failureEntry(server, fixtures)).detail[1]?.loc[2],
    honest: 1,
    broken: '1',
  },
  'run.spend-without-headers': {
    look: async (server, { spend: { bound } }) => {
      const calls = Array.from({ length: bound.calls }, () =>
        run(server, bound, { 'x-api-key': bound.cred }),
      );
      const refused = (await Promise.all(calls)).find(({ status }) => status === 429);
      return refused?.headers.has('x-committed-spend-limit');
    },
    honest: true,
    broken: false,
  },
  'run.timeout-named-deadline': {
    look: async (server, { model }) => bucketOf(await run(server, model.providerTimeout)),
    honest: 'provider_timeout',
    broken: 'deadline_exceeded',
  },
  'idem.released-on-4xx': { look: twice('reject422'), honest: '422 replayed', broken: '422' },
  'idem.kept-on-5xx': { look: twice('503'), honest: '503', broken: '503 replayed' },
  'idem.replay-unmarked': { look: twice('ok'), honest: '200 replayed', broken: '200' },
  'idem.check-then-set': {
    look: async (server, { model }) => {
      const both = [1, 2].map(() => run(server, model.slow, keyed('k')));
      return (await Promise.all(both)).map(({ status }) => status).toSorted((a, b) => a - b);
    },
    honest: [200, 409],
    broken: [200, 200],
  },
  'idem.mismatch-overwrites': {
    look: async (server, { model: { ok } }) => {
      await run(server, ok, keyed('k'));
      const other = await run(server, { id: ok.id, input: { prompt: 'other' } }, keyed('k'));
      return [told(other), told(await run(server, ok, keyed('k')))];
    },
    honest: ['409', '200 replayed'],
    broken: ['409', '409'],
  },
  'idem.mismatch-replays': {
    look: async (server, { model: { ok } }) => {
      await run(server, ok, keyed('k'));
      return told(await run(server, { id: ok.id, input: { prompt: 'other' } }, keyed('k')));
    },
    honest: '409',
    broken: '200 replayed',
  },
  'idem.in-flight-without-wait': {
    look: async (server, { model }) => {
      const first = run(server, model.slow, keyed('k'));
      await pause(60);
      const second = await run(server, model.slow, keyed('k'));
      await first;
      return told(second);
    },
    honest: '409 wait',
    broken: '409',
  },
  'idem.held-after-drop': {
    look: async (server, { model, deadlineMs }) => {
      const hangUp = new AbortController();
      const lost = run(server, model.slow, keyed('k'), hangUp.signal).catch(() => undefined);
      await pause(60);
      hangUp.abort();
      await lost;
      await pause(deadlineMs);
      return told(await run(server, model.slow, keyed('k')));
    },
    honest: '200',
    broken: '200 replayed',
  },
  'idem.truncated-replay': { look: twice('hugeOutput'), honest: '409', broken: '200 replayed' },
  'idem.credits-replayed': {
    look: async (server, { model }) => {
      await run(server, model.creditsHeader, keyed('k'));
      return (await run(server, model.creditsHeader, keyed('k'))).headers.has('x-service-credits-used');
    },
    honest: false,
    broken: true,
  },
  'idem.never-expires': {
    look: async (server, { model }, tick) => {
      await run(server, model.ok, keyed('k'));
      tick(24 * 3_600_000);
      return told(await run(server, model.ok, keyed('k')));
    },
    honest: '200',
    broken: '200 replayed',
  },
  'schema.304-without-etag': {
    look: async (server, fixtures) => (await conditional(server, fixtures)).headers.has('etag'),
    honest: true,
    broken: false,
  },
  'schema.strong-comparison': {
    look: async (server, fixtures) => (await conditional(server, fixtures)).status,
    honest: 304,
    broken: 200,
  },
  'auth.401-without-request-id': {
    look: async (server) =>
      (await send(server, '/v1/models', { headers: { 'x-api-key': 'rubbish' } })).headers.has(
        'x-service-request-id',
      ),
    honest: true,
    broken: false,
  },
  'auth.key-as-bearer-refused': {
    look: async (server, { cred }) =>
      (await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${cred.apiKey}` } }))
        .status,
    honest: 200,
    broken: 401,
  },
};

describe('breaks', () => {
  test.each(Object.entries(looks) as [BreakName, (typeof looks)[BreakName]][])(
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
