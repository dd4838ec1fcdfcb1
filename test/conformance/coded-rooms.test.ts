import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBroken } from '../../cli/self-test.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, Transport, WireRequest } from '../../conformance/index.ts';
import { createMock, type SteerableMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { codedRooms } from '../mock/coded-rooms.ts';
import { scripted, type Scripted } from './servers.ts';

const contract = await codedRooms();
let mock: SteerableMock;
beforeAll(async () => {
  mock = createMock({ contracts: [contract] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

const judge = (transport: Transport): Promise<Report> =>
  runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    rules: ['resource.*', 'numbered-pages.*'],
    transport,
  });

const broken = ({ rules }: Report): readonly string[] => rules.filter(isBroken).map(({ id }) => id);

interface Ways {
  readonly offset?: (offset: number) => number;
  readonly total?: (total: number, shown: number) => number;
  /** What becomes of a room that does not exist, or is deleted again. */
  readonly again?: 204 | 404;
  readonly keeps?: boolean;
}

/** A server of another hand; faulty in the ways given. */
function rooms({ offset: told = (n) => n, total = (n) => n, again = 204, keeps = false }: Ways): Transport {
  const stored = new Map<string, string>(Array.from({ length: 12 }, (_, n) => [`AA${String(10 + n)}`, 'x']));
  const answer = ({ method, target, body }: WireRequest): Scripted => {
    const { pathname, searchParams } = new URL(target, 'http://localhost');
    const json = (status: number, value: unknown): Scripted => ({
      status,
      headers: { 'Content-Type': 'application/json' },
      body: value,
    });
    const code = decodeURIComponent(pathname.split('/')[2] ?? '');
    if (code === '') {
      const [offset, limit] = [
        Number(searchParams.get('offset') ?? 0),
        Number(searchParams.get('limit') ?? 5),
      ];
      if (offset < 0 || limit < 1) return { status: 400 };
      const size = Math.min(limit, 20);
      const all = [...stored].map(([own, name]) => ({ code: own, name }));
      const shown = all.slice(offset, offset + size);
      const meta = { total: total(all.length, shown.length), offset: told(offset), limit: size };
      return json(200, { meta, data: { rooms: shown } });
    }
    const name = stored.get(code);
    if (method === 'PUT') {
      const sent = JSON.parse(Buffer.from(body ?? []).toString()) as { readonly name?: unknown };
      if (typeof sent.name !== 'string' || sent.name === '') return { status: 400 };
      stored.set(code, sent.name);
      return json(name === undefined ? 201 : 200, { code, name: sent.name });
    }
    if (method === 'DELETE') {
      if (!keeps) stored.delete(code);
      return { status: name === undefined ? again : 204 };
    }
    return name === undefined ? { status: 404 } : json(200, { code, name });
  };
  return scripted(answer).transport;
}

test('the mock keeps its pages, the codes of its rooms and its deletions', async () => {
  const report = await judge(inProcess(mock.handle));
  expect(report.rules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(report.rules.map(({ id }) => id)).toContain('resource.rooms.deleted');
});

test.each<[string, Ways, readonly string[]]>([
  ['is honest', {}, []],
  ['tells another offset', { offset: () => 0 }, ['numbered-pages.listRooms.walk']],
  ['tells the total of the page', { total: (_, shown) => shown }, ['numbered-pages.listRooms.walk']],
  ['refuses a second deletion', { again: 404 }, ['resource.rooms.deleted']],
  ['keeps what is deleted', { keeps: true }, ['resource.rooms.deleted']],
])('a server that %s', async (_, ways, rules) => {
  expect(broken(await judge(rooms(ways)))).toEqual(rules);
});
