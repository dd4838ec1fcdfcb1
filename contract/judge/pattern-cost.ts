import { runBounded } from './bounded-run.ts';

/**
 * How the matching time of a pattern grows with the text. `unproven`: it may be harmless, but that is not
 * known.
 */
export type PatternCost = 'harmless' | 'unproven' | 'exponential';

/**
 * Judges patterns that are valid regular expressions, in at most two seconds. A pattern that is too long, or
 * whose result comes later, is `unproven`. Results are cached for the lifetime of the process.
 */
export async function judgePatterns(patterns: Iterable<string>): Promise<ReadonlyMap<string, PatternCost>> {
  const judged = new Map<string, PatternCost>();
  const started = performance.now();
  for (const pattern of patterns) {
    let cost = known.get(pattern) ?? (isPlainlyLinear(pattern) ? 'harmless' : undefined);
    if (cost === undefined) {
      const mayJudge = isJudgeable(pattern) && performance.now() - started < LONGEST_OF_ALL_MS;
      cost = mayJudge ? await analysed(pattern) : 'unproven';
      known.set(pattern, cost);
    }
    judged.set(pattern, cost);
  }
  return judged;
}

/** Whether a judged pattern of a document may take too long to match. */
export function mayBeCostly(pattern: string): boolean {
  return (known.get(pattern) ?? 'harmless') !== 'harmless';
}

/** Whether any judged document has such a pattern. */
export function anyMayBeCostly(): boolean {
  return [...known.values()].some((cost) => cost !== 'harmless');
}

// --- internal ---

const known = new Map<string, PatternCost>();

const LONGEST_OF_ALL_MS = 2000;
const LONGEST_MS = 250;
const LONGEST_PATTERN = 1000;
const MOST_GROUPS = 50;

/** The pattern with each escape and each class replaced by a letter, because these match one character. */
function skeletonOf(pattern: string): string {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]?/gsu, 'x');
}

/** Most patterns are trivially harmless: then the library that judges the others is not loaded. */
function isPlainlyLinear(pattern: string): boolean {
  const skeleton = skeletonOf(pattern);
  if (/\\[1-9k]/.test(pattern)) return false;
  const repeats = skeleton.match(/[*+{]/g)?.length ?? 0;
  return repeats === 0 || (repeats === 1 && /^\^[^|()]*$/.test(skeleton));
}

function isJudgeable(pattern: string): boolean {
  return pattern.length <= LONGEST_PATTERN && pattern.split('(').length <= MOST_GROUPS;
}

async function analysed(pattern: string): Promise<PatternCost> {
  const { analyse } = await import('scslre');
  const regexp = regExpOf(pattern);
  if (regexp === undefined) return 'harmless';
  try {
    const { reports } = runBounded(() => analyse(regexp), LONGEST_MS);
    if (reports.some((report) => report.exponential)) return 'exponential';
    return reports.length > 0 || isBeyondAnalysis(pattern) ? 'unproven' : 'harmless';
  } catch {
    // The analysis took too long, or the library does not support the syntax.
    return 'unproven';
  }
}

/**
 * The library does not detect alternatives that match the same text in several ways, such as `(a|a)+` and
 * `(a|aa)+`.
 */
function isBeyondAnalysis(pattern: string): boolean {
  const skeleton = skeletonOf(pattern);
  return (
    /\\[1-9k]/.test(pattern) || (/\)[*+{]/.test(skeleton) && /[|?{]/.test(skeleton.replaceAll('(?:', '(')))
  );
}

function regExpOf(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Already reported as `pattern-invalid` or `pattern-not-unicode`.
    }
  }
  return undefined;
}
