/**
 * Whether the suite blames a server that keeps its contract, also on a machine that is busy: `npm run soak -- honest`. Each
 * server is judged `--runs N` times (default 20), each time with another seed, and every other time beside a process for
 * each core that does nothing but count. With `--at-once N`, N servers are judged at a time, in turn. A fail, a warning, an error or a finding is printed with its seed, and exit 1. With
 * `--only TEXT`, only servers whose names contain it; with `--write` the table goes to docs/soak.md.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Verdict } from '../../conformance/index.ts';
import { honestServers } from '../conformance/honest-servers.ts';
import type { HonestServer } from '../conformance/honest-servers.ts';
import { told } from '../kill-matrix/innocent-runs.ts';
import { writeSection } from './page.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20' },
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '1' },
  },
  strict: false,
});
const runs = Number(values.runs);

/** Keeps each core busy until it is called. */
function burn(): () => void {
  const burners = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return () => {
    for (const burner of burners) burner.kill('SIGKILL');
  };
}

/** A doubt about the network blames no server. */
const ALARMS: readonly Verdict[] = ['fail', 'warn', 'error'];

const servers = honestServers.filter(({ name }) => name.includes(String(values.only)));
const tallies = servers.map(({ name }) => ({ name, judged: 0, runs: 0, busy: 0, alarms: 0, open: 0 }));

async function judgeAll(seed: number, isBusy: boolean): Promise<void> {
  const waiting = servers.entries();
  await Promise.all(
    Array.from({ length: Number(values['at-once']) }, () => judgeNext(waiting, seed, isBusy)),
  );
}

/** Judges what is waiting, until nothing is. */
async function judgeNext(
  waiting: Iterable<readonly [number, HonestServer]>,
  seed: number,
  isBusy: boolean,
): Promise<void> {
  for (const [index, { name, judge }] of waiting) {
    const { rules, findings, summary } = await judge(seed);
    const alarms = [
      ...findings.filter(({ kind }) => kind !== 'doubt').map(({ says }) => says),
      ...rules.filter(({ verdict }) => ALARMS.includes(verdict)).map(told),
    ];
    const undecided = rules.filter(({ verdict }) => verdict === 'inconclusive').map(told);
    const doubts = findings.filter(({ kind }) => kind === 'doubt').map(({ says }) => `doubt: ${says}`);
    for (const line of [...alarms, ...undecided, ...doubts])
      process.stdout.write(`${name}, seed ${String(seed)}${isBusy ? ', beside burners' : ''}: ${line}\n`);
    const tally = tallies[index];
    if (tally === undefined) continue;
    tally.judged = Math.max(tally.judged, summary.pass);
    tally.runs += 1;
    if (isBusy) tally.busy += 1;
    tally.alarms += alarms.length;
    tally.open += undecided.length;
  }
}

function table(): string {
  const rows = tallies.map(({ name, judged, runs: done, busy, alarms, open }) => [
    name,
    ...[judged, done, busy, alarms, open].map(String),
  ]);
  const head = ['server', 'rules passed', 'runs', 'of them beside burners', 'alarms', 'rules left open'];
  return writeSection('honest', [head, ...rows]);
}

for (let seed = 1; seed <= runs; seed += 1) {
  const isBusy = seed % 2 === 0;
  const stop = isBusy ? burn() : () => undefined;
  await judgeAll(seed, isBusy).finally(stop);
  // Also a run that is ended early has its table.
  table();
  process.stdout.write(`seed ${String(seed)} of ${String(runs)}\n`);
}
process.stdout.write(`\n${table()}\n`);
process.exitCode = tallies.some(({ alarms }) => alarms > 0) ? 1 : 0;
