import { runsAtMost } from './billing.ts';
import { fixtureLineWith } from '../target/fixtures-shape.ts';
import type { RuleFilter } from '../rule-set.ts';
import type { RequestPlan, RequestPlans, Resource, Scenario } from './scenario.ts';
import type { OwnServer } from '../../contract/document/own-server.ts';
import { withFittingCaller } from '../target/fitting-caller.ts';
import { isKnown, isMet, needOf } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import type { Gap } from '../verdicts/verdict.ts';
import { isUsable } from '../target/usable.ts';
import { withheldGap } from '../writes/withheld.ts';

export const IN_ANOTHER_SHARD = 'in another shard';

/** Which scenarios run, and how often. */
export interface ScenarioLimits {
  /** How many POSTs with a usable credential may be sent at most. */
  readonly maxRuns?: number | undefined;
  /** How often a scenario that the environment can disturb is repeated after a failure; default 0. */
  readonly retries?: number | undefined;
  /** The part `index` (from 1) of `count` parts, divided by scenario. */
  readonly shard?: { readonly index: number; readonly count: number } | undefined;
}

/** Why a scenario does not run; `undefined` if it does. */
export interface ScenarioState {
  readonly scenario: Scenario;
  readonly closed: Gap | undefined;
}

export function closeScenarios(
  target: Target,
  scenarios: readonly Scenario[],
  options: ScenarioLimits & Pick<RuleFilter, 'fuzz' | 'explore'>,
): readonly ScenarioState[] {
  let runsLeft = options.maxRuns ?? Number.POSITIVE_INFINITY;
  return scenarios.map((scenario) => {
    const closed = gateOf(target, scenario, options.shard);
    if (closed !== undefined) return { scenario, closed };
    const runs =
      runsAtMost(sentBy(scenario.api, scenario.requests, target), options) * tries(scenario, options.retries);
    if (runs > runsLeft) {
      return {
        scenario,
        closed: {
          verdict: 'not-exercised',
          reason: `needs up to ${runs} runs, and --max-runs leaves ${runsLeft}`,
          missing: '--max-runs',
        },
      };
    }
    runsLeft -= runs;
    return { scenario, closed: undefined };
  });
}

/** The declared needs, and those of the identities in its requests. */
export function needsOf(scenario: Scenario, { credentials }: Pick<Target, 'credentials'>): readonly string[] {
  const all = (requests: RequestPlans, uses: readonly Resource<unknown>[]): readonly string[] => [
    ...Object.values(requests)
      .map((plan) => withFittingCaller(credentials, plan))
      .filter(({ as, isOptional }) => isUsable(as) && isOptional !== true)
      .map(({ as }) => needOf(as)),
    ...uses.flatMap((used) => all(used.requests, used.uses)),
  ];
  const surface = scenario.surfaces.length > 0 ? ['surface'] : [];
  return [...new Set([...all(scenario.requests, scenario.uses), ...surface, ...scenario.needs])];
}

/**
 * The requests that can be sent with the known callers, without those to operations that are left out. A server may want
 * the credential for any operation.
 */
export function sentBy(api: string, requests: RequestPlans, target: Target): RequestPlans {
  return Object.fromEntries(
    Object.entries(requests)
      .filter(
        ([, plan]) =>
          (plan.isOptional !== true || isKnown(target, plan.as)) &&
          whyNotSent(target, api, plan) === undefined,
      )
      .map(([name, plan]) => [name, withCaller(target, plan, true)] as const),
  );
}

/**
 * A request as it is sent: with a credential that its operation takes, and with one that the document does not require, if it
 * is known and not unwanted.
 */
export function withCaller(
  { credentials }: Pick<Target, 'credentials'>,
  plan: RequestPlan,
  isWanted: boolean,
): RequestPlan {
  const { as, sent } = plan.credential ?? {};
  const isSent = as !== undefined && credentials[as] !== undefined && (sent === 'if-known' || isWanted);
  return withFittingCaller(credentials, isSent ? { ...plan, as } : plan);
}

