import { expect, test } from 'vitest';
import {
  eventsOf,
  jobsMock,
  parseEvents,
  statusesIn,
  workflow,
  writeText,
  type JobBody,
  type JobsMock,
} from './jobs-mock.ts';

const body = workflow({ class_type: 'SketchPicture', inputs: { prompt: 'a hand' } }, writeText());

/** Its answers come with pauses, so its clock moves by itself. */
const odd = (): Promise<JobsMock> => jobsMock({ profile: 'legal-but-odd', auto: true });

test('an odd job has no metrics, links of both forms, and unknown members', async () => {
  const jobs = await odd();
  const { job, headers } = await jobs.submit(body);
  expect(job).not.toHaveProperty('metrics');
  expect(job).toHaveProperty('x_region');
  expect(job.created_at).toMatch(/\+00:00$/);
  const forms = Object.values(job.urls).map((link) => (link.startsWith('/') ? 'host-relative' : 'absolute'));
  expect(new Set(forms)).toStrictEqual(new Set(['host-relative', 'absolute']));
  expect(headers.get('content-type')).toBe('application/json');
  await (await jobs.watch(job.id)).text();
  const done = (await jobs.read(job.id)).job;
  expect([done.progress, done.outputs[0]]).toMatchObject([{ x_later: {} }, { x_later: {}, job_id: job.id }]);
  expect(jobs.findings()).toStrictEqual([]);
});

test('an odd stream has comments, CRLF and several data lines, and means the same', async () => {
  const jobs = await odd();
  const { job } = await jobs.submit(body);
  const text = await (await jobs.watch(job.id)).text();
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(text).toMatch(/^: /);
  expect(text).toMatch(/^data: .*\r\ndata: /m);
  const events = parseEvents(text);
  expect(statusesIn(events)).toStrictEqual(['queued', 'running', 'succeeded']);
  const last = JSON.parse(events.at(-1)?.data ?? '') as JobBody;
  expect(last).toStrictEqual((await jobs.read(job.id)).body);
});

test('an odd stream is written in pieces that end inside of a frame', async () => {
  const jobs = await odd();
  const { job } = await jobs.submit(body);
  await jobs.clock.advance(60_000);
  const reader = ((await jobs.watch(job.id)).body as ReadableStream<Uint8Array>).getReader();
  const pieces: string[] = [];
  for (let next = await reader.read(); next.value !== undefined; next = await reader.read())
    pieces.push(Buffer.from(next.value).toString());
  expect(pieces.length).toBeGreaterThan(3);
  for (const piece of pieces.slice(0, -1)) expect(piece).not.toMatch(/\r\n\r\n$/);
  expect(pieces.at(-2)).toMatch(/\r$/);
});

test('odd errors keep their shape', async () => {
  const jobs = await odd();
  const answer = await jobs.submit({ nodes: [], links: [] });
  expect(answer.body).toMatchObject({ error: { code: 'workflow_format_ui', message: expect.any(String) } });
  expect(await eventsOf(await jobs.watch((await jobs.submit(body)).job.id))).not.toHaveLength(0);
});
