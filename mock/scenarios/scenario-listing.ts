import { loadOwnContract } from '../../contract/index.ts';
import { ACCOUNTS } from '../apis/index.ts';
import { mockKeyPrefix } from '../call/caller.ts';
import { requirePolicy } from '../call/facts.ts';
import { scenarios } from './scenarios.ts';
import { ANY, type Duration } from './wire-scenarios.ts';
import { OWN } from './work-scenarios.ts';

/** One magic value, as tools print it. */
export interface ScenarioListing {
  readonly name: string;
  readonly does: string;
  /** Where it works: `any` is every operation of every API, `own` every operation of your own contracts. */
  readonly api: string;
  /** The model id that brings it about. */
  readonly model?: string;
  /** The API key that brings it about. */
  readonly key?: string;
  /** The value of a `Prefer` header that brings it about. */
  readonly prefer: string;
  /** Where it can be said how long (`;ms=N`, `"ms"`, or `-N` behind the key), in milliseconds. */
  readonly ms?: Duration;
}

/**
 * Everything that the mock does on demand.
 *
 * @param apis which `api` scenarios have, beside those for every API; all when left out
 */
export async function listScenarios(apis?: readonly string[]): Promise<readonly ScenarioListing[]> {
  const listed = scenarios.filter(({ api }) => apis === undefined || api === ANY || apis.includes(api));
  // Credentials of a user's own contract ask for nothing.
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
