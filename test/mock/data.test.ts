import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMock, virtualClock, type Mock, type MockOptions } from '../../mock/index.ts';
import { runningProcess } from '../../mock/state/process-table.ts';

/** State that outlives its process. A mock that is never closed is one that was killed. */
let folder = '';
const open: Mock[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-data-'));
});
afterEach(() => {
  for (const mock of open.splice(0)) mock.close();
});

async function started(options: MockOptions = {}): Promise<Mock> {
  const mock = createMock({ clock: virtualClock({ auto: false }), data: folder, ...options });
  open.push(mock);
  await mock.ready();
  return mock;
}

const authorization = 'Bearer service-mock-ok';
async function call(
  mock: Mock,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return mock.fetch(path, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
}
const run = (mock: Mock, key: string, headers: Record<string, string> = {}): Promise<Response> =>
  call(mock, '/v1/models/mock/ok', { prompt: 'x' }, { 'Idempotency-Key': key, ...headers });
const text = { 1: { class_type: 'WriteText', inputs: { text: 'a' } } };
const versions = '/publishers/acme/nodes/acme-upscaler/versions';
const publication = { node: {}, node_version: { version: '1.0.0' }, personal_access_token: 'pat-mock-ok' };

test('router.idem.replay: an answer is replayed byte for byte by the next process, and not charged again', async () => {
  const first = await (await run(await started(), 'order')).text();
  const next = await started();
  const again = await run(next, 'order');
  expect([again.headers.get('Idempotent-Replayed'), await again.text()]).toStrictEqual(['true', first]);
  expect(next.dispatches()).toStrictEqual({ 'mock/ok': 1 });
});

test('an answer that was on its way when the process was killed counts as heard', async () => {
  const mock = await started();
  const bytes = new TextEncoder().encode('{"prompt":"x"}');
  const rawHeaders = [
    'Authorization',
    authorization,
    'Content-Type',
    'application/json',
    'Idempotency-Key',
    'late',
  ];
  // Made, and never settled.
  await mock.handle({ method: 'POST', target: '/v1/models/mock/ok', rawHeaders, body: bytes });
  expect((await run(await started(), 'late')).headers.get('Idempotent-Replayed')).toBe('true');
});

test('router.idem.release-on-drop: a key that was freed stays free', async () => {
  await run(await started(), 'free', { Prefer: 'scenario=unavailable' });
  expect((await run(await started(), 'free')).headers.get('Idempotent-Replayed')).toBeNull();
});

test('jobs continue by the clock, cancelled ones included, and their keys stay used', async () => {
  const mock = await started();
  const submit = async (graph: object, key: string): Promise<string> =>
    ((await (await call(mock, '/api/v2/jobs', graph, { 'Idempotency-Key': key })).json()) as { id: string })
      .id;
  const wait = { 1: { class_type: 'Wait', inputs: { seconds: 60 } } };
  const ids = [await submit(text, 'one'), await submit(wait, 'two'), await submit(wait, 'three')] as const;
  await (mock.clock as ReturnType<typeof virtualClock>).advance(5_000);
  await call(mock, `/api/v2/jobs/${ids[2]}/cancel`, {});
  const read = async (from: Mock, id: string): Promise<unknown> =>
    (await call(from, `/api/v2/jobs/${id}`)).json();
  const before = await Promise.all(ids.map((id) => read(mock, id)));
  const next = await started();
  expect(await Promise.all(ids.map((id) => read(next, id)))).toStrictEqual(before);
  expect((await call(next, '/api/v2/jobs', text, { 'Idempotency-Key': 'one' })).status).toBe(422);
  await (next.clock as ReturnType<typeof virtualClock>).advance(60_000);
  expect(await read(next, ids[1])).toMatchObject({ status: 'succeeded' });
  expect(await read(next, ids[2])).toMatchObject({ status: 'canceled' });
});

test('registry.publish.version-unique: versions stay in use, and signed addresses stay valid', async () => {
  const { signedUrl } = (await (await call(await started(), versions, publication)).json()) as {
    signedUrl: string;
  };
  const next = await started();
  expect((await call(next, versions, publication)).status).toBe(400);
  const upload = (mock: Mock): Promise<Response> =>
    mock.fetch(signedUrl, { method: 'PUT', body: 'an archive' });
  expect((await upload(next)).status).toBe(200);
  expect(JSON.stringify((await started()).snapshot())).toContain('"size":10');
});

test('pagination continues with its cursor', async () => {
  const page = (await (await call(await started(), '/v1/models?limit=1')).json()) as { next_cursor: string };
  expect((await call(await started(), `/v1/models?cursor=${page.next_cursor}`)).status).toBe(200);
});

test('a reset is kept as well, and a snapshot brings all back', async () => {
  const mock = await started();
  await run(mock, 'order');
  const snapshot = JSON.parse(JSON.stringify(mock.snapshot())) as ReturnType<Mock['snapshot']>;
  mock.reset();
  const empty = await started();
  expect(empty.dispatches()).toStrictEqual({});
  empty.restore(snapshot);
  expect((await run(await started(), 'order')).headers.get('Idempotent-Replayed')).toBe('true');
});

test('a reset whose line was torn has not happened, one that is whole needs no new file', async () => {
  const mock = await started();
  await run(mock, 'order');
  const file = join(folder, 'state.jsonl');
  const before = readFileSync(file, 'utf8');
  mock.reset();
  const after = readFileSync(file, 'utf8');
  expect(after.startsWith(before)).toBe(true);
  writeFileSync(file, after.slice(0, -2));
  expect((await run(await started(), 'order')).headers.get('Idempotent-Replayed')).toBe('true');
  writeFileSync(file, after);
  const next = await started();
  expect(readFileSync(file, 'utf8')).not.toContain('order');
  expect((await run(next, 'order')).headers.get('Idempotent-Replayed')).toBeNull();
});

test('a folder that an earlier version wrote is read: answers are replayed, and used keys stay used', async () => {
  const mock = await started();
  await run(mock, 'order');
  await call(mock, '/api/v2/jobs', { workflow: text }, { 'Idempotency-Key': 'once' });
  const file = join(folder, 'state.jsonl');
  // As the mock wrote keys before the engine held them.
  const keys = [
    {
      part: 'router.key',
      id: 'key ok+\nearlier',
      record: {
        state: 'recorded',
        bodyHash: /"bodyHash":"([^"]+)"/.exec(readFileSync(file, 'utf8'))?.[1],
        response: { status: 200, headers: [['Content-Type', 'application/json']], kind: 'json', text: '{}' },
        expiresAt: 9_000_000_000_000,
      },
    },
    {
      part: 'jobs.key',
      id: 'key ok+\nearlier',
      record: { state: 'claimed', fence: '', expiresAt: 9_000_000_000_000 },
    },
  ];
  appendFileSync(file, `${JSON.stringify({ at: 0, changes: keys })}\n`);
  const next = await started();
  const replay = await run(next, 'earlier');
  expect([replay.headers.get('Idempotent-Replayed'), await replay.text()]).toStrictEqual(['true', '{}']);
  const again = await call(next, '/api/v2/jobs', { workflow: text }, { 'Idempotency-Key': 'earlier' });
  expect(again.status).toBe(422);
});

