import { expect, test } from 'vitest';
import { oracles } from '../kill-matrix/suites.ts';
import { makeExchange } from '../../conformance/exchanges/exchange.ts';
import type { Exchange } from '../../conformance/exchanges/exchange.ts';

interface Call {
  readonly method?: string;
  readonly target: string;
  readonly sent?: readonly (readonly [string, string])[];
  readonly body?: unknown;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly answer?: unknown;
  /** Milliseconds; default: after the call before. */
  readonly from?: number;
  readonly to?: number;
}

/** The rules that the oracles of an API find broken in these exchanges. */
function brokenIn(api: string, calls: readonly Call[]): readonly string[] {
  const looks = oracles
    .filter((oracle) => oracle.api === api)
    .flatMap(({ look, follow }) => [look, follow?.()].filter((one) => one !== undefined));
  const found = calls
    .map((call, index) => exchangeOf(api, call, index))
    .flatMap((exchange) => looks.flatMap((look) => [...look(exchange)]))
    .flatMap((item) => (item.kind === 'check' && item.outcome === 'fail' ? [item.rule] : []));
  return [...new Set(found)];
}

function exchangeOf(api: string, call: Call, index: number): Exchange {
  const { method = 'GET', target, sent = [], body, status = 200, headers = [], answer } = call;
  const bytes = (value: unknown): Uint8Array =>
    new TextEncoder().encode(value === undefined ? '' : JSON.stringify(value));
  return makeExchange({
    id: `x${index}`,
    api,
    scenario: 'test',
    request: {
      method,
      target,
      headers: sent,
      body: body === undefined ? undefined : bytes(body),
      as: 'valid',
    },
    answer: { status, headers, body: bytes(answer), informational: [] },
    failure: undefined,
    startedAt: call.from ?? index * 100,
    endedAt: call.to ?? index * 100 + 50,
  });
}

const named = ['X-Service-Request-Id', 'r1'] as const;
const replayed = ['Idempotent-Replayed', 'true'] as const;

const run = (more: Partial<Call> = {}): Call => ({
  method: 'POST',
  target: '/v1/models/a/b',
  sent: [
    ['X-API-Key', 'k'],
    ['Idempotency-Key', '1'],
  ],
  body: { prompt: 'x' },
  headers: [named],
  answer: { made: 1 },
  ...more,
});

test.each<[string, readonly Call[], readonly string[]]>([
  ['one call', [run()], []],
  ['a call and its replay', [run(), run({ headers: [named, replayed] })], []],
  ['a second run under the key', [run(), run({ answer: { made: 2 } })], ['router.idem.replay']],
  ['a run of another body under the key', [run(), run({ body: {} })], ['router.idem.mismatch-409']],
  [
    'a replay for another body',
    [run(), run({ body: {}, headers: [named, replayed] })],
    ['router.idem.mismatch-409'],
  ],
  [
    'a replay of something else',
    [run(), run({ answer: { made: 2 }, headers: [named, replayed] })],
    ['router.idem.replay'],
  ],
  [
    'a replay without a key',
    [run({ sent: [], headers: [named, replayed] })],
    ['router.idem.no-key-no-replay'],
  ],
  [
    'credits on a replay',
    [run(), run({ headers: [named, replayed, ['X-Service-Credits-Used', '1']] })],
    ['router.credits-header.not-on-replay'],
  ],
  [
    'a replay of a server error',
    [
      run({
        status: 500,
        headers: [named, replayed, ['X-Service-Error-Type', 'provider_error']],
        answer: { error_type: 'provider_error' },
      }),
    ],
    ['router.idem.release-5xx'],
  ],
  [
    'the same key of another caller',
    [
      run(),
      run({
        sent: [
          ['X-API-Key', 'l'],
          ['Idempotency-Key', '1'],
        ],
      }),
    ],
    [],
  ],
  ['the same key for another model', [run(), run({ target: '/v1/models/a/c' })], []],
  ['calls that overlap', [run({ from: 0, to: 90 }), run({ from: 10, to: 95, answer: { made: 2 } })], []],
  ['a second run a day later', [run(), run({ from: 86_400_000, to: 86_400_001 })], []],
  [
    'a second run after a failure',
    [
      run({
        status: 503,
        headers: [named, ['X-Service-Error-Type', 'service_unavailable']],
        answer: { error_type: 'service_unavailable' },
      }),
      run(),
    ],
    [],
  ],
  ['an acknowledgement', [run({ status: 202 })], ['router.run.no-202']],
  ['a list as output', [run({ answer: [] })], ['router.run.output-object']],
])('router, keys: %s', (_, calls, broken) => {
  expect(brokenIn('router', calls)).toEqual(broken);
});

