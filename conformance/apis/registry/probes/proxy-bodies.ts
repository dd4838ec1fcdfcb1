import { check } from '../../../scenarios/check.ts';
import { isSuccess } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { ROUTE, partner, whole } from './proxy.ts';

/** A complete request in forms that some parsers still accept, or wrapped in another object. */
const SLIPS: readonly ((json: string) => string)[] = [
  (json) => `[${json}]`,
  (json) => JSON.stringify(json),
  (json) => `${json.slice(0, -1)},}`,
  (json) => `${json} text`,
  (json) => `${json}${json}`,
  (json) => json.slice(0, -1),
];

export const badBodies = scenario({
  id: 'proxy.skin.bad-bodies',
  api: 'registry',
  title: 'bodies that are not JSON or not an object, with everything in them that a request can have',
  permissions: ['negatives'],
  needs: ['proxy.partner'],
  judges: ['proxy.skin.body-refused'],
  severalCases: ['proxy.skin.body-refused'],
  requests: { bad: { method: 'POST', target: ROUTE, as: 'valid', times: SLIPS.length } },
  run: async function* ({ send, fixtures }) {
    const json = JSON.stringify(whole(fixtures));
    for (const slip of SLIPS) {
      const body = slip(json);
      const answer = await send('bad', {
        fill: partner(fixtures),
        body,
        headers: [['Content-Type', 'application/json']],
      });
      // Document 2, POST /proxy/…/creative, request (inference): a JSON object. The status is not shown.
      yield check(
        'proxy.skin.body-refused',
        answer,
        !isSuccess(answer),
        'no success',
        `${answer.status} for ${body.slice(0, 20)}…${body.slice(-20)}`,
      );
    }
  },
});
