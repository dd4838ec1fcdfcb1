import { check, observed } from '../../../scenarios/check.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { sketchRefusal } from './answers.ts';

export const withoutCredential = scenario({
  id: 'router.auth.without-credential',
  api: 'router',
  title: 'the four operations without a credential',
  judges: ['router.contract.route-prefix', 'router.scope.four-operations'],
  severalCases: ['router.contract.route-prefix'],
  requests: {
    list: { method: 'GET', target: '/v1/models', as: 'none', times: 1 },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'none', times: 1 },
    run: { method: 'POST', target: '/v1/models/{id}', as: 'none', times: 1 },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'none', times: 1 },
  },
  run: async function* ({ send, fixtures }) {
    // The catalogue cannot be read without a credential, so the ID is one of the fixtures, or an arbitrary
    // one.
    const fill = { id: fixtures.model?.ok?.id ?? 'tallystick/no-such-model' };
    const known = fixtures.model?.ok !== undefined;
    for (const name of ['list', 'detail', 'run', 'schema'] as const) {
      const answer = await send(name, { fill, ...(name === 'run' ? { body: {} } : {}) });
      yield observed(
        'router.scope.four-operations',
        answer,
        `${name} without a credential: ${sketchRefusal(answer)}`,
      );
      // Document 1, Versioning, item 1: the routes are those under /v1. A 404 to an unauthenticated caller
      // means that there is no such route.
      if (name === 'list' || known)
        yield check(
          'router.contract.route-prefix',
          answer,
          answer.status !== 404,
          'a route under /v1',
          sketchRefusal(answer),
        );
    }
  },
});

/** Document 1, Authentication, items 1 and 2: every operation accepts each kind. Here nothing else may become of a read either. */
export const readsByKind = (['apiKey', 'jwt'] as const).map((as) => {
  const rule = as === 'jwt' ? 'router.auth.jwt' : 'router.auth.api-key';
  const read = { method: 'GET', as, times: 1, judgesCredential: true } as const;
  return scenario({
    id: `${rule}-reads`,
    api: 'router',
    title: as === 'jwt' ? 'reads with a JWT as bearer' : 'reads with an API key in its header',
    judges: [rule],
    searches: [rule],
    requests: {
      list: { ...read, target: '/v1/models' },
      detail: { ...read, target: '/v1/models/{id}' },
      schema: { ...read, target: '/v1/models/{id}/openapi.json' },
    },
    run: async function* ({ send, fixtures }) {
      const id = fixtures.model?.ok?.id;
      for (const name of ['list', 'detail', 'schema'] as const) {
        if (name !== 'list' && id === undefined) continue;
        const answer = await send(name, { fill: { id: id ?? '' } });
        yield check(rule, answer, answer.status === 200, `status 200 to ${name}`, sketchRefusal(answer));
      }
    },
  });
});
