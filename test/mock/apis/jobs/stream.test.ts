import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { loadOwnContract } from '../../../../contract/index.ts';
import {
  eventsOf,
  jobsMock,
  parseEvents,
  statusesIn,
  waiting,
  workflow,
  writeText,
  type JobBody,
  type JobsMock,
} from './jobs-mock.ts';
import { until } from '../../../until.ts';

const sketch = workflow(
  { class_type: 'SketchPicture', inputs: { prompt: 'a hand' } },
  waiting(2),
  writeText(),
);
const short = workflow(writeText());

async function submitted(jobs: JobsMock, body: unknown = sketch, options = {}): Promise<string> {
  return (await jobs.submit(body, options)).job.id;
}

/** Reads a stream bit by bit. */
function readerOf(response: Response): {
  next: () => Promise<string | undefined>;
  cancel: () => Promise<void>;
} {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? undefined : Buffer.from(value).toString('utf8');
    },
    cancel: () => reader.cancel(),
  };
}

test('jobs.sse.*: a stream reports a job from the queue to its end', async () => {
  const jobs = await jobsMock({ auto: true });
  const id = await submitted(jobs);
  const response = await jobs.watch(id, { headers: { Accept: 'text/html' } });
  expect([response.status, response.headers.get('content-type')]).toStrictEqual([200, 'text/event-stream']);
  const events = await eventsOf(response);
  expect(statusesIn(events)).toStrictEqual(['queued', 'running', 'succeeded']);
  expect(new Set(events.map(({ event }) => event))).toStrictEqual(new Set(['status', 'progress', 'preview']));
  expect(events.at(-1)?.event, 'jobs.sse.nothing-after-terminal').toBe('status');
  expect(events.filter(({ event }) => event === 'preview')).toHaveLength(4);
});

test('jobs.sse.status-carries-job: a status event carries a job as the document declares it, without logs', async () => {
  const contract = await loadOwnContract('jobs');
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(contract.document.root as object, 'jobs');
  const isJob = ajv.getSchema('jobs#/components/schemas/Job');
  const jobs = await jobsMock({ auto: true, jobs: { surface: 'serverless' }, mount: '/deployment/mock' });
  const events = await eventsOf(await jobs.watch(await submitted(jobs)));
  const told = events
    .filter(({ event }) => event === 'status')
    .map(({ data }) => JSON.parse(data) as JobBody);
  expect(told.length).toBeGreaterThan(2);
  for (const job of told) {
    expect([isJob?.(job), isJob?.errors]).toStrictEqual([true, null]);
    expect(job).not.toHaveProperty('logs');
  }
});

test('jobs.read.authoritative: the last event and the read agree', async () => {
  const jobs = await jobsMock({ auto: true });
  const id = await submitted(jobs);
  const last = (await eventsOf(await jobs.watch(id))).at(-1);
  expect(JSON.parse(last?.data ?? '')).toStrictEqual((await jobs.read(id)).body);
});

test('jobs.sse.progress-complete: each progress event has every member, about two come in a second', async () => {
  const jobs = await jobsMock({ auto: true });
  const events = await eventsOf(await jobs.watch(await submitted(jobs)));
  const progress = events
    .filter(({ event }) => event === 'progress')
    .map(({ data }) => JSON.parse(data) as { value: number });
  const members = [
    'value',
    'nodes_done',
    'nodes_total',
    'current_node',
    'current_node_class',
    'step',
    'steps',
    'message',
  ];
  for (const snapshot of progress) expect(Object.keys(snapshot)).toStrictEqual(members);
  expect(progress.map(({ value }) => value)).toStrictEqual(
    progress.map(({ value }) => value).sort((a, b) => a - b),
  );
  expect(progress).toHaveLength(10);
});

test('jobs.sse.snapshot-*: a new connection gets status, progress and preview at once', async () => {
  const jobs = await jobsMock();
  const id = await submitted(jobs);
  await jobs.clock.advance(1_400);
  const reader = readerOf(await jobs.watch(id));
  const frames = [await reader.next(), await reader.next(), await reader.next()];
  const events = parseEvents(frames.join(''));
  expect(events.map(({ event }) => event)).toStrictEqual(['status', 'progress', 'preview']);
  expect(JSON.parse(events[0]?.data ?? '')).toStrictEqual((await jobs.read(id)).body);
  expect(JSON.parse(events[1]?.data ?? '')).toStrictEqual((await jobs.read(id)).job.progress);
  expect(JSON.parse(events[2]?.data ?? '')).toMatchObject({ node_id: '1', content_type: 'image/jpeg' });
  await reader.cancel();
});

test('a job in the queue has a status to tell, and no progress or preview', async () => {
  const jobs = await jobsMock();
  const reader = readerOf(await jobs.watch(await submitted(jobs)));
  const first = await reader.next();
  await jobs.clock.advance(300);
  const second = await reader.next();
  expect(statusesIn(parseEvents(`${String(first)}${String(second)}`))).toStrictEqual(['queued', 'running']);
  await reader.cancel();
});

test('jobs.sse.connect-terminal: a stream of an ended job has the last status and ends', async () => {
  const jobs = await jobsMock();
  const id = await submitted(jobs);
  await jobs.clock.advance(60_000);
  for (let time = 0; time < 2; time += 1) {
    const events = await eventsOf(await jobs.watch(id));
    expect(events.map(({ event }) => event)).toStrictEqual(['status']);
    expect(statusesIn(events)).toStrictEqual(['succeeded']);
  }
});

