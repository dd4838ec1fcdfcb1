import { byCaller, knownCallers } from '../../explore/callers.ts';
import { exploration } from '../../explore/exploration.ts';
import { READERS, callerRules } from './explore-callers.ts';
import { documents, readRules, reading } from './explore-documents.ts';
import type { Documents } from './explore-documents.ts';
import { listRules, listing, listingAs, listingBadly } from './explore-pages.ts';
import type { PageWalk } from './explore-pages.ts';
import { routerOracles } from './oracles/index.ts';
import { anyModel, catalogue, catalogueIds } from './probes/catalogue.ts';

const requests = {
  ...byCaller('list', { method: 'GET', target: '/v1/models?{query}', share: 0.5 }, READERS),
  ...byCaller('detail', { method: 'GET', target: '/v1/models/{id}', share: 0.12 }, READERS),
  ...byCaller('schema', { method: 'GET', target: '/v1/models/{id}/openapi.json', share: 0.38 }, READERS),
};

/** Lists, details and schema documents, with all of their parameters. */
export const exploredReads = exploration<PageWalk & Documents, typeof requests>({
  id: 'router.explore.reads',
  api: 'router',
  title: 'courses of reads: callers, pages, cursors, conditions',
  permissions: [],
  needs: [],
  judges: [...callerRules, ...listRules, ...readRules],
  uses: [catalogue],
  requests,
  oracles: routerOracles,
  model: async (session) => {
    const callers = knownCallers(session, READERS);
    const known = await anyModel(session);
    const another = (await catalogueIds(session)).find((id) => id !== known);
    const number = Math.floor(session.random() * 1e9);
    const ids = {
      known,
      ...(another === undefined ? {} : { another }),
      'no such model': session.fixtures.model?.unknown ?? `tallystick/no-such-model-${number}`,
    };
    return {
      start: () => ({ cursors: [], held: new Map() }),
      operations: {
        list: listing,
        'list badly': listingBadly,
        'list as': listingAs(callers),
        detail: reading({ ids, callers }),
        schema: documents({ ids, callers }),
      },
      opening: [
        { operation: 'list', choices: { limit: '2', cursor: 'none' } },
        { operation: 'schema', choices: { as: 'valid', model: 'known', condition: 'none' } },
      ],
    };
  },
});
