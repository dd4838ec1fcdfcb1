// @module-tag long
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventStreamParser } from '../../contract/policies/event-stream.ts';
import { keys } from '../../examples/reference-server/accounts.ts';
import { memoryBoard, type Board } from '../../examples/reference-server/board.ts';
import { forkReplica } from '../../examples/reference-server/cluster.ts';
import { postgresBoard, redisBoard } from '../../examples/reference-server/shared-boards.ts';
import type { Happening, JobRecord } from '../../examples/reference-server/timeline.ts';
import { startWorker } from '../../examples/reference-server/worker.ts';
import { freePort } from '../e2e/free-port.ts';
import { type Engine, startPostgres, startValkey } from './engines.ts';
import { type ReplicaProgram, replicaProgram } from './replica-program.ts';
import { until } from '../until.ts';

let made = 0;

function jobOf(steps: number): JobRecord {
  const createdAt = Date.now();
  return {
    ...{
      id: `job-${String((made += 1))}`,
      account: 'main',
      createdAt,
      expiresAt: createdAt + 60_000,
      tries: 0,
    },
    steps: Array.from({ length: steps }, () => ({ node: 'n', ms: 5, previews: false, fails: false })),
    course: [{ at: createdAt, kind: 'status', status: 'queued' }],
  };
}

const progress = (done: number): Happening => ({ at: Date.now(), kind: 'progress', done, node: 'n' });
const running = (): Happening => ({ at: Date.now(), kind: 'status', status: 'running' });

/** The course of a job as words. */
async function courseOf(board: Board, id: string): Promise<string> {
  const { course = [] } = (await board.find(id)) ?? {};
  return course
    .map((each) => (each.kind === 'status' ? each.status : each.kind === 'progress' ? String(each.done) : ''))
    .join(' ');
}

/** Works on a board until the test is over. */
function workOn(board: Board): void {
  const worker = startWorker({ board, now: Date.now, leaseMs: 200 });
  onTestFinished(() => worker.stop());
}

const engines: [name: string, start: () => Promise<Engine>, open: (engine: Engine) => Promise<Board>][] = [
  ['Valkey', () => startValkey(), ({ url }) => redisBoard(url)],
  [
    'PostgreSQL',
    () => startPostgres(),
    async ({ url }) => {
      const pool = new pg.Pool({ connectionString: url, max: 6 });
      pool.on('error', () => undefined);
      const board = await postgresBoard(url, pool);
      return {
        ...board,
        async close() {
          await board.close();
          await pool.end();
        },
      };
    },
  ],
];

function takeoverTests(boards: () => readonly [Board, Board]): void {
  test('a job whose worker is gone is continued by another one, from the last reported step', async () => {
    const [first, second] = boards();
    const job = jobOf(3);
    await first.put(job);
    const taken = await first.take(150);
    expect(taken?.record.id).toBe(job.id);
    if (taken === undefined) return;
    await first.report(taken, [running(), progress(1)], 150);
    workOn(second);
    await expect
      .poll(() => courseOf(first, job.id), { timeout: 10_000 })
      .toBe('queued running 1 2 3 succeeded');
    // Who comes back too late changes nothing any more.
    expect(await first.report(taken, [progress(2)], 150)).toBeUndefined();
    expect(await courseOf(first, job.id)).toBe('queued running 1 2 3 succeeded');
  });

  test('a job of a living worker belongs to no other', async () => {
    const [first, second] = boards();
    const job = jobOf(1);
    await first.put(job);
    const takes = await Promise.all([first, second, first, second].map((board) => board.take(60_000)));
    expect(takes.filter((taken) => taken !== undefined)).toHaveLength(1);
    const [taken] = takes.filter((each) => each !== undefined);
    if (taken === undefined) return;
    // Handed back, it is anybody's at once.
    await first.report(taken, [], 0);
    workOn(second);
    await expect.poll(() => courseOf(second, job.id), { timeout: 10_000 }).toBe('queued running 1 succeeded');
  });

  test('a step that takes longer than the lease stays with its worker, which is heard of meanwhile', async () => {
    const [first, second] = boards();
    const job = { ...jobOf(1), steps: [{ node: 'n', ms: 700, previews: false, fails: false }] };
    await first.put(job);
    workOn(first);
    workOn(second);
    await expect.poll(() => courseOf(first, job.id), { timeout: 10_000 }).toBe('queued running');
    const { tries } = (await first.find(job.id)) ?? {};
    await expect.poll(() => courseOf(second, job.id), { timeout: 10_000 }).toBe('queued running 1 succeeded');
    expect(tries).toBe(0);
  });

  test('a cancel of a job whose worker went away comes to its end', async () => {
    const [first, second] = boards();
    const job = jobOf(50);
    await first.put(job);
    const taken = await first.take(100);
    if (taken === undefined) throw new Error('nothing was taken');
    await first.report(taken, [running()], 100);
    await second.cancel(job.id, Date.now());
    // Its old worker may not go on with it.
    await first.report(taken, [progress(1)], 100);
    workOn(second);
    await expect
      .poll(() => courseOf(first, job.id), { timeout: 10_000 })
      .toBe('queued running canceling canceled');
  });

  test('a job that one worker after the other goes away with comes to a failed end', async () => {
    const [first, second] = boards();
    const job = jobOf(1);
    await first.put(job);
    for (let turn = 0; turn < 6; turn += 1) {
      const board = turn % 2 === 0 ? first : second;
      await until(
        'the lease of the one before is over',
        async () => (await board.take(1))?.record.id === job.id,
      );
    }
    workOn(second);
    await expect.poll(() => courseOf(first, job.id), { timeout: 10_000 }).toBe('queued failed');
  });
}

