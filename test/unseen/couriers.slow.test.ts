// @module-tag long
import { COURIER_FAULTS } from './couriers/faults.ts';
import { measuredCouriers } from './couriers/measured.ts';
import { measureSet } from './measured-set.ts';

const noticed: readonly string[] = [];

measureSet('couriers', measuredCouriers, COURIER_FAULTS, noticed);
