import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { check, observed } from '../../../scenarios/check.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check, SendOptions, Session } from '../../../scenarios/scenario.ts';
import { bucketOf, isRefusal, sketchRefusal } from './answers.ts';
import { MOST_SPOILT, spoilt } from './spoilt.ts';
import { withOtherEnd } from '../../../target/altered-key.ts';
import { MOST_FORGED, forgeries } from '../../../target/forged-token.ts';

const UNKNOWN = '/v1/models/tallystick/no-such-model';

export const withoutCredential = scenario({
  id: 'router.auth.without-credential',
  api: 'router',
  title: 'the four operations without a credential',
  judges: ['router.auth.required', 'router.contract.route-prefix', 'router.scope.four-operations'],
  severalCases: ['router.auth.required', 'router.contract.route-prefix'],
  requests: {
    list: { method: 'GET', target: '/v1/models', as: 'none', times: 1 },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'none', times: 1 },
    run: { method: 'POST', target: '/v1/models/{id}', as: 'none', times: 1 },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'none', times: 1 },
    keyed: { method: 'POST', target: '/v1/models/{id}', as: 'none', times: 1 },
    conditional: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'none', times: 1 },
    badPage: { method: 'GET', target: '/v1/models?cursor=%21&limit=x', as: 'none', times: 1 },
    badRun: { method: 'POST', target: '/v1/models/{id}', as: 'none', times: 1 },
  },
  run: async function* ({ send, fixtures, freshKey }) {
    // The catalogue cannot be read without a credential, so the ID is one of the fixtures, or an arbitrary
    // one.
    const fill = { id: fixtures.model?.ok?.id ?? 'tallystick/no-such-model' };
    const known = fixtures.model?.ok !== undefined;
    const more: Readonly<Record<string, SendOptions>> = {
      run: { body: {} },
      keyed: { body: {}, headers: [['Idempotency-Key', freshKey()]] },
      conditional: { headers: [['If-None-Match', '*']] },
      // Regardless of other faults of the request.
      badRun: { body: '{"a":' },
    };
    const names = ['list', 'detail', 'run', 'schema', 'keyed', 'conditional', 'badPage', 'badRun'] as const;
    for (const name of names) {
      const answer = await send(name, { fill, ...more[name] });
      // Document 1, Authentication, items 1 and 5: every endpoint, 401 unauthorized, regardless of the
      // tables.
      yield check(
        'router.auth.required',
        answer,
        isRefusal(answer, 401, 'unauthorized'),
        'status 401, bucket unauthorized',
        sketchRefusal(answer),
      );
      yield observed(
        'router.scope.four-operations',
        answer,
        `${name} without a credential: ${sketchRefusal(answer)}`,
      );
      // Document 1, Versioning, item 1: the routes are those under /v1. A 404 to an unauthenticated caller
      // means that there is no such route.
      if (name === 'list' || known) {
        yield check(
          'router.contract.route-prefix',
          answer,
          answer.status !== 404,
          'a route under /v1',
          sketchRefusal(answer),
        );
      }
    }
  },
});

export const lookupWithoutCredential = scenario({
  id: 'router.auth.lookup-without-credential',
  api: 'router',
  title: 'an unknown model without a credential, for each operation on a model',
  judges: ['router.auth.before-lookup'],
  severalCases: ['router.auth.before-lookup'],
  requests: {
    detail: { method: 'GET', target: UNKNOWN, as: 'none', times: 1 },
    schema: { method: 'GET', target: `${UNKNOWN}/openapi.json`, as: 'none', times: 1 },
    run: { method: 'POST', target: UNKNOWN, as: 'none', times: 2 },
  },
  run: async function* ({ send, freshKey }) {
    const calls = [
      ['detail', {}],
      ['schema', {}],
      ['run', { body: {} }],
      ['run', { body: {}, headers: [['Idempotency-Key', freshKey()]] }],
    ] as const;
    for (const [name, options] of calls) {
      // Document 1, Authentication, item 1 (inference): an unauthenticated caller does not learn what exists.
      const answer = await send(name, options);
      yield check(
        'router.auth.before-lookup',
        answer,
        answer.status !== 404,
        'status 401 and not 404',
        sketchRefusal(answer),
      );
    }
  },
});

