import { jsonAnswer } from '../answer.ts';
import type { Behaviour, Call } from '../call.ts';
import { modelIdOf } from './catalogue.ts';
import type { Router } from './context.ts';

/** One entry of the catalogue with its billing facts (document 1, "RouterModelDetail"). */
export function modelDetail(router: Router): Behaviour {
  return (call) => {
    const model = router.state.catalogue.visible(call.facts.modelId ?? '');
    if (model === undefined) throw new Error('the detail comes behind the lookup of its model');
    const authored = model.inputSchema !== undefined;
    return Promise.resolve(
      jsonAnswer(200, {
        id: modelIdOf(model),
        provider: model.provider,
        model: model.model,
        billing: { charges_on_policy_rejection: model.chargesOnPolicyRejection },
        ...(authored ? { input_schema_url: schemaUrl(router, call) } : {}),
      }),
    );
  };
}

// --- internal ---

/**
 * The schema document at the address that the client used (silent-points A-29). The scheme is always https, because the
 * contract allows no other; a host that is none is not repeated.
 */
function schemaUrl(router: Router, call: Call): string {
  const host = call.request.header('host') ?? '';
  const origin = /^[A-Za-z0-9.-]{1,253}(:\d{1,5})?$|^\[[0-9a-f:.]{2,45}\](:\d{1,5})?$/i.test(host)
    ? `https://${host}`
    : 'https://localhost';
  return `${router.publicUrl ?? origin}${call.request.path}/openapi.json`;
}
