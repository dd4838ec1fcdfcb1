import { exploration } from '../../explore/exploration.ts';
import type { RequestPlan } from '../../scenarios/scenario.ts';
import {
  publishing,
  publishingAgain,
  publishingBadly,
  publishingElsewhere,
  versionRules,
} from './explore-versions.ts';
import type { Versions } from './explore-versions.ts';
import { registryOracles } from './oracles/index.ts';
import { VERSIONS, versionNumbers } from './probes/publication.ts';

const publish = { method: 'POST', target: VERSIONS, times: 1, judgesRefusal: true } as const;

const requests = {
  'publish publisher': { ...publish, as: 'publisher', perExplore: 0.5 },
  'publish none': { ...publish, as: 'none', perExplore: 0.06, bodyOpens: true },
  'publish unusable': { ...publish, as: 'unusable', perExplore: 0.06, bodyOpens: true },
} as const satisfies Readonly<Record<string, RequestPlan>>;

/** Versions that are published, refused, and sent again. */
export const exploredPublications = exploration<Versions, typeof requests>({
  id: 'registry.explore.publications',
  api: 'registry',
  title: 'courses of publications: defects, versions that came before, other nodes, races',
  permissions: ['publish'],
  needs: ['publish'],
  judges: versionRules,
  uses: [versionNumbers],
  requests,
  oracles: registryOracles,
  model: async (session) => {
    const numbers = await session.obtain(versionNumbers);
    const hasSecond = session.fixtures.publish?.second !== undefined;
    return {
      start: () => ({ sent: [], elsewhere: new Set<string>() }),
      operations: {
        publish: publishing(numbers),
        'publish badly': publishingBadly(numbers),
        'publish again': publishingAgain(numbers),
        ...(hasSecond ? { 'publish elsewhere': publishingElsewhere } : {}),
      },
      opening: [
        {
          operation: 'publish',
          choices: { form: 'plain', changelog: 'none', framing: 'length', together: 'one' },
        },
      ],
    };
  },
});