const inputSchema = {
  type: 'object',
  required: ['prompt'],
  properties: { prompt: { type: 'string', maxLength: 5 } },
};
const documentOf = (more: object = {}): object => ({
  openapi: '3.0.3',
  info: { title: 'Input', version: '1' },
  'x-service-router-model-id': 'a/b',
  'x-service-input-schema-authored': true,
  paths: {
    '/v1/models/a/b': {
      post: {
        requestBody: { content: { 'application/json': { schema: inputSchema } } },
        responses: { default: { description: 'output' } },
      },
    },
  },
  ...more,
});
const document = documentOf();
const schema = (more: Partial<Call>): Call => ({
  target: '/v1/models/a/b/openapi.json',
  headers: [named, ['ETag', '"1"'], ['Cache-Control', 'no-cache']],
  answer: document,
  ...more,
});
const page = (answer: unknown): Call => ({ target: '/v1/models?limit=2', headers: [named], answer });

test.each<[string, Call, readonly string[]]>([
  ['a document', schema({}), []],
  [
    'a document of another model',
    schema({ target: '/v1/models/a/c/openapi.json' }),
    ['router.schema.model-id-ext'],
  ],
  [
    'a tag without quotes',
    schema({ headers: [named, ['ETag', '1'], ['Cache-Control', 'no-cache']] }),
    ['router.schema.etag-format'],
  ],
  [
    'a 304 with a body',
    schema({ status: 304, sent: [['If-None-Match', '"1"']] }),
    ['router.schema.304-no-body'],
  ],
  [
    'a 304 without its tag',
    schema({
      status: 304,
      sent: [['If-None-Match', '"1"']],
      headers: [named, ['Cache-Control', 'no-cache']],
      answer: undefined,
    }),
    ['router.schema.304-headers'],
  ],
  ['a 304 to no condition', schema({ status: 304, answer: undefined }), ['router.schema.inm-miss']],
  ['a page', page({ data: [], has_more: false, limit: 2 }), []],
  [
    'a page with more than its limit',
    page({
      data: ['b', 'c', 'd'].map((model) => ({ id: `a/${model}`, provider: 'a', model })),
      has_more: false,
      limit: 2,
    }),
    ['router.list.data-at-most-limit'],
  ],
  [
    'a page with a limit of 500',
    page({ data: [], has_more: false, limit: 500 }),
    ['router.list.limit-range', 'router.list.limit-honoured'],
  ],
  [
    'a page that has more and no cursor',
    page({ data: [], has_more: true, limit: 2 }),
    ['router.list.cursor-iff-more'],
  ],
  [
    'the detail of another model',
    {
      target: '/v1/models/a/b',
      headers: [named],
      answer: { id: 'a/c', provider: 'a', model: 'c', billing: { charges_on_policy_rejection: 'no' } },
    },
    ['router.detail.identity'],
  ],
])('router, reads: %s', (_, call, broken) => {
  expect(brokenIn('router', [call])).toEqual(broken);
});

const id = '5e1f9f7e-0c4b-4b7a-9d53-3f1f0a6c2b11';
const job = (more: object = {}): object => ({
  id,
  status: 'running',
  created_at: '2026-01-05T09:00:00Z',
  started_at: '2026-01-05T09:00:01Z',
  completed_at: null,
  expires_at: '2026-01-06T09:00:00Z',
  queue_position: null,
  progress: null,
  outputs: [],
  error: null,
  urls: {},
  ...more,
});
const read = (more: object = {}, call: Partial<Call> = {}): Call => ({
  target: `/api/v2/jobs/${id}`,
  answer: job(more),
  ...call,
});
const done = { status: 'succeeded', completed_at: '2026-01-05T09:00:05Z' };
const frame = (data: object): string => `event: status\ndata: ${JSON.stringify(data)}\n\n`;

