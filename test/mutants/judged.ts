import { conclude, permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { explorations } from '../../conformance/apis/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import type { startSecondServer } from '../fixtures/second-server/index.ts';
import { leapingClock } from '../conformance/leaping-clock.ts';

/** Where a server is tried: some faults can show on one surface of the jobs only. */
export interface Setting {
  readonly apis: readonly ('router' | 'registry' | 'jobs')[];
  readonly surface?: 'cloud' | 'self-hosted' | 'serverless' | 'demo';
  readonly staticToken?: string;
  /** Set where the searches alone judge: how many requests each of them may send. */
  readonly exploreOnly?: number;
  /** Nothing begins after the first broken rule. */
  readonly failFast?: boolean;
  /** Rules to judge; without it, all. */
  readonly rules?: readonly string[];
}

/** What a run of the suite says, in short. */
export interface Judged {
  /** Rules with a fail or a warn. */
  readonly broken: readonly string[];
  readonly exitCode: number;
  readonly findings: readonly string[];
  /** Rules with a verdict. */
  readonly decided: readonly string[];
  readonly sent: number;
  readonly billable: number;
}

export async function judge(start: typeof startSecondServer, setting: Setting): Promise<Judged> {
  const { apis, exploreOnly, failFast = false, rules, ...where } = setting;
  const clock = leapingClock();
  const server = await start({ deadlineMs: 600, now: () => clock.now(), ...where });
  try {
    const read = readFixtures(JSON.stringify(server.fixtures), {});
    if (!read.ok) throw new Error('the fixtures of this server cannot be read');
    const report = await runConformance({
      contracts: await Promise.all(apis.map((name) => loadOwnContract(name))),
      baseUrl: server.url,
      fixtures: read.fixtures,
      allow: permissions,
      clock,
      seed: 1,
      failFast,
      ...(rules === undefined ? {} : { rules }),
      ...(exploreOnly === undefined
        ? {}
        : { explore: exploreOnly, scenarios: explorations.map(({ id }) => id) }),
      budgetMs: BUDGET_MS,
    });
    return summaryOf(report);
  } finally {
    await server.stop();
  }
}

// --- internal ---

const BUDGET_MS = 150_000;

function summaryOf(report: Report): Judged {
  const idsOf = (...wanted: readonly string[]): readonly string[] =>
    report.rules.filter(({ verdict }) => wanted.includes(verdict)).map(({ id }) => id);
  return {
    broken: idsOf('fail', 'warn'),
    exitCode: conclude(report).exitCode,
    findings: report.findings.map(({ says }) => says),
    decided: idsOf('pass', 'fail', 'warn'),
    sent: report.requests.sent,
    billable: report.requests.billable ?? 0,
  };
}
