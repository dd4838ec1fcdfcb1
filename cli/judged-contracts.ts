import type { Contract } from '../contract/index.ts';
import { loadCarried } from './own-contracts.ts';

/** The contracts that a run is about: the named ones, or all that the suite has scenarios for. */
export async function loadJudged(names: readonly string[] | undefined): Promise<readonly Contract[]> {
  const contracts = await loadCarried(names);
  if (names !== undefined) return contracts;
  const { planConformance } = await import('../conformance/index.ts');
  const { scenarios } = planConformance({ contracts, baseUrl: 'http://localhost' });
  const judged = new Set(scenarios.map(({ api }) => api));
  return contracts.filter(({ name }) => judged.has(name));
}