test('jobs.sse.no-id, jobs.sse.no-resume: events have no ids, and Last-Event-ID has no effect', async () => {
  const jobs = await jobsMock();
  const id = await submitted(jobs);
  await jobs.clock.advance(1_400);
  const texts = [];
  for (const headers of [{}, { 'Last-Event-ID': '1' }, { 'Last-Event-ID': 'an old one' }]) {
    const reader = readerOf(await jobs.watch(id, { headers }));
    texts.push(`${String(await reader.next())}${String(await reader.next())}${String(await reader.next())}`);
    await reader.cancel();
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).not.toMatch(/^(id|retry):/m);
});

test('jobs.state.canceled-via-canceling: the stream reports each step of a cancellation', async () => {
  const jobs = await jobsMock();
  const id = await submitted(jobs);
  await jobs.clock.advance(400);
  const whole = jobs.watch(id).then(eventsOf);
  await jobs.clock.advance(300);
  await jobs.cancel(id);
  await jobs.clock.advance(300);
  expect(statusesIn(await whole)).toStrictEqual(['running', 'canceling', 'canceled']);
});

test('A-70: an idle stream sends a keep-alive every ten seconds', async () => {
  const jobs = await jobsMock({ jobs: { queueMs: 60_000 } });
  const reader = readerOf(await jobs.watch(await submitted(jobs)));
  await reader.next();
  for (let time = 0; time < 3; time += 1) {
    const next = reader.next();
    await jobs.clock.advance(9_999);
    await jobs.clock.advance(1);
    expect(await next).toMatch(/^: .*\n\n$/);
  }
  await reader.cancel();
});

test('a slow reader gets each status, and only the latest of everything else', async () => {
  const jobs = await jobsMock();
  const id = await submitted(jobs);
  const reader = readerOf(await jobs.watch(id));
  await reader.next();
  await jobs.clock.advance(60_000);
  let text = '';
  for (let next = await reader.next(); next !== undefined; next = await reader.next()) text += next;
  const events = parseEvents(text);
  expect(statusesIn(events)).toStrictEqual(['running', 'succeeded']);
  // One that was asked for before the pause, and the latest.
  expect(events.filter(({ event }) => event === 'progress').length).toBeLessThanOrEqual(2);
  expect(events.filter(({ event }) => event === 'preview').length).toBeLessThanOrEqual(2);
  expect(events.at(-1)?.event).toBe('status');
});

test('a stream whose reader pauses does not move the clock', async () => {
  const jobs = await jobsMock({ auto: true });
  const before = jobs.clock.now();
  const reader = readerOf(await jobs.watch(await submitted(jobs)));
  await reader.next();
  await until('nobody waits for the clock', () => jobs.clock.nextWake() === undefined);
  // A web stream asks for one frame in advance.
  expect(jobs.clock.now() - before).toBeLessThanOrEqual(300);
  await reader.cancel();
});

test('a disconnected reader leaves no timer and no open stream', async () => {
  const jobs = await jobsMock({ jobs: { streamLimit: 1 } });
  const id = await submitted(jobs);
  const reader = readerOf(await jobs.watch(id));
  await reader.next();
  const pending = reader.next();
  await until('the stream waits', () => jobs.clock.nextWake() !== undefined);
  expect((await jobs.watch(id)).status, 'A-63').toBe(429);
  await reader.cancel();
  expect(await pending).toBeUndefined();
  expect(jobs.clock.nextWake()).toBeUndefined();
  const again = await jobs.watch(id);
  expect(again.status).toBe(200);
  await again.body?.cancel();
});

test('a reset cuts the streams of the removed jobs', async () => {
  const jobs = await jobsMock();
  const reader = readerOf(await jobs.watch(await submitted(jobs)));
  await reader.next();
  const pending = reader.next();
  await until('the stream waits', () => jobs.clock.nextWake() !== undefined);
  jobs.mock.reset();
  await expect(pending).rejects.toThrow('the mock was reset');
});

test('A-69: outputs are events of their own where the user wants them', async () => {
  const names = { status: 'state', progress: 'step', preview: 'look', output: 'made' };
  const jobs = await jobsMock({ auto: true, assumptions: { 'A-69': names } });
  const events = await eventsOf(await jobs.watch(await submitted(jobs)));
  expect(new Set(events.map(({ event }) => event))).toStrictEqual(new Set(Object.values(names)));
  const made = events.filter(({ event }) => event === 'made').map(({ data }) => JSON.parse(data) as object);
  expect(made).toStrictEqual([
    expect.objectContaining({ node_id: '3', type: 'text', url_expires_at: expect.any(String) }),
  ]);
  expect(jobs.mock.fixtures()).toMatchObject({
    sse: { eventNames: { status: 'state', progress: 'step', preview: 'look' } },
  });
});

test.each([
  ['no-stream', 501, 'not_implemented'],
  ['too-many-streams', 429, 'too_many_streams'],
])('the scenario %s refuses to stream, and lets the job be read', async (name, status, code) => {
  const jobs = await jobsMock();
  const as = `service-mock-${name}`;
  const id = await submitted(jobs, short, { as });
  const response = await jobs.watch(id, { as });
  expect([response.status, await response.json()]).toMatchObject([status, { error: { code } }]);
  expect((await jobs.read(id, { as })).status).toBe(200);
});

test('the scenario stream-drops cuts a stream, and the next one continues from the state of the job', async () => {
  const jobs = await jobsMock({ auto: true });
  const id = await submitted(jobs);
  const dropped = await jobs.watch(id, { prefer: 'scenario=stream-drops;times=1' });
  await expect(dropped.text()).rejects.toThrow('the stream is cut here');
  const events = await eventsOf(await jobs.watch(id, { prefer: 'scenario=stream-drops;times=1' }));
  expect(statusesIn(events).at(-1)).toBe('succeeded');
});
