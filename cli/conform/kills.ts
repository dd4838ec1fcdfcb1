import type { Report, RuleResult } from '../../conformance/index.ts';
import type { DeviationListing } from '../../mock/index.ts';

/** The result for one deviation of the mock. */
export interface Kill {
  readonly deviation: DeviationListing;
  /**
   * `caught`: its rule broke; `survived`: its rule did not; `open`: its rule is not exercised on the unchanged mock,
   * so the deviation proves nothing.
   */
  readonly outcome: 'caught' | 'survived' | 'open';
  /** The reason for `open`, or the verdict of the rule. */
  readonly why: string;
  /** Rules that broke although the deviation does not declare them. */
  readonly strays: readonly string[];
}

export interface SelfTest {
  /** The run against the faithful mock. */
  readonly clean: Report;
  readonly kills: readonly Kill[];
  /** Rules of policies that no deviation breaks. */
  readonly untried: readonly string[];
}

/**
 * Tries every deviation of a contract's mock, a few at a time. Each has to break its rule, and no undeclared other
 * rules.
 *
 * @param judge runs the suite against a mock with these deviations
 * @param tell called with the results in the order of the deviations
 */
export async function selfTest(
  deviations: readonly DeviationListing[],
  judge: (ids: readonly string[]) => Promise<Report>,
  tell: (kill: Kill) => void = () => undefined,
): Promise<SelfTest> {
  const clean = await judge([]);
  const kills: Kill[] = [];
  const waiting = [...deviations.entries()];
  const known = new Map<number, Kill>();
  // Runs mostly wait, for servers that answer late and for streams that end.
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, deviation] = next;
      known.set(at, judged(deviation, clean, await judge([deviation.id])));
      for (let kill = known.get(kills.length); kill !== undefined; kill = known.get(kills.length)) {
        kills.push(kill);
        tell(kill);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const tried = new Set(deviations.map(({ rule }) => rule));
  const untried = clean.rules
    .map(({ id }) => id)
    .filter((id) => !tried.has(id) && !id.startsWith('document.'));
  return { clean, kills, untried };
}

/**
 * 0: the unchanged mock passes, and the rules detect every observable deviation; 2: nothing was tried, or a
 * rule could not be judged.
 */
export function selfTestCode({ clean, kills }: SelfTest): 0 | 1 | 2 {
  if (kills.every(({ outcome }) => outcome === 'open')) return 2;
  if (clean.rules.some(({ verdict }) => verdict === 'error')) return 2;
  const isSound = kills.every(({ outcome, strays }) => outcome !== 'survived' && strays.length === 0);
  return isSound && !clean.rules.some(isBroken) ? 0 : 1;
}

export function isBroken({ verdict }: Pick<RuleResult, 'verdict'>): boolean {
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error';
}

// --- internal ---

const AT_ONCE = 3;

function judged(deviation: DeviationListing, clean: Report, report: Report): Kill {
  const before = clean.rules.find(({ id }) => id === deviation.rule);
  const now = report.rules.find(({ id }) => id === deviation.rule);
  const named = new Set([deviation.rule, ...deviation.alsoFails.map(({ rule }) => rule)]);
  const wasBroken = new Set(clean.rules.filter(isBroken).map(({ id }) => id));
  const strays = report.rules
    .filter((rule) => isBroken(rule) && !named.has(rule.id) && !wasBroken.has(rule.id))
    .map(({ id }) => id);
  if (before?.verdict !== 'pass')
    return { deviation, outcome: 'open', why: before?.reason ?? before?.verdict ?? 'not judged', strays };
  const isCaught = now?.verdict === 'fail' || now?.verdict === 'warn';
  return { deviation, outcome: isCaught ? 'caught' : 'survived', why: now?.verdict ?? 'missing', strays };
}