test.each<[string, readonly Call[], readonly string[]]>([
  ['a job that runs to its end', [read(), read(done), read(done)], []],
  [
    'a job that is queued again',
    [read(), read({ status: 'queued', started_at: null })],
    ['jobs.state.legal-path'],
  ],
  ['a job that runs after its cancel', [read({ status: 'canceling' }), read()], ['jobs.state.legal-path']],
  [
    'a job that fails after its end',
    [read(done), read({ ...done, status: 'failed', error: {} })],
    ['jobs.state.terminal-final'],
  ],
  [
    'a job that was created twice',
    [read(), read({ created_at: '2026-01-05T09:00:00.5Z' })],
    ['jobs.job.times-stay'],
  ],
  ['a time in another spelling', [read(), read({ created_at: '2026-01-05T10:00:00+01:00' })], []],
  [
    'outputs that are gone after the end',
    [read({ ...done, outputs: [{}] }), read({ ...done, outputs: [] })],
    ['jobs.job.frozen-after-end'],
  ],
  [
    'a start that is forgotten',
    [read(), read({ status: 'canceling', started_at: null })],
    ['jobs.job.times-stay'],
  ],
  ['logs that are gone after the end', [read({ ...done, logs: {} }), read(done)], ['jobs.logs.lifetime']],
  [
    'a failure without an error',
    [read({ ...done, status: 'failed', error: null })],
    ['jobs.job.error-on-failed'],
  ],
  [
    'outputs that become fewer',
    [read({ outputs: [{}, {}] }), read({ outputs: [{}] })],
    ['jobs.job.outputs-grow'],
  ],
  ['reads that overlap', [read(done, { from: 0, to: 90 }), read({}, { from: 10, to: 95 })], []],
  ['another job', [read({ id: id.replace('5e', '6e') })], ['jobs.read.same-id']],
  ['logs before the end', [read({ logs: {} })], ['jobs.logs.not-before-finish']],
  [
    'a submission with 200',
    [{ method: 'POST', target: '/api/v2/jobs', answer: job({ status: 'queued', started_at: null }) }],
    ['jobs.submit.201'],
  ],
  [
    'a submission that has ended',
    [{ method: 'POST', target: '/api/v2/jobs', status: 201, answer: job(done) }],
    ['jobs.submit.queued'],
  ],
])('jobs: %s', (_, calls, broken) => {
  expect(brokenIn('jobs', calls)).toEqual(broken);
});

test.each<[string, string, readonly string[]]>([
  ['that ends', frame(job()) + frame(job(done)), []],
  ['that goes on', frame(job(done)) + frame(job(done)), ['jobs.sse.nothing-after-terminal']],
  [
    'of a job that has ended, with its snapshot in another order',
    frame(job(done)) + 'event: progress\ndata: {}\n\nevent: preview\ndata: {}\n\n',
    [],
  ],
  [
    'that begins with the end and tells two steps of progress',
    frame(job(done)) + 'event: progress\ndata: {}\n\n'.repeat(2),
    ['jobs.sse.nothing-after-terminal'],
  ],
  [
    'that makes progress after its end',
    frame(job()) + frame(job(done)) + 'event: progress\ndata: {}\n\n',
    ['jobs.sse.nothing-after-terminal'],
  ],
  ['of another job', frame(job({ id: id.replace('5e', '6e') })), ['jobs.sse.status-carries-job']],
])('jobs, a stream %s', (_, text, broken) => {
  const exchange = exchangeOf('jobs', { target: `/api/v2/jobs/${id}/events` }, 0);
  const answer = {
    status: 200,
    headers: [['Content-Type', 'text/event-stream']] as const,
    body: new TextEncoder().encode(text),
    informational: [],
  };
  const { api, scenario, request, startedAt, endedAt } = exchange;
  const whole = makeExchange({
    id: 'x0',
    api,
    scenario,
    request,
    answer,
    failure: undefined,
    startedAt,
    endedAt,
  });
  const found = oracles
    .filter((oracle) => oracle.api === 'jobs')
    .flatMap(({ look }) => [...(look?.(whole) ?? [])])
    .flatMap((item) => (item.kind === 'check' && item.outcome === 'fail' ? [item.rule] : []));
  expect([...new Set(found)]).toEqual(broken);
});

