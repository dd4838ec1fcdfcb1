import type { Scenario } from '../../scenarios/scenario.ts';
import { exploredEnhancements } from './explore-enhancements.ts';
import { exploredPublications } from './explore-publications.ts';

export const registryExplorations: readonly Scenario[] = [exploredPublications, exploredEnhancements];
