import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { TrafficJudge, type PassedExchange } from '../../conformance/traffic/index.ts';
import { loadOwnContract, ownContractNames, type Contract } from '../../contract/index.ts';

let contracts: readonly Contract[];
beforeAll(async () => {
  contracts = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
});

type Headers = Record<string, string>;
/** A call and its answer: when, in seconds, and what. */
interface Call extends Partial<Omit<PassedExchange, 'request' | 'response'>> {
  readonly from: number;
  readonly to: number;
  readonly sent?: Headers;
  readonly body?: string;
  readonly got?: Headers;
  readonly answer?: unknown;
}

/** The rules for callers that these calls break, for an observer that did not see all earlier calls. */
async function blamed(calls: readonly Call[]): Promise<readonly string[]> {
  const judge = new TrafficJudge({ contracts, baseUrl: 'http://server.test' });
  for (const [index, call] of calls.entries()) await judge.see(passed(index + 1, call));
  const { rules, findings } = await judge.report();
  return [
    ...rules.filter(({ level, verdict }) => level === 'client' && verdict === 'fail').map(({ id }) => id),
    ...findings.map(({ about, says }) => `${about}: ${says}`),
  ];
}

function passed(
  number: number,
  { from, to, sent = {}, body = '', got = {}, answer, ...rest }: Call,
): PassedExchange {
  const isBytes = answer instanceof Uint8Array;
  const told = answer === undefined ? '' : JSON.stringify(answer);
  return {
    ...{
      number,
      startedAt: from * 1000,
      endedAt: to * 1000,
      during: [],
      isInvalid: false,
      informational: [],
    },
    ...{ caller: 'caller 1', method: 'GET', target: '/v1/models', api: 'router', operation: 'listModels' },
    ...{ status: 200, delivery: 'delivered' },
    request: { headers: Object.entries(sent), body: new TextEncoder().encode(body) },
    response: {
      headers: Object.entries({ 'Content-Type': 'application/json', ...got }),
      body: isBytes ? answer : new TextEncoder().encode(told),
    },
    ...rest,
  };
}

const run = (from: number, to: number, status: number, key: string, more: Partial<Call> = {}): Call => ({
  ...{ from, to, status, method: 'POST', target: '/v1/models/acme/one', operation: 'runModel' },
  ...{ sent: { 'Idempotency-Key': key }, body: '{"prompt":"a"}', answer: {} },
  ...more,
});

const page = (limit: number, next?: string, entries = limit): object => ({
  data: Array.from({ length: entries }, (_, at) => ({
    id: `acme/m${at}`,
    provider: 'acme',
    model: `m${at}`,
  })),
  ...{ has_more: next !== undefined, limit },
  ...(next === undefined ? {} : { next_cursor: next }),
});
const list = (from: number, query: string, answer: unknown, more: Partial<Call> = {}): Call => ({
  ...{ from, to: from + 0.1, target: `/v1/models${query}`, answer },
  ...more,
});

const id = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
const job = (self: string): object => ({ id, status: 'queued', urls: { self } });
const read = (from: number, target: string, more: Partial<Call> = {}): Call => ({
  ...{ from, to: from + 0.1, api: 'jobs', operation: 'getJob', target, answer: job(target) },
  ...more,
});

