import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Report, Verdict } from '../../conformance/index.ts';
import { oracles, scenarios } from './suites.ts';
import { pageRules } from '../../conformance/apis/router/wire/page-shape.ts';
import { whyNotJudged } from '../../conformance/rule-set.ts';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import { createMock, listDeviations, virtualClock } from '../../mock/index.ts';
import type { DeviationListing } from '../../mock/index.ts';
import { inProcess } from './in-process.ts';
import { observedLine } from './observed.ts';
import { address, settingFor } from './settings.ts';
import type { Setting } from './settings.ts';

/** What became of one deviation. */
export interface Kill {
  readonly deviation: DeviationListing;
  /** How the mock was set up. */
  readonly setting: string;
  /** What the broken rule came out as. */
  readonly verdict: Verdict | 'missing';
  readonly killed: boolean;
  /** Declared companions, with what they came out as. */
  readonly along: readonly { readonly rule: string; readonly verdict: Verdict; readonly why: string }[];
  /** Rules that changed their verdict and are not declared. */
  readonly strays: readonly {
    readonly rule: string;
    readonly from: Verdict;
    readonly to: Verdict;
    readonly observed: string;
  }[];
  /** Declared companions that kept their verdict. */
  readonly idle: readonly string[];
  /** The message of the broken rule lacks what was seen, what was expected, or the place in the contract. */
  readonly mute: boolean;
  /** The scenarios that noticed, as `<scenario> <rule>`. */
  readonly noticed: ReadonlySet<string>;
  /** What an observer of the same traffic says of the broken rule, as `tallystick proxy` does; absent where none was there. */
  readonly observed?: Verdict | undefined;
  /** Whether Prism's proxy finds something in the same answers that it does not find in those of the faithful mock. */
  readonly byPrism?: boolean | undefined;
}

/** `quick`: only what judges the broken rule and its companions; `full`: the whole suite. */
export type Extent = 'quick' | 'full';

interface Run {
  readonly report: Report;
  readonly observed: Report | undefined;
  readonly byPrism: ReadonlySet<string> | undefined;
  readonly noticed: ReadonlySet<string>;
}

/** One run of the suite against a mock in this process; waiting costs nothing. */
export async function judgeMock(
  setting: Setting,
  deviations: readonly string[] = [],
  rules: readonly string[] = [],
): Promise<Report> {
  return (await run(setting, deviations, rules)).report;
}

/**
 * Tries deviations one after the other, each against the run of the whole suite on the faithful mock.
 *
 * @param isObserved whether an observer judges the traffic of each run too
 * @param settingOf how the runs for a deviation are set up
 */
export async function* killAll(
  deviations: readonly DeviationListing[],
  extent: Extent,
  {
    isObserved = false,
    settingOf = settingFor,
  }: { readonly isObserved?: boolean; readonly settingOf?: typeof settingFor } = {},
): AsyncGenerator<Kill, void> {
  const cleanRuns = new Map<string, Run>();
  for (const deviation of deviations) {
    const { name, setting } = settingOf(deviation);
    const clean = cleanRuns.get(name) ?? (await run(setting, [], [], isObserved));
    cleanRuns.set(name, clean);
    const rules = extent === 'full' ? [] : [deviation, ...deviation.alsoFails].map(({ rule }) => rule);
    const broken = await run(setting, [deviation.id], rules, isObserved);
    yield { ...judgeKill(deviation, clean, broken), setting: name };
  }
}

export function isSound({ killed, strays, idle, mute }: Kill): boolean {
  return killed && strays.length + idle.length === 0 && !mute;
}

/** The deviations of a table. */
export function deviationsOf(api: string): readonly DeviationListing[] {
  const areas = api === 'registry' ? ['registry.', 'proxy.'] : [`${api}.`];
  return listDeviations().filter(({ id }) => areas.some((area) => id.startsWith(area)));
}

/** What an observer has against the faithful mock, rule by rule: nothing, if it raises no false alarm. */
export async function observedAlarms(setting: Setting): Promise<readonly string[]> {
  const { observed } = await run(setting, [], [], true);
  const broken = observed?.rules.filter(
    ({ verdict, level }) => level !== 'client' && (verdict === 'fail' || verdict === 'warn'),
  );
  return (broken ?? []).map(({ id, observed: seen = '' }) => `${id}: ${seen}`);
}

