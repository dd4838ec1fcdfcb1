import { describe, expect, test } from 'vitest';
import { events, follow, jobOf, read, settled, submit } from '../fixtures/second-server/calls.ts';
import { keyed } from '../fixtures/second-server/client.ts';
import type { JobName } from '../fixtures/second-server/client.ts';
import type { Surface } from '../fixtures/second-server/jobs.ts';
import { start } from './start.ts';

describe('jobs', () => {
  test.each<[JobName, number, string | undefined]>([
    ['ok', 201, undefined],
    ['tiny', 201, undefined],
    ['invalid', 400, 'invalid_workflow'],
    ['unknownClass', 400, 'invalid_workflow'],
    ['uiFormat', 415, 'workflow_format_ui'],
    ['unknownAsset', 404, 'asset_unknown'],
    ['foreignAsset', 404, 'asset_unknown'],
  ])('submitting %s is answered with %i', async (name, status, code) => {
    const { server, fixtures } = await start();
    const got = await submit(server, fixtures.job[name]);
    const { error } = JSON.parse(got.text) as { error?: { code: string } | null };
    expect([got.status, error?.code]).toEqual([status, code]);
  });

  test('an invalid graph says which field of which node is missing', async () => {
    const { server, fixtures } = await start();
    expect(JSON.parse((await submit(server, fixtures.job.invalid)).text)).toMatchObject({
      error: { details: { node_errors: { first: [{ field: 'with.motif', reason: 'missing_input' }] } } },
    });
  });

  test.each([
    [{ webhook_url: null }, 409],
    [{ inputs: {} }, 409],
    [{ extra_data: { unheard: 1 } }, 400],
    [{ extra_data: { mood: 'calm' } }, 201],
  ])('a submission with %j is answered with %i', async (sibling, status) => {
    const { server, fixtures } = await start();
    expect((await submit(server, { ...fixtures.job.tiny, ...sibling })).status).toBe(status);
  });

  test('a job walks from queued to its end, and only the read says what it printed', async () => {
    const { server, fixtures } = await start();
    const ends = { ok: 'succeeded', fail: 'failed' } as const;
    for (const [name, status] of Object.entries(ends)) {
      const submitted = jobOf(await submit(server, fixtures.job[name as keyof typeof ends]));
      expect(submitted).toMatchObject({ status: 'queued', started_at: null, progress: null, outputs: [] });
      const last = (await events(server, submitted)).at(-1);
      expect(last).toMatchObject({ event: fixtures.sse.eventNames.status, data: { status } });
      expect(last?.data).not.toHaveProperty('logs');
      expect(await read(server, submitted)).toMatchObject({
        status,
        logs: { printed: expect.any(String) as string },
      });
    }
  });

  test('a stream of a finished job gives what is known and ends with the status', async () => {
    const { server, fixtures } = await start();
    const job = jobOf(await submit(server, fixtures.job.preview));
    const live = (await events(server, job)).map(({ event }) => event);
    const { status, progress, preview } = fixtures.sse.eventNames;
    expect(new Set(live)).toEqual(new Set([status, progress, preview]));
    expect((await events(server, job)).map(({ event }) => event)).toEqual([progress, preview, status]);
  });

  test.each<JobName>(['slow', 'tiny'])('cancelling %s passes through canceling', async (name) => {
    const { server, fixtures } = await start();
    const job = jobOf(await submit(server, fixtures.job[name]));
    if (name === 'slow') await settled(server, job, 'running');
    expect(jobOf(await follow(server, job.urls.halt, 'POST')).status).toBe('canceling');
    // It is cancelled some time after the first request.
    expect(['canceling', 'canceled']).toContain(jobOf(await follow(server, job.urls.halt, 'POST')).status);
    expect((await events(server, job)).at(-1)?.data).toMatchObject({ status: 'canceled' });
    expect(jobOf(await follow(server, job.urls.halt, 'POST')).status).toBe('canceled');
  });

  test('a key submits once, with any second body; a refusal releases it, an unknown outcome does not', async () => {
    const { server, fixtures } = await start();
    const { tiny, invalid } = fixtures.job;
    const of = (does: string): object => ({ graph: { first: { does } } });
    const codes = async (...bodies: object[]): Promise<number[]> => {
      const key = keyed(crypto.randomUUID());
      const all: number[] = [];
      for (const body of bodies) all.push((await submit(server, body, key)).status);
      return all;
    };
    expect(await codes(tiny, tiny, of('paint'), invalid)).toEqual([201, 422, 422, 422]);
    expect(await codes(invalid, tiny)).toEqual([400, 201]);
    expect(await codes(of('crowd'), tiny)).toEqual([429, 201]);
    expect(await codes(of('fog'), tiny)).toEqual([502, 422]);
  });

  test.each<[Surface, number, boolean]>([
    ['cloud', 401, false],
    ['serverless', 401, true],
    ['self-hosted', 201, false],
    ['demo', 201, false],
  ])('on the surface %s a caller without a key gets %i', async (surface, status, hasLogs) => {
    const { server, fixtures } = await start({ surface });
    expect((await submit(server, fixtures.job.tiny, { authorization: '' })).status).toBe(status);
    const job = jobOf(await submit(server, fixtures.job.tiny));
    expect('logs' in (await settled(server, job, 'succeeded'))).toBe(hasLogs);
  });

  test('a self-hosted instance with a token asks for it', async () => {
    const { server, fixtures } = await start({ surface: 'self-hosted', staticToken: 'sesame' });
    const statuses = ['', 'Bearer wrong', 'Bearer sesame'].map(
      async (authorization) => (await submit(server, fixtures.job.tiny, { authorization })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 401, 201]);
  });

  test('a job belongs to its owner, and a job that never existed is not found', async () => {
    const { server, fixtures } = await start();
    const job = jobOf(await submit(server, fixtures.job.tiny));
    const other = await follow(server, job.urls.look, 'GET', fixtures.cred.secondAccount);
    expect(other.status).toBe(404);
    expect((await follow(server, job.urls.look.replace(job.id, 'none'))).status).toBe(404);
  });
});
