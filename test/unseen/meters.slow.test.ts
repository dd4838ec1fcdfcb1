// @module-tag long
import { measureSet } from './measured-set.ts';
import { METER_FAULTS } from './meters/faults.ts';
import { measuredMeters } from './meters/measured.ts';

measureSet('meters', measuredMeters, METER_FAULTS, [
  'page-repeats-edge',
  'cursor-forgets-filter',
  'sort-within-page',
  'sort-numbers-as-text',
  'replay-shows-present',
  'keys-across-callers',
  'refusal-keeps-key',
  'keys-race',
  'mismatch-by-name',
  'first-tag-only',
  'acknowledgement-keeps-tag',
  'patch-keeps-null',
  'removal-by-old-version',
  'unchanged-lacks-request-id',
  'other-caller-acknowledges',
  'refused-reading-takes-instant',
  'resolved-at-missing-from-open',
  'second-acknowledgement-moves-time',
  'refused-patch-stored',
  'filters-either',
  'device-filter-leaks',
  'versions-race',
  'large-watts-as-text',
  'reading-keeps-tag',
  'stream-loses-end',
]);
