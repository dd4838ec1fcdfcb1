import { loadOwnContract } from '../contract/index.ts';
import { ACCOUNTS } from './apis/index.ts';
import { mockKeyPrefix } from './caller.ts';
import { requirePolicy } from './facts.ts';
import { scenarios } from './scenarios.ts';
import type { Duration } from './wire-scenarios.ts';

/** One magic value, as tools print it. */
export interface ScenarioListing {
  readonly name: string;
  readonly does: string;
  /** Where it works; `any` stands for every operation of every API. */
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

/** Everything that the mock does on demand. */
export async function listScenarios(): Promise<readonly ScenarioListing[]> {
  const prefix = mockKeyPrefix(requirePolicy(await loadOwnContract(ACCOUNTS), 'credentials'));
  return scenarios.map(({ name, does, api, modelId, caller, ms }) => ({
    name,
    does,
    api,
    ...(modelId === undefined ? {} : { model: modelId }),
    ...(caller === undefined ? {} : { key: `${prefix}${name}` }),
    prefer: `scenario=${name}`,
    ...(ms === undefined ? {} : { ms }),
  }));
}
