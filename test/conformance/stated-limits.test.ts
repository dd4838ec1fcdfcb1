import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { own } from '../mock/own-document.ts';
import { DOCUMENT, sheet } from './limited-things.ts';
import { scripted, type Scripted } from './servers.ts';

const CLAMPED = `[{ id: things.list.clamped, level: must, says: A larger limit becomes 50., source: { document: 1, section: s, item: i }, operation: listThings, policy: pagination, case: limit-clamped, needs: [], audience: server }]`;
const ALL = Array.from({ length: 70 }, (_, index) => ({ id: String(index) }));

/** Takes every limit, also one that the document forbids, and gives at most 50 items. */
function lenient({ target }: WireRequest): Scripted {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  if (pathname !== '/things') return { status: 404 };
  const cursor = searchParams.get('cursor');
  if (cursor !== null && !/^c\d+$/.test(cursor)) return { status: 400 };
  const wanted = Number(searchParams.get('limit') ?? 10);
  const limit = wanted >= 1 ? Math.min(50, Math.floor(wanted)) : 10;
  const from = Number(cursor?.slice(1) ?? 0);
  const items = ALL.slice(from, from + limit);
  const end = from + items.length;
  const body = { items, next: end < ALL.length ? `c${String(end)}` : null };
  return { status: 200, headers: { 'Content-Type': 'application/json' }, body };
}

async function failures(contract: Contract): Promise<Record<string, string | undefined>> {
  const { transport } = scripted(lenient);
  const options = { contracts: [contract], baseUrl: 'http://localhost', transport };
  const report: Report = await runConformance({ ...options, allow: ['negatives'] });
  return Object.fromEntries(
    report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id, failed }) => [id, String(failed)]),
  );
}

test('limits that the document forbids are refused, with and without a sheet', async () => {
  const found = { 'document.listThings.bad-parameter': '3' };
  expect(await failures(await own('things', DOCUMENT))).toEqual(found);
  expect(await failures(await own('things', DOCUMENT, sheet('[]')))).toEqual(found);
});

test('a sheet that says itself that a limit is brought down is believed', async () => {
  expect(await failures(await own('things', DOCUMENT, sheet(CLAMPED)))).toEqual({
    'document.listThings.bad-parameter': '1',
  });
});

test.each([
  ['refuses what the document forbids', '[]', { abc: 400, 0: 400, 51: 400, 50: 200 }],
  ['brings a limit down if the sheet says so', CLAMPED, { abc: 400, 51: 200, 50: 200 }],
])('the mock %s', async (_what, rules, answers) => {
  const mock = createMock({ contracts: [await own('things', DOCUMENT, sheet(rules))] });
  const send = inProcess(mock.handle);
  for (const [limit, status] of Object.entries(answers)) {
    const { status: seen } = await send({ method: 'GET', target: `/things?limit=${limit}`, headers: [] });
    expect([limit, seen]).toEqual([limit, status]);
  }
  mock.close();
});

test('a made-up cursor that is accepted is a fail, unless the cursor is the last item of the page before', async () => {
  const contract = await own('things', DOCUMENT, sheet('[]'));
  const verdictWhere = async (start: (cursor: string) => number): Promise<unknown> => {
    const { transport } = scripted((request) => {
      const { searchParams } = new URL(request.target, 'http://localhost');
      const cursor = searchParams.get('cursor') ?? 'c0';
      const from = /^c\d+$/.test(cursor) ? cursor : `c${String(start(cursor))}`;
      return lenient({ ...request, target: `/things?limit=10&cursor=${from}` });
    });
    const options = { contracts: [contract], baseUrl: 'http://localhost', transport };
    const { rules } = await runConformance({ ...options, allow: ['negatives'] });
    return rules.find(({ id }) => id === 'pagination.listThings.no-such-page')?.verdict;
  };
  expect(await verdictWhere(() => 0)).toBe('fail');
  expect(await verdictWhere((cursor) => (cursor > 'a' ? 60 : 0))).toBe('pass');
});
