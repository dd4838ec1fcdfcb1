import { check, undecided } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, NotExercised, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { bucketOf, sketchRefusal, unlessBusy } from './answers.ts';
import { isReplayed, keyed, declared, withAnotherMember, refuseBroken, sketchRun } from './idempotency.ts';
import { negatives, requiredOnly } from './negatives.ts';
import { bodySchemas } from '../../../schemas/schema-document.ts';

export const singleResponse = scenario({
  id: 'router.run.single-response',
  api: 'router',
  title: 'a run by a caller who accepts a stream',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: ['router.run.single-response', 'router.run.no-202'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 3 } },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const headers = [['Accept', 'text/event-stream, application/json']] as const;
    const answer = await send('run', { fill: { id }, body: input, headers });
    refuseBroken('model.ok', answer);
    if (answer.status >= 400) {
      yield undecided('router.run.single-response', answer, `no run: ${sketchRefusal(answer)}`);
      return;
    }
    // Document 1, What the service does, deliberate properties; Events: one response, at the end, no frames.
    const type = answer.header('Content-Type') ?? '';
    const early = answer.answer?.informational.filter((status) => status !== 100 && status !== 103) ?? [];
    const single = !/text\/event-stream/i.test(type) && early.length === 0 && answer.json !== undefined;
    yield check(
      'router.run.single-response',
      answer,
      single,
      'one JSON body and no stream',
      `${answer.status} ${type}`,
    );
    // With a key, and by a caller who would wait (RFC 7240, section 4.1): an oracle looks for
    // streams.
    await send('run', { fill: { id }, body: input, headers: [...headers, ['Idempotency-Key', freshKey()]] });
    const waited = await send('run', { fill: { id }, body: input, headers: [['Prefer', 'respond-async']] });
    yield check('router.run.no-202', waited, waited.status !== 202, 'no 202', String(waited.status));
  },
});

export const minimalInput = scenario({
  id: 'router.run.minimal-input',
  api: 'router',
  title: 'the smallest input that the served schema allows',
  permissions: ['billed'],
  needs: ['model.ok'],
  judges: ['router.run.schema-valid-not-invalid-input'],
  requests: {
    document: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 1 },
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 1 },
    control: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 1 },
  },
  run: async function* ({ send, fixtures }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    const document = await send('document', { fill: { id } });
    const rule = 'router.run.schema-valid-not-invalid-input';
    const [schema] = bodySchemas(document.json);
    if (schema === undefined) {
      const got = document.status === 200 ? 'it describes no request body' : sketchRefusal(document);
      yield undecided(rule, document, `the schema document says nothing about the input: ${got}`);
      return;
    }
    const body = requiredOnly(document.json, schema, input);
    if (body === undefined)
      throw new NotExercised('model.ok', 'needs model.ok with a schema that can be read');
    // Document 1, GET …/openapi.json (inference): input that the document allows is not refused as invalid.
    const answer = await send('run', { fill: { id }, body });
    const isTaken = (run: Exchange): boolean =>
      isSuccess(run) || bucketOf(run) !== 'invalid_input' || run.status === 422;
    if (!isTaken(answer)) {
      // Whether the left-out members are missed, or the whole input of the fixtures is refused.
      const control = await send('control', { fill: { id }, body: input });
      refuseBroken('model.ok', control);
    }
    yield check(rule, answer, isTaken(answer), 'no refusal of a valid input', sketchRefusal(answer));
  },
});

export const policyRefusal = scenario({
  id: 'router.run.policy-refusal',
  api: 'router',
  title: 'content that the provider refuses',
  permissions: ['billed'],
  needs: ['model.policy'],
  judges: ['router.run.content-policy'],
  severalCases: ['router.run.content-policy'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2, judgesRefusal: true },
  },
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.policy, 'model.policy');
    const first = await send('run', keyed(id, input, freshKey()));
    if (isSuccess(first)) throw new BrokenFixture('model.policy', 'it ran', [first.id]);
    unlessBusy(first);
    const second = await send('run', keyed(id, input, freshKey()));
    unlessBusy(second);
    for (const answer of [first, second]) {
      // Document 1, Errors, table: deterministic, so a repeated request is refused again.
      const refused = !isSuccess(answer) && bucketOf(answer) === 'content_policy_violation';
      yield check(
        'router.run.content-policy',
        answer,
        refused,
        'bucket content_policy_violation, each time',
        sketchRun(answer),
      );
    }
  },
});

