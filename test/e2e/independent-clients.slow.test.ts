import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventSource } from 'eventsource';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, startMockCommand, type RunningCommand } from '../cli/command.ts';
import { launch } from './browser.ts';

/** Clients that know nothing of us, unmodified, against the mock as it ships. */
let mock: RunningCommand;
beforeAll(async () => {
  mock = await startMockCommand(['--quiet', '--surface', 'self-hosted']);
});
afterAll(() => mock.stop());

const text = { 1: { class_type: 'WriteText', inputs: { text: 'a' } } };
const sketch = { 1: { class_type: 'SketchPicture', inputs: { prompt: 'a hand' } } };

async function submit(
  graph: object,
  base = mock.url,
): Promise<{ readonly id: string; readonly events: string }> {
  const response = await fetch(`${base}/api/v2/jobs`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(graph),
  });
  const { id, urls } = (await response.json()) as { id: string; urls: { events: string } };
  // Host-relative: it counts from the origin.
  return { id, events: new URL(urls.events, base).href };
}

const statusOf = (data: string): string => (JSON.parse(data) as { status: string }).status;

test('jobs.sse.ends-after-terminal: npm’s eventsource hears the end, comes back by itself, and hears it again', async () => {
  const { events } = await submit(text);
  const source = new EventSource(events);
  let opened = 0;
  const statuses: string[] = [];
  await new Promise<void>((resolve) => {
    source.addEventListener('open', () => {
      opened += 1;
    });
    source.addEventListener('status', ({ data, lastEventId }) => {
      statuses.push(`${String(opened)} ${statusOf(String(data))}${lastEventId}`);
      // It connects again after every clean end; each time there is a terminal snapshot and an end.
      if (opened === 2) source.addEventListener('error', () => resolve(), { once: true });
    });
  });
  source.close();
  expect(statuses.filter((status) => status.startsWith('1')).at(-1)).toBe('1 succeeded');
  expect(statuses.filter((status) => status.startsWith('2'))).toStrictEqual(['2 succeeded']);
});

test('jobs.sse.*: eventsource-parser reads the raw stream: kinds, JSON, no ids, one end', async () => {
  // The job waits for the test: a slow machine may take long to connect.
  const frozen = await startMockCommand(['jobs', '--json', '--surface', 'self-hosted', '--clock', 'frozen']);
  const control = /"controlUrl":"([^"]+)"/.exec(frozen.said())?.[1] ?? '';
  const heard: EventSourceMessage[] = [];
  const oddities: unknown[] = [];
  const parser = createParser({
    onEvent: (event) => heard.push(event),
    onRetry: (ms) => oddities.push(ms),
    onError: (error) => oddities.push(error),
  });
  try {
    const wait = { 2: { class_type: 'Wait', inputs: { seconds: 4, after: ['1', 0] } }, ...sketch };
    const response = await fetch((await submit(wait, frozen.url)).events);
    await fetch(`${control}/control/v1/clock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"advance":"PT1M"}',
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  } finally {
    await frozen.stop();
  }
  expect(oddities).toStrictEqual([]);
  expect(heard.every(({ id }) => id === undefined)).toBe(true);
  expect(new Set(heard.map(({ event }) => event))).toStrictEqual(new Set(['status', 'progress', 'preview']));
  const statuses = heard.filter(({ event }) => event === 'status').map(({ data }) => statusOf(data));
  expect([...new Set(statuses)].slice(-2)).toStrictEqual(['running', 'succeeded']);
  expect(heard.at(-1)?.event).toBe('status');
});

test(
  'jobs.sse.snapshot-on-connect: curl -N prints the stream and ends with it',
  { tags: 'curl' },
  async () => {
    const { events } = await submit(text);
    const { code, stdout } = await run('curl', ['-N', '-sS', events]);
    expect(code).toBe(0);
    const frames = stdout.split('\n\n').filter((frame) => frame !== '');
    expect(frames[0]).toMatch(/^event: status\ndata: \{/);
    expect(frames.at(-1)).toMatch(/^event: status\ndata: \{.*"status":"succeeded"/);
    expect((await run('curl', ['-N', '-sS', '-i', events])).stdout).toMatch(
      /^content-type: text\/event-stream\r$/im,
    );
  },
);

/** Runs in the page: calls the mock from its origin, and tells what the page could read. */
const inThePage = `async (base) => {
  const json = { 'Content-Type': 'application/json' };
  const call = (path, key, init = {}) =>
    fetch(base + path, { ...init, headers: { 'X-API-Key': key, ...json, ...init.headers } });
  const run = (model, key, headers) =>
    call('/v1/models/' + model, key, { method: 'POST', body: '{"prompt":"x"}', headers });
  const seen = {};
  const read = (response, ...names) => names.forEach((name) => (seen[name] ??= response.headers.get(name)));
  read(await call('/v1/models/mock/no-such', 'service-mock-ok'), 'X-Service-Request-Id', 'X-Service-Error-Type');
  await run('mock/ok', 'service-mock-ok', { 'Idempotency-Key': 'page' });
  read(await run('mock/ok', 'service-mock-ok', { 'Idempotency-Key': 'page' }), 'Idempotent-Replayed');
  read(await run('mock/ok', 'service-mock-rate-limited'), 'Retry-After');
  read(await call('/v1/models/mock/ok/openapi.json', 'service-mock-ok'), 'ETag');
  read(await run('mock/credits-header', 'service-mock-ok'), 'X-Service-Credits-Used');
  const both = await Promise.all([run('mock/slow', 'service-mock-spend-100'), run('mock/slow', 'service-mock-spend-100')]);
  const names = ['Limit', 'Current', 'Remaining'].map((name) => 'X-Committed-Spend-' + name);
  read(both.find(({ status }) => status === 429), ...names);
  const headers = { Authorization: 'Bearer service-mock-ok', ...json };
  const submitted = await fetch(base + '/api/v2/jobs', { method: 'POST', headers, body: JSON.stringify(${JSON.stringify(text)}) });
  const stream = await fetch(new URL((await submitted.json()).urls.events, base), { headers });
  const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += piece.value;
  return { seen, statuses: [...text.matchAll(/"status":"([a-z]+)"/g)].map(([, status]) => status) };
}`;

test(
  'a page of another origin reads every documented header and follows a job by streaming fetch',
  { tags: 'browser' },
  async () => {
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>a page</title>');
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const chrome = await launch();
    try {
      const page = await chrome.newPage();
      await page.goto(originOf(site));
      const told = await page.evaluate(`(${inThePage})(${JSON.stringify(mock.url)})`);
      const { seen, statuses } = told as { seen: Record<string, string | null>; statuses: string[] };
      expect(Object.values(seen)).toHaveLength(9);
      expect(Object.entries(seen).filter(([, value]) => value === null)).toStrictEqual([]);
      expect(seen).toMatchObject({
        'Idempotent-Replayed': 'true',
        'X-Service-Error-Type': 'model_not_found',
      });
      expect(statuses.at(-1)).toBe('succeeded');
    } finally {
      await chrome.close();
      site.close();
    }
  },
);

function originOf(server: Server): string {
  return `http://localhost:${String((server.address() as AddressInfo).port)}/`;
}
