// @module-tag long
import { measureSet } from './measured-set.ts';
import { SEAT_FAULTS } from './seats/faults.ts';
import { measuredSeats } from './seats/measured.ts';

measureSet('seats', measuredSeats, SEAT_FAULTS, []);
