import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedAnswers } from '../../conformance/health/shared-answers.ts';
import { makeExchange, type Exchange } from '../../conformance/exchanges/exchange.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { desks } from '../engine/shared-caches.ts';

type Lines = readonly (readonly [name: string, value: string])[];

const exchange = (parts: {
  readonly api?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly target?: string;
  readonly sent: Lines;
  readonly status?: number;
  readonly got?: Lines;
}): Exchange =>
  makeExchange({
    ...{
      id: 'x0001',
      api: parts.api ?? 'desks',
      scenario: 's',
      failure: undefined,
      startedAt: 0,
      endedAt: 1,
    },
    operation: parts.operation,
    request: {
      ...{ method: parts.method ?? 'GET', target: parts.target ?? '/header', headers: parts.sent },
      ...{ body: undefined, as: 'valid' },
    },
    answer: {
      ...{ status: parts.status ?? 200, headers: parts.got ?? [], body: new Uint8Array(), informational: [] },
    },
  });

const contracts = [await desks(), await loadOwnContract('router')];
const told = (seen: Exchange): string[] => {
  const answers = new SharedAnswers(contracts);
  answers.see(seen);
  return answers.findings().map(({ kind, says }) => `${kind}: ${says}`);
};

const KEY: Lines = [['x-api-key', 'ada']];
const TOKEN: Lines = [['Authorization', 'Bearer ada']];
const SESSION: Lines = [['Cookie', 'theme=dark; session=ada']];
const caching = (value: string): Lines => [['Cache-Control', value]];
const DATE = ['Date', 'Sun, 01 Nov 2026 00:00:00 GMT'] as const;

test.each<[string, Parameters<typeof exchange>[0]]>([
  ['a key in a header, and no word about caches', { operation: 'header', sent: KEY }],
  ['HEAD', { operation: 'header', sent: KEY, method: 'HEAD' }],
  ['a cookie', { operation: 'cookie', sent: SESSION }],
  ['a lifetime', { operation: 'header', sent: KEY, got: caching('max-age=60') }],
  ['public', { operation: 'header', sent: KEY, got: caching('public') }],
  ['Vary by something else', { operation: 'header', sent: KEY, got: [['Vary', 'Accept, X-API-Key-Id']] }],
  [
    'an end in the future',
    { operation: 'header', sent: KEY, got: [DATE, ['Expires', 'Sun, 01 Nov 2026 01:00:00 GMT']] },
  ],
  [
    'a shared lifetime beside one of 0',
    { operation: 'header', sent: KEY, got: caching('max-age=0, S-MaxAge=9') },
  ],
  ['a public answer to a token', { operation: 'bearer', sent: TOKEN, got: caching('PUBLIC, max-age=60') }],
  ['s-maxage for a token', { operation: 'bearer', sent: TOKEN, got: caching('s-maxage="60"') }],
  [
    'must-revalidate for a token, with a lifetime',
    { operation: 'bearer', sent: TOKEN, got: caching('must-revalidate, max-age=60') },
  ],
  [
    'one of two lines',
    {
      operation: 'header',
      sent: KEY,
      got: [...caching('max-age=60'), ['Vary', 'Accept'], ['Vary', 'Origin']],
    },
  ],
  ['the router, with a key in a header', { api: 'router', sent: KEY, target: '/v1/models' }],
])('a doubt: %s', (_what, parts) => {
  expect(told(exchange(parts))).toStrictEqual([
    expect.stringMatching(
      /^doubt: 1 of 1 reads of \w+ with a credential in [\w-]+ got an answer that a shared cache/,
    ),
  ]);
});

test.each<[string, Parameters<typeof exchange>[0]]>([
  ...[
    'private',
    'no-store',
    'no-cache',
    'max-age=60, private',
    'PRIVATE="x-a"',
    'max-age=0',
    'max-age=-1',
    's-maxage=0',
  ].map((value): [string, Parameters<typeof exchange>[0]] => [
    value,
    { operation: 'header', sent: KEY, got: caching(value) },
  ]),
  [
    'private on a second line',
    { operation: 'header', sent: KEY, got: [...caching('max-age=9'), ...caching('private')] },
  ],
  [
    'Vary by the key',
    {
      operation: 'header',
      sent: KEY,
      got: [
        ['Vary', 'Accept'],
        ['vary', 'x-api-key'],
      ],
    },
  ],
  ['Vary by all', { operation: 'header', sent: KEY, got: [['Vary', '*']] }],
  ['Vary by cookies', { operation: 'cookie', sent: SESSION, got: [['Vary', 'Cookie']] }],
  ['an end in the past', { operation: 'header', sent: KEY, got: [DATE, ['Expires', '0']] }],
  ['a token, and no word about caches', { operation: 'bearer', sent: TOKEN }],
  ['a token, and a lifetime', { operation: 'bearer', sent: TOKEN, got: caching('max-age=60') }],
  [
    'a token, and must-revalidate without a lifetime',
    { operation: 'bearer', sent: TOKEN, got: caching('must-revalidate') },
  ],
  ['a token beside a key', { operation: 'either', sent: [...TOKEN, ...KEY] }],
  [
    'a key in the query, which is part of the address',
    { operation: 'query', sent: [], target: '/query?key=ada' },
  ],
  ['no credential', { operation: 'header', sent: [] }],
  ['another cookie', { operation: 'cookie', sent: [['Cookie', 'theme=session']] }],
  ['an operation that needs none', { operation: 'open', sent: KEY }],
  ['one that can be called without', { operation: 'optional', sent: KEY }],
  ['a write', { operation: 'header', sent: KEY, method: 'POST' }],
  ['a refusal', { operation: 'header', sent: KEY, status: 403 }],
  ['nothing new', { operation: 'header', sent: KEY, status: 304 }],
  [
    'what the contract of the router leaves to the server',
    { api: 'router', sent: KEY, got: caching('public, max-age=60') },
  ],
  [
    'the same, where a template made the request',
    { api: 'router', operation: 'listModels', sent: KEY, got: caching('public, max-age=60') },
  ],
])('no doubt: %s', (_what, parts) => {
  expect(told(exchange(parts))).toStrictEqual([]);
});

test('no header of a server makes the judgement fail, and what is quoted is bounded', () => {
  const line = fc.tuple(
    fc.constantFrom('Cache-Control', 'Vary', 'Expires', 'Date'),
    fc.oneof(
      fc.string(),
      fc.string().map((text) => `max-age=${text}`),
      fc.constant('x'.repeat(100_000)),
    ),
  );
  fc.assert(
    fc.property(fc.array(line), (got) => {
      for (const says of told(exchange({ operation: 'header', sent: KEY, got })))
        expect(says.length).toBeLessThan(600);
    }),
  );
});

test('many reads are one finding for each header, with the differing answers', () => {
  const answers = new SharedAnswers(contracts);
  for (const got of [[], [], caching('max-age=60'), caching('private')])
    answers.see(exchange({ operation: 'header', sent: KEY, got }));
  answers.see(exchange({ operation: 'cookie', sent: SESSION }));
  expect(answers.findings().map(({ says }) => says)).toStrictEqual([
    '3 of 4 reads of desks with a credential in X-API-Key got an answer that a shared cache may give to other callers: no Cache-Control; Cache-Control: max-age=60',
    '1 of 1 reads of desks with a credential in Cookie got an answer that a shared cache may give to other callers: no Cache-Control',
  ]);
});
