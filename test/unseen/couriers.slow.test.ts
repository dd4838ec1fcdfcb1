// @module-tag long
import { COURIER_FAULTS } from './couriers/faults.ts';
import { measuredCouriers, measuredCouriersWithRoom } from './couriers/measured.ts';
import { measureSet } from './measured-set.ts';

/** Six deliveries of the suite stay open until 25 seconds have passed: no other one can be ordered before. */
const noticed = [
  'courier-null',
  'patch-takes-label',
  'bulk-without-country',
  'floor-zero-lost',
  'gone-patch-missing',
  'request-id-lost-on-304',
];

/** `bound-race` fails here as well, but only because its pause lets two orders have one key. */
const noticedWithRoom = [...noticed, 'refused-reassign-counts', 'large-total-text', 'other-caller-watches'];

measureSet('couriers', measuredCouriers, COURIER_FAULTS, noticed);

measureSet('couriers with room', measuredCouriersWithRoom, COURIER_FAULTS, noticedWithRoom);
