// @module-tag long
import { Cluster } from 'ioredis';
import { createClient, createCluster } from 'redis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redisStore } from '../../server/redis.ts';
import { storeTests } from '../../server/store-tests.ts';
import { freePort } from '../e2e/free-port.ts';
import { type Engine, startValkey } from './engines.ts';
import { pause, until } from '../until.ts';

/** A cluster of two nodes, each with half of the slots. */
async function startCluster(): Promise<readonly Engine[]> {
  const nodes: Engine[] = [];
  const clients = [];
  for (const slots of [
    ['0', '8191'],
    ['8192', '16383'],
  ]) {
    const bus = await freePort();
    const node = await startValkey(['--cluster-enabled', 'yes', '--cluster-port', String(bus)]);
    const client = createClient({ url: node.url });
    await client.connect();
    await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', ...slots]);
    for (const known of nodes.slice(0, 1))
      await client.sendCommand(['CLUSTER', 'MEET', '127.0.0.1', String(known.port), String(firstBus)]);
    if (nodes.length === 0) firstBus = bus;
    nodes.push(node);
    clients.push(client);
  }
  for (const client of clients) {
    const known = async (): Promise<string> => String(await client.sendCommand(['CLUSTER', 'INFO']));
    await until('the cluster is whole', async () => /state:ok[^]*slots_ok:16384/.test(await known()));
    client.destroy();
  }
  return nodes;
}
let firstBus = 0;

describe('on a cluster of Valkey', { tags: 'valkey' }, () => {
  let nodes: readonly Engine[];
  let cluster: ReturnType<typeof createCluster>;
  let other: Cluster;
  beforeAll(async () => {
    nodes = await startCluster();
    cluster = createCluster({ rootNodes: nodes.map(({ url }) => ({ url })) });
    await cluster.connect();
    other = new Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port })));
  });
  afterAll(async () => {
    cluster.destroy();
    other.disconnect();
    for (const node of nodes) await node.stop();
  });
  for (const { name, run } of storeTests(() => ({
    replicas: [redisStore(cluster), redisStore(other)],
    wait: pause,
  })))
    test.concurrent(name, run);

  test('what would wait for replicas needs a client that is one connection', () => {
    expect(() => redisStore(other, { replicas: 1 })).toThrow(TypeError);
    expect(() => redisStore(cluster, { replicas: 1 })).toThrow(TypeError);
  });
});
