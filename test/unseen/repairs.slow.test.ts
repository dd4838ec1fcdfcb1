// @module-tag long
import { measureSet } from './measured-set.ts';
import { REPAIR_FAULTS } from './repairs/faults.ts';
import { measuredRepairs } from './repairs/measured.ts';

measureSet('repairs', measuredRepairs, REPAIR_FAULTS, []);
