// Generated from specs/router.openapi.yaml by tallystick. Do not edit: the next run replaces this file.
/* eslint-disable */
// biome-ignore-all lint: generated code

import { textAt } from '../runtime/errors.js';
import { mightBe, readOpenValue } from '../runtime/policies/open-values.js';
import type { OpenValuesPolicy } from '../runtime/policies/open-values.js';
import type { RouterModelDetail } from './types.js';

const chargesOnPolicyRejectionValues: Pick<OpenValuesPolicy, 'known' | 'unknownReadsAs' | 'negative'> = { known: ['yes', 'no', 'unknown'], unknownReadsAs: 'unknown', negative: ['no'] };

/**
 * `billing.charges_on_policy_rejection` for decisions: a value that this code does not know is read
 * as `unknown`.
 */
export function readChargesOnPolicyRejection(of: RouterModelDetail): 'yes' | 'no' | 'unknown' {
  return readOpenValue(chargesOnPolicyRejectionValues, textAt(of, 'billing', 'charges_on_policy_rejection')) as 'yes' | 'no' | 'unknown';
}

/**
 * Whether `billing.charges_on_policy_rejection` leaves a yes open. Every text is true in a
 * condition, so ask this instead.
 */
export function chargesOnPolicyRejectionIsPossible(of: RouterModelDetail): boolean {
  return mightBe(chargesOnPolicyRejectionValues, textAt(of, 'billing', 'charges_on_policy_rejection'));
}
