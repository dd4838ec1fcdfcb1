import { canonical } from '../../../../contract/canonical-json.ts';
import { check } from '../../../scenarios/check.ts';
import { member } from '../../../exchanges/exchange.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Session } from '../../../scenarios/scenario.ts';
import { inQuery } from './catalogue.ts';

const RULE = 'router.list.second-page-progress';

/** A catalogue that is rebuilt meanwhile changes a page once, and not each time. */
const ROUNDS = 3;

export const twoWalks = scenario({
  id: 'router.list.two-walks',
  api: 'router',
  title: 'a walk while another one is further on',
  judges: [RULE],
  requests: {
    first: { method: 'GET', target: '/v1/models?limit={limit}', as: 'valid', times: 3 * ROUNDS },
    next: { method: 'GET', target: '/v1/models?limit=2&cursor={cursor}', as: 'valid', times: 2 * ROUNDS },
  },
  run: async function* (session) {
    // Document 1, GET /v1/models, parameter cursor: each walk passes its own cursor. The order of the entries is not
    // documented, so that only the same first page shows what the second one has to be.
    let lost: readonly Exchange[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await session.send('first', { fill: { limit: '2' } });
      const usual = await followed(session, alone);
      const one = await session.send('first', { fill: { limit: '2' } });
      const other = await session.send('first', { fill: { limit: '7' } });
      const two = await followed(session, one);
      if (usual?.status !== 200 || two?.status !== 200 || !alike(alone, one)) return;
      if (alike(usual, two)) return yield check(RULE, [usual, two], true, 'the same second page');
      lost = [one, other, two];
    }
    yield check(RULE, lost, false, 'the same second page while another walk is further on', 'another entry');
  },
});

// --- internal ---

async function followed(session: Session<'next'>, first: Exchange): Promise<Exchange | undefined> {
  const cursor = member(first.json, 'next_cursor');
  if (typeof cursor !== 'string' || cursor === '') return undefined;
  return session.send('next', { fill: { cursor: inQuery(cursor) } });
}

function alike(one: Exchange, other: Exchange): boolean {
  return canonical(member(one.json, 'data')) === canonical(member(other.json, 'data'));
}
