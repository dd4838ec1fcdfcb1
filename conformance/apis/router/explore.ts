import type { Scenario } from '../../scenarios/scenario.ts';
import { exploredReads } from './explore-reads.ts';
import { exploredRuns } from './explore-runs.ts';

export const routerExplorations: readonly Scenario[] = [exploredReads, exploredRuns];
