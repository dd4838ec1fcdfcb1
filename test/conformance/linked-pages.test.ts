import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { RuleResult, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Seats, version: '1' }
paths:
  /seats:
    get:
      operationId: listSeats
      parameters: [{ name: page, in: query, schema: { type: integer } }, { name: size, in: query, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: integer } } } } } }
  /word:
    get:
      operationId: word
      responses: { '200': { description: ok, content: { text/plain: { schema: { type: string, enum: [up, down] } } } } }
  /count:
    get:
      operationId: count
      responses: { '200': { description: ok, content: { text/plain: { schema: { type: integer } } } } }
`;
const SHEET = `
api: seats
contract: '1'
document: 1
policies:
  - { kind: numbered-pages, operations: [listSeats], pageParameter: page, limitParameter: size, defaultLimit: 2, maximumLimit: 3, link: true }
rules: []
unspecified: []
`;

type Link = (next: number, isLast: boolean, size: number) => string | undefined;
const honest: Link = (next, isLast, size) =>
  isLast ? undefined : `</seats?page=${next}&size=${size}>; rel="next"`;

/** Three seats in pages. `seats` is asked each time: another caller may add some. */
async function judge(
  link: Link,
  { word = 'up', seats = () => [1, 2, 3] } = {},
): Promise<Map<string, RuleResult>> {
  const transport = (request: WireRequest) => {
    const { pathname, searchParams } = new URL(request.target, 'http://localhost');
    const [page, size] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('size') ?? 2)];
    const all = seats();
    const next = link(page + 1, page * size >= all.length, size);
    const isList = pathname === '/seats';
    const text = isList
      ? JSON.stringify(all.slice((page - 1) * size, (page - 1) * size + Math.min(size, 3)))
      : pathname === '/word'
        ? word
        : '3';
    return Promise.resolve({
      status: 200,
      headers: [
        ['Content-Type', isList ? 'application/json' : 'text/plain; charset=utf-8'] as const,
        ...(isList && next !== undefined ? [['Link', next] as const] : []),
      ],
      body: bytesOf(text),
    });
  };
  const contract = await own('seats', DOCUMENT, SHEET);
  const { rules } = await runConformance({ contracts: [contract], baseUrl: 'http://localhost', transport });
  return new Map(rules.map((rule) => [rule.id, rule]));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const WALK = 'numbered-pages.listSeats.walk';

test.each<[string, Link, string]>([
  ['leads to the page behind', honest, 'pass'],
  [
    'is a whole address, among others',
    (next, isLast, size) =>
      `<http://localhost/seats?page=1>; rel="first"${isLast ? '' : `, <http://localhost/seats?size=${size}&page=${next}>; title="x"; rel=next`}`,
    'pass',
  ],
  [
    'names the page in another way',
    (next, isLast) => (isLast ? undefined : `</seats?at=${next}>; rel="next"`),
    'pass',
  ],
  ['leaves one out', (next, isLast, size) => honest(next + 1, isLast, size), 'fail'],
  ['leads to the first page', (_, isLast, size) => honest(1, isLast, size), 'fail'],
  ['never ends', (next, _, size) => honest(next, false, size), 'fail'],
  ['is never there', () => undefined, 'fail'],
])('a Link that %s', async (_, link, verdict) => {
  expect((await judge(link)).get(WALK)?.verdict).toBe(verdict);
});

test('an item that another caller adds between two pages raises no alarm', async () => {
  let asked = 0;
  const seats = (): number[] => ((asked += 1) < 4 ? [1] : [1, 2, 3]);
  expect((await judge(honest, { seats })).get(WALK)?.verdict).not.toBe('fail');
});

test('plain text is judged by its schema, where that asks for text', async () => {
  const good = await judge(honest);
  expect([good.get('document.word.answer')?.verdict, good.get('document.count.answer')?.verdict]).toEqual([
    'pass',
    'pass',
  ]);
  const bad = await judge(honest, { word: 'fine' });
  expect(bad.get('document.word.answer')).toMatchObject({
    verdict: 'fail',
    expected: 'a body by the schema of 200',
  });
});
