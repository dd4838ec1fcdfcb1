import { check } from '../../../scenarios/check.ts';
import { isObject, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, resource, scenario } from '../../../scenarios/scenario.ts';
import type { Check, SendOptions } from '../../../scenarios/scenario.ts';
import { sketch } from '../../../exchanges/sketch.ts';
import { ERROR_BODY, isErrorBody } from '../wire/error.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { anyModel, catalogue, catalogueIds, inQuery } from './catalogue.ts';

/**
 * Models whose details and schema documents are examined: some that are declared, and some of the catalogue.
 */
const SAMPLE = 20;

export interface Detail {
  readonly id: string;
  readonly answer: Exchange;
}

export const details = resource<readonly Detail[]>({
  id: 'router.details',
  api: 'router',
  uses: [catalogue],
  requests: { detail: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: SAMPLE } },
  obtain: async (session) => {
    const listed = await catalogueIds(session);
    const { model } = session.fixtures;
    // A model with faulty runs can be read like any other. An unreleased or unknown model is a string here.
    const declared = [model?.ok, model?.noSchema, ...Object.values(model ?? {})].flatMap((one) =>
      typeof one === 'object' ? [one.id] : [],
    );
    const others = [...extremesOf(listed), ...oneOfEachProvider(listed), ...shuffled(listed, session.random)];
    // Half of them are not declared: a fixture is a model that its authors have already looked at.
    const known = declared.slice(0, SAMPLE / 2);
    const sample = [...new Set([...known, ...others, ...declared])].slice(0, SAMPLE);
    const read: Detail[] = [];
    for (const id of sample) read.push({ id, answer: await session.send('detail', { fill: { id } }) });
    return read;
  },
});

export const sampledDetails = scenario({
  id: 'router.detail.sample',
  api: 'router',
  title: 'details of models of the catalogue',
  judges: [
    'router.list.ids-readable',
    'router.list.readable-listed',
    'router.detail.ok',
    'router.detail.identity',
    'router.detail.billing-object',
    'router.detail.policy-charge-string',
  ],
  uses: [catalogue, details],
  severalCases: [
    'router.list.ids-readable',
    'router.list.readable-listed',
    'router.detail.ok',
    'router.detail.identity',
    'router.detail.billing-object',
    'router.detail.policy-charge-string',
  ],
  requests: {
    again: { method: 'GET', target: '/v1/models?limit=100', as: 'valid', times: SAMPLE },
    againLater: { method: 'GET', target: '/v1/models?limit=100&cursor={cursor}', as: 'valid', times: SAMPLE },
    repeated: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: 1 },
    byToken: { method: 'GET', target: '/v1/models/{id}', as: 'jwt', times: 1, isOptional: true },
  },
  run: async function* (session) {
    const whole = await session.obtain(catalogue);
    const listed = new Set(await catalogueIds(session));
    await anyModel(session);
    const { ok, noSchema } = session.fixtures.model ?? {};
    let broken: BrokenFixture | undefined;
    for (const { id, answer } of await session.obtain(details)) {
      // Document 1, GET /v1/models, first sentence, and rule 3 (inference): a runnable, released model is
      // listed.
      const isDeclared = id === ok?.id || id === noSchema?.id;
      if (isDeclared && whole.ended === 'end' && answer.status === 200)
        yield check(
          'router.list.readable-listed',
          [answer, ...whole.pages.slice(-1)],
          listed.has(id),
          `${id} in the catalogue`,
          listed.has(id) ? 'listed' : `not among ${listed.size} models`,
        );
      if (isDeclared && !listed.has(id) && answer.status !== 200)
        broken ??= new BrokenFixture(
          id === ok?.id ? 'model.ok' : 'model.noSchema',
          `reading ${id} returned ${sketchRefusal(answer)}, and it is not listed`,
          [answer.id],
        );
      // Document 1, GET /v1/models, first sentence: the other routes accept a listed ID.
      if (listed.has(id)) {
        const readable = answer.status === 200 || !(await isStillListed(session, id, whole.pages));
        yield check(
          'router.list.ids-readable',
          answer,
          readable,
          'status 200 for a listed ID',
          sketchRefusal(answer),
        );
      }
      if (answer.status === 200) yield* judgeDetail(id, answer);
    }
    // The same to each caller, and each time.
    const [first] = (await session.obtain(details)).filter(({ answer }) => answer.status === 200);
    for (const name of first === undefined ? [] : (['repeated', 'byToken'] as const)) {
      if (first === undefined || (name === 'byToken' && !session.knows('jwt'))) continue;
      const more = await session.send(name, { fill: { id: first.id } });
      if (more.status === 200) yield* judgeDetail(first.id, more);
    }
    if (broken !== undefined) throw broken;
  },
});

