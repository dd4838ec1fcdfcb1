import { observed } from '../../scenarios/check.ts';
import { scenario } from '../../scenarios/scenario.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { sketchAnswer } from '../../exchanges/sketch.ts';
import type { OwnApi } from '../own-api.ts';
import { UNKNOWN_METHOD, UNKNOWN_PATH } from './rules.ts';

/** Requests paths and methods that the document does not have, and records the answers. */
export function unknownScenario(api: OwnApi): Scenario {
  const [operation] = api.operations.filter(({ path }) => !path.includes('{'));
  return scenario({
    id: 'document.unknown',
    api: api.name,
    title: 'a path and a method that the document does not have',
    judges: [UNKNOWN_PATH, UNKNOWN_METHOD],
    requests: {
      path: { method: 'GET', target: '/tallystick-no-such-path', as: 'none', times: 1 },
      // PROPFIND never changes anything.
      method: { method: 'PROPFIND', target: operation?.path ?? '/', as: 'none', times: 1 },
    },
    async *run(session) {
      const path = await session.send('path');
      yield observed(UNKNOWN_PATH, path, sketchAnswer(path));
      const method = await session.send('method');
      const allow = method.header('allow');
      yield observed(
        UNKNOWN_METHOD,
        method,
        `${sketchAnswer(method)}${allow === undefined ? ' without Allow' : `, Allow: ${allow}`}`,
      );
    },
  });
}
