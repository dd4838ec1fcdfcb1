import { check } from '../../../scenarios/check.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import type { Check } from '../../../scenarios/scenario.ts';
import { bucketOf, isRefusal, sketchRefusal } from './answers.ts';

const everyBadCursor = ['router.list.cursor-never-500', 'router.list.cursor-no-fallback'] as const;

/** Document 1, GET /v1/models, rule 2: 400 `invalid_input`, never a 500, never silently page one. */
function* judgeBadCursor(rule: string, answer: Exchange): Generator<Check> {
  // A proxy may refuse a long target: that is not the router's answer.
  if ([414, 431].includes(answer.status) && bucketOf(answer) === undefined) return;
  yield check(
    rule,
    answer,
    isRefusal(answer, 400, 'invalid_input'),
    'status 400, bucket invalid_input',
    sketchRefusal(answer),
  );
  yield check(
    'router.list.cursor-never-500',
    answer,
    answer.status !== 500,
    'anything but a 500',
    sketchRefusal(answer),
  );
  yield check('router.list.cursor-no-fallback', answer, answer.status !== 200, 'a refusal and not a page');
}

/** The other forms of a credential (document 1, Authentication, items 2 and 3). */
const FORMS = ['apiKey', 'apiKeyAsBearer', 'jwt'] as const;
const MADE_UP = ['', '!!!', 'zzzz'] as const;
const byForm = {
  method: 'GET',
  target: '/v1/models?cursor={cursor}',
  times: MADE_UP.length,
  isOptional: true,
  judgesCredential: true,
} as const;

export const badCursorsByForm = scenario({
  id: 'router.list.bad-cursors-by-form',
  api: 'router',
  title: 'cursors that no server issued, with each form of a credential',
  judges: ['router.list.cursor-empty-400', 'router.list.cursor-malformed-400', ...everyBadCursor],
  searches: ['router.list.cursor-empty-400', 'router.list.cursor-malformed-400', ...everyBadCursor],
  requests: {
    apiKey: { ...byForm, as: 'apiKey' },
    apiKeyAsBearer: { ...byForm, as: 'apiKeyAsBearer' },
    jwt: { ...byForm, as: 'jwt' },
  },
  run: async function* ({ send, knows }) {
    for (const form of FORMS.filter((one) => knows(one)))
      for (const cursor of MADE_UP) {
        const answer = await send(form, { fill: { cursor } });
        // Other rules cover a form that is refused.
        if (answer.status === 401 || answer.status === 403) break;
        const rule = cursor === '' ? 'router.list.cursor-empty-400' : 'router.list.cursor-malformed-400';
        yield* judgeBadCursor(rule, answer);
      }
  },
});

export const expiredCursor = scenario({
  id: 'router.list.expired-cursor',
  api: 'router',
  title: 'a cursor that is no longer valid',
  needs: ['cursor.expired'],
  judges: ['router.list.cursor-expired-400', ...everyBadCursor],
  requests: {
    expired: { method: 'GET', target: '/v1/models?cursor={cursor}', as: 'valid', times: 1 },
    sized: { method: 'GET', target: '/v1/models?limit=5&cursor={cursor}', as: 'valid', times: 1 },
  },
  severalCases: ['router.list.cursor-expired-400', ...everyBadCursor],
  run: async function* ({ send, fixtures }) {
    const fill = { cursor: encodeURIComponent(fixtures.cursor?.expired ?? '') };
    for (const name of ['expired', 'sized'] as const)
      yield* judgeBadCursor('router.list.cursor-expired-400', await send(name, { fill }));
  },
});