test('an incomplete last line is ignored, and a damaged one before it is reported', async () => {
  await run(await started(), 'order');
  const file = join(folder, 'state.jsonl');
  appendFileSync(file, '{"at":1,"changes":[{"part":"router.key","id":"key ok+\\nto');
  expect((await run(await started(), 'order')).headers.get('Idempotent-Replayed')).toBe('true');
  writeFileSync(file, readFileSync(file, 'utf8').replace('\n', '\n{"at":\n'));
  const broken = createMock({ data: folder });
  await expect(broken.ready()).rejects.toThrow('state.jsonl:2 is not JSON');
});

test('a file of another program is not touched', async () => {
  writeFileSync(join(folder, 'state.jsonl'), 'my diary\n');
  await expect(createMock({ data: folder }).ready()).rejects.toThrow('state.jsonl:1 is not the state');
  expect(readFileSync(join(folder, 'state.jsonl'), 'utf8')).toBe('my diary\n');
});

/** A process that runs until the test is over, and has nothing to do with a mock. */
async function stranger(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return Number(child.pid);
}

const lock = (): string => join(folder, 'lock.json');

test('a folder that another process has locked is refused, with its pid and the next step', async () => {
  const pid = await stranger();
  const text = JSON.stringify({ pid, started: runningProcess(pid)?.started, id: 'x' });
  writeFileSync(lock(), text);
  const refusal = `${folder} is in use by another mock (pid ${pid}). Stop that mock (kill ${pid}), or take another folder`;
  expect(() => createMock({ data: folder })).toThrow(new RangeError(refusal));
  expect(readFileSync(lock(), 'utf8')).toBe(text);
  // Where no start time is known, the pid has to do.
  writeFileSync(lock(), JSON.stringify({ pid, id: 'x' }));
  expect(() => createMock({ data: folder })).toThrow(refusal);
});

test.each([
  ['of another process that has the pid by now', (pid: number) => ({ pid, started: 'before', id: 'x' })],
  ['of nobody who runs', () => ({ pid: 2 ** 30, id: 'x' })],
  ['that was never finished', () => ''],
  ['that names no process', (pid: number) => pid],
])('a lock %s does not hold', async (_title, lockOf) => {
  const content = lockOf(await stranger());
  writeFileSync(lock(), content === '' ? '' : JSON.stringify(content));
  const mock = await started();
  expect(JSON.parse(readFileSync(lock(), 'utf8'))).toMatchObject({ pid: process.pid });
  expect(readdirSync(folder).filter((name) => name.includes('lock'))).toStrictEqual(['lock.json']);
  mock.close();
  expect(existsSync(lock())).toBe(false);
});

test('a mock that closes late leaves the lock of a later one', async () => {
  const first = await started();
  const second = await started();
  first.close();
  expect(existsSync(lock())).toBe(true);
  second.close();
  expect(existsSync(lock())).toBe(false);
});

test('an unusable folder, and unreadable state, are reported in a sentence', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => createMock({ data: file })).toThrow(`State cannot be stored in ${file}: `);
  mkdirSync(join(folder, 'state.jsonl'));
  await expect(createMock({ data: folder }).ready()).rejects.toThrow('state.jsonl cannot be read: ');
});
