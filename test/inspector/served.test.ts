import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/index.ts';
import { root } from '../cli/command.ts';
import { launch } from '../e2e/browser.ts';
import { newContext, openPage, type OpenPage } from './open-page.ts';
import { run } from './traffic.ts';

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

/** An unchanged target, which `fetch` would normalise. */
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
  '%s loads only its own files, cannot be framed and sends no referrer',
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

test('a target that is not a path is answered', async () => {
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

test('scripts and styles stay below 60 kB', () => {
  const bytes = assets.reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(folder, 'assets', name))).length,
    0,
  );
  expect(bytes).toBeLessThan(60_000);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toMatch(/https?:\/\/(?!www\.w3\.org)/);
});

describe('beyond this machine, in a browser', { tags: 'browser' }, () => {
  let chromium: Browser;
  let open: RunningMock;
  beforeAll(async () => {
    chromium = await launch();
    open = await startMock({ apis: ['router'], host: '0.0.0.0' });
    await run({ url: open.url.replace('0.0.0.0', '127.0.0.1') }, 'mock/ok');
  });
  afterAll(async () => {
    await chromium.close();
    await open.stop();
  });

  /** A page in a tab of its own, at the printed address with a change. */
  const opened = async (change: (address: URL) => void): Promise<OpenPage> => {
    const address = new URL(open.controlUrl ?? '');
    address.hostname = '127.0.0.1';
    address.hash = '#/journal/1';
    change(address);
    const context = await newContext(chromium, 'light');
    onTestFinished(() => context.close());
    return openPage(context, address.href);
  };

  test('the token leaves the address bar, the page works also after a reload, and copied links hold no token', async () => {
    const { page, faults } = await opened(() => undefined);
    const shown = page.getByRole('heading', { name: '200 POST /v1/models/mock/ok' });
    await shown.waitFor();
    const { port } = new URL(open.controlUrl ?? '');
    const address = `http://127.0.0.1:${port}/#/journal/1`;
    expect(page.url()).toBe(address);
    await page.reload();
    await shown.waitFor();
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: 'link', exact: true }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(address);
    expect(faults).toStrictEqual([]);
  });

  test('a link without the token says where the token is', async () => {
    const { page } = await opened((address) => {
      address.search = '';
    });
    await page
      .getByText('This mock requires a token. Open the address that it printed at its start.')
      .waitFor();
  });

  test('a new token replaces an outdated one', async () => {
    const { page } = await opened((address) => {
      address.searchParams.set('token', 'of-an-earlier-mock');
    });
    await page.getByText('This mock requires a token.').waitFor();
    await page.goto(`${String(open.controlUrl).replace('0.0.0.0', '127.0.0.1')}#/journal/1`);
    await page.getByRole('heading', { name: '200 POST /v1/models/mock/ok' }).waitFor();
    expect(page.url()).not.toContain('token');
  });
});
