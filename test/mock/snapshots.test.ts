import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { SnapshotFile, SnapshotList, SnapshotShape } from '../../mock/control/snapshot-shape.ts';
import { MOCK_JWT } from '../../mock/call/caller.ts';
import { createMock, startMock, virtualClock } from '../../mock/index.ts';

/** States under names, to come back to. */
const clock = virtualClock({ auto: false });
const folder = mkdtempSync(join(tmpdir(), 'tallystick-snapshots-'));
const mock = await startMock({ clock });
beforeEach(() => {
  mock.reset();
  for (const { name } of mock.snapshots.list()) mock.snapshots.remove(name);
});
afterAll(async () => {
  await mock.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = async (key: string): Promise<string | null> =>
  (
    await mock.fetch('/v1/models/mock/ok', {
      method: 'POST',
      headers: {
        'X-API-Key': 'service-mock-ok',
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      },
      body: '{"prompt":"x"}',
    })
  ).headers.get('Idempotent-Replayed');

async function control<Shape>(method: string, path: string, body?: unknown): Promise<Shape> {
  const response = await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { httpStatus: response.status, ...((await response.json()) as object) } as Shape;
}

test('a snapshot in process stays as it is when the registry changes afterwards', async () => {
  const before = mock.snapshot();
  const text = JSON.stringify(before);
  await control('PUT', 'registry/publishers/acme', { status: 'PublisherStatusBanned' });
  expect(JSON.stringify(mock.snapshot())).not.toBe(text);
  expect(JSON.stringify(before)).toBe(text);
});

test('router.idem.expiry: a state comes back whole, with its time: a key that has expired since is alive again', async () => {
  await run('order');
  mock.scenarios.force({ name: 'unavailable', after: 3, times: 2 });
  const at = clock.now();
  const saved = await control<SnapshotShape>('POST', 'snapshots', { name: 'paid' });
  expect(saved).toMatchObject({ name: 'paid', at, changes: expect.any(Number) as number });
  const { snapshots, lasting } = await control<SnapshotList>('GET', 'snapshots');
  expect([snapshots.map(({ name }) => name), lasting]).toStrictEqual([['paid'], false]);

  mock.scenarios.clear();
  await clock.advance(25 * 3_600_000);
  expect(await run('order')).toBeNull();
  const restored = await control<{ restored: number }>('POST', 'snapshots/paid', { do: 'restore' });
  expect(restored.restored).toBe(saved.changes);
  expect(clock.now()).toBe(at);
  expect(mock.scenarios.forced()).toMatchObject([{ name: 'unavailable', after: 3, times: 2 }]);
  expect(await run('order')).toBe('true');
});

test('the clock can be kept: what has expired since is gone', async () => {
  await run('order');
  mock.snapshots.save('paid');
  await clock.advance(25 * 3_600_000);
  const now = clock.now();
  await control('POST', 'snapshots/paid', { do: 'restore', clock: 'keep' });
  expect([clock.now(), await run('order')]).toStrictEqual([now, null]);
});

test('jobs return to their earlier state, including those that have ended since', async () => {
  const headers = { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ 1: { class_type: 'Wait', inputs: { seconds: 60 } } });
  const job = (await (await mock.fetch('/api/v2/jobs', { method: 'POST', headers, body })).json()) as {
    id: string;
  };
  const read = async (): Promise<unknown> => (await mock.fetch(`/api/v2/jobs/${job.id}`, { headers })).json();
  await clock.advance(5_000);
  const before = await read();
  mock.snapshots.save('working');
  await clock.advance(120_000);
  expect(await read()).toMatchObject({ status: 'succeeded' });
  mock.snapshots.restore('working');
  expect(await read()).toStrictEqual(before);
  await clock.advance(120_000);
  expect(await read()).toMatchObject({ status: 'succeeded' });
});

test('a call that waits while the clock goes back waits as long as before', async () => {
  mock.snapshots.save('early');
  await clock.advance(3_600_000);
  const began = new Promise<void>((resolve) => {
    const forget = mock.pending.watch({
      began: () => {
        forget();
        resolve();
      },
      ended: () => undefined,
    });
  });
  const answer = mock.fetch('/v1/models', {
    headers: { 'X-API-Key': 'service-mock-ok', Prefer: 'scenario=latency;ms=1000' },
  });
  await began;
  mock.snapshots.restore('early');
  await clock.advance(1_000);
  expect((await answer).status).toBe(200);
});

test('a snapshot can be imported as a file by another mock', async () => {
  await run('order');
  mock.snapshots.save('paid');
  const { httpStatus: _200, ...file } = await control<SnapshotFile & { httpStatus: number }>(
    'GET',
    'snapshots/paid',
  );
  const other = createMock({ clock: virtualClock({ auto: false }) });
  await other.ready();
  other.snapshots.import('from-a-colleague', JSON.parse(JSON.stringify(file)));
  expect(other.dispatches()).toStrictEqual({});
  other.snapshots.restore('from-a-colleague');
  expect(other.dispatches()).toStrictEqual({ 'mock/ok': 1 });
  other.close();
  expect(await control('PUT', 'snapshots/copy', file)).toMatchObject({ httpStatus: 200, name: 'copy' });
  expect(mock.snapshots.file('copy')).toStrictEqual(file);
});

test('a snapshot has no bearer token with which a call was made, and says what it may have', async () => {
  const [head, payload] = MOCK_JWT.split('.');
  const token = `${head ?? ''}.${payload ?? ''}.mark7Qk3fZ9pW5d`;
  const call = (path: string, body: object): Promise<Response> =>
    mock.fetch(path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': 'order-of-jwt',
      },
      body: JSON.stringify(body),
    });
  expect((await call('/v1/models/mock/ok', { prompt: 'x' })).status).toBe(200);
  mock.snapshots.save('of-jwt');
  const file = await control<SnapshotFile>('GET', 'snapshots/of-jwt');
  expect(JSON.stringify(file)).toContain('order-of-jwt');
  expect(JSON.stringify([file, mock.snapshot()])).not.toContain('mark7Qk3fZ9pW5d');
  expect(file.about).toContain('passwords');
  mock.reset();
  mock.snapshots.restore('of-jwt');
  const again = await call('/v1/models/mock/ok', { prompt: 'x' });
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
});

