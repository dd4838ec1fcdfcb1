import type { Duration, MockScenario, WorkEffect } from './scenario.ts';

/** What their `api` says: these scenarios work on every operation of every contract of a user's own. */
export const OWN = 'own';

const SLOW: Duration = { least: 0, most: 3_600_000, usual: 1_000 };

/** Magic values for contracts of a user's own. */
export const workScenarios: readonly MockScenario[] = [
  {
    name: 'slow-work',
    does: 'the operation takes a second, or ;ms=N; its key is in flight meanwhile',
    api: OWN,
    work: { kind: 'slow', ms: SLOW.usual },
    ms: SLOW,
  },
  ...[400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504].map((status): MockScenario => ({
    name: `status-${String(status)}`,
    does: `the operation answers ${String(status)}`,
    api: OWN,
    work: { kind: 'status', status },
  })),
];

/** The effect of a scenario, with the duration that was asked for. */
export function workOf({ work }: MockScenario, ms: number | undefined): WorkEffect | undefined {
  return work?.kind === 'slow' && ms !== undefined ? { ...work, ms } : work;
}