/** Why a scenario cannot run without the operations that are left out or withheld; `undefined` if it can. */
export function leftOutOf(
  target: Target,
  { api, requests, uses }: Pick<Scenario, 'api' | 'requests' | 'uses'>,
): Gap | undefined {
  const isSpared = ({ isSpare, sparedBy = [] }: RequestPlan): boolean =>
    isSpare === true || sparedBy.some((key) => Object.hasOwn(target.fixtures.parameters ?? {}, key));
  // Lists of an API of a user's own only supply values, which can have another source.
  const below = (used: Resource<unknown>): readonly RequestPlan[] =>
    used.uses.flatMap((inner) => [
      ...Object.values(inner.requests).filter(({ operation }) => operation === undefined),
      ...below(inner),
    ]);
  const needed = [
    ...Object.values(requests),
    ...uses.flatMap((used) => [...Object.values(used.requests), ...below(used)]),
  ];
  for (const plan of needed) {
    const gap = isSpared(plan) ? undefined : whyNotSent(target, api, plan);
    if (gap !== undefined) return gap;
  }
  return undefined;
}

/** How often a scenario may be run. */
export function tries({ sensitive }: Scenario, retries = 0): number {
  return sensitive ? 1 + retries : 1;
}

/** Why an operation is not called: only the server at the base URL gets requests and credentials. */
export function atAnother({ baseUrl: { origin } }: Target, server: OwnServer | undefined): Gap {
  const name =
    server?.host === undefined ? 'a server that the document names for all operations' : server.url;
  return {
    verdict: 'not-exercised',
    reason: `the document has this operation at ${name}, and not at ${origin}: judge that server in a run of its own, or state that ${origin} serves both`,
    missing: `a run against ${name}`,
    fixtureLine: 'server: "*"',
  };
}

// --- internal ---

/** Why a planned request is not sent: the user left its operation out, or it may change what the run did not make. */
function whyNotSent(target: Target, api: string, plan: RequestPlan): Gap | undefined {
  return target.leftOut.planned(api, plan) ?? withheldGap(target.fixtures, plan);
}

function gateOf(target: Target, scenario: Scenario, shard: ScenarioLimits['shard']): Gap | undefined {
  if (shard !== undefined && hash(scenario.id) % shard.count !== shard.index - 1) {
    return { verdict: 'not-exercised', reason: IN_ANOTHER_SHARD };
  }
  const { surface } = target.fixtures;
  if (scenario.surfaces.length > 0 && surface !== undefined && !scenario.surfaces.includes(surface)) {
    return {
      verdict: 'not-applicable',
      reason: `only for the surface ${scenario.surfaces.join(' or ')}; this is ${surface}`,
    };
  }
  const leftOut = leftOutOf(target, scenario);
  if (leftOut !== undefined) return leftOut;
  const own = [scenario, ...scenario.uses].flatMap(({ requests }) => Object.values<RequestPlan>(requests));
  const elsewhere = own.find(({ operation, server }) => operation !== undefined && !target.serves(server));
  if (elsewhere !== undefined) return atAnother(target, elsewhere.server);
  const unmet = needsOf(scenario, target).filter((need) => !isMet(target, scenario.api, need));
  const refused = scenario.permissions.filter((permission) => !target.allowed.has(permission));
  const lacks = [...unmet, ...(refused.length === 0 ? [] : [`--allow ${refused.join(',')}`])];
  if (lacks.length === 0) return undefined;
  const line = fixtureLineWith(target.examples, unmet);
  return {
    verdict: 'not-exercised',
    reason: `needs ${lacks.join(' and ')}`,
    missing: lacks.join(' and '),
    lacks: lacks.length,
    ...(line === undefined ? {} : { fixtureLine: line }),
  };
}

/** FNV-1a, because it is the same for all runs and machines. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return value;
}
