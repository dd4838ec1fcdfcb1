import { loadOwnContract } from '../../contract/index.ts';
import { ACCOUNTS } from '../apis/index.ts';
import { mockKeyPrefix } from '../call/caller.ts';
import { requirePolicy } from '../call/facts.ts';
import { scenarios } from './scenarios.ts';
import type { ScenarioListing } from '../control/steering-shape.ts';
import { ANY } from './wire-scenarios.ts';
import { OWN } from './work-scenarios.ts';

/**
 * All scenarios of the mock.
 *
 * @param apis the `api` values to include, in addition to those for every API; default: all
 */
export async function listScenarios(apis?: readonly string[]): Promise<readonly ScenarioListing[]> {
  const listed = scenarios.filter(({ api }) => apis === undefined || api === ANY || apis.includes(api));
  // Credentials of a user's own contract select no scenario.
  const hasKeys = apis === undefined || apis.some((api) => api !== OWN);
  const prefix = mockKeyPrefix(requirePolicy(await loadOwnContract(ACCOUNTS), 'credentials'));
  return listed.map(({ name, does, api, modelId, caller, ms }) => ({
    name,
    does,
    api,
    ...(modelId === undefined ? {} : { model: modelId }),
    ...(caller === undefined || !hasKeys ? {} : { key: `${prefix}${name}` }),
    prefer: `scenario=${name}`,
    ...(ms === undefined ? {} : { ms }),
  }));
}
