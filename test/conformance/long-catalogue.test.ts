import { expect, test } from 'vitest';
import type { Report, Transport, WireRequest, WireResponse } from '../../conformance/index.ts';
import { judgeMock } from '../kill-matrix/matrix.ts';

/** More than a page can have, of several providers. */
const IDS = Array.from({ length: 130 }, (_, index) => `${'abc'[index % 3] ?? ''}/model-${index}`);
const LAST = IDS.at(-1) ?? '';

interface Faults {
  /** The detail of a listed model. */
  readonly detail?: (id: string) => { readonly status: number; readonly body: object } | undefined;
  /** What is listed, by the size of the page, and whether pages of 100 have led to the end before. */
  readonly listed?: (limit: number, isWalked: boolean) => readonly string[];
}

/** A conforming router with a long catalogue, except for its faults. */
function longCatalogue({ detail, listed = () => IDS }: Faults): (inner: Transport) => Transport {
  let isWalked = false;
  return (inner) => async (request) => {
    const { pathname, searchParams } = new URL(request.target, 'http://router.example');
    if (request.method !== 'GET' || !hasCredential(request)) return inner(request);
    if (pathname === '/v1/models') {
      const cursor = searchParams.get('cursor');
      const wanted = Number(searchParams.get('limit') ?? 20);
      if ((cursor !== null && !/^at-\d+$/.test(cursor)) || !Number.isInteger(wanted)) return inner(request);
      const limit = wanted <= 0 ? 20 : Math.min(100, wanted);
      const all = listed(limit, isWalked);
      const start = Number(cursor?.slice(3) ?? 0);
      const more = start + limit < all.length;
      isWalked ||= limit === 100 && !more;
      const data = all.slice(start, start + limit).map((id) => entry(id));
      return answer(200, {
        ...{ data, has_more: more, limit },
        ...(more ? { next_cursor: `at-${start + limit}` } : {}),
      });
    }
    const id = pathname.slice('/v1/models/'.length);
    if (!IDS.includes(id)) return inner(request);
    const { status, body } = detail?.(id) ?? {
      status: 200,
      body: { ...entry(id), billing: { charges_on_policy_rejection: 'no' } },
    };
    return answer(status, body);
  };
}

function entry(id: string): object {
  const [provider, model] = id.split('/');
  return { id, provider, model };
}

function hasCredential({ headers }: WireRequest): boolean {
  return headers.some(([name]) => ['authorization', 'x-api-key'].includes(name.toLowerCase()));
}

function answer(status: number, body: object): WireResponse {
  const bucket = status === 404 ? [['X-Service-Error-Type', 'model_not_found'] as const] : [];
  return {
    status,
    headers: [['Content-Type', 'application/json'], ['X-Service-Request-Id', 'r-1'], ...bucket],
    body: oneChunk(JSON.stringify(body)),
  };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const unknown = { status: 404, body: { error_type: 'model_not_found', detail: 'No such model.' } };

async function verdictOf(
  rule: string,
  faults: Faults,
): Promise<Report['rules'][number]['verdict'] | undefined> {
  const fixtures = (own: Record<string, unknown>): Record<string, unknown> => ({ ...own, model: {} });
  const setting = { apis: ['router'], fixtures, line: longCatalogue(faults) } as const;
  return (await judgeMock(setting, [], [rule])).rules.find(({ id }) => id === rule)?.verdict;
}

test.each([
  ['a model of the first page', IDS[0]],
  ['the last model of the last page', LAST],
])('router.list.ids-readable: fails for %s that cannot be read', async (_, bad) => {
  const faults: Faults = { detail: (id) => (id === bad ? unknown : undefined) };
  expect(await verdictOf('router.list.ids-readable', faults)).toBe('fail');
});

test('router.list.ids-readable: passes if the last model is no longer listed', async () => {
  const faults: Faults = {
    detail: (id) => (id === LAST ? unknown : undefined),
    listed: (_, isWalked) => (isWalked ? IDS.slice(0, -1) : IDS),
  };
  expect(await verdictOf('router.list.ids-readable', faults)).toBe('pass');
});

test('router.detail.schema-url-https: fails for one of three providers', async () => {
  const faults: Faults = {
    detail: (id) =>
      id.startsWith('b/')
        ? {
            status: 200,
            body: {
              ...entry(id),
              ...{ billing: { charges_on_policy_rejection: 'no' }, input_schema_url: 'http://x.example/' },
            },
          }
        : undefined,
  };
  expect(await verdictOf('router.detail.schema-url-https', faults)).toBe('fail');
});

test.each([
  ['not-exercised', 'is removed during the walks', (_, isWalked) => isWalked],
  ['warn', 'pages of another size always lack', (limit) => limit < 100],
] satisfies readonly [string, string, (limit: number, isWalked: boolean) => boolean][])(
  'router.list.walk-sizes-agree: is %s for a model that %s',
  async (verdict, _, lacks) => {
    const listed: Faults['listed'] = (limit, isWalked) => (lacks(limit, isWalked) ? IDS.slice(0, -1) : IDS);
    expect(await verdictOf('router.list.walk-sizes-agree', { listed })).toBe(verdict);
  },
);
