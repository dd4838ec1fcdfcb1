/**
 * `--replicas 3 --store valkey|postgres [--engine URL] [--port N]`: replicas behind haproxy on one engine.
 * Without `--replicas`: one process that keeps everything in memory.
 */
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.ts';
import { startReplica } from './replica.ts';

const { values } = parseArgs({
  options: {
    replicas: { type: 'string' },
    store: { type: 'string', default: 'memory' },
    engine: { type: 'string' },
    port: { type: 'string', default: '4720' },
  },
});

const port = Number(values.port);
const store = values.store;
const stop = await (async (): Promise<() => Promise<void>> => {
  if (store === 'memory') {
    const replica = await startReplica({ port });
    console.log(`${replica.url}   in memory\n${JSON.stringify(replica.fixtures)}`);
    return () => replica.stop();
  }
  if (store !== 'valkey' && store !== 'postgres') throw new Error('--store is memory, valkey or postgres');
  const usual = store === 'valkey' ? 'redis://127.0.0.1:6379' : 'postgres://127.0.0.1:5432/postgres';
  const cluster = await startCluster({
    ...{ replicas: Number(values.replicas ?? 3), store, port },
    engineUrl: values.engine ?? usual,
  });
  console.log(
    `${cluster.url}   ${values.replicas ?? '3'} replicas on ${store}\n${JSON.stringify(cluster.fixtures)}`,
  );
  return () => cluster.stop();
})();
process.once('SIGINT', () => void stop().then(() => process.exit(130)));
process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
