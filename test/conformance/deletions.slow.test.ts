import { expect, onTestFinished, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, Transport, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { own } from '../mock/own-document.ts';
import { DOCUMENT, SHEET, papersContract } from '../mock/papers.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const judge = (contract: Contract, transport: Transport): Promise<Report> =>
  runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    rules: ['resource.*', 'conditional-write.*'],
    transport,
  });

const broken = ({ rules }: Report): readonly string[] => rules.filter(isBroken).map(({ id }) => id);

test('the mock keeps deleted papers, and brings them back', async () => {
  const contract = await papersContract();
  const mock = createMock({ contracts: [contract] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const report = await judge(contract, inProcess(mock.handle));
  expect(broken(report)).toEqual([]);
  const passed = report.rules.flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : []));
  for (const id of [
    'papers.deleted',
    'papers.restored',
    'papers.upsert',
    'prints.created',
    'prints.filtered',
  ])
    expect(passed).toContain(`resource.${id}`);
});

interface Ways {
  /** The status of a deleted paper. */
  readonly gone?: number;
  /** What becomes of a paper that comes back. */
  readonly back?: (paper: Paper) => Paper;
  /** Whether a list shows papers as they were created. */
  readonly listsFirst?: boolean;
  /** The total of any list. */
  readonly total?: number;
  /** The titles in the order of a request. */
  readonly sorts?: (sort: string, offset: number) => string;
  /** The status of each replacement. */
  readonly replaced?: number;
}

interface Paper {
  readonly title: string;
  readonly shelf?: string;
}

/** A server of another hand; faulty in the ways given. */
function papers({
  gone = 410,
  back = (paper) => paper,
  listsFirst = false,
  total,
  sorts = (sort) => sort,
  replaced = 200,
}: Ways): Transport {
  const stored = new Map<string, { first: Paper; paper: Paper; isGone: boolean }>();
  const prints = new Map<string, { looks: number }>();
  const tagOf = (paper: Paper): string => `"${Buffer.from(JSON.stringify(paper)).toString('hex')}"`;
  const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  const shown = (name: string, status: number, paper: Paper): Scripted =>
    json(status, { name, ...paper }, { ETag: tagOf(paper), Location: `/papers/${name}` });
  const list = (query: URLSearchParams): Scripted => {
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 5)];
    const shelf = query.get('shelf');
    const all = [...stored].flatMap(([name, { paper, first, isGone }]) =>
      isGone ? [] : [{ name, ...(listsFirst ? first : paper) }],
    );
    const chosen = all.filter((paper) => shelf === null || paper.shelf === shelf);
    const sort = sorts(query.get('sort') ?? '', offset);
    const by = sort.replace('-', '') as 'name' | 'title';
    const sign = sort.startsWith('-') ? -1 : 1;
    if (sort !== '') chosen.sort((one, other) => sign * (one[by] < other[by] ? -1 : 1));
    return json(200, chosen.slice(offset, offset + Math.min(limit, 20)), {
      'X-Total-Count': String(total ?? chosen.length),
    });
  };
  const print = (id: string, verb: string | undefined): Scripted => {
    const found = prints.get(id);
    if (found === undefined) return { status: 404 };
    found.looks += 1;
    // Prints are visible a moment after they were accepted.
    if (verb === undefined && found.looks < 2) return { status: 404 };
    return verb === 'cancel' ? { status: 409 } : json(200, { id, state: 'done' });
  };
  const answer = (request: WireRequest): Scripted => {
    const { pathname, searchParams } = new URL(request.target, 'http://localhost');
    const [, collection, name = '', verb] = pathname.split('/');
    if (collection === 'prints')
      return name === ''
        ? json(
            200,
            [...prints.keys()]
              .map((id) => ({ id, state: 'done' }))
              .filter(({ state }) => (searchParams.get('state') ?? state) === state),
          )
        : print(name, verb);
    if (name === '') return list(searchParams);
    const found = stored.get(name);
    if (verb === 'restore') {
      if (found === undefined) return { status: 404 };
      if (!found.isGone) return { status: 409 };
      stored.set(name, { ...found, paper: back(found.paper), isGone: false });
      return shown(name, 200, found.paper);
    }
    if (found?.isGone === true) return { status: gone };
    if (verb === 'prints') {
      if (found === undefined) return { status: 404 };
      const id = `p${String(prints.size)}`;
      prints.set(id, { looks: 0 });
      return json(202, { id, state: 'waiting' }, { Location: `/prints/${id}` });
    }
    const tags = headerIn(request, 'if-match')?.split(/, */);
    const isChange = request.method === 'PUT' || request.method === 'DELETE';
    if (isChange && found !== undefined && tags === undefined) return { status: 428 };
    if (isChange && tags !== undefined) {
      const isMatch = found !== undefined && tags.some((tag) => tag === '*' || tag === tagOf(found.paper));
      if (!isMatch) return { status: 412 };
    }
    if (request.method === 'PUT') {
      const { title, shelf } = JSON.parse(Buffer.from(request.body ?? []).toString()) as Paper;
      if (typeof title !== 'string' || title === '') return { status: 422 };
      const paper = { title, ...(shelf === undefined ? {} : { shelf }) };
      stored.set(name, { first: found?.first ?? paper, paper, isGone: false });
      return shown(name, found === undefined ? 201 : replaced, paper);
    }
    if (found === undefined) return { status: 404 };
    if (request.method === 'DELETE') {
      stored.set(name, { ...found, isGone: true });
      return { status: 204 };
    }
    return shown(name, 200, found.paper);
  };
  return scripted(answer).transport;
}

test.each<[string, Ways, readonly string[]]>([
  ['is honest', {}, []],
  ['has forgotten what was deleted', { gone: 404 }, ['resource.papers.deleted']],
  [
    'brings back another paper',
    { back: ({ title }) => ({ title: `${title}.` }) },
    ['resource.papers.restored'],
  ],
  ['lists papers as they were created', { listsFirst: true }, ['resource.papers.listed']],
  ['counts all papers in the header', { total: 99 }, ['resource.papers.filtered']],
  ['does not sort', { sorts: () => '' }, ['resource.papers.sorted']],
  ['sorts in one direction', { sorts: (sort) => sort.replace('-', '') }, ['resource.papers.sorted']],
  [
    'forgets the order on later pages',
    { sorts: (sort, offset) => (offset > 0 ? '' : sort) },
    ['resource.papers.sorted'],
  ],
  ['creates each time', { replaced: 201 }, ['resource.papers.upsert']],
])('a server that %s', async (_what, ways, expected) => {
  expect(broken(await judge(await papersContract(), papers(ways)))).toEqual(expected);
});

test('a call that brings back a deleted paper is no fault where the sheet does not know of it', async () => {
  const silent = SHEET.replace(', restore: restorePaper', '').replace('    gone: { status: 410 }\n', '');
  const contract = await own('papers', DOCUMENT, silent);
  expect(broken(await judge(contract, papers({ gone: 404 })))).toEqual([]);
});
