/**
 * Whether the suite blames a server that keeps its contract, also on a machine that is busy: `npm run soak -- honest`. Each
 * server is judged `--runs N` times (default 20), each time with another seed, and every other time beside a process for
 * each core that does nothing but count. A fail, a warning, an error or a finding is printed with its seed, and exit 1. With
 * `--only TEXT`, only servers whose names contain it; with `--write` the table goes to docs/soak.md.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { honestServers } from '../conformance/honest-servers.ts';
import { alarmsIn, told } from '../kill-matrix/innocent-runs.ts';
import { writeSection } from './page.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, only: { type: 'string', default: '' } },
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

const rows = [['server', 'rules judged', 'runs', 'of them beside burners', 'alarms', 'rules left open']];
let alarmed = 0;
for (const { name, judge } of honestServers.filter((server) => server.name.includes(String(values.only)))) {
  let [judged, alarms, open] = [0, 0, 0];
  for (let seed = 1; seed <= runs; seed += 1) {
    const isBusy = seed % 2 === 0;
    const stop = isBusy ? burn() : () => undefined;
    const report = await judge(seed).finally(stop);
    const undecided = report.rules.filter(({ verdict }) => verdict === 'inconclusive');
    judged = Math.max(judged, report.summary.pass);
    alarms += alarmsIn(report).length;
    open += undecided.length;
    for (const line of [...alarmsIn(report), ...undecided.map(told)])
      process.stdout.write(`${name}, seed ${String(seed)}${isBusy ? ', beside burners' : ''}: ${line}\n`);
  }
  alarmed += alarms;
  rows.push([name, ...[judged, runs, Math.floor(runs / 2), alarms, open].map(String)]);
  process.stdout.write(`${rows.at(-1)?.join(' | ') ?? ''}\n`);
}
process.stdout.write(`\n${writeSection('honest', rows)}\n`);
process.exitCode = alarmed > 0 ? 1 : 0;
