/** What no output shows: the only place that decides what a secret is, and what replaces it. */
export { masker, type Mask, type Masker, type SecrecyFacts } from './masking.ts';
export { isSecretHeader, maskedHeaders, secretsIn } from './messages.ts';
export {
  HEADER_PLACEHOLDERS,
  HIDDEN,
  placeholderPattern,
  placeholders,
  type Placeholder,
} from './placeholders.ts';
export { publicValuesOf } from './public-values.ts';
export { credentialNames } from './secret-names.ts';
