// @module-tag long
import { measureSet } from './measured-set.ts';
import { FLAG_FAULTS } from './flags/faults.ts';
import { measuredFlags } from './flags/measured.ts';

measureSet('flags', measuredFlags, FLAG_FAULTS, []);
