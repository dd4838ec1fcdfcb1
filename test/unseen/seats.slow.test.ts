// @module-tag long
import { measureSet } from './measured-set.ts';
import { SEAT_FAULTS } from './seats/faults.ts';
import { measuredSeats } from './seats/measured.ts';

const noticed = [
  'starts-at-as-text',
  'expired-can-be-confirmed',
  'extended-keeps-until',
  'outcome-null-in-agenda',
  'conflict-recorded',
  'tag-by-second',
  'removed-show-takes-holds',
  'other-account-leaves-queue',
  'empty-tags-ignored',
  'reserved-false-passes',
  'agenda-links-old-path',
  'sort-ties-move',
  'cursor-keeps-limit',
  'bound-per-show',
  'weak-tag-in-list',
  'expiry-keeps-tag',
  'patched-reference-free',
  'cancel-through-other-show',
  'cancel-forgets-confirmation',
  'refused-cancel-frees-hold',
  'has-more-by-whole-list',
  'price-follows-show',
  'restored-without-queue',
  'expired-holds-count',
];

measureSet('seats', measuredSeats, SEAT_FAULTS, noticed);
