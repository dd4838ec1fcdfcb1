// @module-tag long
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { permissions, readFixtures, runConformance, socketTransport } from '../../conformance/index.ts';
import type { Report, Transport, WireRequest, WireResponse } from '../../conformance/index.ts';
import { packageRoot } from '../../contract/index.ts';
import { startSecondServer } from '../fixtures/second-server/index.ts';
import type { SecondServer } from '../fixtures/second-server/index.ts';
import { leapingClock } from './leaping-clock.ts';
import { allContracts } from './servers.ts';

/** Changes one thing of what a conforming server answers. */
type Rewrite = (request: WireRequest, response: WireResponse) => WireResponse | Promise<WireResponse>;

const running: SecondServer[] = [];
afterAll(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

/** What the suite says of a conforming server whose answers are rewritten on their way. */
async function judged(rules: readonly string[], rewrite: Rewrite): Promise<Report> {
  const clock = leapingClock();
  const server = await startSecondServer({ deadlineMs: 600, now: () => clock.now() });
  running.push(server);
  const read = readFixtures(JSON.stringify(server.fixtures), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  const inner = socketTransport(new URL(server.url));
  const transport: Transport = async (request) => rewrite(request, await inner(request));
  try {
    return await runConformance({
      ...{ contracts: await allContracts(), baseUrl: server.url, fixtures: read.fixtures },
      ...{ allow: permissions, clock, seed: 1, rules, transport },
    });
  } finally {
    inner.close?.();
  }
}

const verdictsOf = (report: Report): Record<string, string> =>
  Object.fromEntries(report.rules.map(({ id, verdict }) => [id, verdict]));

/** A body with its text changed, as it arrives: streams stay streams. */
function withText(response: WireResponse, change: (text: string) => string): WireResponse {
  return {
    ...response,
    headers: response.headers.filter(([name]) => name.toLowerCase() !== 'content-length'),
    body: (async function* () {
      for await (const chunk of response.body) yield Buffer.from(change(Buffer.from(chunk).toString()));
    })(),
  };
}

const isRead = ({ method, target }: WireRequest): boolean =>
  method === 'GET' && /\/api\/v2\/jobs\/[^/]+$/.test(target);
const isCancel = ({ target }: WireRequest): boolean => target.endsWith('/cancel');

test('a read may lag behind the stream by a moment, and no longer', async () => {
  const lagging = (reads: number): Rewrite => {
    const left = new Map<string, number>();
    return (request, response) =>
      isRead(request)
        ? withText(response, (text) => {
            const rest = left.get(request.target) ?? reads;
            if (rest === 0 || !text.includes('"succeeded"')) return text;
            left.set(request.target, rest - 1);
            return text.replace('"succeeded"', '"running"');
          })
        : response;
  };
  const rules = ['jobs.read.authoritative'];
  expect(verdictsOf(await judged(rules, lagging(2)))).toStrictEqual({ 'jobs.read.authoritative': 'pass' });
  expect(verdictsOf(await judged(rules, lagging(6)))).toStrictEqual({ 'jobs.read.authoritative': 'fail' });
});

test('the snapshot of a job that has ended may have any order', async () => {
  const report = await judged(['jobs.sse.*'], (request, response) =>
    request.target.endsWith('/events') ? { ...response, body: statusFirst(response.body) } : response,
  );
  const broken = report.rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  expect(broken.map(({ id }) => id)).toStrictEqual([]);
  expect(verdictsOf(report)).toMatchObject({
    'jobs.sse.nothing-after-terminal': 'pass',
    'jobs.sse.connect-terminal': 'pass',
  });
});

/** The same frames; those before the first status follow it. */
async function* statusFirst(body: WireResponse['body']): AsyncGenerator<Uint8Array> {
  let waiting = '';
  let isOpen = false;
  for await (const chunk of body) {
    if (isOpen) {
      yield chunk;
      continue;
    }
    waiting += Buffer.from(chunk).toString();
    const frames = waiting.split(/(?<=\r\n\r\n)/);
    const first = frames.findIndex((frame) => /^event:job\r\n.*\r\n\r\n$/s.test(frame));
    if (first < 0) continue;
    isOpen = true;
    yield Buffer.from([frames[first], ...frames.toSpliced(first, 1)].join(''));
  }
  if (!isOpen) yield Buffer.from(waiting);
}

test('a cancellation may fail: what leads to failed is open', async () => {
  const rules = [
    'jobs.state.legal-path',
    'jobs.cancel.eventually-canceled',
    'jobs.state.canceled-via-canceling',
  ];
  const report = await judged(rules, (request, response) =>
    isCancel(request) ? response : withText(response, (text) => text.replaceAll('"canceled"', '"failed"')),
  );
  expect(
    Object.values(verdictsOf(report)).filter((verdict) => ['fail', 'warn', 'error'].includes(verdict)),
  ).toStrictEqual([]);
});

test('canceling that only the answer to the cancellation shows has been seen', async () => {
  const rules = ['jobs.state.canceled-via-canceling'];
  const report = await judged(rules, (request, response) =>
    isCancel(request) ? response : withText(response, (text) => text.replaceAll('"canceling"', '"running"')),
  );
  expect(verdictsOf(report)).toStrictEqual({ 'jobs.state.canceled-via-canceling': 'pass' });
});

test('a Location on a 200 is not an address to poll', async () => {
  const report = await judged(['router.run.no-202'], (_, response) =>
    response.status === 200
      ? { ...response, headers: [...response.headers, ['Location', '/elsewhere']] }
      : response,
  );
  expect(verdictsOf(report)).toStrictEqual({ 'router.run.no-202': 'pass' });
});

test('a 304 may mark its tag as weak, and may not have another tag', async () => {
  const tagged =
    (change: (tag: string) => string): Rewrite =>
    (_, response) =>
      response.status === 304
        ? {
            ...response,
            headers: response.headers.map(([name, value]) =>
              name.toLowerCase() === 'etag' ? [name, change(value)] : [name, value],
            ),
          }
        : response;
  const rules = ['router.schema.304-headers'];
  const weak = await judged(
    rules,
    tagged((tag) => `W/${tag.replace(/^W\//, '')}`),
  );
  expect(verdictsOf(weak)).toStrictEqual({ 'router.schema.304-headers': 'pass' });
  const other = await judged(
    rules,
    tagged(() => '"other"'),
  );
  expect(verdictsOf(other)).toStrictEqual({ 'router.schema.304-headers': 'fail' });
});

test('an empty ctx is an object, and null is not', async () => {
  const withContext =
    (ctx: object | null): Rewrite =>
    (_, response) =>
      response.status === 422
        ? withText(response, (text) => {
            const body = JSON.parse(text) as { detail?: unknown };
            // The router's own refusals have a text.
            if (!Array.isArray(body.detail)) return text;
            const detail = body.detail.map((entry: object) => ({ ...entry, ctx }));
            return JSON.stringify({ ...body, detail });
          })
        : response;
  const rules = ['router.run.422-ctx-absent'];
  expect(verdictsOf(await judged(rules, withContext({})))).toStrictEqual({
    'router.run.422-ctx-absent': 'pass',
  });
  expect(verdictsOf(await judged(rules, withContext(null)))).toStrictEqual({
    'router.run.422-ctx-absent': 'fail',
  });
});

test('what stands before the partner route refuses a credential with a body of its own', async () => {
  const report = await judged(['proxy.errors.shape'], (request, response) =>
    request.target.startsWith('/proxy/') && response.status === 401
      ? withText(response, () => '{"message":"Who are you?"}')
      : response,
  );
  expect(Object.values(verdictsOf(report))).not.toContain('fail');
});

test('a member that the contract does not name is not judged, with any name', async () => {
  const report = await judged(['registry.*'], (_, response) =>
    response.status === 201
      ? withText(response, (text) => text.replaceAll('"downloadUrl"', '"download_url"'))
      : response,
  );
  const broken = report.rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  expect(broken.map(({ id }) => id)).toStrictEqual([]);
});

test('each reading of the page names a test of this file, and each test of this file is named there', () => {
  const page = readFileSync(join(packageRoot(), 'docs/readings.md'), 'utf8');
  const named = [...page.matchAll(/^Test: _(.+)_$/gm)].map(([, title]) => title);
  const titles = [...readFileSync(import.meta.filename, 'utf8').matchAll(/^test\('(.+?)', async/gm)].map(
    ([, title]) => title,
  );
  expect(named).toStrictEqual(titles);
});
