import { check } from '../../../scenarios/check.ts';
import { scenario } from '../../../scenarios/scenario.ts';
import { declared } from './idempotency.ts';

export const proxyCredential = scenario({
  id: 'router.proxy.credential',
  api: 'router',
  title: "the router's credential on a proxy route",
  permissions: ['negatives'],
  needs: ['proxy.partner'],
  judges: ['router.proxy.same-credential'],
  requests: {
    proxy: { method: 'POST', target: '/proxy/{partner}/v1/ai/skin-enhancer/creative', as: 'valid', times: 1 },
  },
  run: async function* ({ send, fixtures }) {
    const partner = declared(fixtures.proxy?.partner, 'proxy.partner');
    const answer = await send('proxy', { fill: { partner }, body: '{"image":' });
    // Document 1, Authentication, item 4: the same credential is accepted there. Other answers of such a
    // route do not concern the router.
    const accepted = answer.status !== 401 && answer.status !== 403;
    yield check(
      'router.proxy.same-credential',
      answer,
      accepted,
      'neither 401 nor 403',
      String(answer.status),
    );
  },
});
