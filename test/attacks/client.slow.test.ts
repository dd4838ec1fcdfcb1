// @module-tag long
// @module-tag attack
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createRouter } from '../../generated/router/client.ts';
import { createJobs } from '../../generated/jobs/client.ts';
import type { Clock } from '../../generated/runtime/clock.ts';

/** Generated clients against servers that would like to have their keys, their time or their memory. */
const SECRET = 'service-very-secret';
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listening(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    handler(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** A server whose address no test gives away. It records every request with its headers. */
async function elsewhere(): Promise<{ readonly url: string; readonly visits: string[] }> {
  const visits: string[] = [];
  const url = await listening((request, response) => {
    visits.push(`${request.method ?? ''} ${request.url ?? ''} ${request.rawHeaders.join()}`);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  return { url, visits };
}

/** Pauses take no time and are written down; patience ends when the pauses have used it up. */
function pausing(): { readonly clock: Clock; readonly pauses: number[] } {
  const pauses: number[] = [];
  let now = Date.UTC(2026, 10, 22);
  const clock: Clock = {
    now: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        // A call without a signal pauses without one; a time limit always has one, to be ended with the attempt.
        if (signal !== undefined) {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          return;
        }
        pauses.push(milliseconds);
        now += milliseconds;
        resolve();
      }),
  };
  return { clock, pauses };
}

/** Twice the time limit of a run: how long a call lasts with all its attempts, by default. */
const TOTAL_MS = 2 * 630_000;

const run = { provider: 'mock', model: 'ok', body: { prompt: 'x' } };

test.each([
  '0',
  '-1',
  '+5',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  'Infinity',
  '9'.repeat(20),
  '9'.repeat(400),
  '5, 5',
  '5; drop',
  '',
  '1\u00b2',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 31 Dec 9999 23:59:59 GMT',
  'Sat, 99 Foo 2026 99:99:99 GMT',
  'Xyz, GMT',
  '2026-11-22',
])('an endless Retry-After: %s is not waited for', async (value) => {
  for (const status of [409, 429, 503, 504]) {
    let requests = 0;
    const baseUrl = await listening((_request, response) => {
      requests += 1;
      response.setHeader('Retry-After', value);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    });
    const { clock, pauses } = pausing();
    const client = createRouter({ baseUrl, clock, credentials: { ApiKeyAuth: SECRET } });
    await expect(client.runModel(run)).rejects.toMatchObject({ status });
    expect(pauses.every((pause) => Number.isFinite(pause) && pause >= 0)).toBe(true);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThanOrEqual(TOTAL_MS);
    expect(requests).toBe(pauses.length + 1);
    expect(requests).toBeLessThan(500);
  }
});

test.each([300, 301, 302, 303, 305, 307, 308])(
  'a redirect with %i never sends a call or a key to another host',
  async (status) => {
    const other = await elsewhere();
    const baseUrl = await listening((_request, response) => {
      const headers = {
        Location: `${other.url}/v1/models`,
        Refresh: `0;url=${other.url}`,
        Link: `<${other.url}>; rel=next`,
        'Content-Location': other.url,
      };
      response.writeHead(status, { ...headers, 'Alt-Svc': `h2="${other.url.slice(7)}"` }).end('{}');
    });
    const client = createRouter({ baseUrl, clock: pausing().clock, credentials: { ApiKeyAuth: SECRET } });
    await expect(client.runModel(run)).rejects.toMatchObject({ status });
    await expect(client.listModels()).rejects.toMatchObject({ status });
    await expect(client.listModels.items().next()).rejects.toMatchObject({ status });
    expect(other.visits).toStrictEqual([]);
  },
);

/** Addresses that a server puts into a job. The client does not know `OTHER`. */
const links = [
  'http://OTHER/api/v2/jobs/1',
  'http://OTHER:80@SELF/x',
  'http://SELF@OTHER/x',
  'http://SELF.OTHER/x',
  '//OTHER/x',
  '/\\OTHER/x',
  '\\\\OTHER\\x',
  'http:\\\\OTHER/x',
  'http:/OTHER/x',
  '/\t/OTHER/x',
  '\thttp://OTHER/x',
  'https://OTHER/x',
  'file:///etc/passwd',
  'data:application/json,{}',
  'javascript:fetch("http://OTHER")',
  'http://OTHER#@SELF/x',
  'http://OTHER?@SELF/x',
];

test.each(links)('a job that links to %s gets no key sent elsewhere', async (link) => {
  const other = await elsewhere();
  const seen: string[] = [];
  let own = '';
  const baseUrl = await listening((request, response) => {
    seen.push(request.url ?? '');
    const to = link.replaceAll('OTHER', other.url.slice(7)).replaceAll('SELF', own);
    const job = { id: '../../admin?x=1#y', status: 'queued', urls: { self: to, cancel: to, events: to } };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(job));
  });
  own = baseUrl.slice(7);
  const client = createJobs({
    baseUrl,
    clock: pausing().clock,
    retries: 0,
    credentials: { BearerAuth: SECRET },
    headers: { 'X-Session': SECRET },
  });
  const answer = await client.getJob({ id: '1' });
  await client.getJob.of(answer).catch(() => undefined);
  await client.cancelJob.of(answer).catch(() => undefined);
  await client.streamJobEvents.of(answer).then(
    ({ data }) => data?.cancel(),
    () => undefined,
  );
  expect(other.visits.join('\n')).not.toMatch(/secret|authorization|x-session/i);
  // What is not a link leads to the address of the operation, of which an id is one segment.
  const built = seen.filter((path) => path.includes('admin'));
  expect(built.every((path) => path.startsWith('/api/v2/jobs/..%2F..%2Fadmin%3Fx%3D1%23y'))).toBe(true);
});

test.each([
  '.',
  '..',
  '',
  '%2e%2e',
  '../x',
  'x/../../y',
  'x?a=b',
  'x#y',
  'x\\..\\y',
  '\0',
  '\r\nX-Evil: 1',
  '\ud800',
  '@evil.example',
  '//evil.example',
])('an id such as %j stays one segment of the path, or nothing is sent', async (id) => {
  const seen: string[] = [];
  const baseUrl = await listening((request, response) => {
    seen.push(`${request.headers.host ?? ''} ${request.url ?? ''}`);
    expect(request.headers['x-evil']).toBeUndefined();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await createJobs({ baseUrl, credentials: { BearerAuth: SECRET } })
    .getJob({ id })
    .catch(() => undefined);
  for (const request of seen)
    expect(request).toMatch(new RegExp(`^${baseUrl.slice(7)} /api/v2/jobs/[^/?#\\\\]+$`));
  expect(seen.length).toBe(['.', '..', '', '\ud800'].includes(id) ? 0 : 1);
});

test.each(['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'a\0b', '\u010d\u010aX-Evil: 1'])(
  'a key such as %j cannot add a header line, and is not shown in the error',
  async (key) => {
    const seen: string[] = [];
    const baseUrl = await listening((request, response) => {
      seen.push(...request.rawHeaders);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
    const client = createRouter({
      baseUrl,
      clock: pausing().clock,
      credentials: { ApiKeyAuth: `${SECRET}${key}` },
    });
    const error: unknown = await client.listModels().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(seen).toStrictEqual([]);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain(SECRET);
  },
);
