// @module-tag long
import { ENVELOPE_FAULTS } from './envelopes/faults.ts';
import { measuredEnvelopes } from './envelopes/measured.ts';
import { measureSet } from './measured-set.ts';

const noticed = [
  'descending-ties-turn',
  'kind-lost-on-third-page',
  'more-without-filter',
  'link-without-sort',
  'cursor-carries-account',
  'status-filter-unsettled',
  'expired-draft-sends',
  'refused-void-takes-reason',
  'expired-moves',
  'access-code-after-patch',
  'replay-renews-window',
  'mismatch-ignores-nested',
  'refused-key-stays-claimed',
  'in-flight-without-retry-after',
  'released-key-marked',
  'wait-ignores-copy',
  'recipients-appended',
  'taken-email-stores-name',
  'restored-slug-free',
  'signers-outlive-envelope',
  'decline-through-other-envelope',
  'other-account-restores',
  'large-value-wraps',
];

measureSet('envelopes', measuredEnvelopes, ENVELOPE_FAULTS, noticed);
