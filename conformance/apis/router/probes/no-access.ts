import { check } from '../../../scenarios/check.ts';
import { isSuccess, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { BrokenFixture, scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { isRefusal, sketchRefusal } from './answers.ts';
import { anyModel, catalogue, catalogueIds, inQuery } from './catalogue.ts';
import { keyed } from './idempotency.ts';

const RULE = 'router.run.403-forbidden';

/** Document 1, Authentication, item 5: 403 forbidden. */
function judge(answer: Exchange): Check {
  const expected = 'status 403, bucket forbidden';
  return check(RULE, answer, isForbidden(answer), expected, sketchRefusal(answer));
}

function isForbidden(answer: Exchange): boolean {
  return isRefusal(answer, 403, 'forbidden');
}

/** How many other models a caller without access reads. */
const OTHERS = 3;

const DOCUMENT = '/v1/models/{id}/openapi.json';

export const forbiddenReads = scenario({
  id: 'router.auth.forbidden-reads',
  api: 'router',
  title: 'reads with a credential without access',
  needs: ['cred.forbidden'],
  judges: [RULE],
  uses: [catalogue],
  severalCases: [RULE],
  requests: {
    list: { method: 'GET', target: '/v1/models', as: 'forbidden', times: 1 },
    detail: { method: 'GET', target: '/v1/models/{id}', as: 'forbidden', times: 1 + OTHERS },
    schema: { method: 'GET', target: DOCUMENT, as: 'forbidden', times: 2 },
    page: { method: 'GET', target: '/v1/models?limit=1&cursor={cursor}', as: 'forbidden', times: 1 },
    first: { method: 'GET', target: '/v1/models?limit=1', as: 'valid', times: 1 },
    asBearer: { method: 'GET', target: '/v1/models/{id}', as: 'unusable', times: 1 },
  },
  run: async function* (session) {
    const { send, fixtures } = session;
    const fill = { id: await anyModel(session) };
    const list = await send('list', { fill });
    const detail = await send('detail', { fill });
    const schema = await send('schema', { fill });
    // The caller has access to everything that it may read, so only refusals are judged.
    for (const answer of [list, detail, schema]) if (!isSuccess(answer)) yield judge(answer);

    // A refusal applies to every form of the request, and for a model to its document.
    if (isForbidden(detail) && isSuccess(schema)) yield judge(schema);
    if (isForbidden(schema)) yield judge(await send('schema', { fill, headers: [['If-None-Match', '*']] }));
    // The credential is known, so it is not unusable for another model. Access may differ between models.
    const others = isForbidden(detail) ? differentFrom(fill.id, await catalogueIds(session)) : [];
    for (const id of others) {
      const other = await send('detail', { fill: { id } });
      if (other.status === 401) yield judge(other);
    }
    const cursor = isForbidden(list) ? member((await send('first')).json, 'next_cursor') : undefined;
    if (typeof cursor === 'string') {
      // A cursor may be valid only for its caller.
      const page = await send('page', { fill: { cursor: inQuery(cursor) } });
      if (page.status !== 400) yield judge(page);
    }
    const key = fixtures.cred?.forbidden;
    if (
      key?.startsWith('service-') !== true ||
      fixtures.capabilities?.keyAsBearer !== true ||
      !isForbidden(detail)
    )
      return;
    const credential = ['Authorization', `Bearer ${key}`] as const;
    yield judge(await send('asBearer', { fill, credential }));
  },
});

export const forbiddenRun = scenario({
  id: 'router.auth.forbidden-run',
  api: 'router',
  title: 'runs with a credential without access, without a key and with one',
  permissions: ['negatives'],
  needs: ['cred.forbidden'],
  judges: [RULE],
  uses: [catalogue],
  severalCases: [RULE],
  requests: { run: { method: 'POST', target: '/v1/models/{id}', as: 'forbidden', times: 2 } },
  run: async function* (session) {
    const id = await anyModel(session);
    const body = session.fixtures.model?.ok?.input ?? {};
    const answer = await session.send('run', { fill: { id }, body });
    if (isSuccess(answer)) throw new BrokenFixture('cred.forbidden', `it ran ${id}`, [answer.id]);
    yield judge(answer);
    if (isForbidden(answer)) yield judge(await session.send('run', keyed(id, body, session.freshKey())));
  },
});

// --- internal ---

/** Models whose IDs differ from this one in their form or their place: with a version, in the middle, and the last. */
function differentFrom(id: string, ids: readonly string[]): readonly string[] {
  const some = [ids.find((one) => one.includes('.')), ids[Math.floor(ids.length / 2)], ids.at(-1)];
  return [...new Set(some)].filter((one) => one !== undefined && one !== id).slice(0, OTHERS) as string[];
}