test('a broken snapshot changes nothing and is reported', async () => {
  await run('order');
  mock.snapshots.save('good');
  const good = mock.snapshots.file('good') as SnapshotFile;
  const at = clock.now();
  for (const broken of [
    { part: 'router.key', id: 'x', record: { state: 'recorded' } },
    { part: 'router.kee', id: 'x', record: null },
    // Of the right form, and not to be made: its text is not JSON.
    {
      part: 'router.key',
      id: 'x',
      record: {
        state: 'recorded',
        bodyHash: 'x',
        expiresAt: 1,
        response: { status: 200, headers: [], kind: 'json', text: '{' },
      },
    },
  ]) {
    const changes = [...good.changes, broken];
    expect(await control('PUT', 'snapshot', { changes })).toMatchObject({ httpStatus: 400 });
    const taken = { ...good, at: 1, changes };
    await control('PUT', 'snapshots/bad', taken);
    expect(
      (await control<{ httpStatus: number }>('POST', 'snapshots/bad', { do: 'restore' })).httpStatus,
    ).toBe(mock.snapshots.list().some(({ name }) => name === 'bad') ? 400 : 404);
    mock.snapshots.remove('bad');
    expect([clock.now(), mock.journal.entries().length, await run('order')]).toStrictEqual([
      at,
      expect.any(Number),
      'true',
    ]);
  }
  expect(mock.journal.entries()).toHaveLength(4);
});

