/**
 * The conformance suite and a load of keyed calls against three replicas on each engine, while one after the other is
 * killed and started again: `npm run replicas [-- valkey|postgres] [--suite|--load] [--rounds N] [--drain]`. With `--drain`
 * replicas may finish what they serve before they end, and nothing may be left open.
 */
import { readFileSync } from 'node:fs';
import { commandLine } from '../command-line.ts';
import { startCluster, type Cluster } from '../../examples/reference-server/cluster.ts';
import { startPostgres, startValkey } from './engines.ts';
import { hammer } from './hammer.ts';
import { replicaProgram } from './replica-program.ts';
import { judgeUnderKills, whileReplacing } from './under-kills.ts';

const { values, positionals } = commandLine(import.meta.url, {
  allowPositionals: true,
  options: {
    suite: { type: 'boolean' },
    drain: { type: 'boolean' },
    load: { type: 'boolean' },
    rounds: { type: 'string', default: '10' },
  },
});
const stores = (['valkey', 'postgres'] as const).filter(
  (store) => positionals.length === 0 || positionals.includes(store),
);
const both = values.suite !== true && values.load !== true;
const REPLICAS = 3;
const rows: string[][] = [];
const program = await replicaProgram();

try {
  for (const store of stores) {
    const engine = await (store === 'valkey' ? startValkey() : startPostgres());
    try {
      const cluster = await startCluster({
        ...{ replicas: REPLICAS, store, engineUrl: engine.url, deadlineMs: 1_500 },
        ...{ program: program.path, spares: 2 },
      });
      try {
        if (both || values.suite === true) await judge(store, cluster);
        if (both || values.load === true) await underLoad(store, cluster);
      } finally {
        await cluster.stop();
      }
    } finally {
      await engine.stop();
    }
  }
} finally {
  program.remove();
}
if (rows.length > 0) printTable();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function judge(store: string, cluster: Cluster): Promise<void> {
  const begun = Date.now();
  const seen = await judgeUnderKills(cluster, {
    ...{ wholeRounds: Number(values.rounds), mostRounds: Number(values.rounds) + 20 },
    ...{ replicas: REPLICAS, pauseMs: 2_000, signal: values.drain === true ? 'SIGTERM' : 'SIGKILL' },
    told: (line) => {
      say(`${store}: ${line}`);
    },
  });
  const seconds = Math.round((Date.now() - begun) / 1_000);
  const { rounds, killed, passed, failed, open, verdicts, accounts } = seen;
  const { keys, cut, twice, lost, replayed, unnamed, badJobs, jobs } = accounts;
  const undecided = (verdicts.inconclusive ?? 0) + (verdicts.error ?? 0);
  rows.push(
    [store, rounds, seconds, killed, passed.length, failed.length, open.length, verdicts.pass, undecided, cut]
      .concat([keys, twice.length, replayed, lost.length, jobs, badJobs.length, unnamed.length])
      .map(String),
  );
  for (const line of failed) say(`  failed: ${line}`);
  for (const line of open) say(`  no verdict: ${line}`);
  for (const line of twice) say(`  ran twice: ${line}`);
  for (const line of lost) say(`  lost: ${line}`);
  for (const line of badJobs) say(`  job: ${line}`);
  for (const line of unnamed) say(`  error without its bucket: ${line}`);
  const isDisturbed = values.drain === true && cut > 0;
  if (isDisturbed || [failed, open, twice, lost, badJobs, unnamed].some(({ length }) => length > 0))
    process.exitCode = 1;
}

/** One column an engine. */
function printTable(): void {
  const names = [
    'on',
    'rounds of the suite',
    'seconds',
    'replicas killed',
    'rules that passed',
    'failures, over all rounds',
    'rules that never came to a verdict',
    'verdicts: pass',
    'verdicts left open by a kill, and judged again',
    'calls whose replica died under them',
    'keys sent',
    'keys that ran when they might not',
    'answers that came back for their key',
    'answers lost',
    'jobs made',
    'jobs made twice, lost, or without an end',
    'errors of the 500s without their bucket or code',
  ];
  names.forEach((name, index) => {
    say(`| ${[name, ...rows.map((row) => row[index] ?? '')].join(' | ')} |`);
    if (index === 0) say(`| --- |${rows.map(() => ' ---: |').join('')}`);
  });
}

async function underLoad(store: string, cluster: Cluster): Promise<void> {
  const { result, killed } = await whileReplacing(
    cluster,
    { signal: 'SIGKILL', replicas: REPLICAS, pauseMs: 1_000 },
    () => hammer(cluster.url, { ms: 25_000, callers: 12 }),
  );
  const dispatches = readFileSync(cluster.dispatchLog, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '');
  const counts = new Map<string, number>();
  for (const key of dispatches) counts.set(key, (counts.get(key) ?? 0) + 1);
  // A key whose first answer arrived must not have been dispatched again afterwards: no more often than its caller saw fail.
  const twice = result.answered.filter(({ key, failures }) => (counts.get(key) ?? 0) > 1 + failures);
  const { answered, replays, lost, unnamed, statuses } = result;
  say(
    `${store}: load, ${String(killed)} replicas killed meanwhile: ${String(answered.length)} keys answered, ${String(replays)} replays, ` +
      `${String(lost.length)} answers lost, ${String(twice.length)} keys dispatched too often, ${String(unnamed)} errors without a bucket; ${JSON.stringify(statuses)}`,
  );
  for (const line of lost.slice(0, 5)) say(`  lost: ${line}`);
  if (lost.length + twice.length + unnamed > 0) process.exitCode = 1;
}
