import type { Exchange } from './exchange.ts';
import type { Fixtures } from './fixtures.ts';
import type { RequestPlans } from './scenario.ts';

/** What the first request of an API tells about it. */
export type Served = 'served' | 'not-served' | 'credential-refused';

/** The first request to an API: it tells an API that is not there from one that misbehaves. */
export interface Preflight {
  readonly api: string;
  readonly id: string;
  /** Exactly one, called `first`. */
  readonly requests: RequestPlans;
  /** Absent where the first answer tells nothing but whether the address is that of an API at all. */
  readonly read?: (
    exchange: Exchange,
    fixtures: Fixtures,
  ) => {
    readonly served: Served;
    readonly says: string;
    readonly help?: string;
  };
}
