import { expect, test } from 'vitest';
import type { ContractEngine } from '../../mock/call/engine.ts';
import { withJudgedBodies } from '../../mock/call/judged-bodies.ts';
import { prismEngine } from '../../mock/prism/engine.ts';
import { own } from './own-document.ts';

/** Parameters of a document of a user's own: read as a generated server reads them, and judged by the contract's judge. */
const SCHEMAS: Readonly<Record<string, string>> = {
  size: '{ type: integer, minimum: 1 }',
  kind: '{ type: string, enum: [a, a] }',
  none: '{ type: string, enum: [] }',
  tag: "{ type: string, pattern: '^[\\w-.]+$' }",
  day: '{ type: string, format: date }',
  step: '{ type: number, multipleOf: 0.01 }',
  open: '{ type: boolean }',
  list: '{ type: array, items: { type: integer }, uniqueItems: true }',
  pair: '{ type: array, prefixItems: [{ type: string }, { type: integer }], items: false }',
  maybe: "{ type: [integer, 'null'] }",
};
const parameters = Object.entries(SCHEMAS).map(
  ([name, schema]) => `        - { name: ${name}, in: query, schema: ${schema} }`,
);
const contract = await own(
  'judged',
  `
openapi: 3.1.0
info: { title: Judged, version: '1' }
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: X-Page, in: header, schema: { type: integer } }
        - { name: must, in: query, required: true, schema: { type: string } }
${parameters.join('\n')}
      responses: { '200': { description: ok } }
  /styles/{label}/{matrix}/{list}/{file}.{ext}:
    get:
      operationId: getStyles
      parameters:
        - { name: label, in: path, required: true, style: label, schema: { type: integer } }
        - { name: matrix, in: path, required: true, style: matrix, schema: { type: array, items: { type: integer } } }
        - { name: list, in: path, required: true, schema: { type: array, items: { type: integer } } }
        - { name: file, in: path, required: true, schema: { type: integer } }
        - { name: ext, in: path, required: true, schema: { type: string, enum: [json] } }
        - { name: X-Members, in: header, schema: { type: object, properties: { a: { type: integer } } } }
        - { name: X-Pairs, in: header, explode: true, schema: { type: object, properties: { a: { type: integer } } } }
        - { name: X-List, in: header, schema: { type: array, items: { type: integer } } }
        - { name: Authorization, in: header, required: true, schema: { type: string } }
        - { name: ids, in: query, explode: false, schema: { type: array, maxItems: 2, items: { type: integer } } }
        - { name: names, in: query, explode: false, schema: { type: array, maxItems: 2, items: { type: string } } }
        - { name: window, in: query, explode: false, schema: { type: object, properties: { from: { type: integer } } } }
        - { name: pipes, in: query, style: pipeDelimited, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: spaces, in: query, style: spaceDelimited, explode: false, schema: { type: array, items: { type: integer } } }
        - { name: deep, in: query, style: deepObject, explode: true, schema: { type: object, additionalProperties: false, properties: { a: { type: integer } } } }
        - { name: all, in: query, style: deepObject, explode: true, schema: { type: array, items: { type: integer } } }
        - { name: rows, in: query, style: deepObject, explode: true, schema: { type: array, items: { type: object, required: [a, b], properties: { a: { type: integer } } } } }
        - { name: since, in: query, style: deepObject, explode: true, schema: { anyOf: [{ type: object, properties: { gt: { type: integer } } }, { type: integer }] } }
        - { name: json, in: query, content: { application/json: { schema: { type: object, properties: { x: { type: integer } } } } } }
        - { name: either, in: query, explode: false, schema: { oneOf: [{ type: string, maxLength: 1 }, { type: array, items: { enum: [all, none] } }] } }
        - { name: code, in: query, schema: { anyOf: [{ type: string, pattern: '^0' }, { type: integer, minimum: 10 }] } }
        - { name: session, in: cookie, schema: { type: string, minLength: 3 } }
      responses: { '200': { description: ok } }
`,
);
const prism = prismEngine(contract);
const both = withJudgedBodies(prism, contract);

type Asked = readonly [path: string, query: string, headers: Readonly<Record<string, string>>];

function refused(
  engine: ContractEngine,
  [path, query, headers]: Asked,
  operationId: string = 'getThing',
): readonly string[] {
  const places = engine
    .checkRequest(operationId, {
      method: 'get',
      path,
      query: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      search: `?${query}`,
      headers,
      body: undefined,
    })
    .filter(({ severity }) => severity === undefined)
    .map(({ at }) => at.split('.').slice(0, 2).join('.').toLowerCase());
  return [...new Set(places)];
}

const ask = (query: string): Asked => ['/things/1', `must=x&${query}`, {}];

