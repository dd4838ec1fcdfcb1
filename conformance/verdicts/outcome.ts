import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../contract/index.ts';
import { fixtureLine } from '../target/fixtures-shape.ts';
import type { RunFinding } from './report.ts';
import { BrokenFixture, BrokenProbe, Hindered, NotExercised } from '../scenarios/scenario.ts';
import type { Check, Observation } from '../scenarios/scenario.ts';
import { MOST_EXCHANGES } from './verdict.ts';
import type { Gap } from './verdict.ts';

/** The contribution of one scenario, or of all oracles together. */
export interface Outcome {
  readonly checks: readonly Check[];
  readonly observations: readonly Observation[];
  /** Rule id to the reason why it is undecided. */
  readonly gaps: ReadonlyMap<string, Gap>;
}

/**
 * Collects the results of probes and oracles. A server determines their number, so equal results beyond the
 * limit of a report are only counted.
 */
export class Tally {
  readonly #checks = new Map<string, Alike<Check>>();
  readonly #observations = new Map<string, Alike<Observation>>();

  add(item: Check | Observation): void {
    if (item.kind === 'check')
      collect(this.#checks, `${item.outcome} ${String(item.isMild)} ${item.rule}`, item);
    else collect(this.#observations, `${item.id} ${item.seen}`, item);
  }

  /**
   * What was added since the last call. Another tally that adds it has the same results, although most of the equal ones are
   * only counted.
   */
  take(): readonly (Check | Observation)[] {
    const observations = [...this.#observations.values()].flatMap(({ fresh }) => fresh.splice(0));
    const checks = [...this.#checks.values()].flatMap((alike) => {
      const { fresh, again, kept } = alike;
      alike.again = 0;
      return [
        ...fresh.splice(0),
        ...kept.slice(0, again > 0 ? 1 : 0).map((item) => ({ ...item, times: again })),
      ];
    });
    return [...checks, ...observations];
  }

  get checks(): readonly Check[] {
    return [...this.#checks.values()].flatMap(({ kept: [first, ...others], count }) =>
      first === undefined ? [] : [{ ...first, times: count - others.length }, ...others],
    );
  }

  get observations(): readonly Observation[] {
    return [...this.#observations.values()].flatMap(({ kept }) => kept);
  }
}

/** The same gap for several rules. */
export function gapFor(rules: readonly string[], gap: Gap): Outcome {
  return { checks: [], observations: [], gaps: new Map(rules.map((rule) => [rule, gap])) };
}

export function failedRules(outcome: Outcome): ReadonlySet<string> {
  return new Set(outcome.checks.filter((one) => one.outcome === 'fail').map(({ rule }) => rule));
}

/** The outcome of a repeated scenario: rules with a different result the second time are left open. */
export function withoutChanged(before: Outcome, again: Outcome): Outcome {
  const [failedBefore, failedAgain] = [failedRules(before), failedRules(again)];
  const judged = new Set(before.checks.map(({ rule }) => rule));
  const changed = [...judged, ...failedAgain].filter(
    (rule) => failedBefore.has(rule) !== failedAgain.has(rule),
  );
  const flaky = new Set(changed.filter((rule) => !before.gaps.has(rule)));
  const exchangesOf = (rule: string): readonly string[] =>
    [before, again].flatMap(({ checks }) =>
      checks.filter((one) => one.rule === rule && one.outcome === 'fail').flatMap((one) => one.exchanges),
    );
  return {
    ...before,
    checks: before.checks.filter(({ rule }) => !flaky.has(rule)),
    gaps: new Map([
      ...before.gaps,
      ...[...flaky].map((rule): [string, Gap] => [
        rule,
        {
          verdict: 'inconclusive',
          reason: 'the verdict changed between attempts: it failed in one and not in the other',
          exchanges: exchangesOf(rule),
        },
      ]),
    ]),
  };
}

/** Ids of the exchanges that left rules open. */
export function undecidedBy(outcomes: readonly Outcome[]): ReadonlySet<string> {
  const open = outcomes.flatMap(({ checks, gaps }) => [
    ...checks.filter(({ outcome }) => outcome === 'inconclusive'),
    ...[...gaps.values()].filter(({ verdict }) => verdict === 'inconclusive'),
  ]);
  return new Set(open.flatMap(({ exchanges = [] }) => exchanges));
}

/** A scenario that was disturbed, and repeated: its earlier decisions count, its earlier gaps do not. */
export function completed(before: Outcome, again: Outcome): Outcome {
  return {
    checks: [...before.checks.filter(({ outcome }) => outcome !== 'inconclusive'), ...again.checks],
    observations: [...before.observations, ...again.observations],
    gaps: again.gaps,
  };
}

/** The effect of an error in a scenario on the rules that it left open, with a finding for the report. */
export function readError(
  error: unknown,
  scenario: string,
): { readonly gap: Gap; readonly finding: RunFinding | undefined } {
  if (error instanceof NotExercised) {
    const line = fixtureLine(error.needs);
    return {
      gap: {
        verdict: 'not-exercised',
        reason: error.message,
        missing: error.needs,
        ...(line === undefined ? {} : { fixtureLine: line }),
      },
      finding: undefined,
    };
  }
  if (error instanceof Hindered) {
    return {
      gap: { verdict: 'inconclusive', reason: error.message, exchanges: error.exchanges },
      finding: undefined,
    };
  }
  if (error instanceof BrokenFixture) {
    const { fixture, exchanges } = error;
    const says = `fixture ${fixture}: ${error.message}`;
    const help = `Correct ${fixture} in the fixtures file, or remove it.`;
    return {
      gap: { verdict: 'error', reason: says, missing: fixture, exchanges },
      finding: { kind: 'fixture', about: fixture, says, help, exchanges },
    };
  }
  if (error instanceof BrokenProbe) {
    const place = placeOf(error.cause);
    return {
      gap: { verdict: 'error', reason: error.message },
      finding: {
        kind: 'harness',
        says: error.message,
        help: `This says nothing about the server. Correct the probe${place === undefined ? '' : `: ${place}`}.`,
        exchanges: [],
      },
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    gap: { verdict: 'error', reason: `the suite failed: ${message}` },
    finding: {
      kind: 'harness',
      says: `the suite failed in ${scenario}: ${message}`,
      help: 'This is a bug in tallystick and says nothing about the server. Please report it.',
      exchanges: [],
    },
  };
}

// --- internal ---

/** In a build, the modules of all rooms are in the same few files. */
const OWN_FOLDERS = [dirname(dirname(fileURLToPath(import.meta.url))), join(packageRoot(), 'dist')];

/** A line of a stack: an address or a path, which may have blanks and brackets, behind the name of a function or alone. */
const FRAME = /^\s*at (?:async )?(?:[^(]*\()?((?:file:\/\/)?(?:\/|[A-Za-z]:\\).*):(\d+:\d+)\)?$/;

/** The place of an error in the user's files, such as `probes/names.ts:12:5`. */
function placeOf(error: unknown): string | undefined {
  const { stack = '' } = error instanceof Error ? error : {};
  for (const line of stack.split('\n')) {
    const [, url, position = ''] = FRAME.exec(line) ?? [];
    if (url === undefined) continue;
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (!OWN_FOLDERS.some((folder) => file.startsWith(folder)) && !file.includes('node_modules'))
      return `${relative(process.cwd(), file).replaceAll('\\', '/')}:${position}`;
  }
  return undefined;
}

interface Alike<Item> {
  readonly kept: Item[];
  readonly exchanges: Set<string>;
  count: number;
  /** Of `kept` and of `count`, what was not taken yet. */
  readonly fresh: Item[];
  again: number;
}

/** Keeps the first one, and those about other exchanges, up to a limit. */
function collect<Item extends Check | Observation>(
  all: Map<string, Alike<Item>>,
  key: string,
  item: Item,
): void {
  const times = 'times' in item ? (item.times ?? 1) : 1;
  const alike = all.get(key);
  if (alike === undefined) {
    const exchanges = new Set(item.exchanges);
    if (all.size < MOST_KINDS)
      all.set(key, { kept: [item], exchanges, count: times, fresh: [item], again: 0 });
    return;
  }
  alike.count += times;
  const isNew = item.exchanges.some((id) => !alike.exchanges.has(id));
  if (!isNew || alike.exchanges.size >= MOST_EXCHANGES) {
    alike.again += times;
    return;
  }
  alike.kept.push(item);
  alike.fresh.push(item);
  for (const id of item.exchanges) alike.exchanges.add(id);
}

/** A server can cause any number of observations; each rule has only three outcomes. */
const MOST_KINDS = 5000;
