import { jsonAnswer } from '../../call/answer.ts';
import { baseUrlOf } from '../../base-url.ts';
import type { Behaviour, Call } from '../../call/call.ts';
import { modelIdOf } from './catalogue.ts';
import type { Router } from './context.ts';

/** One entry of the catalogue with its billing facts (document 1, "RouterModelDetail"). */
export function modelDetail(router: Router): Behaviour {
  return (call) => {
    const model = router.state.catalogue.visible(call.facts.modelId ?? '');
    if (model === undefined) throw new Error('the detail follows the lookup of its model');
    const authored = model.inputSchema !== undefined;
    return jsonAnswer(200, {
      id: modelIdOf(model),
      provider: model.provider,
      model: model.model,
      billing: { charges_on_policy_rejection: model.chargesOnPolicyRejection },
      ...(authored ? { input_schema_url: schemaUrl(router, call) } : {}),
    });
  };
}

// --- internal ---

/**
 * The address of the schema document, below the address that the client used (open point A-29). The contract
 * allows only https, so that is the scheme unless a public address is configured.
 */
function schemaUrl({ publicUrl }: Router, { request }: Call): string {
  const base = baseUrlOf(request, publicUrl) ?? 'https://localhost';
  const address = publicUrl === undefined ? base.replace(/^http:/, 'https:') : base;
  return `${address}${request.path}/openapi.json`;
}
