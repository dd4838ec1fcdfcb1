/** What no output shows: the only place that decides what a secret is, and what replaces it. */
export { masker, type Mask, type Masker } from './masking.ts';
export { maskedAddresses, secretsOfAddresses } from './addresses.ts';
export type { SecrecyFacts } from './facts.ts';
export { maskedHeaders, secretsIn } from './messages.ts';
export {
  HEADER_PLACEHOLDERS,
  HIDDEN,
  placeholderPattern,
  placeholders,
  type Placeholder,
} from './placeholders.ts';
export { secrecyOf } from './document-facts.ts';
export { secrecyOfMasked } from './masked-facts.ts';
