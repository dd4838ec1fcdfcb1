import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, Transport, WireRequest } from '../../conformance/index.ts';
import { createMock, type SteerableMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { codedRooms } from '../mock/coded-rooms.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

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
    rules: ['resource.*', 'numbered-pages.*', 'conditional-write.*'],
    transport,
  });

const broken = ({ rules }: Report): readonly string[] => rules.filter(isBroken).map(({ id }) => id);

interface Ways {
  readonly offset?: (offset: number) => number;
  readonly total?: (total: number, shown: number) => number;
  /** What becomes of a room that does not exist, or is deleted again. */
  readonly again?: 204 | 404;
  readonly keeps?: boolean;
  /** The status of a creation. */
  readonly made?: 200 | 201;
  /** Where a creation says that the room is. */
  readonly address?: (code: string) => string;
  /** The seats of a room without a number of them. */
  readonly seats?: number;
  /** The size of a page where none of that size exists. */
  readonly nothing?: 0 | 1;
  /** Whether the total of a selection is that of all rooms. */
  readonly countsAll?: boolean;
  /** Whether If-Match is ignored for a room that does not exist. */
  readonly isCareless?: boolean;
  /** How If-None-Match is read. */
  readonly excludes?: 'as stated' | 'never' | 'always' | 'only the star' | 'not the second time';
}

/** A server of another hand; faulty in the ways given. */
function rooms({
  offset: told = (n) => n,
  total = (n) => n,
  again = 204,
  keeps = false,
  made = 201,
  address = (code) => `/rooms/${code}`,
  seats = 4,
  nothing = 1,
  countsAll = false,
  isCareless = false,
  excludes = 'as stated',
}: Ways): Transport {
  const stored = new Map(
    Array.from({ length: 12 }, (_, n) => [`AA${String(10 + n)}`, { name: 'x', seats: 2 }]),
  );
  let excluded = 0;
  const isExcluded = (header: string | undefined, found: unknown): boolean => {
    if (header === undefined || excludes === 'never') return false;
    if (excludes === 'always') return true;
    if (found === undefined || (header !== '*' && (excludes === 'only the star' || header !== tagOf(found))))
      return false;
    excluded += 1;
    return excludes !== 'not the second time' || excluded % 2 === 1;
  };
  const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  const tagOf = (room: unknown): string => `"${Buffer.from(JSON.stringify(room)).toString('hex')}"`;
  const list = (query: URLSearchParams): Scripted => {
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 5)];
    if (offset < 0) return { status: 400 };
    const size = limit < 1 ? nothing : Math.min(limit, 20);
    const all = [...stored].map(([code, room]) => ({ code, ...room }));
    const wanted = query.get('name');
    const chosen = all.filter(({ name }) => wanted === null || name === wanted);
    const shown = chosen.slice(offset, offset + size);
    const count = total(countsAll ? all.length : chosen.length, shown.length);
    return json(200, { meta: { total: count, offset: told(offset), limit: size }, data: { rooms: shown } });
  };
  const answer = (request: WireRequest): Scripted => {
    const { method, target, body } = request;
    const { pathname, searchParams } = new URL(target, 'http://localhost');
    const code = decodeURIComponent(pathname.split('/')[2] ?? '');
    if (code === '') return list(searchParams);
    const found = stored.get(code);
    if (method === 'PUT') {
      const sent = JSON.parse(Buffer.from(body ?? []).toString()) as { readonly [name: string]: unknown };
      const room = { name: sent['name'], seats: sent['seats'] ?? seats };
      if (typeof room.name !== 'string' || room.name === '' || typeof room.seats !== 'number')
        return { status: 400 };
      const tags = headerIn(request, 'if-match')?.split(/, */);
      const isMatch =
        found !== undefined && tags?.some((tag) => tag === '*' || tag === tagOf(found)) === true;
      if (tags !== undefined && !isMatch && !(isCareless && found === undefined)) return { status: 412 };
      if (isExcluded(headerIn(request, 'if-none-match'), found)) return { status: 412 };
      stored.set(code, room as { name: string; seats: number });
      return found === undefined
        ? json(made, { code, ...room }, { Location: address(code) })
        : json(200, { code, ...room }, { ETag: tagOf(room) });
    }
    if (method === 'DELETE') {
      if (!keeps) stored.delete(code);
      return { status: found === undefined ? again : 204 };
    }
    return found === undefined ? { status: 404 } : json(200, { code, ...found }, { ETag: tagOf(found) });
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
  ['says 200 when it creates', { made: 200 }, ['resource.rooms.upsert']],
  ['names an address without a room', { address: () => '/rooms/ZZ99999999' }, ['resource.rooms.upsert']],
  ['names the address of another room', { address: () => '/rooms/AA21' }, ['resource.rooms.upsert']],
  ['has another default', { seats: 7 }, ['resource.rooms.replaced', 'resource.rooms.upsert']],
  ['has pages of no item', { nothing: 0 }, ['numbered-pages.listRooms.limit']],
  ['counts what a filter leaves out', { countsAll: true }, ['resource.rooms.filtered']],
  ['creates a room in spite of If-Match', { isCareless: true }, ['conditional-write.putRoom.mismatch']],
  ['ignores If-None-Match', { excludes: 'never' }, ['conditional-write.putRoom.exists']],
  ['creates nothing with If-None-Match', { excludes: 'always' }, ['conditional-write.putRoom.exists']],
  ['excludes no tag but the star', { excludes: 'only the star' }, ['conditional-write.putRoom.exists']],
  ['excludes a version once', { excludes: 'not the second time' }, ['conditional-write.putRoom.exists']],
  ['keeps what is deleted', { keeps: true }, ['resource.rooms.deleted']],
])('a server that %s', async (_, ways, rules) => {
  expect(broken(await judge(rooms(ways)))).toEqual(rules);
});
