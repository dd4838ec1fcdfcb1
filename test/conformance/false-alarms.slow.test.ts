// @module-tag long
import { expect, test } from 'vitest';
import type { Report, Transport, WireResponse } from '../../conformance/index.ts';
import { judgeMock } from '../kill-matrix/matrix.ts';
import { jobsOn, type Setting } from '../kill-matrix/settings.ts';

type Body = Record<string, unknown>;

/** A conforming server that does one thing in its own way: its JSON answers are changed between it and the suite. */
function changed(
  change: (body: Body, answer: { status: number; target: string }) => Body,
): NonNullable<Setting['line']> {
  return (inner: Transport): Transport =>
    async (request) => {
      const response = await inner(request);
      const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
      if (type?.includes('json') !== true) return response;
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
      const text = JSON.stringify(change(body, { status: response.status, target: request.target }));
      const headers = response.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
      return { ...response, headers, body: oneChunk(text) } satisfies WireResponse;
    };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

function verdictOf(report: Report, rule: string): string | undefined {
  return report.rules.find(({ id }) => id === rule)?.verdict;
}

async function judged(setting: Setting, rule: string): Promise<string | undefined> {
  return verdictOf(await judgeMock(setting, [], [rule]), rule);
}

test('router.run.422-loc-index-integer: an input without a bad field in an array shows nothing', async () => {
  const fixtures = (own: Body): Body => ({
    ...own,
    model: {
      ...(own['model'] as Body),
      reject422: { id: 'mock/invalid-image', input: { image: 'no picture' } },
    },
  });
  const rule = 'router.run.422-loc-index-integer';
  expect(await judged({ apis: ['router'], fixtures }, rule)).toBe('not-exercised');
});

test('router.body.no-cost-figures: a 422 may repeat figures of the provider and of the input', async () => {
  const line = changed((body, { status }) =>
    status === 422 && Array.isArray(body['detail'])
      ? { detail: (body['detail'] as Body[]).map((entry) => ({ ...entry, ctx: { credit_limit: 5 } })) }
      : body,
  );
  expect(await judged({ apis: ['router'], line }, 'router.body.no-cost-figures')).toBe('pass');
});

test.each([
  [{ usage_docs: 'https://docs.example.com/2' }, 'pass'],
  [{ credit_note: 'v2' }, 'pass'],
  [{ credits_left: '7' }, 'fail'],
  [{ cost: { currency: 'USD', amounts: ['3.20'] } }, 'fail'],
  [{ price: '$ 4' }, 'fail'],
  [{ balance: '-1,000.00 EUR' }, 'fail'],
])('router.body.no-cost-figures: an error with %j is a %s', async (more, verdict) => {
  const line = changed((body, { status }) => (status === 404 ? { ...body, ...more } : body));
  expect(await judged({ apis: ['router'], line }, 'router.body.no-cost-figures')).toBe(verdict);
});

test.each([
  ['router.errors.body-shape', 400],
  ['router.detail.404', 404],
  ['router.schema.404', 404],
  ['router.run.503-shape', 503],
])('%s: whether an error has a detail is open', async (rule, wanted) => {
  const line = changed(({ detail, ...body }, { status }) =>
    status === wanted ? body : { ...body, ...(detail === undefined ? {} : { detail }) },
  );
  expect(await judged({ apis: ['router'], line }, rule)).toBe('pass');
});

test.each([
  [
    ['Limit', '100'],
    ['Current', '120'],
    ['Remaining', '-20'],
  ],
  [
    ['Limit', '100.50'],
    ['Current', '99.5'],
    ['Remaining', '+1'],
  ],
] as const)('router.run.429-spend-headers: sign and form are open: %j %j %j', async (...headers) => {
  const line: NonNullable<Setting['line']> = (inner) => async (request) => {
    const response = await inner(request);
    const own = (name: string): string | undefined =>
      headers.find(([part]) => name === `X-Committed-Spend-${part}`)?.[1];
    return {
      ...response,
      headers: response.headers.map(([name, value]) => [name, own(name) ?? value] as const),
    };
  };
  expect(await judged({ apis: ['router'], line }, 'router.run.429-spend-headers')).toBe('pass');
});

test('jobs.state.canceled-via-canceling: a cancel that answers canceled at once shows nothing', async () => {
  const assumptions = { 'A-91': { isOver: 'before the answer' } };
  const { mock, ...cloud } = jobsOn({ surface: 'cloud' });
  const report = await judgeMock({ ...cloud, mock: { ...mock, assumptions } });
  expect(verdictOf(report, 'jobs.state.canceled-via-canceling')).toBe('inconclusive');
  expect(verdictOf(report, 'jobs.cancel.canceling')).toBe('pass');
});
