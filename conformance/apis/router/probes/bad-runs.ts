import { check, undecided } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, NotExercised, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { anyModel, catalogue, catalogueIds } from './catalogue.ts';
import { details } from './detail.ts';
import { declared, keyed } from './idempotency.ts';
import { isOpenObject, negatives } from './negatives.ts';
import { bodySchemas } from '../../../schemas/schema-document.ts';
import { schemaDocuments } from './schema.ts';

/** Texts that are almost JSON, which some parsers accept. */
const SLIPS: readonly ((json: string) => string)[] = [
  () => '{"a":',
  // RFC 8259, section 6: not a number.
  (json) => `${json.slice(0, -1)}${json === '{}' ? '' : ','}"tallystick":NaN}`,
  () => '{"a":1,}',
  (json) => `${json} text`,
  (json) => `${json}${json}`,
  () => "{'a':1}",
];

const NO_OBJECTS = ['[]', '"text"', '7', 'null'] as const;

const MOST_LONGEST = 3;

/** The IDs with the longest provider, the longest model, and the most characters. */
function longest(ids: readonly string[]): readonly string[] {
  const sizes = [
    (id: string): number => id.indexOf('/'),
    (id: string): number => id.length - id.indexOf('/'),
    (id: string): number => id.length,
  ];
  const found = sizes.map((size) => ids.toSorted((a, b) => size(b) - size(a))[0]);
  return [...new Set(found)].filter((id) => id !== undefined);
}

/** Answers about the caller or the moment, before the body is read. */
const IN_FRONT: ReadonlySet<number> = new Set([402, 403, 408, 429, 503]);

export const badBodies = scenario({
  id: 'router.run.bad-bodies',
  api: 'router',
  title: 'bodies that are empty, not JSON or not an object',
  permissions: ['negatives'],
  judges: ['router.run.body-required', 'router.run.malformed-json', 'router.run.non-object-body'],
  uses: [catalogue],
  severalCases: ['router.run.body-required', 'router.run.malformed-json', 'router.run.non-object-body'],
  requests: {
    empty: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2 },
    malformed: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 2 * SLIPS.length },
    nonObject: {
      method: 'POST',
      target: '/v1/models/{id}',
      as: 'valid',
      times: 2 * NO_OBJECTS.length + 1 + MOST_LONGEST,
    },
  },
  run: async function* (session) {
    const fill = { id: await anyModel(session) };
    const headers = [['Content-Type', 'application/json']] as const;
    const isBadInput = (answer: Exchange): boolean =>
      answer.status >= 400 && bucketOf(answer) === 'invalid_input';

    // With a schema and without one: in both cases the router decides before the model.
    const { ok, noSchema } = session.fixtures.model ?? {};
    const models: readonly { readonly fill: { readonly id: string }; readonly input: unknown }[] = [
      { fill, input: ok?.input ?? { a: 1 } },
      ...(noSchema === undefined ? [] : [{ fill: { id: noSchema.id }, input: noSchema.input }]),
    ];
    for (const model of models) {
      // Document 1, POST /v1/models/{provider}/{model}, request body: required. Errors, table, invalid_input:
      // rejected before the model. The statuses are not documented.
      const empty = await session.send('empty', { fill: model.fill, headers });
      yield check(
        'router.run.body-required',
        empty,
        isBadInput(empty),
        'a refusal in the bucket invalid_input',
        sketchRefusal(empty),
      );
      for (const [index, slip] of SLIPS.entries()) {
        const body = slip(JSON.stringify(model.input));
        // With a key and without one.
        const call =
          index % 2 === 0 ? { fill: model.fill, body } : keyed(model.fill.id, body, session.freshKey());
        const answer = await session.send('malformed', call);
        yield check(
          'router.run.malformed-json',
          answer,
          isBadInput(answer),
          'a refusal in the bucket invalid_input',
          sketchRefusal(answer),
        );
      }
      // Document 1, RouterModelInput and RouterModelOutput: objects. The router or the model may refuse.
      for (const body of NO_OBJECTS) {
        const answer = await session.send('nonObject', { fill: model.fill, body });
        yield check(
          'router.run.non-object-body',
          answer,
          isInputRefusal(answer),
          'invalid_input, or a 422 by the model',
          sketchRefusal(answer),
        );
      }
    }
    // Document 1, GET /v1/models, first sentence: a run accepts each listed ID, so that it gets as far as the body.
    for (const id of longest(await catalogueIds(session))) {
      const answer = await session.send('nonObject', { fill: { id }, body: '[]', headers });
      yield check(
        'router.run.non-object-body',
        answer,
        isInputRefusal(answer) || IN_FRONT.has(answer.status),
        'invalid_input, or a 422 by the model, for a listed ID',
        sketchRefusal(answer),
      );
    }
    // For the shape of its errors: the answer to another media type is not documented.
    await session.send('nonObject', { fill, body: '[]', headers: [['Content-Type', 'text/plain']] });
  },
});

