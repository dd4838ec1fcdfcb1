// @module-tag long
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keys } from '../../examples/reference-server/accounts.ts';
import { startCluster } from '../../examples/reference-server/cluster.ts';
import { freePort } from '../e2e/free-port.ts';
import { type Engine, startValkey } from './engines.ts';
import { type ReplicaProgram, replicaProgram } from './replica-program.ts';
import { judgeUnderKills } from './under-kills.ts';

const main = fileURLToPath(new URL('../../examples/reference-server/main.ts', import.meta.url));

interface Started {
  readonly pid: number;
  /** Its output so far. */
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

/** Runs the example as its README says. */
function start(...parameters: readonly string[]): Started {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...parameters]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  return { pid: child.pid ?? 0, said: () => said, ended };
}

test.each([
  ['replicas without a store', ['--replicas', '3'], 'Replicas need a store that they share'],
  ['no engine', ['--store', 'valkey', '--engine', 'redis://127.0.0.1:1'], 'Nobody answers at 127.0.0.1:1'],
])('%s is told in one line, and ends with 2', async (_what, parameters, line) => {
  const { said, ended } = start(...parameters);
  expect(await ended).toBe(2);
  expect(said()).toContain(line);
  expect(said().trim().split('\n')).toHaveLength(1);
});

describe('behind haproxy', { tags: ['valkey', 'haproxy'] }, () => {
  let engine: Engine;
  let program: ReplicaProgram;
  beforeAll(async () => {
    [engine, program] = await Promise.all([startValkey(), replicaProgram()]);
  });
  afterAll(async () => {
    await engine.stop();
    program.remove();
  });

  test('one script starts replicas that tell how they are, and starts one again that was killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tallystick-main-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const port = await freePort();
    const fixtures = join(folder, 'fixtures.json');
    const { said, ended, pid } = start(
      ...['--replicas', '2', '--store', 'valkey', '--engine', engine.url],
      ...['--port', String(port), '--fixtures', fixtures],
    );
    const url = `http://127.0.0.1:${String(port)}`;
    await expect.poll(said, { timeout: 60_000 }).toContain(`${url}   2 replicas on valkey`);
    expect(JSON.parse(readFileSync(fixtures, 'utf8'))).toMatchObject({ baseUrl: url });
    await expect.poll(() => said().match(/health\/ready/g)).toHaveLength(2);
    // The engine of these tests syncs its file every second, which each replica sees and one line says.
    await expect
      .poll(() => said().match(/^Warning: appendfsync is everysec.*set it to always$/gm))
      .toHaveLength(1);
    const replicas = [...said().matchAll(/pid (\d+) {3}(\S+\/health\/ready)/g)];
    const ready = async (): Promise<number[]> =>
      Promise.all(
        replicas.map(([, , address = '']) =>
          fetch(address).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      );
    expect(await ready()).toEqual([200, 200]);
    process.kill(Number(replicas[0]?.[1]), 'SIGKILL');
    for (let turn = 0; turn < 10; turn += 1) {
      const answer = await fetch(`${url}/v1/models`, { headers: { 'X-API-Key': keys.main } });
      expect(answer.status).toBe(200);
    }
    await expect.poll(ready, { timeout: 60_000 }).toEqual([200, 200]);
    process.kill(pid, 'SIGTERM');
    expect(await ended).toBe(0);
    expect(await ready()).toEqual([0, 0]);
  });

  test('without its engine a replica is live and not ready; with none left, the balancer answers as the API', async () => {
    const cluster = await startCluster({
      ...{ replicas: 1, store: 'valkey', engineUrl: engine.url, program: program.path },
    });
    onTestFinished(() => cluster.stop());
    const health = async (): Promise<number[]> =>
      Promise.all(
        ['live', 'ready'].map(async (what) => {
          const [url = ''] = cluster.healthUrls;
          return (await fetch(`${url}/health/${what}`)).status;
        }),
      );
    expect(await health()).toEqual([200, 200]);
    await engine.kill();
    await expect.poll(health, { timeout: 20_000 }).toEqual([200, 503]);
    await engine.restart();
    await expect.poll(health, { timeout: 20_000 }).toEqual([200, 200]);
    const [pid = 0] = cluster.pids();
    process.kill(pid, 'SIGKILL');
    const call = (path: string): Promise<Response> =>
      fetch(`${cluster.url}${path}`, { method: 'POST', body: '{}' });
    // On a connection that it kept, the balancer may close without a word when the replica has just died.
    const status = (): Promise<number> =>
      call('/').then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status).toBe(503);
    const run = await call('/v1/models/acme/echo-1');
    expect([run.status, run.headers.get('x-service-error-type'), run.headers.get('retry-after')]).toEqual([
      503,
      'service_unavailable',
      '1',
    ]);
    expect(run.headers.get('x-service-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(await run.json()).toMatchObject({ error_type: 'service_unavailable' });
    const job = await call('/deployment/reference/api/v2/jobs');
    expect(job.status).toBe(503);
    expect(await job.json()).toMatchObject({ error: { code: 'not_available' } });
  });

  test('router.idem, jobs.idem: hold while replicas are killed; no call runs twice, no answer is lost', async () => {
    const cluster = await startCluster({
      ...{ replicas: 2, store: 'valkey', engineUrl: engine.url, deadlineMs: 1_500 },
      ...{ program: program.path, spares: 1 },
    });
    onTestFinished(() => cluster.stop());
    const rules = [
      'router.idem.replay',
      'router.idem.race-one-winner',
      'jobs.idem.concurrent-one-201',
      'jobs.idem.duplicate-422',
      'jobs.idem.never-reexecuted',
    ];
    const seen = await judgeUnderKills(cluster, {
      ...{ rules, wholeRounds: 2, mostRounds: 40, replicas: 2, pauseMs: 200 },
    });
    expect(seen.failed).toEqual([]);
    expect([...seen.passed].sort()).toEqual([...rules].sort());
    expect(seen.killed).toBeGreaterThan(0);
    const { twice, lost, unnamed, badJobs } = seen.accounts;
    expect({ twice, lost, unnamed, badJobs }).toEqual({ twice: [], lost: [], unnamed: [], badJobs: [] });
    expect(seen.accounts.replayed).toBeGreaterThan(0);
  });
});