export const unusableCredentials = scenario({
  id: 'router.auth.unusable-credentials',
  api: 'router',
  title: 'malformed credentials',
  judges: ['router.auth.garbage'],
  severalCases: ['router.auth.garbage'],
  requests: {
    list: { method: 'GET', target: '/v1/models', as: 'unusable', times: 9 + MOST_SPOILT + MOST_FORGED },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'unusable', times: 7 },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'unusable', times: 7 },
    run: { method: 'POST', target: '/v1/models/{id}', as: 'unusable', times: 7 },
  },
  run: async function* ({ send, fixtures, random }) {
    const noise = Array.from({ length: 32 }, () => Math.floor(random() * 36).toString(36)).join('');
    const credentials = [
      ['X-API-Key', noise],
      ['Authorization', `Bearer ${noise}`],
      ['Authorization', 'Bearer'],
      ['X-API-Key', ''],
      ['Authorization', `Basic ${btoa(`tallystick:${noise}`)}`],
      ['X-API-Key', `service-${noise}`],
      ['Authorization', `Bearer service-${noise}`],
    ] as const;
    const known = fixtures.model?.ok?.id;
    // The real ones, altered. Only if nothing could be run with them.
    for (const credential of spoilt(fixtures)) {
      const answer = await send('list', { credential });
      yield judgeGarbage(answer);
    }
    // The set of valid keys is open: a server that refuses a key with another end must refuse a longer one too.
    const key = fixtures.cred?.apiKey;
    if (key !== undefined) {
      const other = await send('list', { credential: ['X-API-Key', withOtherEnd(key)] });
      const longer = await send('list', { credential: ['X-API-Key', `${key}0`] });
      if (!isSuccess(other)) yield judgeGarbage(longer);
    }
    for (const answer of await forgeries(fixtures.cred?.jwt, (credential) => send('list', { credential })))
      yield judgeGarbage(answer);
    const names = known === undefined ? (['list'] as const) : (['list', 'detail', 'schema', 'run'] as const);
    const fill = { id: known ?? '' };
    for (const name of names)
      for (const credential of credentials) {
        // Document 1, Authentication, items 1 and 5: no usable credential is 401 unauthorized, on every endpoint.
        const answer = await send(name, { fill, credential, ...(name === 'run' ? { body: {} } : {}) });
        yield judgeGarbage(answer);
      }
  },
});

function judgeGarbage(answer: Exchange): Check {
  const isRight = isRefusal(answer, 401, 'unauthorized');
  const expected = 'status 401, bucket unauthorized';
  return check('router.auth.garbage', answer, isRight, expected, sketchRefusal(answer));
}

const readsAs = <As extends 'apiKey' | 'jwt'>(as: As) => ({
  list: { method: 'GET', target: '/v1/models', as, times: 1, judgesCredential: true } as const,
  detail: { method: 'GET', target: '/v1/models/{id}', as, times: 1, judgesCredential: true } as const,
  schema: {
    method: 'GET',
    target: '/v1/models/{id}/openapi.json',
    as,
    times: 1,
    judgesCredential: true,
  } as const,
});

/** Document 1, Authentication, items 1 and 2: every operation accepts it. */
async function* judgeReads(
  rule: string,
  { send, fixtures }: Pick<Session<'list' | 'detail' | 'schema'>, 'send' | 'fixtures'>,
): AsyncGenerator<Check> {
  const id = fixtures.model?.ok?.id;
  for (const name of ['list', 'detail', 'schema'] as const) {
    if (name !== 'list' && id === undefined) continue;
    const answer = await send(name, { fill: { id: id ?? '' } });
    yield check(rule, answer, answer.status === 200, `status 200 to ${name}`, sketchRefusal(answer));
  }
}

export const apiKey = scenario({
  id: 'router.auth.api-key',
  api: 'router',
  title: 'an API key in its header',
  judges: ['router.auth.api-key'],
  severalCases: ['router.auth.api-key'],
  requests: {
    ...readsAs('apiKey'),
    spelled: { method: 'GET', target: '/v1/models', as: 'unusable', times: 1 },
  },
  run: async function* (session) {
    yield* judgeReads('router.auth.api-key', session);
    const key = session.fixtures.cred?.apiKey;
    if (key === undefined) return;
    // RFC 9110, section 5.1: header names are case-insensitive.
    const answer = await session.send('spelled', { credential: ['x-api-key', key] });
    yield check('router.auth.api-key', answer, answer.status === 200, 'status 200', sketchRefusal(answer));
  },
});

