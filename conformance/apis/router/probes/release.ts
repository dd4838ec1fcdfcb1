import { check } from '../../../scenarios/check.ts';
import { isObject, member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { catalogue, walkPages } from './catalogue.ts';
import { declared } from './idempotency.ts';

const MOST_PAGES = 60;

export const unreleased = scenario({
  id: 'router.list.unreleased',
  api: 'router',
  title: 'pages around a model that is not released',
  needs: ['model.unreleased'],
  judges: ['router.list.unreleased-excluded', 'router.list.page-describes-after-exclusion'],
  uses: [catalogue],
  severalCases: ['router.list.unreleased-excluded'],
  requests: {
    first: { method: 'GET', target: '/v1/models?limit={limit}', as: 'valid', times: 1 },
    next: {
      method: 'GET',
      target: '/v1/models?limit={limit}&cursor={cursor}',
      as: 'valid',
      times: MOST_PAGES,
    },
  },
  run: async function* ({ send, obtain, fixtures }) {
    const hidden = declared(fixtures.model?.unreleased, 'model.unreleased');
    const large = await obtain(catalogue);
    const size = Math.max(1, Math.ceil(large.entries.length / (MOST_PAGES - 15)));
    const small = await walkPages({ send }, { first: 'first', next: 'next' }, size, MOST_PAGES);

    // Document 1, GET /v1/models, rule 3: on no page, without a placeholder and without a reserved slot.
    for (const page of [...large.pages, ...small.pages]) {
      const data = member(page.json, 'data');
      if (!Array.isArray(data)) continue;
      const slot = data.find((entry) => !isObject(entry) || entry['id'] === null || entry['id'] === hidden);
      yield check('router.list.unreleased-excluded', page, slot === undefined, `no trace of ${hidden}`);
    }
    // The same rule: has_more describes the page after exclusion. A page or two may be empty. A walk with
    // only empty pages, each announcing another one, reveals the model.
    const isEmpty = (page: Exchange): boolean =>
      isHollow(member(page.json, 'data'), member(page.json, 'has_more'));
    const tail = small.pages.slice(small.ended === 'repeat' ? -1 : -10);
    const hollow = (small.ended === 'repeat' || tail.length === 10) && tail.every(isEmpty);
    yield check(
      'router.list.page-describes-after-exclusion',
      small.pages.slice(-3),
      !hollow,
      'the end of the list, not one empty page after another',
      hollow ? 'only empty pages that announce more' : `${small.pages.length} pages`,
    );
  },
});

// --- internal ---

function isHollow(data: unknown, more: unknown): boolean {
  return Array.isArray(data) && data.length === 0 && more === true;
}