const innocent: Readonly<Record<string, readonly Call[]>> = {
  'two calls at one time that say the same, each with its key, of which one fails': [
    run(0, 5, 503, 'one'),
    run(1, 2, 200, 'two'),
  ],
  'a call that was sent before the answer to its twin was there, which is final': [
    run(0, 5, 402, 'one', { got: { 'X-Service-Error-Type': 'insufficient_credits' } }),
    run(1, 5, 402, 'two', { got: { 'X-Service-Error-Type': 'insufficient_credits' } }),
  ],
  'three attempts with one key on the way at one time, of which one is told to wait': [
    run(0, 9, 200, 'one'),
    run(1, 1.2, 409, 'one', { got: { 'Retry-After': '5' } }),
    run(1.1, 9, 200, 'one', { got: { 'Idempotent-Replayed': 'true' } }),
  ],
  'an attempt after a 409 that reached nobody': [
    run(0, 1, 409, 'one', {
      got: { 'Retry-After': '5' },
      delivery: 'dropped',
      fault: 'dropped',
      failure: 'gone',
    }),
    run(1.5, 2, 200, 'one'),
  ],
  'an attempt after a 409 whose Retry-After is a time': [
    run(0, 1, 409, 'one', { got: { 'Retry-After': 'Thu, 01 Jan 1970 00:00:05 GMT' } }),
    run(6, 7, 200, 'one'),
  ],
  'a cursor that was handed out before anybody looked': [list(0, '?limit=2&cursor=c-7', page(2, 'c-8'))],
  'a cursor from a page that is compressed': [
    list(0, '?limit=2', gzipSync(JSON.stringify(page(2, 'c-1'))), { got: { 'Content-Encoding': 'gzip' } }),
    list(1, '?limit=2&cursor=c-1', page(2)),
  ],
  'two walks of two sizes that meet at one cursor': [
    list(0, '?limit=2', page(2, 'c-4')),
    list(1, '?limit=4', page(4, 'c-4'), { caller: 'caller 2' }),
    list(2, '?limit=2&cursor=c-4', page(2)),
    list(3, '?limit=4&cursor=c-4', page(4), { caller: 'caller 2' }),
  ],
  'a caller who needs one page only, beside one who walks': [
    list(0, '?limit=2', page(2, 'c-1')),
    list(1, '?limit=2&cursor=c-1', page(2)),
    list(2, '?limit=9', page(9, 'c-9', 3), { caller: 'caller 2' }),
    list(3, '?limit=9', page(9, 'c-9', 3)),
  ],
  'a reader who has seen enough at a page with few entries': [
    list(0, '?limit=2', page(2, 'c-1')),
    list(1, '?limit=2&cursor=c-1', page(2, 'c-2', 1)),
  ],
  'HEAD for what an answer to GET has': [
    read(0, `/api/v2/jobs/${id}`, {
      method: 'POST',
      operation: 'submitJob',
      target: '/api/v2/jobs',
      status: 201,
    }),
    read(1, `/api/v2/jobs/${id}`, { method: 'HEAD', answer: undefined }),
  ],
  'the link of a job that was made before anybody looked': [read(0, `/api/v2/jobs/${id}`)],
  'the link in an answer that is compressed': [
    read(0, `/x/api/v2/jobs/${id}`, {
      ...{ method: 'POST', operation: 'submitJob', target: '/x/api/v2/jobs', status: 201 },
      ...{ got: { 'Content-Encoding': 'gzip' }, sent: { 'Idempotency-Key': 'one' } },
      answer: gzipSync(JSON.stringify(job(`/x/api/v2/jobs/${id}`))),
    }),
    read(1, `/x/api/v2/jobs/${id}`),
  ],
};

test.each(Object.entries(innocent))('%s breaks no rule for callers', async (_, calls) => {
  expect(await blamed(calls)).toStrictEqual([]);
});

const guilty: Readonly<Record<string, readonly [rule: string, calls: readonly Call[]]>> = {
  'another key after a failure': [
    'router.idem.recommended',
    ['a', 'b', 'c', 'd'].map((key, at) => run(2 * at, 2 * at + 1, 503, key)),
  ],
  'an attempt before its time': [
    'router.idem.in-flight-retry-after',
    [run(0, 1, 409, 'one', { got: { 'Retry-After': '5' } }), run(2, 3, 200, 'one')],
  ],
  'an attempt after a final 409': [
    'router.idem.consumed-409',
    [run(0, 1, 409, 'one'), run(2, 3, 409, 'one')],
  ],
  'a cursor that is encoded twice': [
    'router.cursor.opaque',
    [list(0, '?limit=2', page(2, 'c=/1')), list(1, '?limit=2&cursor=c%253D%252F1', page(2))],
  ],
  'a limit that no page with this cursor had': [
    'router.list.limit-echo-drives-walk',
    [list(0, '?limit=2', page(2, 'c-1')), list(1, '?limit=9&cursor=c-1', page(9))],
  ],
  'a walk that ends at a page with few entries': [
    'router.list.short-page-legal',
    [0, 2, 4].flatMap((at) => [
      list(at, '?limit=2', page(2, `c-${at}`)),
      list(at + 1, `?limit=2&cursor=c-${at}`, page(2, `d-${at}`, 1)),
    ]),
  ],
  'an address that is not the one in the job': [
    'jobs.urls.follow-not-build',
    [read(0, `/x/api/v2/jobs/${id}`), read(1, `/api/v2/jobs/${id}`, { answer: {}, status: 404 })],
  ],
  'a link after the base address': [
    'jobs.urls.origin-resolution',
    [
      read(0, `/x/api/v2/jobs/${id}`),
      { ...read(1, `/x/x/api/v2/jobs/${id}`, { answer: {}, status: 404 }), api: '', operation: undefined },
    ],
  ],
};

test.each(Object.entries(guilty))('%s breaks its rule', async (_, [rule, calls]) => {
  expect((await blamed(calls)).filter((line) => line.startsWith(rule))).toHaveLength(1);
});

test('a prefix that the links of the server lack is not a wrong resolution', async () => {
  const calls = [
    read(0, `/gateway/api/v2/jobs/${id}`, { answer: job(`/api/v2/jobs/${id}`) }),
    read(1, `/gateway/api/v2/jobs/${id}`),
  ];
  expect(await blamed(calls)).not.toContain('jobs.urls.origin-resolution');
});
