/**
 * How often the suite notices a server that looks first and takes then, so that of several requests at the same moment
 * more than one wins: `npx tsx test/soak/detection-rate.ts`. With `--write` the table goes to docs/soak.md. Over sockets, on
 * the second server, whose requests come together or get apart on their way; the honest server is tried as well, for false
 * alarms. Less than 99 of 100, or one false alarm, is exit 1.
 */
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Fixtures, Verdict } from '../../conformance/index.ts';
import { scenarios } from '../kill-matrix/suites.ts';
import { loadOwnContract } from '../../contract/index.ts';
import type { OwnContractName } from '../../contract/index.ts';
import { breaks, startSecondServer } from '../fixtures/second-server/index.ts';
import type { BreakName } from '../fixtures/second-server/index.ts';
import { writeSection } from './page.ts';

const RUNS = 100;
const ENOUGH = 99;

const races: readonly { readonly api: OwnContractName; readonly name: BreakName }[] = [
  { api: 'router', name: 'idem.check-then-set' },
  { api: 'registry', name: 'publish.check-then-set' },
  { api: 'jobs', name: 'jobs.check-then-set' },
];

/** Milliseconds between looking and taking, and how far apart requests get inside the server. */
const settings = [
  { title: 'honest server', honest: true, windowMs: 0, jitterMs: 0 },
  { title: 'honest, jitter 20 ms', honest: true, windowMs: 0, jitterMs: 20 },
  { title: 'gap 1 ms', honest: false, windowMs: 1, jitterMs: 0 },
  { title: 'gap 20 ms', honest: false, windowMs: 20, jitterMs: 0 },
  { title: 'gap 5 ms, jitter 20 ms', honest: false, windowMs: 5, jitterMs: 20 },
] as const;

async function countFailures(
  { api, name }: (typeof races)[number],
  { honest, windowMs, jitterMs }: (typeof settings)[number],
): Promise<{ readonly failed: number; readonly others: readonly Verdict[] }> {
  const { rule } = breaks[name];
  const contracts = [await loadOwnContract(api)];
  const server = await startSecondServer({
    deadlineMs: 600,
    windowMs,
    jitterMs,
    breaks: honest ? [] : [name],
  });
  const verdicts: Verdict[] = [];
  try {
    for (let run = 0; run < RUNS; run += 1) {
      const report = await runConformance({
        contracts,
        baseUrl: server.url,
        fixtures: fixturesOf(server.fixtures, run),
        allow: permissions,
        rules: [rule],
        seed: run,
      });
      verdicts.push(report.rules[0]?.verdict ?? 'error');
    }
  } finally {
    await server.stop();
  }
  return {
    failed: verdicts.filter((verdict) => verdict === 'fail').length,
    others: verdicts.filter((verdict) => verdict !== 'fail' && verdict !== 'pass'),
  };
}

/** The server keeps what was published, so that each run counts from a version of its own. */
function fixturesOf(given: object, run: number): Fixtures {
  const { publish, ...rest } = given as { readonly publish: object };
  const own = { ...rest, publish: { ...publish, nextVersion: `${run + 2}.0.0` } };
  const read = readFixtures(JSON.stringify(own), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return read.fixtures;
}

function sizeOf(rule: string): number {
  const race = scenarios.find(({ judges, id }) => judges.includes(rule) && id.endsWith('race'));
  return Math.max(0, ...Object.values(race?.requests ?? {}).map(({ times }) => times));
}

const rows: string[][] = [['rule', 'requests at most', ...settings.map(({ title }) => title)]];
let isGood = true;
for (const race of races) {
  const { rule } = breaks[race.name];
  const cells: string[] = [];
  for (const setting of settings) {
    const { failed, others } = await countFailures(race, setting);
    cells.push(`${failed}/${RUNS}${others.length > 0 ? ` (${others.length} undecided)` : ''}`);
    if (setting.honest ? failed + others.length > 0 : failed < ENOUGH) isGood = false;
  }
  rows.push([`\`${rule}\``, String(sizeOf(rule)), ...cells]);
}
process.stdout.write(`${writeSection('detection-rate', rows)}\n`);
process.exitCode = isGood ? 0 : 1;
