import { scenarios } from './probes/index.ts';
import type { RuleResult, StoredExchange } from './report.ts';
import type { Resource } from './scenario.ts';

type Decided = Pick<RuleResult, 'exchanges' | 'failures'>;

/**
 * The exchanges that show a broken rule, in the order of sending: those of its scenario up to the one that failed, whatever
 * raced with that one, and what else the check rests on. Empty where the report has no exchange of it.
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

/** What the resources of a scenario sent before it: later requests may take values from their answers. */
export function suppliersOf(
  exchanges: readonly StoredExchange[],
  course: readonly StoredExchange[],
): readonly StoredExchange[] {
  const owners = new Set(course.map(({ scenario }) => scenario));
  const resources = new Set(
    scenarios.filter(({ id }) => owners.has(id)).flatMap(({ uses }) => uses.flatMap(withTheirOwn)),
  );
  return exchanges.filter(({ scenario }) => resources.has(scenario) && !owners.has(scenario));
}

/** Whether an exchange was sent before another one; ids count the requests of a run. */
export function isBefore({ id: a }: StoredExchange, { id: b }: StoredExchange): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

// --- internal ---

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