export const jwt = scenario({
  id: 'router.auth.jwt',
  api: 'router',
  title: 'a JWT as bearer',
  judges: ['router.auth.jwt'],
  severalCases: ['router.auth.jwt'],
  requests: readsAs('jwt'),
  run: async function* (session) {
    yield* judgeReads('router.auth.jwt', session);
  },
});

export const keyAsBearer = scenario({
  id: 'router.auth.key-as-bearer',
  api: 'router',
  title: 'an API key sent as bearer',
  judges: ['router.auth.key-as-bearer'],
  needs: ['capabilities.keyAsBearer'],
  severalCases: ['router.auth.key-as-bearer'],
  requests: {
    ...readsAs('apiKey'),
    listAsBearer: { method: 'GET', target: '/v1/models', as: 'apiKeyAsBearer', times: 1 },
    detailAsBearer: { method: 'GET', target: '/v1/models/{id}', as: 'apiKeyAsBearer', times: 1 },
    schemaAsBearer: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'apiKeyAsBearer', times: 1 },
    badInHeader: { method: 'GET', target: '/v1/models', as: 'unusable', times: 1 },
    badAsBearer: { method: 'GET', target: '/v1/models', as: 'unusable', times: 1 },
  },
  run: async function* ({ send, fixtures, random }) {
    // Document 1, Authentication, item 3: the key prefix makes a bearer value a key, valid or not.
    const bad = `service-${Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join('')}`;
    const id = fixtures.model?.ok?.id;
    const fill = { id: id ?? '' };
    const pairs: (readonly [Exchange, Exchange])[] = [
      [await send('list'), await send('listAsBearer')],
      [
        await send('badInHeader', { credential: ['X-API-Key', bad] }),
        await send('badAsBearer', { credential: ['Authorization', `Bearer ${bad}`] }),
      ],
    ];
    if (id !== undefined)
      pairs.push(
        [await send('detail', { fill }), await send('detailAsBearer', { fill })],
        [await send('schema', { fill }), await send('schemaAsBearer', { fill })],
      );
    for (const [inHeader, asBearer] of pairs) {
      const alike = inHeader.status === asBearer.status && bucketOf(inHeader) === bucketOf(asBearer);
      yield check(
        'router.auth.key-as-bearer',
        [inHeader, asBearer],
        alike,
        'the same answer to a key in its header and as bearer',
        `${sketch(inHeader)} and ${sketch(asBearer)}`,
      );
    }
  },
});

/** A run of a model that does not exist: it shows whether the caller was authenticated, and costs nothing. */
const NOWHERE = { method: 'POST', target: '/v1/models/tallystick/no-such-model', times: 1 } as const;

export const credentialsOnRuns = scenario({
  id: 'router.auth.credentials-on-runs',
  api: 'router',
  title: 'each credential on a run of a model that does not exist',
  permissions: ['negatives'],
  judges: ['router.auth.api-key', 'router.auth.jwt', 'router.auth.key-as-bearer'],
  severalCases: ['router.auth.api-key', 'router.auth.jwt', 'router.auth.key-as-bearer'],
  requests: {
    apiKey: { ...NOWHERE, as: 'apiKey', times: 2, judgesCredential: true },
    jwt: { ...NOWHERE, as: 'jwt', times: 2, judgesCredential: true },
    asBearer: { ...NOWHERE, as: 'apiKeyAsBearer', times: 2, judgesCredential: true },
  },
  run: async function* ({ send, fixtures, freshKey }) {
    const { apiKey: key, jwt: token } = fixtures.cred ?? {};
    // Document 1, Authentication, items 1 to 3: runs accept them too.
    const judged = [
      ...(key === undefined ? [] : (['apiKey'] as const)),
      ...(token === undefined ? [] : (['jwt'] as const)),
      ...(key === undefined || fixtures.capabilities?.keyAsBearer !== true ? [] : (['asBearer'] as const)),
    ];
    for (const name of judged)
      for (const headers of [[], [['Idempotency-Key', freshKey()]]] as const) {
        const answer = await send(name, { body: {}, headers });
        yield check(RULE_OF[name], answer, answer.status !== 401, 'no 401 on a run', sketchRefusal(answer));
      }
  },
});

const RULE_OF = {
  apiKey: 'router.auth.api-key',
  jwt: 'router.auth.jwt',
  asBearer: 'router.auth.key-as-bearer',
} as const;

// --- internal ---

function sketch(answer: Parameters<typeof isSuccess>[0]): string {
  return isSuccess(answer) ? String(answer.status) : sketchRefusal(answer);
}
