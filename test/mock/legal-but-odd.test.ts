import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, virtualClock, type Mock } from '../../mock/index.ts';

let odd: Mock;
let faithful: Mock;

beforeAll(async () => {
  odd = createMock({ apis: ['router'], clock: virtualClock(), profile: 'legal-but-odd' });
  faithful = createMock({ apis: ['router'], clock: virtualClock() });
  await Promise.all([odd.ready(), faithful.ready()]);
});
afterAll(() => {
  odd.close();
  faithful.close();
});

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly has_more: boolean;
  readonly next_cursor?: string;
}

const ask = (
  mock: Mock,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'X-API-Key': 'service-mock-ok', ...headers },
      ...(method === 'POST' ? { body: '{"prompt":"a lighthouse"}' } : {}),
    }),
  );

async function walk(mock: Mock, limit: number): Promise<{ ids: string[]; lengths: number[] }> {
  const ids: string[] = [];
  const lengths: number[] = [];
  let cursor = '';
  for (;;) {
    const page = (await (
      await ask(mock, 'GET', `/v1/models?limit=${String(limit)}${cursor}`)
    ).json()) as Page;
    ids.push(...page.data.map(({ id }) => id));
    lengths.push(page.data.length);
    if (!page.has_more) return { ids, lengths };
    cursor = `&cursor=${page.next_cursor ?? ''}`;
  }
}

test('router.list.short-page-legal: pages are short and even empty before the end, and every model is on one', async () => {
  const { ids, lengths } = await walk(odd, 3);
  expect(lengths.slice(0, -1)).toContain(0);
  expect(ids).toStrictEqual((await walk(faithful, 3)).ids);
});

test.each([1, 7, 20, 100])(
  'router.list.walk-sizes-agree: a walk with limit %i finds the same models',
  async (limit) => {
    expect((await walk(faithful, limit)).ids).toStrictEqual((await walk(faithful, 100)).ids);
  },
);

test('router.detail.policy-charge-open: an unknown billing value', async () => {
  const detail = await (await ask(odd, 'GET', '/v1/models/acme/upscale_4x')).json();
  expect(detail).toMatchObject({ billing: { charges_on_policy_rejection: 'partial' } });
});

test('router.errors.body-shape: errors have unknown members and no text, because none is required', async () => {
  const error = (await (await ask(odd, 'GET', '/v1/models?cursor=')).json()) as Record<string, string>;
  expect(Object.keys(error)).toStrictEqual(['error_type', 'x_surprise']);
});

test('router.schema.inm-weak: tags are weak, and both forms of them match', async () => {
  const tag = (await ask(odd, 'GET', '/v1/models/mock/ok/openapi.json')).headers.get('ETag') ?? '';
  expect(tag).toMatch(/^W\/"/);
  for (const form of [tag, tag.replace('W/', '')]) {
    expect((await ask(odd, 'GET', '/v1/models/mock/ok/openapi.json', { 'If-None-Match': form })).status).toBe(
      304,
    );
  }
});

test('router.run.output-unchanged: the output of a model stays as it is, and replays as it was', async () => {
  const key = { 'Idempotency-Key': 'order-1', 'Content-Type': 'application/json' };
  const first = await (await ask(odd, 'POST', '/v1/models/mock/ok', key)).text();
  const again = await ask(odd, 'POST', '/v1/models/mock/ok', key);
  expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  expect(await again.text()).toBe(first);
  expect(first).not.toContain('x_surprise');
});

test('header names are in lower case, and bodies arrive in pieces', async () => {
  const { reply, settle } = await odd.handle({
    method: 'GET',
    target: '/v1/models',
    rawHeaders: ['X-API-Key', 'service-mock-ok'],
    body: new Uint8Array(),
  });
  expect(reply.headers.every(([name]) => name === name.toLowerCase())).toBe(true);
  const pieces: Uint8Array[] = [];
  if (!(reply.body instanceof Uint8Array)) for await (const piece of reply.body) pieces.push(piece);
  settle('delivered');
  expect(pieces.length).toBeGreaterThan(1);
  expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({ limit: 20 });
});

test('Prism finds nothing wrong with any of it', () => {
  const findings = odd.journal.entries().flatMap(({ responseFindings }) => responseFindings);
  expect(odd.journal.entries().length).toBeGreaterThan(20);
  expect(findings).toStrictEqual([]);
});