test.each<[string, Asked, readonly string[]]>([
  ['an integer', ask('size=3'), []],
  ['below the minimum', ask('size=0'), ['query.size']],
  ['no integer', ask('size=x'), ['query.size']],
  ['twice', ask('size=1&size=2'), ['query.size']],
  ['a value that is listed twice', ask('kind=a'), []],
  ['another value', ask('kind=b'), ['query.kind']],
  ['where no value is listed', ask('none=a'), ['query.none']],
  ['a pattern without the flag u', ask('tag=a-b.c'), []],
  ['and what it refuses', ask('tag=a%20b'), ['query.tag']],
  ['a date', ask('day=2030-01-31'), []],
  ['no date', ask('day=2030-02-31'), ['query.day']],
  ['a multiple of a fraction', ask('step=0.29'), []],
  ['a boolean', ask('open=true'), []],
  ['no boolean', ask('open=1'), ['query.open']],
  ['a list', ask('list=1&list=2'), []],
  ['a list with a value twice', ask('list=1&list=1'), ['query.list']],
  ['a tuple', ask('pair=a&pair=1'), []],
  ['a tuple whose items are swapped', ask('pair=1&pair=a'), ['query.pair']],
  ['a tuple that is too long', ask('pair=a&pair=1&pair=2'), ['query.pair']],
  ['no number at all', ask('maybe=null'), []],
  ['a path parameter', ['/things/x', 'must=x', {}], ['path.id']],
  ['a header', ['/things/1', 'must=x', { 'x-page': 'one' }], ['header.x-page']],
  ['a missing one', ['/things/1', '', {}], ['query']],
])('%s: %j is refused at %j', (_what, asked, at) => {
  expect(refused(both, asked)).toStrictEqual(at);
});

const styled = (query: string, headers = {}, path = '/styles/.1/;matrix=1,2/3,4/5.json'): Asked => [
  path,
  query,
  headers,
];

test.each<[string, Asked, readonly string[]]>([
  ['every path style, without the optional lists and objects', styled(''), []],
  ['a label', styled('', {}, '/styles/.x/;matrix=1/3/5.json'), ['path.label']],
  ['a matrix', styled('', {}, '/styles/.1/;matrix=x/3/5.json'), ['path.matrix']],
  ['a list in a segment', styled('', {}, '/styles/.1/;matrix=1/x/5.json'), ['path.list']],
  ['two names in one segment', styled('', {}, '/styles/.1/;matrix=1/3/x.xml'), ['path.file', 'path.ext']],
  ['an empty segment', styled('', {}, '/styles/.1/;matrix=1//5.json'), ['path']],
  ['members in a header', styled('', { 'x-members': 'a,1' }), []],
  ['and of another type', styled('', { 'x-members': 'a,x' }), ['header.x-members']],
  ['pairs in a header', styled('', { 'x-pairs': 'a=x' }), ['header.x-pairs']],
  ['a list in a header', styled('', { 'x-list': '1,x' }), ['header.x-list']],
  ['items between commas', styled('ids=1,2'), []],
  ['too many of them', styled('ids=1,2,3'), ['query.ids']],
  ['commas that are escaped belong to an item', styled('names=a%2Cb,c'), []],
  ['members between commas', styled('window=from,1'), []],
  ['of another type', styled('window=from,x'), ['query.window']],
  ['items between pipes', styled('pipes=1|2'), []],
  ['and of another type', styled('pipes=1%7Cx'), ['query.pipes']],
  ['items between spaces', styled('spaces=1%202'), []],
  ['and of another type', styled('spaces=1%20x'), ['query.spaces']],
  ['a deep object', styled('deep[a]=1'), []],
  ['with a member that it has not', styled('deep[b]=1'), ['query.deep']],
  ['items of a deep list', styled('all[]=1&all[]=2'), []],
  ['with an index', styled('all[0]=1&all[1]=2'), []],
  ['of another type', styled('all[]=x'), ['query.all']],
  ['rows of a deep list', styled('rows[0][a]=1&rows[0][b]=x&rows[1][a]=2&rows[1][b]=y'), []],
  ['an incomplete row', styled('rows[0][a]=1&rows[1][b]=y'), ['query.rows']],
  ['an object where a number may be', styled('since[gt]=1'), []],
  ['a number where an object may be', styled('since=1'), []],
  ['neither of them', styled('since=x'), ['query.since']],
  ['JSON', styled('json=%7B%22x%22:1%7D'), []],
  ['JSON of another type', styled('json=%7B%22x%22:true%7D'), ['query.json']],
  ['no JSON', styled('json=nope'), ['query.json']],
  ['a text where a list may be too', styled('either=*'), []],
  ['a list where a text may be too', styled('either=all,none'), []],
  ['neither of them', styled('either=some'), ['query.either']],
  ['a text that reads as a number', styled('code=007'), []],
  ['a number', styled('code=11'), []],
  ['neither of these', styled('code=7'), ['query.code']],
  ['a cookie', styled('', { cookie: 'session=ab' }), ['cookie.session']],
])('%s: %j is refused at %j', (_what, asked, at) => {
  expect(refused(both, asked, 'getStyles')).toStrictEqual(at);
});

test('the differences to Prism alone are listed', () => {
  const asked = [
    'kind=a',
    'kind=b',
    'none=a',
    'tag=a-b.c',
    'tag=a%20b',
    'step=0.29',
    'pair=a&pair=1',
    'size=1&size=2',
  ];
  const differing = asked.filter(
    (query) => refused(prism, ask(query)).join() !== refused(both, ask(query)).join(),
  );
  // As docs/agreement.md has it.
  expect(differing).toStrictEqual(['step=0.29', 'pair=a&pair=1']);
});