function* judgeDetail(id: string, answer: Exchange): Generator<Check> {
  const body = answer.json;
  const billing = member(body, 'billing');
  const charges = member(billing, 'charges_on_policy_rejection');
  const got = sketch(body);

  // Document 1, RouterModelDetail: the members of an entry, and billing with its fact, all required. Rules
  // below cover the values of the members.
  const complete =
    isObject(body) &&
    ['id', 'provider', 'model', 'billing'].every((name) => name in body) &&
    (!isObject(billing) || 'charges_on_policy_rejection' in billing);
  yield check('router.detail.ok', answer, complete, 'id, provider, model and billing with its fact', got);

  // Document 1, RouterModelDetail, first sentence: the fields of the entry, and so of this model.
  const [provider, model] = id.split('/');
  if (complete) {
    const same = body['id'] === id && body['provider'] === provider && body['model'] === model;
    yield check('router.detail.identity', answer, same, `id, provider and model of ${id}`, got);
  }
  // Document 1, RouterModelDetail, row billing.
  if (isObject(body) && 'billing' in body) {
    yield check(
      'router.detail.billing-object',
      answer,
      isObject(billing),
      'an object billing',
      `billing ${sketch(billing)}`,
    );
  }
  // Document 1, RouterModelDetail, charges_on_policy_rejection, rule 1: a string, with any value.
  if (charges !== undefined) {
    const text = typeof charges === 'string';
    yield check(
      'router.detail.policy-charge-string',
      answer,
      text,
      'a string',
      `charges_on_policy_rejection ${sketch(charges)}`,
    );
  }
}

export const unknownDetail = scenario({
  id: 'router.detail.unknown',
  api: 'router',
  title: 'the detail and the schema of a model, and of a provider, that does not exist',
  judges: ['router.detail.404', 'router.detail.404-bucket', 'router.schema.404'],
  severalCases: ['router.detail.404', 'router.detail.404-bucket', 'router.schema.404'],
  requests: {
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'valid', times: 2 },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'valid', times: 4 },
  },
  run: async function* ({ send, fixtures, random }) {
    const number = Math.floor(random() * 1e9);
    const ids = [
      fixtures.model?.unknown ?? `tallystick/no-such-model-${number}`,
      fixtures.model?.unknownProvider ?? `no-such-provider-${number}/model`,
    ];
    const isError = (answer: Exchange): boolean =>
      answer.status === 404 && isErrorBody(answer.json) && bucketOf(answer) !== undefined;

    for (const id of ids) {
      const fill = { id };
      // Document 1, GET /v1/models/{provider}/{model}, responses: 404 with RouterErrorResponse.
      const detail = await send('detail', { fill });
      yield check('router.detail.404', detail, isError(detail), `status 404, and ${ERROR_BODY}`);
      // Document 1, GET …/openapi.json, responses: 404 with RouterErrorResponse, whatever the condition.
      const schema = await send('schema', { fill });
      const any = await send('schema', { fill, headers: [['If-None-Match', '*']] });
      for (const answer of [schema, any])
        yield check('router.schema.404', answer, isError(answer), `status 404, and ${ERROR_BODY}`);
      for (const answer of [detail, schema]) if (answer.status === 404) yield judgeBucket(answer);
    }
  },
});

// --- internal ---

/**
 * Document 1, Errors, table (inference): the bucket that is stated for the invocation also applies to reads.
 */
function judgeBucket(answer: Exchange): Check {
  const fits = bucketOf(answer) === 'model_not_found';
  return check('router.detail.404-bucket', answer, fits, 'bucket model_not_found', sketchRefusal(answer));
}

/**
 * IDs that a careless route or pattern would miss: the ends of the list, the longest, the shortest, and one
 * with a dot after the slash.
 */
function extremesOf(listed: readonly string[]): readonly string[] {
  const longest = listed.reduce((one, other) => (other.length > one.length ? other : one), '');
  const shortest = listed.reduce((one, other) => (other.length < one.length ? other : one), longest);
  const dotted = listed.find((id) => id.split('/')[1]?.includes('.') === true);
  return [listed[0], listed.at(-1), longest, shortest, dotted].flatMap((id) =>
    id === undefined || id === '' ? [] : [id],
  );
}

/** The last one of each, because the first one may be among the extremes. */
function oneOfEachProvider(listed: readonly string[]): readonly string[] {
  return [...new Map(listed.map((id) => [id.split('/')[0], id])).values()];
}

/**
 * A model may have been removed since the catalogue was read; this is not a fault of the server. The page that
 * listed it is read again. Its cursor may have expired.
 */
async function isStillListed(
  { send }: { readonly send: (name: 'again' | 'againLater', options?: SendOptions) => Promise<Exchange> },
  id: string,
  pages: readonly Exchange[],
): Promise<boolean> {
  const at = pages.findIndex((page) => lists(page, id));
  const cursor = member(pages[at - 1]?.json, 'next_cursor');
  const page =
    typeof cursor === 'string'
      ? await send('againLater', { fill: { cursor: inQuery(cursor) } })
      : await send('again');
  return lists(page, id);
}

function lists(page: Exchange, id: string): boolean {
  const data = member(page.json, 'data');
  return Array.isArray(data) && data.some((entry) => member(entry, 'id') === id);
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