/** Judgements that no deviation made fail: they might as well not be there. */
export async function unproven(kills: readonly Kill[]): Promise<readonly string[]> {
  const noticed = new Set(kills.flatMap((kill) => [...kill.noticed]));
  const judged = new Set<string>();
  for (const name of ownContractNames) {
    const { sheet } = await loadOwnContract(name);
    for (const rule of sheet?.rules ?? []) if (whyNotJudged(rule) === undefined) judged.add(rule.id);
  }
  // What a scenario only searches for is proven by faults of the second server (`npm run faults`).
  const pairs = scenarios.flatMap(({ id, judges, searches = [] }) =>
    judges.filter((rule) => judged.has(rule) && !searches.includes(rule)).map((rule) => `${id} ${rule}`),
  );
  // Of a rule that an oracle judges the verdict alone tells that it was noticed.
  const killed = new Set(kills.filter((kill) => kill.killed).map(({ deviation }) => deviation.rule));
  const watched = oracles
    .flatMap(({ judges }) => judges)
    .filter((rule) => judged.has(rule) && !killed.has(rule));
  // One function judges all pages, and an oracle judges the exchanges of all scenarios.
  const everywhere = new Set<string>([...pageRules, ...oracles.flatMap(({ judges }) => judges)]);
  const isElsewhere = (pair: string): boolean => {
    const [, rule = ''] = pair.split(' ');
    return everywhere.has(rule) && killed.has(rule);
  };
  return [
    ...pairs.filter((pair) => !noticed.has(pair) && !isElsewhere(pair)),
    ...watched.map((rule) => `oracle ${rule}`),
  ];
}

export function asFixtures(value: unknown): Fixtures {
  const read = readFixtures(JSON.stringify(value), {});
  if (read.ok) return read.fixtures;
  throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
}

// --- internal ---

async function run(
  setting: Setting,
  deviations: readonly string[],
  rules: readonly string[],
  isObserved = false,
): Promise<Run> {
  const clock = virtualClock();
  const mock = createMock({ ...setting.mock, apis: setting.apis, clock, deviations });
  const noticed = new Set<string>();
  try {
    await mock.ready();
    const own = mock.fixtures() as Record<string, unknown>;
    const direct = setting.line?.(inProcess(mock.handle), clock) ?? inProcess(mock.handle);
    const observer = isObserved ? await observedLine(setting, direct, clock) : undefined;
    const report = await runConformance({
      contracts: setting.by ?? (await Promise.all(setting.apis.map((api) => loadOwnContract(api)))),
      baseUrl: setting.baseUrl?.(own) ?? address,
      fixtures: asFixtures(setting.fixtures?.(own) ?? own),
      allow: permissions,
      transport: observer?.line ?? direct,
      clock,
      seed: setting.seed ?? 1,
      // Searches have a page of their own: docs/explored.md.
      explore: 0,
      rules,
      onEvent: (event) => {
        if (event.event === 'check' && event.outcome === 'fail')
          noticed.add(`${event.scenario} ${event.rule}`);
      },
    });
    return { report, noticed, observed: await observer?.report(), byPrism: await observer?.byPrism() };
  } finally {
    mock.close();
  }
}

/** Compares a run on a deviant mock with the run on the faithful one. */
function judgeKill(
  deviation: DeviationListing,
  clean: Run,
  { report: deviant, noticed, observed, byPrism }: Run,
): Omit<Kill, 'setting'> {
  const before = new Map(clean.report.rules.map(({ id, verdict }) => [id, verdict]));
  const broken = deviant.rules.find(({ id }) => id === deviation.rule);
  const changed = deviant.rules.filter(
    ({ id, verdict }) => id !== deviation.rule && verdict !== before.get(id),
  );
  const shown = deviation.alsoFails.filter(({ bySearch }) => bySearch !== true);
  const declared = new Map(shown.map(({ rule, why }) => [rule, why]));
  // Without the other scenarios, a scenario may get as far as a search does.
  const allowed = new Set(deviation.alsoFails.map(({ rule }) => rule));
  const wanted = broken?.level === 'should' ? 'warn' : 'fail';
  return {
    deviation,
    verdict: broken?.verdict ?? 'missing',
    killed: broken?.verdict === wanted,
    along: changed.flatMap(({ id, verdict }) => {
      const why = declared.get(id);
      return why === undefined ? [] : [{ rule: id, verdict, why }];
    }),
    strays: changed
      .filter(({ id }) => !allowed.has(id))
      .map(({ id, verdict, observed, reason }) => ({
        rule: id,
        from: before.get(id) ?? 'not-exercised',
        to: verdict,
        observed: observed ?? reason ?? '',
      })),
    idle: [...declared.keys()].filter((rule) => !changed.some(({ id }) => id === rule)),
    mute: [broken?.observed, broken?.expected, broken?.source.section, broken?.exchanges[0]].some(
      (part) => !part,
    ),
    noticed,
    observed: observed?.rules.find(({ id }) => id === deviation.rule)?.verdict,
    byPrism: byPrism && [...byPrism].some((finding) => clean.byPrism?.has(finding) !== true),
  };
}
