// @module-tag long
import { measureSet } from './measured-set.ts';
import { METER_FAULTS } from './meters/faults.ts';
import { measuredMeters } from './meters/measured.ts';

measureSet('meters', measuredMeters, METER_FAULTS, []);
