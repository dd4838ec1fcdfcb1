import { expect, test as plain } from 'vitest';
import { createMock } from '../../../mock/index.ts';
import { withMock } from '../../../mock/vitest.ts';
import { authorized, form, graph, json, ownDocument, publication, versions } from './sent.ts';

/**
 * What code under test meets of the mock without a socket. The projects `jsdom` and `happy-dom` run this file too: there
 * Request, Response, Blob, FormData, URL, AbortSignal and Uint8Array are other classes than those of Node.
 */
const test = withMock();

test('a path, a URL and a Request reach the mock', async ({ mock }) => {
  const answers = await Promise.all([
    mock.fetch('/v1/models?limit=1', { headers: authorized }),
    mock.fetch(new URL('/v1/models?limit=1', mock.url), { headers: authorized }),
    mock.fetch(new Request(`${mock.url}/v1/models?limit=1`, { headers: authorized })),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer).toBeInstanceOf(Response);
    expect(await answer.json()).toHaveProperty('has_more');
  }
});

test('a recorded answer is replayed', async ({ mock }) => {
  const run = (): Promise<Response> =>
    mock.fetch('/v1/models/mock/ok', {
      method: 'POST',
      headers: { ...json, 'Idempotency-Key': 'one' },
      body: '{"prompt":"x"}',
    });
  const first = await run();
  expect(first.status).toBe(200);
  const second = await run();
  expect(second.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await second.text()).toBe(await first.text());
});

test('an event stream is read to its end, and by chunks', async ({ mock }) => {
  const submitted = await mock.fetch('/api/v2/jobs', {
    method: 'POST',
    headers: json,
    body: JSON.stringify(graph),
  });
  const { id } = (await submitted.json()) as { id: string };
  const events = (): Promise<Response> => mock.fetch(`/api/v2/jobs/${id}/events`, { headers: authorized });
  expect((await (await events()).text()).trimEnd().split('event: ').at(-1)).toContain('"succeeded"');
  const reader = (await events()).body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toMatch(/^event: /m);
  await reader?.cancel();
});

test.for(['text', 'bytes', 'blob'] as const)('%s is uploaded to a signed address', async (kind, { mock }) => {
  const { signedUrl } = (await (await mock.fetch(versions, publication)).json()) as { signedUrl: string };
  const text = 'an archive';
  const bytes = new TextEncoder().encode(text);
  const body = { text, bytes, blob: new Blob([bytes], { type: 'application/gzip' }) }[kind];
  const answer = await mock.fetch(signedUrl, { method: 'PUT', body });
  expect(await answer.json()).toMatchObject({ size: text.length });
});

test('a connection that the mock cuts rejects as a lost one does', async ({ mock }) => {
  const lost = mock.fetch('/v1/models', { headers: { ...authorized, Prefer: 'scenario=cut-before' } });
  await expect(lost).rejects.toThrow(TypeError);
  await expect(lost).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
});

test('a call that its caller aborts rejects with the reason', async () => {
  const mock = createMock();
  const controller = new AbortController();
  const slow = mock.fetch('/v1/models', {
    headers: { ...authorized, Prefer: 'scenario=latency;ms=60000' },
    signal: controller.signal,
  });
  await expect.poll(() => mock.pending.calls().length).toBe(1);
  controller.abort();
  await expect(slow).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => mock.journal.entries().map(({ delivery }) => delivery)).toStrictEqual(['dropped']);
  mock.close();
});

plain('a form reaches a document of one’s own', async () => {
  const mock = createMock({ contracts: [await ownDocument()] });
  const answer = await mock.fetch('/pictures', { method: 'POST', body: form() });
  expect([answer.status, await answer.json()]).toStrictEqual([201, { id: 'p-1' }]);
  expect(mock.journal.entries()[0]?.request.body).toMatch(/A lighthouse[^]*picture bytes/);
  mock.close();
});

plain('an odd mock sends its answers in pieces', async () => {
  const mock = createMock({ profile: 'legal-but-odd' });
  const answer = await mock.fetch('/v1/models?limit=1', { headers: authorized });
  expect(await answer.json()).toHaveProperty('has_more');
  mock.close();
});
