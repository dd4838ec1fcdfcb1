import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseReport } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { tallystick } from '../cli/command.ts';
import { classifiedFindings, findingsOf, unsettled, type Finding } from './findings.ts';
import { leftBy } from './left.ts';
import type { RealServer, RunningServer } from './server.ts';
import { differencesOf, isAboutLeft, withoutOwnWrites, type Difference } from './state.ts';
import { pause } from '../until.ts';

/** One run on one server, and what it did to it. */
export interface Judged {
  readonly server: RealServer;
  readonly run: string;
  readonly report: Report;
  readonly findings: readonly Finding[];
  /** New rows that belong to what the report says was left. */
  readonly left: readonly Difference[];
  /** All other differences. */
  readonly unexplained: readonly Difference[];
  /** Each is a reason to exit with 1. */
  readonly troubles: readonly string[];
}

const runs = [
  { run: 'reads', flags: [] },
  { run: 'writes', flags: ['--allow', 'writes'] },
] as const;

/** Starts a server in a new folder, and judges it by one run after the other. */
export async function* judgeServer(server: RealServer): AsyncGenerator<Judged> {
  const installed = join(tmpdir(), 'tallystick-real-servers', `${server.name}-${server.version}`);
  await server.install(installed);
  const folder = mkdtempSync(join(tmpdir(), `tallystick-${server.name}-`));
  try {
    const running = await server.start(installed, folder);
    try {
      for (const { run, flags } of runs) yield await judgeRun(server, running, run, flags);
    } finally {
      await running.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// --- internal ---

/** How long a server may take to write what it writes late. */
const LATE_MS = 5_000;

async function judgeRun(
  server: RealServer,
  running: RunningServer,
  run: string,
  flags: readonly string[],
): Promise<Judged> {
  const { ownWrites } = server;
  const first = await running.state();
  await pause(LATE_MS);
  const before = await running.state();
  const alone = withoutOwnWrites(differencesOf(first, before), ownWrites);
  const report = await conform(running, flags);
  await pause(LATE_MS);
  const differences = withoutOwnWrites(differencesOf(before, await running.state()), ownWrites);
  const made = leftBy(report);
  const left = differences.filter((one) => isAboutLeft(one, made));
  const unexplained = differences.filter((one) => !left.includes(one));
  const findings = findingsOf(report, server.name, classifiedFindings());
  const troubles = [
    ...alone.map((one) => `without a run, the server wrote: ${told(one)}`),
    ...unexplained.map(told),
    ...unsettled(findings),
  ];
  return { server, run, report, findings, left, unexplained, troubles };
}

/** One request at a time and one seed, so that two runs differ by what the server does alone. */
async function conform(
  { url, document, credential }: RunningServer,
  flags: readonly string[],
): Promise<Report> {
  const folder = mkdtempSync(`${document}-report-`);
  const { code, stderr } = await tallystick(
    [
      ...['conform', url, '--contract', document, '--report', folder],
      ...['--seed', '1', '--concurrency', '1', ...flags],
    ],
    { environment: credential },
  );
  if (code === 2) throw new Error(`conform ended with ${String(code)}: ${stderr}`);
  return parseReport(readFileSync(join(folder, 'report.json'), 'utf8'));
}

function told({ kind, table, key, members, row }: Difference): string {
  const what = kind === 'changed' ? `changed, at ${members.join(', ')}` : kind;
  return `${table} ${key} is ${what}: ${JSON.stringify(row).slice(0, 300)}`;
}
