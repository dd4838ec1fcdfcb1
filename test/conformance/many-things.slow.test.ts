import { expect, onTestFinished, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, Transport, WireRequest } from '../../conformance/index.ts';
import { createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { stockContract } from '../mock/stock.ts';
import { scripted, type Scripted } from './servers.ts';

const judge = async (transport: Transport): Promise<Report> =>
  runConformance({
    contracts: [await stockContract()],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    transport,
  });

const broken = ({ rules }: Report): readonly string[] => rules.filter(isBroken).map(({ id }) => id);

test('the mock creates the things of a list', async () => {
  const mock = createMock({ contracts: [await stockContract()] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const report = await judge(inProcess(mock.handle));
  expect(broken(report)).toEqual([]);
  const passed = report.rules.flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : []));
  for (const collection of ['boxes', 'parts'])
    for (const name of ['many', 'many-refused']) expect(passed).toContain(`resource.${collection}.${name}`);
});

type Thing = Readonly<Record<string, unknown>>;

interface Ways {
  /** What becomes of the valid things of a list. */
  readonly kept?: (things: readonly Thing[]) => readonly Thing[];
  /** The id of the nth thing, of which this is the place in its list. */
  readonly id?: (n: number, place: number) => string;
  /** The results as they are shown. */
  readonly results?: (results: readonly Thing[]) => readonly Thing[];
  /** Whether the boxes before an invalid one are kept. */
  readonly keepsSome?: boolean;
  /** Whether only the first thing of a list is checked. */
  readonly checksFirst?: boolean;
  /** Whether nothing after an invalid part is created. */
  readonly stops?: boolean;
  /** Whether things of a list are stored twice. */
  readonly twice?: boolean;
}

/** A server of another hand; faulty in the ways given. */
function stock({
  kept = (things) => things,
  id = (n) => `n${String(n)}`,
  results = (all) => all,
  keepsSome = false,
  checksFirst = false,
  stops = false,
  twice = false,
}: Ways): Transport {
  const stored = { boxes: new Map<string, Thing>(), parts: new Map<string, Thing>() };
  const doubles: Thing[] = [];
  let count = 0;
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const isText = (value: unknown, most: number): boolean =>
    typeof value === 'string' && value !== '' && [...value].length <= most;
  const isWhole = (value: unknown, least: number, most: number): boolean =>
    Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  const isValid = (kind: 'boxes' | 'parts', thing: unknown): thing is Thing => {
    if (typeof thing !== 'object' || thing === null || Array.isArray(thing)) return false;
    const { label, size, name, count: number = 1 } = thing as Thing;
    return kind === 'boxes'
      ? isText(label, 40) && isWhole(size, 1, 100)
      : isText(name, 80) && isWhole(number, 0, Number.MAX_SAFE_INTEGER);
  };
  const isFree = (kind: 'boxes' | 'parts', { name }: Thing): boolean =>
    kind === 'boxes' || [...stored.parts.values()].every((part) => part['name'] !== name);
  const add = (kind: 'boxes' | 'parts', thing: Thing, place = 0): Thing => {
    count += 1;
    const own = { ...(kind === 'parts' ? { count: 1 } : {}), ...thing, id: id(count, place) };
    stored[kind].set(own.id, own);
    return own;
  };
  const boxes = (list: readonly unknown[]): Scripted => {
    const wrong = list.findIndex((thing, place) => (place === 0 || !checksFirst) && !isValid('boxes', thing));
    if (wrong >= 0) {
      if (keepsSome) for (const thing of list.slice(0, wrong)) add('boxes', thing as Thing);
      return { status: 422 };
    }
    const made = kept(list as Thing[]).map((thing, place) => add('boxes', thing, place));
    if (twice) doubles.push(...made);
    return json(201, results(made));
  };
  const parts = (list: readonly unknown[]): Scripted => {
    let hasStopped = false;
    const all = list.map((thing, index): Thing => {
      if (hasStopped || !isValid('parts', thing)) {
        hasStopped = stops;
        return { index, status: 422, error: { message: 'invalid' } };
      }
      if (!isFree('parts', thing)) return { index, status: 409, error: { message: 'taken' } };
      return { index, status: 201, part: add('parts', thing, index) };
    });
    return json(207, { created: 1, results: results(all) });
  };
  return scripted((request: WireRequest): Scripted => {
    const { pathname } = new URL(request.target, 'http://localhost');
    const [, kind = '', name] = pathname.split('/');
    if (kind !== 'boxes' && kind !== 'parts') return { status: 404 };
    if (request.method === 'GET' && name === undefined)
      return json(200, [...stored[kind].values(), ...(kind === 'boxes' ? doubles : [])]);
    if (request.method === 'GET') {
      const found = stored[kind].get(name ?? '');
      return found === undefined ? { status: 404 } : json(200, found);
    }
    if (
      !/^application\/json/.test(new Headers(request.headers as [string, string][]).get('content-type') ?? '')
    )
      return { status: 415 };
    let sent: unknown;
    try {
      sent = JSON.parse(Buffer.from(request.body ?? []).toString());
    } catch {
      return { status: 400 };
    }
    if (name === 'batch') {
      const list: unknown = kind === 'boxes' ? sent : (sent as Thing | null)?.['parts'];
      if (!Array.isArray(list) || list.length === 0 || (kind === 'boxes' && list.length > 50))
        return { status: 422 };
      return kind === 'boxes' ? boxes(list) : parts(list);
    }
    if (!isValid(kind, sent)) return { status: 422 };
    return isFree(kind, sent) ? json(201, add(kind, sent)) : { status: 409 };
  }).transport;
}

const OK = { boxes: 'resource.boxes.many', parts: 'resource.parts.many' };
const REFUSED = { boxes: 'resource.boxes.many-refused', parts: 'resource.parts.many-refused' };

test.each<[string, Ways, readonly string[]]>([
  ['is honest', {}, []],
  ['creates only the first', { kept: (things) => things.slice(0, 1) }, [OK.boxes]],
  ['creates the first of all', { kept: (things) => things.map(() => things[0] as Thing) }, [OK.boxes]],
  ['gives ids by the place in the list', { id: (_, place) => `p${String(place)}` }, [OK.boxes, OK.parts]],
  [
    'shows the results in another order',
    { results: (all) => [...all].reverse() },
    [OK.boxes, OK.parts, REFUSED.parts],
  ],
  ['lists things twice', { twice: true }, [OK.boxes]],
  ['keeps what came before an invalid box', { keepsSome: true }, [REFUSED.boxes]],
  ['checks only the first box', { checksFirst: true }, [REFUSED.boxes]],
  ['stops at the first invalid part', { stops: true }, [REFUSED.parts]],
  [
    'calls each part created',
    { results: (all) => all.map((one) => ('status' in one ? { ...one, status: 201 } : one)) },
    [REFUSED.parts],
  ],
])('a server that %s', async (_, ways, rules) => {
  const found = broken(await judge(stock(ways)));
  expect(found.filter((id) => id.includes('.many'))).toEqual(rules);
  if (rules.length === 0) expect(found).toEqual([]);
});
