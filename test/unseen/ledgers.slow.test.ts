// @module-tag long
import { LEDGER_FAULTS } from './ledgers/faults.ts';
import { measuredLedgers } from './ledgers/measured.ts';
import { measureSet } from './measured-set.ts';

const noticed = [
  'equal-keys-skipped',
  'second-filter-lost',
  'total-header-unfiltered',
  'patched-group-unfiltered',
  'other-firm-submits',
  'closed-firm-lists-transfers',
  'create-race',
  'recreated-account-old-tag',
  'exists-by-star-only',
  'listed-tag-drops-cache-control',
  'posting-outlives-account',
  'reference-race',
  'memo-cut-in-units',
  'statement-through-other-account',
  'third-use-runs',
  'failure-holds-key',
  'replay-without-location',
  'second-submit-moves-time',
  'rejection-missing-in-list',
  'rejection-null-on-202',
  'replay-counts-as-open',
  'patched-repeat-passes',
  'parent-link-first-page-only',
];

measureSet('ledgers', measuredLedgers, LEDGER_FAULTS, noticed);
