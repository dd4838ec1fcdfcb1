import type { Scenario } from '../../scenario.ts';
import { exploredReads } from './explore-reads.ts';
import { exploredRuns } from './explore-runs.ts';

export const routerExplorations: readonly Scenario[] = [exploredReads, exploredRuns];
