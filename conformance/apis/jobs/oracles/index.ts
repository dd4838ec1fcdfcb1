import type { Oracle } from '../../../oracle.ts';
import { answers } from './answers.ts';
import { life } from './life.ts';
import { successes } from './successes.ts';

export const jobsOracles: readonly Oracle[] = [answers, successes, life];
