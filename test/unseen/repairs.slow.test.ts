// @module-tag long
import { measureSet } from './measured-set.ts';
import { REPAIR_FAULTS } from './repairs/faults.ts';
import { measuredRepairs } from './repairs/measured.ts';

const noticed = [
  'total-counts-deleted',
  'sorted-page-unfiltered',
  'large-deposits-sorted-low',
  'limit-one-above',
  'restored-forgets-deadline',
  'bulk-below-deleted',
  'put-keeps-quantity',
  'null-labels-emptied',
  'other-account-reads-note',
  'refused-collect-stores-name',
  'late-model',
  'invoice-at-finish',
  'key-free-after-delete',
  'mismatch-of-long-bodies',
  'put-races-add',
  'bound-by-counter',
  'notes-of-other-tickets',
  'largest-file-refused',
  'pending-attachment-null',
  'note-keeps-ticket-tag',
  'delete-by-weak-tag',
  'bulk-conflict-status',
];

measureSet('repairs', measuredRepairs, REPAIR_FAULTS, noticed);