const publication = { personal_access_token: 'pat', node: {}, node_version: { version: '1.0.0' } };
const publish = (answer: unknown, status = 201, body: object = publication): Call => ({
  method: 'POST',
  target: '/publishers/p/nodes/n/versions',
  body,
  status,
  answer,
});
const enhance = (data: unknown): Call => ({
  method: 'POST',
  target: '/proxy/p/v1/ai/skin-enhancer/creative',
  answer: { data },
});

test.each<[string, Call, readonly string[]]>([
  ['a publication', publish({ node_version: { version: '1.0.0' }, signedUrl: 'https://u.example/a' }), []],
  ...(
    [
      ['without a node', { node: undefined }, 'registry.publish.node-required'],
      ['without a token', { personal_access_token: undefined }, 'registry.publish.pat-required'],
      [
        'without a version of the node',
        { node_version: undefined },
        'registry.publish.node-version-required',
      ],
      ['of a version that is no version', { node_version: { version: '1.0' } }, 'registry.publish.semver'],
      ['with a name of another type', { node: { name: 7 } }, 'registry.publish.wrong-types'],
    ] as const
  ).map(([what, change, rule]): [string, Call, readonly string[]] => [
    `a publication ${what} that is accepted`,
    publish({ node_version: {}, signedUrl: 'https://u.example/a' }, 201, { ...publication, ...change }),
    [rule],
  ]),
  [
    'a publication with 200',
    publish({ node_version: {}, signedUrl: 'https://u.example/a' }, 200),
    ['registry.publish.201'],
  ],
  ['a publication without an address', publish({ node_version: {} }), ['registry.publish.201-shape']],
  ['a relative address', publish({ node_version: {}, signedUrl: '/a' }), ['registry.publish.signed-url']],
  [
    'another version',
    publish({ node_version: { version: '1.0.1' }, signedUrl: 'https://u.example/a' }),
    ['registry.publish.echo-version'],
  ],
  ['a task', enhance({ generated: [], status: 'x', task_id: id }), []],
  ['a task by number', enhance({ generated: [], status: 'x', task_id: '7' }), ['proxy.skin.task-id-uuid']],
  [
    'a task that made numbers',
    enhance({ generated: [1], status: 'x', task_id: id }),
    ['proxy.skin.200-shape'],
  ],
])('registry: %s', (_, call, broken) => {
  expect(brokenIn('registry', [call])).toEqual(broken);
});

const unkeyed = (body: unknown): Call => run({ sent: [['X-API-Key', 'k']], body });

test.each<[string, readonly Call[], readonly string[]]>([
  ['a document', [schema({})], []],
  ['an input that fits it', [schema({}), unkeyed({ prompt: 'x' })], []],
  ['an input before it', [unkeyed({ prompt: 'long text' }), schema({})], []],
  [
    'an input that does not fit it',
    [schema({}), unkeyed({ prompt: 'long text' })],
    ['router.run.schema-is-enforced'],
  ],
  [
    'an input that does not fit a stand-in',
    [schema({ answer: documentOf({ 'x-service-input-schema-authored': false }) }), unkeyed({})],
    ['router.schema.fallback-permissive'],
  ],
  ['another tag than the one that was sent', [schema({ sent: [['If-None-Match', '"2"']] })], []],
  ['the tag that was sent', [schema({ sent: [['If-None-Match', '"0", "1"']] })], ['router.schema.inm-304']],
  [
    'a flag that is a text',
    [schema({ answer: documentOf({ 'x-service-input-schema-authored': 'true' }) })],
    ['router.schema.authored-bool'],
  ],
  [
    'a detail with an address without a host in front',
    [
      {
        target: '/v1/models/a/b',
        headers: [named],
        answer: {
          ...{ id: 'a/b', provider: 'a', model: 'b', billing: { charges_on_policy_rejection: 'no' } },
          input_schema_url: '/v1/models/a/b/openapi.json',
        },
      },
    ],
    ['router.detail.schema-url-https'],
  ],
])('router.schema: %s', (_, calls, broken) => {
  expect(brokenIn('router', calls)).toEqual(broken);
});
