import { policyCases } from '../../contract/sheet/policy-cases.ts';
import { explorations, fuzzScenarios, scenarios } from '../apis/index.ts';
import type { RuleResult, StoredExchange } from '../verdicts/report.ts';
import type { Resource, Scenario } from '../scenarios/scenario.ts';

type Decided = Pick<RuleResult, 'exchanges' | 'failures'>;

/**
 * The exchanges that show a broken rule, in the order of sending: those of its scenario up to the failed one,
 * those that were concurrent with it, and others that the check depends on. Empty if the report has no
 * exchange of it.
 */
export function courseOf(exchanges: readonly StoredExchange[], rule: Decided): readonly StoredExchange[] {
  const ids = rule.failures?.[0]?.exchanges ?? rule.exchanges.slice(0, 1);
  const byId = indexOf(exchanges);
  const named = ids.flatMap((id) => byId.get(id) ?? []);
  const [deciding] = named;
  if (deciding === undefined) return [];
  const own = named.filter((one) => isSameCourse(one, deciding));
  const last = own.reduce((late, one) => (isBefore(late, one) ? one : late));
  const wanted = new Set<StoredExchange>(named);
  for (const one of exchanges) {
    if (!isSameCourse(one, deciding)) continue;
    const isRacing = one.during?.some((id) => own.some((other) => other.id === id)) === true;
    if (!isBefore(last, one) || isRacing) wanted.add(one);
  }
  return [...wanted].sort((a, b) => (isBefore(a, b) ? -1 : 1));
}

/** The earlier requests of the scenario's resources: later requests may use values from their answers. */
export function sentBefore(
  exchanges: readonly StoredExchange[],
  course: readonly StoredExchange[],
): readonly StoredExchange[] {
  const owners = new Set(course.map(({ scenario }) => scenario));
  const resources = new Set(
    [...scenarios, ...explorations]
      .filter(({ id }) => owners.has(id))
      .flatMap(({ uses }) => uses.flatMap(withTheirOwn)),
  );
  // For a user's own contract, the reads whose values others use are recognised by their names.
  const isResource = (id: string): boolean => resources.has(id) || id.startsWith('document.read.');
  return exchanges.filter(({ scenario }) => isResource(scenario) && !owners.has(scenario));
}

/**
 * The scenario to repeat for a rule: the one that decided, or, if a shared read decided, the user of that
 * read with the fewest needs. Empty if the suite made none of them.
 *
 * @param made the scenarios that templates make for the contracts; without them, none is found for what they sent
 */
export function scenariosOf(
  exchanges: readonly StoredExchange[],
  rule: Decided,
  made: readonly Scenario[] = [],
): readonly Scenario[] {
  const [id = ''] = rule.failures?.[0]?.exchanges ?? rule.exchanges;
  const deciding = indexOf(exchanges).get(id);
  if (deciding === undefined || (made.length === 0 && isByTemplate(deciding.scenario))) return [];
  const all = [...scenarios, ...fuzzScenarios, ...explorations, ...made];
  const own = all.filter((one) => one.id === deciding.scenario);
  if (own.length > 0) return own;
  const polite = all.filter(({ api, permissions }) => api === deciding.api && permissions.length === 0);
  const sharing = polite.filter(({ uses }) => uses.flatMap(withTheirOwn).includes(deciding.scenario));
  return (sharing.length > 0 ? sharing : polite).toSorted((a, b) => costOf(a) - costOf(b)).slice(0, 1);
}

/** Whether a scenario or a shared read is made for each contract: the ids of modules begin with other words. */
export function isByTemplate(scenario: string): boolean {
  const [kind = ''] = scenario.split('.');
  return kind === 'document' || Object.hasOwn(policyCases, kind);
}

/** Whether an exchange was sent before another one; ids count the requests of a run. */
export function isBefore({ id: a }: StoredExchange, { id: b }: StoredExchange): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

// --- internal ---

/** A fixture outweighs any number of requests. */
function costOf({ needs, requests }: Scenario): number {
  return Object.values(requests).reduce((sum, { times }) => sum + times, needs.length * 1e6);
}

const indexes = new WeakMap<readonly StoredExchange[], ReadonlyMap<string, StoredExchange>>();

function indexOf(exchanges: readonly StoredExchange[]): ReadonlyMap<string, StoredExchange> {
  const known = indexes.get(exchanges) ?? new Map(exchanges.map((one) => [one.id, one]));
  indexes.set(exchanges, known);
  return known;
}

function isSameCourse(a: StoredExchange, b: StoredExchange): boolean {
  return a === b || (a.course !== undefined && a.course === b.course && a.scenario === b.scenario);
}

function withTheirOwn({ id, uses }: Resource<unknown>): readonly string[] {
  return [id, ...uses.flatMap(withTheirOwn)];
}
