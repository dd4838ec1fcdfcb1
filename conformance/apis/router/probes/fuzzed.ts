import * as fc from 'fast-check';
import { check } from '../../../scenarios/check.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { fuzz } from '../../../fuzz/refused.ts';
import { replay, sweep } from '../../../fuzz/sweep.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { isInputRefusal } from './bad-runs.ts';
import { catalogue } from './catalogue.ts';
import { details } from './detail.ts';
import { bodySchemas } from '../../../schemas/schema-document.ts';
import { schemaDocuments } from './schema.ts';

export const fuzzedRuns = scenario({
  id: 'router.run.fuzz',
  api: 'router',
  title: 'inputs that violate the served schema: every place and keyword, then random ones',
  permissions: ['negatives'],
  needs: ['model.ok'],
  judges: ['router.run.schema-is-enforced'],
  uses: [catalogue, details, schemaDocuments],
  budgetMs: 600_000,
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'valid', times: 1, perFuzz: true } },
  run: async function* (session) {
    const rule = 'router.run.schema-is-enforced';
    const { id, input } = session.fixtures.model?.ok ?? { id: '', input: {} };
    const document = (await session.obtain(schemaDocuments)).find((one) => one.id === id)?.answer.json;
    const [schema] = bodySchemas(document);
    // Document 1, GET …/openapi.json: the document that the call is validated against. Either refusal is
    // allowed.
    const expected = 'invalid_input, or a 422 by the model';
    yield* sweep(session, {
      document,
      schema,
      valid: input,
      needs: 'model.ok',
      send: ({ body }) => session.send('run', { fill: { id }, body }),
      judge: (answer) => check(rule, answer, isInputRefusal(answer), expected, sketchRefusal(answer)),
    });
  },
});

export const fuzzedCursors = scenario({
  id: 'router.list.fuzz',
  api: 'router',
  title: 'random strings that cannot be cursors',
  judges: ['router.list.cursor-malformed-400'],
  budgetMs: 600_000,
  requests: {
    list: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 1, perFuzz: true },
  },
  run: async function* (session) {
    const seed = Math.floor(session.random() * 0x7fffffff);
    let last: Exchange | undefined;
    // Document 1, Identifier schemas, RouterPageCursor. Separate rules cover empty and overlong ones.
    const texts = fc
      .string({ minLength: 1, maxLength: 60 })
      .filter((text) => !/^[A-Za-z0-9._~+/=-]+$/.test(text));
    const { accepted, path } = await fuzz(
      texts,
      async (cursor) => {
        last = await session.send('list', { fill: { cursor: encodeURIComponent(cursor) } });
        return last.status === 400 && bucketOf(last) === 'invalid_input';
      },
      { seed, most: session.fuzz },
    );
    if (last === undefined) return;
    const got =
      accepted === undefined ? '400 invalid_input' : `${sketchRefusal(last)} for ${JSON.stringify(accepted)}`;
    yield check(
      'router.list.cursor-malformed-400',
      last,
      accepted === undefined,
      '400 invalid_input',
      `${got}${replay(path, seed)}`,
    );
  },
});