test.each([
  [{ changes: [{ part: 'router.kee', id: 'x' }] }, 'changes/0/part: expected router.key'],
  [{ changes: [{ part: 'router.kee', id: 'x' }] }, 'Did you mean router.key?'],
  [
    { changes: [{ part: 'router.dispatches', model: 'x', count: 'y' }] },
    'changes/0/count: expected a number',
  ],
  [{ changes: [{ part: 'registry.store', namespace: '' }] }, 'changes/0: publishers is missing'],
  [{ changes: [{ part: 'jobs.event', event: { kind: 'begun' } }] }, 'changes/0/event/kind: expected submit'],
  [{ changes: {} }, 'changes: expected a list'],
  [{}, 'changes: expected a list'],
  [{ change: [] }, 'Did you mean changes?'],
])('a state that cannot be taken changes nothing, also not in the data folder: %j', async (body, words) => {
  const data = mkdtempSync(join(tmpdir(), 'tallystick-refused-'));
  const kept = await startMock({ data, clock: virtualClock({ auto: false }) });
  const file = join(data, 'state.jsonl');
  const order = {
    method: 'POST',
    headers: {
      'X-API-Key': 'service-mock-ok',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'order',
    },
    body: '{"prompt":"x"}',
  };
  try {
    await (await kept.fetch('/v1/models/mock/ok', order)).text();
    const before = [kept.snapshot(), readFileSync(file, 'utf8'), kept.journal.entries()];
    const refused = await fetch(`${kept.controlUrl ?? ''}/control/v1/snapshot`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([refused.status, await refused.json()]).toStrictEqual([
      400,
      { error: expect.stringContaining(words) as string },
    ]);
    expect([kept.snapshot(), readFileSync(file, 'utf8'), kept.journal.entries()]).toStrictEqual(before);
  } finally {
    await kept.stop();
    rmSync(data, { recursive: true, force: true });
  }
});

test.each([
  ['POST', 'snapshots', { name: '../state' }, 400, 'The name of a snapshot'],
  ['POST', 'snapshots', { name: '' }, 400, 'The name of a snapshot'],
  ['POST', 'snapshots/none', { do: 'restore' }, 404, 'Snapshot none does not exist'],
  ['POST', 'snapshots/none', { do: 'undo' }, 400, 'body/do: expected restore'],
  ['GET', 'snapshots/..%2fstate', undefined, 404, 'does not exist'],
  ['PUT', 'snapshots/x', { changes: [] }, 400, 'not a snapshot of a mock of this version'],
  ['DELETE', 'snapshots/none', undefined, 404, 'Snapshot none does not exist'],
] as const)('%s %s with %j is refused with words', async (method, path, body, httpStatus, words) => {
  expect(await control(method, path, body)).toMatchObject({
    httpStatus,
    error: expect.stringContaining(words) as string,
  });
});

test('with a data folder they are files in it, which the next process finds', async () => {
  const first = createMock({ clock: virtualClock({ auto: false }), data: folder });
  await first.ready();
  first.scenarios.force({ name: 'slow' });
  first.snapshots.save('start');
  first.close();
  expect(readdirSync(join(folder, 'snapshots'))).toStrictEqual(['start.json']);
  writeFileSync(join(folder, 'snapshots', 'notes.json'), '{}');
  const next = createMock({ clock: virtualClock({ auto: false }), data: folder });
  await next.ready();
  expect(next.snapshots.list().map(({ name }) => name)).toStrictEqual(['start']);
  next.snapshots.restore('start');
  expect(next.scenarios.forced()).toMatchObject([{ name: 'slow' }]);
  expect(next.snapshots.remove('start')).toBe(true);
  expect(readdirSync(join(folder, 'snapshots'))).toStrictEqual(['notes.json']);
  next.close();
});

test('a file holds a line for each change, so that two can be compared', async () => {
  const mine = createMock({ data: join(folder, 'lines') });
  await mine.ready();
  const { changes } = mine.snapshots.save('fresh');
  const lines = readFileSync(join(folder, 'lines', 'snapshots', 'fresh.json'), 'utf8')
    .trim()
    .split('\n');
  expect(lines).toHaveLength(changes + 2);
  mine.close();
});
