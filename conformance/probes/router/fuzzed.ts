import { check } from '../../check.ts';
import type { Exchange } from '../../exchange.ts';
import { NotExercised, scenario } from '../../scenario.ts';
import { bucketOf, sketchRefusal } from './answers.ts';
import { isInputRefusal } from './bad-runs.ts';
import { catalogue } from './catalogue.ts';
import { details } from './detail.ts';
import { bodySchemas } from './schema-document.ts';
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
    const { fc, fuzz, sitesOf } = await tools();
    const sites = sitesOf(document, schema, input);
    const [first] = sites;
    if (first === undefined)
      throw new NotExercised('model.ok', 'needs model.ok with a schema that refuses something');
    const seed = Math.floor(session.random() * 0x7fffffff);
    const answers = new Map<unknown, Exchange>();
    const isRefused = async ({ body }: { readonly body: unknown }): Promise<boolean> => {
      const answer = await session.send('run', { fill: { id }, body });
      answers.set(body, answer);
      return isInputRefusal(answer);
    };
    // Document 1, GET …/openapi.json: the document that the call is validated against. Either refusal is legal.
    const expected = 'invalid_input, or a 422 by the model';
    let left = session.fuzz;
    for (const { bodies, pointer, keyword } of sites) {
      if (left === 0) return;
      const { tried, accepted, path } = await fuzz(bodies, isRefused, {
        seed,
        runs: 1,
        most: Math.min(left, 1 + SHRINKS),
      });
      left -= tried;
      const last = answers.get(accepted?.body) ?? [...answers.values()].at(-1);
      if (last === undefined) continue;
      const got = `${sketchRefusal(last)} for ${accepted?.says ?? `${pointer} ${keyword}`}${replay(path, seed)}`;
      yield check(rule, last, accepted === undefined, expected, got);
    }
    if (left === 0) return;
    const all = fc.oneof(...sites.map(({ bodies }) => bodies));
    const { accepted, path } = await fuzz(all, isRefused, { seed, most: left });
    const last = answers.get(accepted?.body) ?? [...answers.values()].at(-1);
    if (last !== undefined) {
      const got = `${sketchRefusal(last)} for ${accepted?.says ?? 'the last of them'}${replay(path, seed)}`;
      yield check(rule, last, accepted === undefined, expected, got);
    }
  },
});

export const fuzzedCursors = scenario({
  id: 'router.list.fuzz',
  api: 'router',
  title: 'random texts that cannot be cursors',
  judges: ['router.list.cursor-malformed-400'],
  budgetMs: 600_000,
  requests: {
    list: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 1, perFuzz: true },
  },
  run: async function* (session) {
    const { fc, fuzz } = await tools();
    const seed = Math.floor(session.random() * 0x7fffffff);
    let last: Exchange | undefined;
    // Document 1, Identifier schemas, RouterPageCursor. Empty and overlong ones have rules of their own.
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

// --- internal ---

/** Requests that are worth a smaller example. */
const SHRINKS = 12;

/** The generator of random values is loaded by those who fuzz. */
async function tools() {
  const [fc, { fuzz }, { sitesOf }] = await Promise.all([
    import('fast-check'),
    import('../../fuzz/refused.ts'),
    import('../../fuzz/negative-arbitrary.ts'),
  ]);
  return { fc, fuzz, sitesOf };
}

function replay(path: string | undefined, seed: number): string {
  return path === undefined ? '' : ` (seed ${seed}, path ${path})`;
}
