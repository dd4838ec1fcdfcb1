import type { Oracle } from '../oracle.ts';
import { scenario } from '../scenarios/scenario.ts';
import type { Permission, RequestPlans, Resource, Scenario, Session } from '../scenarios/scenario.ts';
import type { ContractModel } from './model.ts';
import { Quota } from './quota.ts';
import { search } from './search.ts';

/** A scenario that searches an API for courses that break a rule. It reports only what it finds. */
export function exploration<State, const Plans extends RequestPlans>(parts: {
  readonly id: string;
  readonly api: string;
  readonly title: string;
  readonly permissions: readonly Permission[];
  readonly needs: readonly string[];
  readonly surfaces?: readonly string[];
  /** Rules that the model judges. */
  readonly judges: readonly string[];
  readonly uses?: readonly Resource<unknown>[];
  readonly requests: Plans;
  /** All of the API. */
  readonly oracles: readonly Oracle[];
  /** `undefined` if the server has nothing to explore. */
  readonly model: (
    session: Session<Extract<keyof Plans, string>>,
  ) => Promise<ContractModel<State, Extract<keyof Plans, string>> | undefined>;
}): Scenario {
  const { model, oracles, judges, ...others } = parts;
  return scenario({
    ...others,
    judges: [...new Set([...judges, ...oracles.flatMap((oracle) => oracle.judges)])],
    lock: `explore ${parts.api}`,
    budgetMs: BUDGET_MS,
    isSearch: true,
    run: async function* (session: Session<Extract<keyof Plans, string>>) {
      const made = await model(session);
      if (made === undefined) return;
      const quota = new Quota(parts.requests, session);
      yield* search({ session, model: made, oracles, quota });
    },
  }) as Scenario;
}

// --- internal ---

/** For a course, including waits; findings until then count. */
const BUDGET_MS = 120_000;
