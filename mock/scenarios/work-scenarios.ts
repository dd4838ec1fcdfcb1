import type { Duration, MockScenario, WorkEffect } from './scenario.ts';
import { ANY } from './wire-scenarios.ts';

/** The value of their `api`: they apply to every operation of users' own contracts. */
export const OWN = 'own';

const SLOW: Duration = { least: 0, most: 3_600_000, usual: 1_000 };

/** Scenarios for the work of an operation. Those with a status apply to every operation that declares it. */
export const workScenarios: readonly MockScenario[] = [
  {
    name: 'slow-work',
    does: 'the operation takes a second, or ;ms=N; its key is in flight meanwhile',
    api: OWN,
    work: { kind: 'slow', ms: SLOW.usual },
    ms: SLOW,
  },
  {
    name: 'internal-error',
    does: 'the operation fails with 500, where its document declares that',
    api: ANY,
    caller: { kind: 'named' },
    work: { kind: 'status', status: 500 },
  },
  ...[400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504].map((status): MockScenario => ({
    name: `status-${String(status)}`,
    does: `the operation answers ${String(status)}, where its document declares that`,
    api: ANY,
    caller: { kind: 'named' },
    work: { kind: 'status', status },
  })),
];

/** The effect of a scenario, with the requested duration. */
export function workOf({ work }: MockScenario, ms: number | undefined): WorkEffect | undefined {
  return work?.kind === 'slow' && ms !== undefined ? { ...work, ms } : work;
}
