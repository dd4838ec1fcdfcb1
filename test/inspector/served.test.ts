import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/index.ts';
import { root } from '../cli/command.ts';

const folder = join(root, 'dist/inspector');
const assets = readdirSync(join(folder, 'assets'));

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ apis: ['router'] });
});
afterAll(() => mock.stop());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A target as it stands, which `fetch` would normalise. */
function get(target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { hostname, port } = new URL(mock.controlUrl ?? '');
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path: target, method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      });
    });
    sent.on('error', reject).end();
  });
}

test.each(['/', ...assets.map((name) => `/assets/${name}`), '/control/v1/state'])(
  '%s is bound to its own files, framed by nobody and tells nobody where one came from',
  async (target) => {
    const { status, headers } = await get(target);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain(
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  },
);

test.each([
  '/assets/../../package.json',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/../package.json',
  '/assets/',
  '/package.json',
])('%s leads to no file', async (target) => {
  const { status, body } = await get(target);
  expect(status).toBe(404);
  expect(body).not.toContain('"name"');
});

test('what is no path is answered too', async () => {
  expect((await get('//')).status).toBe(400);
  expect((await get('/')).status).toBe(200);
});

test(
  'the page is not served under the names of others, nor to pages of others',
  { tags: 'attack' },
  async () => {
    expect((await get('/', { Host: 'evil.example' })).status).toBe(403);
    expect((await get('/', { Origin: 'http://evil.example' })).status).toBe(403);
    expect((await get('/', {}, 'POST')).status).toBe(404);
  },
);

test(
  'beyond this machine the page itself is open, and what it reads wants the token',
  { tags: 'attack' },
  async () => {
    const open = await startMock({ apis: ['router'], host: '0.0.0.0' });
    try {
      const { port, search } = new URL(open.controlUrl ?? '');
      const local = `http://127.0.0.1:${port}`;
      expect((await fetch(`${local}/`)).status).toBe(200);
      expect((await fetch(`${local}/control/v1/stream`)).status).toBe(401);
      const stream = await fetch(`${local}/control/v1/stream${search}`);
      expect(stream.status).toBe(200);
      await stream.body?.cancel();
    } finally {
      await open.stop();
    }
  },
);

test('scripts and styles stay below 40 kB', () => {
  const bytes = assets.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length,
    0,
  );
  expect(bytes).toBeLessThan(40_000);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});
