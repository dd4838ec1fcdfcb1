import { jsonAnswer, type Answer } from '../../call/answer.ts';
import type { Call } from '../../call/call.ts';
import { inputFindings, type InputFailure } from './model-input.ts';
import type { Router } from './context.ts';

/**
 * The model's own refusal of its input: one entry per field at fault, the bucket on the header only (document 1,
 * "RouterValidationErrorResponse"). The members of an entry are the provider's and pass through unchanged.
 */
export function rejectedByModel(router: Router, call: Call, failures: readonly InputFailure[]): Answer {
  const { bucket } = router.assume('A-19');
  call.facts.inputFindings = inputFindings(failures);
  call.note('answer', `${String(REJECTED)} ${bucket}`, 'A-19');
  return jsonAnswer(REJECTED, { detail: failures }, { headers: [[router.facts.buckets.header, bucket]] });
}

// --- internal ---

/** Document 1, POST /v1/models/{provider}/{model}, "Responses". */
const REJECTED = 422;
