import type { Deviation } from '../../../deviations/deviation.ts';
import { jobDeviations } from './job.ts';
import { lifeDeviations } from './life.ts';
import { streamDeviations } from './streams.ts';
import { submitDeviations } from './submit.ts';

/** Deviations of the workflow jobs. */
export const jobsDeviations: readonly Deviation[] = [
  ...submitDeviations,
  ...jobDeviations,
  ...lifeDeviations,
  ...streamDeviations,
];