const MOST_VIOLATIONS = 40;

export const schemaViolations = scenario({
  id: 'router.run.schema-violations',
  api: 'router',
  title: 'inputs that violate the served schema',
  permissions: ['negatives'],
  judges: ['router.run.schema-is-enforced'],
  uses: [catalogue, details, schemaDocuments],
  severalCases: ['router.run.schema-is-enforced'],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: MOST_VIOLATIONS + 1 } },
  run: async function* (session) {
    const ok = session.fixtures.model?.ok;
    const documents = await session.obtain(schemaDocuments);
    const mute = documents.filter(({ answer }) => bodySchemas(answer.json).length === 0);
    if (documents.length > 0 && mute.length === documents.length) {
      const why = 'no schema document that was served describes a request body';
      yield undecided('router.run.schema-is-enforced', mute.map(({ answer }) => answer).slice(0, 3), why);
      return;
    }
    for (const { id, answer } of documents) {
      const [schema] = bodySchemas(answer.json);
      const found = negatives(answer.json, schema, id === ok?.id ? ok.input : {}, MOST_VIOLATIONS);
      if (found.length === 0) continue;
      const isOpen = isOpenObject(answer.json, schema);
      for (const [index, { body, says }] of found.entries()) {
        // Document 1, GET …/openapi.json: the document that the call is validated against. Either refusal is
        // allowed. Some are sent with a key, and some are long, because the rule holds for any call.
        const long = isOpen && index % 3 === 2 ? { ...body, tallystick_text: 'tally '.repeat(700) } : body;
        const call = index % 3 === 1 ? keyed(id, body, session.freshKey()) : { fill: { id }, body: long };
        const refused = await session.send('run', call);
        const got = `${sketchRefusal(refused)} for ${says}`;
        yield check(
          'router.run.schema-is-enforced',
          refused,
          isInputRefusal(refused),
          'invalid_input, or a 422 by the model',
          got,
        );
      }
      // Each time: an input that was refused before stays invalid.
      const [{ body, says } = { body: {}, says: '' }] = found;
      const again = await session.send('run', { fill: { id }, body });
      yield check(
        'router.run.schema-is-enforced',
        again,
        isInputRefusal(again),
        'invalid_input, or a 422 by the model, once more',
        `${sketchRefusal(again)} for ${says}`,
      );
      return;
    }
    throw new NotExercised('model.ok', 'needs model.ok with a schema that refuses something');
  },
});

export const noCredits = scenario({
  id: 'router.run.no-credits',
  api: 'router',
  title: 'a run that the workspace cannot pay for',
  permissions: ['negatives'],
  needs: ['account.noCredits', 'model.ok'],
  judges: ['router.run.insufficient-credits'],
  severalCases: ['router.run.insufficient-credits'],
  requests: {
    run: { method: 'POST', target: '/v1/models/{id}', as: 'noCredits', times: 1 },
    list: { method: 'GET', target: '/v1/models', as: 'noCredits', times: 2 },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'noCredits', times: 2 },
    schema: { method: 'GET', target: '/v1/models/{id}/openapi.json', as: 'noCredits', times: 2 },
  },
  run: async function* ({ send, fixtures }) {
    const { id, input } = declared(fixtures.model?.ok, 'model.ok');
    // The same row: a run requires credits. Other rules judge the answers to reads.
    const reads = async function* (): AsyncGenerator<Check> {
      for (const name of ['list', 'detail', 'schema'] as const) {
        const read = await send(name, { fill: { id } });
        const named = bucketOf(read) === 'insufficient_credits';
        yield check('router.run.insufficient-credits', read, !named, 'no lack of credits for a read');
      }
    };
    yield* reads();
    const answer = await send('run', { fill: { id }, body: input });
    if (isSuccess(answer)) throw new BrokenFixture('account.noCredits', `it ran ${id}`, [answer.id]);
    // Document 1, Errors, table: insufficient_credits; its status is not documented.
    const named = bucketOf(answer) === 'insufficient_credits';
    yield check(
      'router.run.insufficient-credits',
      answer,
      named,
      'bucket insufficient_credits',
      sketchRefusal(answer),
    );
    // A refused run changes nothing about them.
    yield* reads();
  },
});

// --- internal ---

/** Conflict in the contract, decided: bad input is refused by the router as invalid_input, or by the model with a 422. */
export function isInputRefusal(answer: Exchange): boolean {
  if (answer.status === 422 && Array.isArray(member(answer.json, 'detail'))) return true;
  return answer.status >= 400 && bucketOf(answer) === 'invalid_input';
}
