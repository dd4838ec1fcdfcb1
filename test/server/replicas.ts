/**
 * The conformance suite and a load of keyed calls against three replicas on each engine, while one after the other is
 * ended and started again: `npm run replicas [-- valkey|postgres]`.
 */
import { readFileSync } from 'node:fs';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { startCluster, type Cluster } from '../../examples/reference-server/cluster.ts';
import { startPostgres, startValkey } from './engines.ts';
import { hammer } from './hammer.ts';

const wanted = process.argv.slice(2);
const stores = (['valkey', 'postgres'] as const).filter(
  (store) => wanted.length === 0 || wanted.includes(store),
);

for (const store of stores) {
  const engine = await (store === 'valkey' ? startValkey() : startPostgres());
  const cluster = await startCluster({ replicas: 3, store, engineUrl: engine.url, deadlineMs: 1_500 });
  try {
    await judge(store, cluster);
    await underLoad(store, cluster);
  } finally {
    await cluster.stop();
    await engine.stop();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Replicas are replaced one by one until the work is done. */
async function whileReplacing<Result>(
  cluster: Cluster,
  signal: 'SIGTERM' | 'SIGKILL',
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly replaced: number }> {
  let done = false;
  let replaced = 0;
  const replacing = (async () => {
    while (!isDone()) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (isDone()) break;
      await cluster.replace(replaced % 3, signal);
      replaced += 1;
    }
  })();
  const result = await work().finally(() => {
    done = true;
  });
  await replacing;
  return { result, replaced };

  function isDone(): boolean {
    return done;
  }
}

async function judge(store: string, cluster: Cluster): Promise<void> {
  const read = readFixtures(JSON.stringify(cluster.fixtures), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  const contracts = [await loadOwnContract('router'), await loadOwnContract('jobs')];
  const { result: report, replaced } = await whileReplacing(cluster, 'SIGTERM', () =>
    runConformance({
      ...{ contracts, baseUrl: cluster.url, fixtures: read.fixtures, seed: 1 },
      // Rules that need a day are left to the server in one process, whose clock can be moved.
      allow: permissions.filter((permission) => permission !== 'long'),
    }),
  );
  const bad = report.rules.filter(({ verdict }) =>
    ['fail', 'warn', 'error', 'inconclusive'].includes(verdict),
  );
  say(
    `${store}: the suite, ${String(replaced)} replicas replaced meanwhile: ${JSON.stringify(report.summary)}`,
  );
  for (const { id, verdict, observed, reason } of bad) say(`  ${verdict} ${id}: ${observed ?? reason ?? ''}`);
  if (bad.length > 0) process.exitCode = 1;
}

async function underLoad(store: string, cluster: Cluster): Promise<void> {
  const { result, replaced } = await whileReplacing(cluster, 'SIGKILL', () =>
    hammer(cluster.url, { ms: 25_000, callers: 12 }),
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
    `${store}: load, ${String(replaced)} replicas killed meanwhile: ${String(answered.length)} keys answered, ${String(replays)} replays, ` +
      `${String(lost.length)} answers lost, ${String(twice.length)} keys dispatched too often, ${String(unnamed)} errors without a bucket; ${JSON.stringify(statuses)}`,
  );
  for (const line of lost.slice(0, 5)) say(`  lost: ${line}`);
  if (lost.length + twice.length + unnamed > 0) process.exitCode = 1;
}
