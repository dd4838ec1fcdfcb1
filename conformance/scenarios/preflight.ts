import type { Exchange } from '../exchanges/exchange.ts';
import type { Fixtures } from '../target/fixtures.ts';
import type { RequestPlans } from './scenario.ts';

/** The result of one of the first requests to an API. */
export type Served = 'served' | 'not-served' | 'credential-refused';

/** The first requests to an API: they distinguish an API that is not served from one that misbehaves. */
export interface Preflight {
  readonly api: string;
  readonly id: string;
  /** In the order in which they are sent: the next one only if the server does not serve the one before. */
  readonly requests: RequestPlans;
  /** Absent if an answer only shows whether the address is that of an API. */
  readonly read?: (
    exchange: Exchange,
    fixtures: Fixtures,
  ) => {
    readonly served: Served;
    readonly says: string;
    readonly help?: string;
  };
}
