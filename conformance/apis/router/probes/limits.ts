import { check, observed } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { catalogue, inQuery } from './catalogue.ts';
import { judgePage, pageRules } from '../wire/page-shape.ts';

export const limits = scenario({
  id: 'router.list.limits',
  api: 'router',
  title: 'page sizes of all kinds',
  judges: [
    ...pageRules,
    'router.list.limit-default',
    'router.list.limit-honoured',
    'router.list.limit-clamped',
    'router.list.limit-clamped-huge',
    'router.list.limit-zero',
    'router.list.limit-negative',
    'router.availability.served',
  ],
  uses: [catalogue],
  severalCases: [
    ...pageRules,
    'router.list.limit-default',
    'router.list.limit-honoured',
    'router.list.limit-clamped',
    'router.list.limit-clamped-huge',
    'router.list.limit-zero',
    'router.list.limit-negative',
  ],
  requests: {
    plain: { method: 'GET', target: '/v1/models', as: 'valid', times: 2 },
    sized: { method: 'GET', target: '/v1/models?limit={limit}', as: 'valid', times: 21 },
    next: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 1 },
    sizedNext: { method: 'GET', target: '/v1/models?limit={limit}&cursor={cursor}', as: 'valid', times: 4 },
  },
  run: async function* ({ send, obtain, freshKey }) {
    const limited = (limit: string): Promise<Exchange> => send('sized', { fill: { limit } });
    const echoes = (page: Exchange, limit: number): boolean =>
      page.status === 200 && member(page.json, 'limit') === limit;

    // Document 1, GET /v1/models, parameter limit: default 20.
    const plain = await send('plain');
    yield observed('router.availability.served', plain, `GET /v1/models returned ${plain.status}`);
    yield* judgePage(plain);
    yield check('router.list.limit-default', plain, echoes(plain, 20), 'status 200 and limit 20 echoed');

    // Document 1, Idempotency key handling, heading: keys concern runs, so a read with a key is an ordinary
    // read.
    const keyed = await send('plain', { headers: [['Idempotency-Key', freshKey()]] });
    yield check('router.list.limit-default', keyed, echoes(keyed, 20), 'status 200 and limit 20 echoed');

    // The same place: values up to 100 are used as requested. A full page is expected only if more follows
    // and nothing was trimmed, so only a page that exceeds its limit counts against the server.
    let small = plain;
    for (const limit of [1, 2, 7, 19, 21, 50, 99, 100]) {
      const page = await limited(String(limit));
      if (limit === 7) small = page;
      yield* judgePage(page);
      yield check(
        'router.list.limit-honoured',
        page,
        echoes(page, limit),
        `status 200 and limit ${limit} echoed`,
      );
    }
    yield* servedAsAsked(await obtain(catalogue));

    // The same place: above 100 the server uses 100 and echoes that.
    let large = plain;
    for (const limit of ['101', '1000']) {
      const page = (large = await limited(limit));
      yield check('router.list.limit-clamped', page, echoes(page, 100), 'status 200 and limit 100 echoed');
    }
    // The same place (inference): no integer is too large to count as above 100.
    for (const limit of ['4294967301', '99999999999999999999']) {
      const huge = await limited(limit);
      yield check(
        'router.list.limit-clamped-huge',
        huge,
        echoes(huge, 100),
        'status 200 and limit 100 echoed',
      );
    }

    // The same place: 0 and negative values select the default.
    const zero = await limited('0');
    yield check('router.list.limit-zero', zero, echoes(zero, 20), 'status 200 and limit 20 echoed');
    for (const limit of ['-1', '-100', '-4294967291', '-99999999999999999999']) {
      const negative = await limited(limit);
      yield check(
        'router.list.limit-negative',
        negative,
        echoes(negative, 20),
        'status 200 and limit 20 echoed',
      );
    }
    // The same place: it holds for any page. The cursors come from pages of the requested size.
    const cursor = cursorOf(plain);
    if (cursor !== undefined) {
      const next = await send('next', { fill: { cursor } });
      if (!isRefused(next)) {
        yield* judgePage(next);
        yield check('router.list.limit-default', next, echoes(next, 20), 'status 200 and limit 20 echoed');
      }
      for (const [rule, limit] of [
        ['router.list.limit-zero', '0'],
        ['router.list.limit-negative', '-1'],
      ] as const) {
        const page = await send('sizedNext', { fill: { limit, cursor } });
        if (isRefused(page)) continue;
        yield check(rule, page, echoes(page, 20), 'status 200 and limit 20 echoed');
      }
    }
    for (const [first, limit, echoed, rule] of [
      [large, '101', 100, 'router.list.limit-clamped'],
      [small, '7', 7, 'router.list.limit-honoured'],
    ] as const) {
      const from = cursorOf(first);
      if (from === undefined) continue;
      const page = await send('sizedNext', { fill: { limit, cursor: from } });
      if (isRefused(page)) continue;
      yield* judgePage(page);
      yield check(rule, page, echoes(page, echoed), `status 200 and limit ${echoed} echoed`);
    }
    // For the shape of its errors: the answer to a limit that is not an integer is not documented.
    for (const limit of ['+5', '1.5', 'ten', '']) await limited(limit);
  },
});

// --- internal ---

/** The previous page had the same limit: the refusal concerns the cursor, which other rules cover. */
function isRefused(page: Exchange): boolean {
  return page.status >= 400 && page.status < 500;
}

function cursorOf(page: Exchange): string | undefined {
  const cursor = member(page.json, 'next_cursor');
  return typeof cursor === 'string' ? inQuery(cursor) : undefined;
}

/**
 * A page of 100 that announces more and contains far fewer may have been trimmed. If every page of a whole
 * walk except the last contains exactly the default number, the server echoes a limit that it does not use.
 */
function* servedAsAsked(walk: { readonly pages: readonly Exchange[] }): Generator<ReturnType<typeof check>> {
  const sizes = walk.pages
    .filter((page) => member(page.json, 'has_more') === true)
    .map((page) => (member(page.json, 'data') as unknown[]).length);
  if (sizes.length === 0) return;
  yield check(
    'router.list.limit-honoured',
    walk.pages,
    !sizes.every((size) => size === 20),
    'pages of 100 where 100 were asked for and echoed',
    `pages of ${sizes.join(', ')}`,
  );
}