export const providerFailure = scenario({
  id: 'router.run.provider-failure',
  api: 'router',
  title: 'a failure of the provider',
  permissions: ['billed'],
  needs: ['model.5xx'],
  judges: ['router.run.provider-error'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 1, judgesRefusal: true },
  },
  run: async function* ({ send, fixtures }) {
    const { id, input } = declared(fixtures.model?.['5xx'], 'model.5xx');
    const answer = await send('run', { fill: { id }, body: input });
    if (isSuccess(answer) && answer.json !== undefined)
      throw new BrokenFixture('model.5xx', 'it ran', [answer.id]);
    unlessBusy(answer);
    if (answer.status === 504) return;
    // Document 1, Errors, table: the provider's own failure, or an unusable answer.
    const named = !isSuccess(answer) && bucketOf(answer) === 'provider_error';
    yield check('router.run.provider-error', answer, named, 'bucket provider_error', sketchRefusal(answer));
  },
});

export const creditsHeader = scenario({
  id: 'router.credits-header.replay',
  api: 'router',
  title: 'the credits header on a replay',
  permissions: ['billed'],
  needs: ['model.creditsHeader'],
  judges: ['router.credits-header.not-on-replay', 'router.credits-header.not-on-unbilled'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 3 },
    refused: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 4 },
    document: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 1 },
  },
  severalCases: ['router.credits-header.not-on-replay'],
  run: async function* ({ send, fixtures, freshKey }) {
    const { id, input } = declared(fixtures.model?.creditsHeader, 'model.creditsHeader');
    const key = freshKey();
    const first = await send('run', keyed(id, input, key));
    refuseBroken('model.creditsHeader', first);
    if (first.header('X-Service-Credits-Used') === undefined) {
      throw new BrokenFixture('model.creditsHeader', 'it returned no X-Service-Credits-Used', [first.id]);
    }
    // A refusal of such a model, or of a similar one, costs nothing: an oracle judges that.
    await send('refused', keyed(id, withAnotherMember(input), key));
    await send('refused', { fill: { id }, body: '[]' });
    await send('refused', { fill: { id: `${id}-tallystick` }, body: {} });
    const document = (await send('document', { fill: { id } })).json;
    const [wrong] = negatives(document, bodySchemas(document)[0], input, 1);
    if (wrong !== undefined) await send('refused', { fill: { id }, body: wrong.body });
    for (let count = 0; count < 2; count += 1) {
      const again = await send('run', keyed(id, input, key));
      if (!isReplayed(again)) {
        yield undecided('router.credits-header.not-on-replay', again, `no replay: ${sketchRun(again)}`);
        return;
      }
      // Document 1, What the service does, deliberate properties: not replayed.
      const credits = again.header('X-Service-Credits-Used');
      yield check(
        'router.credits-header.not-on-replay',
        [first, again],
        credits === undefined,
        'no X-Service-Credits-Used on the replay',
        `X-Service-Credits-Used: ${credits ?? 'none'}`,
      );
    }
  },
});

/**
 * Document 1, Idempotency key handling, row 3: the call really runs again. A refusal of the caller or of the
 * input shows nothing about the key.
 */
export function judgeFreshRun(rule: string, first: Exchange, second: Exchange): Check {
  if (!isReplayed(second) && [400, 401, 402, 403, 404].includes(second.status))
    return undecided(rule, [first, second], `the second call was refused: ${sketchRefusal(second)}`);
  const fresh = !isReplayed(second) && second.status !== 409;
  return check(rule, [first, second], fresh, 'a fresh run, neither a replay nor a 409', sketchRun(second));
}