describe('in memory', () => {
  test('an engine that never answers holds a worker up for no longer than a lease', async () => {
    const board = memoryBoard();
    const job = jobOf(2);
    await board.put(job);
    const hang = new Promise<never>(() => undefined);
    let takes = 0;
    let reports = 0;
    workOn({
      ...board,
      take: (leaseMs) => ((takes += 1) === 1 ? hang : board.take(leaseMs)),
      report: (taken, happenings, leaseMs) =>
        happenings.length > 0 && (reports += 1) === 2 ? hang : board.report(taken, happenings, leaseMs),
    });
    await expect
      .poll(() => courseOf(board, job.id), { timeout: 10_000 })
      .toBe('queued running 1 2 succeeded');
    expect(reports).toBe(5);
  });

  const board = memoryBoard();
  takeoverTests(() => [board, board]);
});

describe.each(engines)('on %s', { tags: ['valkey', 'postgres'] }, (name, start, open) => {
  let engine: Engine;
  let boards: readonly [Board, Board];
  let program: ReplicaProgram;
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-workers-'));
  beforeAll(async () => {
    [engine, program] = await Promise.all([start(), replicaProgram()]);
    boards = [await open(engine), await open(engine)];
  });
  afterAll(async () => {
    await Promise.all(boards.map((board) => board.close()));
    await engine.stop();
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  takeoverTests(() => boards);

  test('jobs.sse: a replica is killed with a running job; the stream at another one continues to its end', async () => {
    const open = async () => {
      const [port, health] = [await freePort(), await freePort()];
      const { child, serve } = forkReplica({
        ...{ publicUrl: `http://127.0.0.1:${String(port)}`, engineUrl: engine.url, deadlineMs: 2_000 },
        ...{ store: name === 'Valkey' ? 'valkey' : 'postgres', program: program.path },
        dispatchLog: join(folder, 'dispatches.log'),
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, jobs: `${(await serve({ serve: port, health })).fixtures.jobsBaseUrl}/api/v2/jobs` };
    };
    const first = await open();
    const headers = { Authorization: `Bearer ${keys.main}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ graph: { n: { class: 'paint', with: { motif: 'a tree' } } } });
    const answer = await fetch(first.jobs, { method: 'POST', headers, body });
    const job = (await answer.json()) as { readonly id: string };
    await expect
      .poll(() =>
        boards[0].find(job.id).then((found) => found?.course.some(({ kind }) => kind === 'progress')),
      )
      .toBe(true);
    first.child.kill('SIGKILL');
    const second = await open();
    const stream = await fetch(`${second.jobs}/${job.id}/events`, { headers });
    const parser = eventStreamParser();
    const seen: string[] = [];
    for await (const chunk of (stream.body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream())) {
      for (const { event, data } of parser.push(chunk))
        if (event === 'status') seen.push((JSON.parse(data) as { readonly status: string }).status);
    }
    expect(seen).toEqual(['running', 'succeeded']);
    expect(await courseOf(boards[0], job.id)).toBe('queued running 1 2 3 4 succeeded');
  });
});
