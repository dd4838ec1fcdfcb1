// @module-tag long
import { ENVELOPE_FAULTS } from './envelopes/faults.ts';
import { measuredEnvelopes } from './envelopes/measured.ts';
import { measureSet } from './measured-set.ts';

const noticed = [
  'descending-ties-turn',
  'kind-lost-on-third-page',
  'more-without-filter',
  'expired-moves',
  'access-code-after-patch',
  'replay-renews-window',
  'refused-key-stays-claimed',
  'in-flight-without-retry-after',
  'recipients-appended',
  'signers-outlive-envelope',
  'other-account-restores',
  'large-value-wraps',
];

measureSet('envelopes', measuredEnvelopes, ENVELOPE_FAULTS, noticed);
