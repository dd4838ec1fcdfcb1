import type { DeclaredApi } from '../../declared-api.ts';
import { member } from '../../exchanges/exchange.ts';
import { group, leaf } from '../../target/fixture-shape.ts';
import type { FixtureShape } from '../../target/fixture-shape.ts';
import { routerOffers } from './offers.ts';

const id = leaf('text', 'a model ID, provider/model', 'provider/model');
const input = leaf('json', 'the JSON input of a run', {});

const model = (about: string, more: Readonly<Record<string, FixtureShape>> = {}): FixtureShape =>
  group(about, { id, input, ...more }, ['id', 'input'], {
    id: 'provider/model',
    input: {},
    ...Object.fromEntries(Object.entries(more).map(([name, shape]) => [name, shape.example])),
  });

/** The members of the fixtures file for this API. */
const fixtures = {
  deadlineMs: leaf('number', "the server's deadline for one run, in milliseconds", 600_000),
  concurrency: group('the limit of concurrent calls', {
    bound: leaf('number', 'how many calls may run concurrently', 5),
    cred: leaf('secret', 'an API key with this limit; default: cred.valid', '$ONE_SLOT_KEY'),
    id,
    input,
  }),
  spend: group('the limit of committed spend', {
    bound: group(
      'an account with such a limit',
      {
        cents: leaf('number', 'the limit in US cents', 500),
        cred: leaf('secret', 'an API key with this limit; default: cred.valid', '$SPEND_KEY'),
        id,
        input,
        calls: leaf('number', 'how many concurrent calls exceed the limit', 2),
      },
      ['id', 'input', 'calls'],
      { cents: 500, id: 'provider/model', input: {}, calls: 2 },
    ),
  }),
  cursor: group('cursors', { expired: leaf('text', 'a cursor that has expired', '…') }),
  model: group('models with known behaviour', {
    ok: model('a cheap model that succeeds'),
    echo: model('a model whose output is known', {
      expectedOutput: leaf('json', 'the output for `input`', {}),
      rawInput: leaf('text', 'input as raw JSON text, such as 1.0 instead of 1', '{"n":1.0}'),
      rawOutput: leaf('text', 'the raw output for `rawInput`', '{"n":1.0}'),
    }),
    slow: model('a model that takes some time', {
      minMs: leaf('number', 'the minimum duration, in milliseconds', 700),
    }),
    reject422: model('a model that rejects `input`: several invalid fields, one inside an array', {
      single: leaf('json', 'an input with one invalid field', {}),
      expectedFailures: leaf('number', 'the number of invalid fields in `input`', 2),
    }),
    policy: model('a run that the content policy refuses'),
    deadline: model("a run that exceeds the server's deadline"),
    providerTimeout: model('a run whose provider times out'),
    '5xx': model('a run whose provider fails'),
    '503': model('a run that is answered with 503'),
    '425': model('a run that is answered with 425'),
    hugeOutput: model('a run whose response exceeds the size limit for replays'),
    noSchema: model('a model without an authored schema'),
    creditsHeader: model('a model whose provider is on the list for the credits header'),
    unreleased: leaf('text', 'a model that is deployed but not released', 'provider/model'),
    unknown: leaf('text', 'a model that does not exist; default: a random name', 'provider/no-such-model'),
    unknownProvider: leaf(
      'text',
      'a provider that does not exist; default: a random name',
      'no-such-provider/model',
    ),
  }),
  provider: group('test environments only', {
    probe: leaf('text', 'URL of a dispatch counter', 'https://…'),
  }),
};

const identities = {
  concurrency: {
    need: 'concurrency.bound',
    placeholders: ['$CONCURRENCY_KEY', '$API_KEY'],
    namesSecret: true,
    credential: ({ valid, fixtures, byKey }) => byKey(fixtures.concurrency?.cred) ?? valid,
  },
  spend: {
    need: 'spend.bound',
    placeholders: ['$SPEND_KEY', '$API_KEY'],
    namesSecret: true,
    credential: ({ valid, fixtures, byKey }) => byKey(fixtures.spend?.bound?.cred) ?? valid,
  },
} as const satisfies DeclaredApi['identities'];

export const declaredRouter = {
  api: 'router',
  fixtures,
  lines: { 'concurrency.bound': { concurrency: { bound: 5, id: 'provider/model', input: {} } } },
  identities,
  offers: routerOffers,
  isError: (json) => typeof member(json, 'error_type') === 'string',
} satisfies DeclaredApi;
