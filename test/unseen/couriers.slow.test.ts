// @module-tag long
import { COURIER_FAULTS } from './couriers/faults.ts';
import { measuredCouriers, measuredCouriersWithRoom } from './couriers/measured.ts';
import { measureSet } from './measured-set.ts';

/** Six deliveries of one caller may be open: what a run orders it cancels, so that there is room for the next. */
const noticed = [
  'courier-null',
  'patch-takes-label',
  'bulk-without-country',
  'floor-zero-lost',
  'gone-patch-missing',
  'request-id-lost-on-304',
  'refused-reassign-counts',
  'note-emoji-fails',
  'large-total-text',
  'key-free-after-cancel',
  'bound-race',
  'other-caller-watches',
  'bulk-loses-last',
  'address-id-again',
  'tag-ignores-hint',
  'filtered-page-repeats',
  'bound-spends-key',
];

/** Without a bound that a run can reach, nothing shows whether it is kept. */
const noticedWithRoom = noticed.filter((name) => !['bound-race', 'bound-spends-key'].includes(name));

measureSet('couriers', measuredCouriers, COURIER_FAULTS, noticed);

measureSet('couriers with room', measuredCouriersWithRoom, COURIER_FAULTS, noticedWithRoom);
