import type { Deviation } from './deviation.ts';
import { jobDeviations } from './jobs-job.ts';
import { lifeDeviations } from './jobs-life.ts';
import { streamDeviations } from './jobs-streams.ts';
import { submitDeviations } from './jobs-submit.ts';

/** Deviations of the workflow jobs. */
export const jobsDeviations: readonly Deviation[] = [
  ...submitDeviations,
  ...jobDeviations,
  ...lifeDeviations,
  ...streamDeviations,
];
