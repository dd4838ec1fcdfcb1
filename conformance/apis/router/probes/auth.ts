import { isSuccess } from '../../../exchange.ts';
import { check, observed } from '../../../check.ts';
import { scenario } from '../../../scenario.ts';
import type { Check, Session } from '../../../scenario.ts';
import { bucketOf, isRefusal, sketchRefusal } from './answers.ts';

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
  },
  run: async function* ({ send, fixtures }) {
    // No credential reads the catalogue, so that the ID is one that the caller of the suite knows, or any.
    const fill = { id: fixtures.model?.ok?.id ?? 'tallystick/no-such-model' };
    const known = fixtures.model?.ok !== undefined;
    for (const name of ['list', 'detail', 'run', 'schema'] as const) {
      const answer = await send(name, { fill, ...(name === 'run' ? { body: {} } : {}) });
      // Document 1, Authentication, items 1 and 5: every endpoint, 401 unauthorized, whatever the tables list.
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
      // Document 1, Versioning, item 1: the routes are those under /v1. A 404 to a caller without a credential says
      // that there is none.
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
  title: 'an unknown model without a credential',
  judges: ['router.auth.before-lookup'],
  requests: {
    detail: { method: 'GET', target: '/v1/models/tallystick/no-such-model', as: 'none', times: 1 },
  },
  run: async function* ({ send }) {
    // Document 1, Authentication, item 1 (inference): who may not ask does not learn what exists.
    const answer = await send('detail');
    yield check(
      'router.auth.before-lookup',
      answer,
      answer.status !== 404,
      'status 401 and not 404',
      sketchRefusal(answer),
    );
  },
});

export const unusableCredentials = scenario({
  id: 'router.auth.unusable-credentials',
  api: 'router',
  title: 'malformed credentials',
  judges: ['router.auth.garbage'],
  severalCases: ['router.auth.garbage'],
  requests: {
    list: { method: 'GET', target: '/v1/models', as: 'unusable', times: 6 },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'unusable', times: 6 },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'unusable', times: 6 },
    run: { method: 'POST', target: '/v1/models/{id}', as: 'unusable', times: 6 },
  },
  run: async function* ({ send, fixtures, random }) {
    const noise = Array.from({ length: 32 }, () => Math.floor(random() * 36).toString(36)).join('');
    const credentials = [
      ['X-API-Key', noise],
      ['Authorization', `Bearer ${noise}`],
      ['Authorization', 'Bearer'],
      ['Authorization', `Basic ${btoa(`tallystick:${noise}`)}`],
      ['X-API-Key', `service-${noise}`],
      ['Authorization', `Bearer service-${noise}`],
    ] as const;
    const known = fixtures.model?.ok?.id;
    const names = known === undefined ? (['list'] as const) : (['list', 'detail', 'schema', 'run'] as const);
    const fill = { id: known ?? '' };
    for (const name of names)
      for (const credential of credentials) {
        // Document 1, Authentication, items 1 and 5: no usable credential is 401 unauthorized, on every endpoint.
        const answer = await send(name, { fill, credential, ...(name === 'run' ? { body: {} } : {}) });
        yield check(
          'router.auth.garbage',
          answer,
          isRefusal(answer, 401, 'unauthorized'),
          'status 401, bucket unauthorized',
          sketchRefusal(answer),
        );
      }
  },
});

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

/** Document 1, Authentication, items 1 and 2: every operation takes it. */
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
  requests: readsAs('apiKey'),
  run: async function* (session) {
    yield* judgeReads('router.auth.api-key', session);
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
    inHeader: { method: 'GET', target: '/v1/models', as: 'apiKey', times: 1, judgesCredential: true },
    asBearer: { method: 'GET', target: '/v1/models', as: 'apiKeyAsBearer', times: 1 },
    badInHeader: { method: 'GET', target: '/v1/models', as: 'unusable', times: 1 },
    badAsBearer: { method: 'GET', target: '/v1/models', as: 'unusable', times: 1 },
  },
  run: async function* ({ send, random }) {
    // Document 1, Authentication, item 3: the key prefix makes a bearer value a key, good or bad.
    const bad = `service-${Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join('')}`;
    const pairs = [
      [await send('inHeader'), await send('asBearer')],
      [
        await send('badInHeader', { credential: ['X-API-Key', bad] }),
        await send('badAsBearer', { credential: ['Authorization', `Bearer ${bad}`] }),
      ],
    ] as const;
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

// --- internal ---

function sketch(answer: Parameters<typeof isSuccess>[0]): string {
  return isSuccess(answer) ? String(answer.status) : sketchRefusal(answer);
}
