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
 * The mock's code for one contract: everything that the contract itself does not determine. Its scenarios are
 * in `apis/scenarios.ts`.
 */
export interface ApiModule {
  /** The name of its contract. */
  readonly name: OwnContractName;
  readonly make: (contract: Contract, parts: ModuleParts) => MockedApi;
  /** The choices of the profile `legal-but-odd` at open points. */
  readonly odd: AssumptionOverrides;
  readonly deviations: readonly Deviation[];
  /** The forms of the changes of its state, by part. */
  readonly changes: Readonly<Record<string, Form>>;
}

/** The parts that the mock passes to a module. */
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
