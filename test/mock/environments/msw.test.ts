import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createMock, virtualClock, type Mock } from '../../../mock/index.ts';
import { mockHandlers } from '../../../mock/msw.ts';
import { authorized, form, graph, json, ownDocument, publication, versions } from './sent.ts';

/** Code under test that calls its own address, in every environment that this file runs in. */
const clock = virtualClock();
let mock: Mock;
const server = setupServer();

beforeAll(async () => {
  mock = createMock({
    apis: ['router', 'registry', 'jobs'],
    contracts: [await ownDocument()],
    clock,
  });
  await mock.ready();
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => {
  mock.reset();
  server.resetHandlers();
});
afterAll(() => {
  server.close();
  mock.close();
});

const bases = [
  ['https://api.example.com', 'https://api.example.com'],
  ['https://gw.example.com/base/', 'https://gw.example.com/base'],
  ['https://*.example.com/:tenant/v7', 'https://eu.example.com/acme/v7'],
  ['*/base', 'http://gw.example.com:8080/base'],
  ['*', 'https://anywhere.example.com'],
] as const;

test.each(bases)('%s: the router answers, and its links lead back', async (handled, base) => {
  server.use(...mockHandlers(mock, handled));
  const list = await fetch(`${base}/v1/models?limit=1`, { headers: authorized });
  expect(await list.json()).toHaveProperty('has_more');
  const detail = await fetch(`${base}/v1/models/mock/ok`, { headers: authorized });
  const { input_schema_url: schema } = (await detail.json()) as { input_schema_url: string };
  expect(schema).toBe(`${base.replace('http:', 'https:')}/v1/models/mock/ok/openapi.json`);
});

test.each(bases)('%s: an archive goes to the signed address', async (handled, base) => {
  server.use(...mockHandlers(mock, handled));
  const published = await fetch(base + versions, publication);
  const { signedUrl } = (await published.json()) as { signedUrl: string };
  expect(signedUrl).toContain(`${base}/uploads/`);
  const stored = await fetch(signedUrl, { method: 'PUT', body: new Blob(['an archive']) });
  expect(await stored.json()).toMatchObject({ size: 10 });
});

test.each(bases)('%s: the links of a job lead to it, resolved against the origin', async (handled, base) => {
  server.use(...mockHandlers(mock, handled));
  const body = JSON.stringify(graph);
  const submitted = await fetch(`${base}/api/v2/jobs`, { method: 'POST', headers: json, body });
  expect(submitted.headers.get('Content-Type')).toBe('application/json');
  const { urls } = (await submitted.json()) as { urls: Record<'events' | 'self', string> };
  const follow = (link: string): Promise<Response> => fetch(new URL(link, base), { headers: authorized });
  const events = await (await follow(urls.events)).text();
  expect(events.trimEnd().split('event: ').at(-1)).toContain('"succeeded"');
  expect((await follow(urls.self)).status).toBe(200);
});

test.each(bases)('%s: a form reaches a document of one’s own', async (handled, base) => {
  server.use(...mockHandlers(mock, handled));
  const added = await fetch(`${base}/pictures`, { method: 'POST', body: form() });
  expect([added.status, await added.json()]).toStrictEqual([201, { id: 'p-1' }]);
  expect(mock.journal.entries()[0]?.request.body).toMatch(/A lighthouse[^]*picture bytes/);
});

test('a base path that "*" makes of no certain length is refused', () => {
  expect(() => mockHandlers(mock, 'https://gw.example.com/*/v1')).toThrow(RangeError);
  const handlers = mockHandlers as (...given: unknown[]) => unknown;
  expect(() => handlers()).toThrow('the first argument must be a mock');
  expect(() => handlers(mock)).toThrow('the second argument must be the address');
});

interface SentRequest {
  readonly status: number;
  readonly responseText: string;
  onload: () => void;
  onerror: () => void;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(): void;
}
const platform = globalThis as { readonly XMLHttpRequest?: new () => SentRequest };

test.skipIf(platform.XMLHttpRequest === undefined)(
  'XMLHttpRequest gets status, headers and body',
  async () => {
    server.use(...mockHandlers(mock, 'https://gw.example.com/base'));
    const sent = new (platform.XMLHttpRequest as new () => SentRequest)();
    await new Promise<void>((resolve, reject) => {
      sent.onload = resolve;
      sent.onerror = () => {
        reject(new Error('the request failed'));
      };
      sent.open('GET', 'https://gw.example.com/base/v1/models?limit=1');
      sent.setRequestHeader('Authorization', authorized.Authorization);
      sent.send();
    });
    expect(sent.status).toBe(200);
    expect(sent.getResponseHeader('X-Service-Request-Id')).toMatch(/[\w-]{36}/);
    expect(JSON.parse(sent.responseText)).toHaveProperty('has_more');
  },
);

test('a connection that the mock cuts is a network failure', async () => {
  server.use(...mockHandlers(mock, 'https://api.example.com'));
  const headers = { ...authorized, Prefer: 'scenario=cut-before' };
  await expect(fetch('https://api.example.com/v1/models', { headers })).rejects.toThrow(/fetch/i);
});

test('a fault of the mock is reported with its message, not as a network failure', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    said.mockRestore();
  });
  const faulty = { fetchBelow: () => () => Promise.reject(new TypeError('chunks is not a function')) };
  server.use(...mockHandlers(faulty, 'https://api.example.com'));
  const answer = await fetch('https://api.example.com/v1/models');
  expect([answer.status, await answer.text()]).toStrictEqual([
    500,
    expect.stringContaining('chunks is not a function'),
  ]);
});

test('a call that its caller gives up rejects with the reason, and is not a fault', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => {
    said.mockRestore();
  });
  server.use(...mockHandlers(mock, 'https://api.example.com'));
  const release = clock.hold();
  const controller = new AbortController();
  const slow = fetch('https://api.example.com/v1/models', {
    headers: { ...authorized, Prefer: 'scenario=latency;ms=60000' },
    signal: controller.signal,
  });
  await expect.poll(() => mock.pending.calls().length).toBe(1);
  controller.abort();
  await expect(slow).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => mock.pending.calls().length).toBe(0);
  release();
  expect(said).not.toHaveBeenCalled();
});
