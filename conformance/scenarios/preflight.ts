import type { Exchange } from '../exchanges/exchange.ts';
import type { Fixtures } from '../target/fixtures.ts';
import type { RequestPlans } from './scenario.ts';

/** The result of the first request to an API. */
export type Served = 'served' | 'not-served' | 'credential-refused';

/** The first request to an API: it distinguishes an API that is not served from one that misbehaves. */
export interface Preflight {
  readonly api: string;
  readonly id: string;
  /** Exactly one, called `first`. */
  readonly requests: RequestPlans;
  /** Absent if the first answer only shows whether the address is that of an API. */
  readonly read?: (
    exchange: Exchange,
    fixtures: Fixtures,
  ) => {
    readonly served: Served;
    readonly says: string;
    readonly help?: string;
  };
}
