import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Report, Verdict } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { createMock, listDeviations, virtualClock } from '../../mock/index.ts';
import type { DeviationListing } from '../../mock/index.ts';
import { inProcess } from './in-process.ts';
import type { Setting } from './settings.ts';

export interface Kill {
  readonly deviation: DeviationListing;
  /** What the broken rule came out as. */
  readonly verdict: Verdict | 'missing';
  readonly killed: boolean;
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
}

/** One run of the whole suite against a mock in this process; waiting costs nothing. */
export async function judgeMock(setting: Setting, deviations: readonly string[] = []): Promise<Report> {
  const clock = virtualClock();
  const mock = createMock({ ...setting.mock, apis: setting.apis, clock, deviations });
  try {
    await mock.ready();
    const own = mock.fixtures() as Record<string, unknown>;
    return await runConformance({
      contracts: await Promise.all(setting.apis.map((api) => loadOwnContract(api))),
      baseUrl: 'https://mock.example',
      fixtures: asFixtures(setting.fixtures?.(own) ?? own),
      allow: permissions,
      transport: inProcess(mock.handle),
      clock,
      seed: 1,
    });
  } finally {
    mock.close();
  }
}

/** Compares a run on a deviant mock with the run on the faithful one. */
export function judgeKill(deviation: DeviationListing, clean: Report, deviant: Report): Kill {
  const before = new Map(clean.rules.map(({ id, verdict }) => [id, verdict]));
  const broken = deviant.rules.find(({ id }) => id === deviation.rule);
  const changed = deviant.rules.filter(
    ({ id, verdict }) => id !== deviation.rule && verdict !== before.get(id),
  );
  const declared = new Set(deviation.alsoFails.map(({ rule }) => rule));
  const wanted = broken?.level === 'should' ? 'warn' : 'fail';
  return {
    deviation,
    verdict: broken?.verdict ?? 'missing',
    killed: broken?.verdict === wanted,
    strays: changed
      .filter(({ id }) => !declared.has(id))
      .map(({ id, verdict, observed, reason }) => ({
        rule: id,
        from: before.get(id) ?? 'not-exercised',
        to: verdict,
        observed: observed ?? reason ?? '',
      })),
    idle: [...declared].filter((rule) => !changed.some(({ id }) => id === rule)),
    mute: [broken?.observed, broken?.expected, broken?.source.section, broken?.exchanges[0]].some(
      (part) => !part,
    ),
  };
}

/** The deviations of a table, each with its setting. */
export function deviationsOf(api: string): readonly DeviationListing[] {
  const areas = api === 'registry' ? ['registry.', 'proxy.'] : [`${api}.`];
  return listDeviations().filter(({ id }) => areas.some((area) => id.startsWith(area)));
}

export function asFixtures(value: unknown): Fixtures {
  const read = readFixtures(JSON.stringify(value), {});
  if (read.ok) return read.fixtures;
  throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
}
