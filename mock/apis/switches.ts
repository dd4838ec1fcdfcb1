import type { JobSwitches } from './jobs/switches.ts';
import type { RegistrySwitches } from './registry/switches.ts';
import type { RouterSwitches } from './router/switches.ts';

/**
 * Everything that a deviation can switch in the behaviours, each consulted in one place. A deviation that only changes
 * what leaves the mock needs none of them: it transforms the answer.
 */
export interface Switches extends RouterSwitches, JobSwitches, RegistrySwitches {}
