import type { OwnContractName, Form } from '../../contract/index.ts';
import type { Contract } from '../../contract/model.ts';
import type { MockedApi } from '../api.ts';
import type { Assume, AssumptionOverrides } from '../assumptions.ts';
import type { Clock } from '../state/clock.ts';
import type { Deviation } from '../deviations/deviation.ts';
import type { Replacing } from '../deviations/replacements.ts';
import type { ScenarioSteering } from '../scenarios/forced-scenarios.ts';
import type { Ids } from '../state/ids.ts';
import type { RecordChange } from '../state/durable-state.ts';
import type { MockOptions } from '../options.ts';

/**
 * Everything that the mock knows about one contract beyond the contract itself. Its scenarios are in
 * `apis/scenarios.ts`.
 */
export interface ApiModule {
  /** The name of its contract. */
  readonly name: OwnContractName;
  readonly make: (contract: Contract, parts: ModuleParts) => MockedApi;
  /** What the profile `legal-but-odd` chooses at open points. */
  readonly odd: AssumptionOverrides;
  readonly deviations: readonly Deviation[];
  /** The forms of the changes of its state, by their part. */
  readonly changes: Readonly<Record<string, Form>>;
}

/** What a module gets from the mock that it is part of. */
export interface ModuleParts {
  readonly options: MockOptions;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly steering: ScenarioSteering;
  readonly keep: RecordChange | undefined;
  readonly assume: Assume;
  /** Active deviations of its contract. */
  readonly deviations: readonly Replacing[];
  /** The names of the built-in contracts that are served. */
  readonly names: readonly string[];
  /** The prefix of the accounts' keys. */
  readonly keyPrefix: string | undefined;
}
