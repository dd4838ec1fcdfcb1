import { timesOf } from '../scenarios/billing.ts';
import type { RandomCounts } from '../scenarios/billing.ts';
import type { RequestPlans } from '../scenarios/scenario.ts';

/** The share of a search's requests for finding; the rest is for shrinking. */
const FOR_FINDING = 0.7;

/** None of the requests that a plan has remains: a course may need more of them than its steps said. */
export class OutOfRequests extends Error {}

/** The requests that a search may still send, so that no plan is exceeded. */
export class Quota {
  readonly #most: ReadonlyMap<string, number>;
  readonly #sent = new Map<string, number>();

  constructor(plans: RequestPlans, counts: RandomCounts) {
    this.#most = new Map(Object.entries(plans).map(([name, plan]) => [name, timesOf(plan, counts)]));
  }

  /** @throws {OutOfRequests} if so many do not remain */
  take(name: string, times: number): void {
    if (!this.allows({ [name]: times }, false)) throw new OutOfRequests(name);
    this.#sent.set(name, (this.#sent.get(name) ?? 0) + times);
  }

  /** Whether enough requests of each plan remain, for finding or for shrinking. */
  allows(wanted: Readonly<Partial<Record<string, number>>>, isFinding: boolean): boolean {
    return Object.entries(wanted).every(([name, times = 0]) => {
      const most = this.#most.get(name) ?? 0;
      return (this.#sent.get(name) ?? 0) + times <= (isFinding ? Math.ceil(most * FOR_FINDING) : most);
    });
  }
}
