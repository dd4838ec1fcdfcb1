import { expect, test } from 'vitest';
import type { ContractEngine } from '../../mock/call/engine.ts';
import { withJudgedBodies } from '../../mock/call/judged-bodies.ts';
import { prismEngine } from '../../mock/prism/engine.ts';
import { own } from './own-document.ts';

/** Parameters of a document of a user's own: the contract's judge beside Prism. */
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
`,
);
const prism = await prismEngine(contract);
const both = withJudgedBodies(prism, contract);

type Asked = readonly [path: string, query: string, headers: Readonly<Record<string, string>>];

function refused(engine: ContractEngine, [path, query, headers]: Asked): readonly string[] {
  return engine
    .checkRequest('getThing', {
      method: 'get',
      path,
      query: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      headers,
      body: undefined,
    })
    .filter(({ severity }) => severity === undefined)
    .map(({ at }) => at.split('.').slice(0, 2).join('.').toLowerCase());
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
  ['a tuple that is too long', ask('pair=a&pair=1&pair=2'), ['query.pair']],
  ['no number at all', ask('maybe=null'), []],
  ['a path parameter', ['/things/x', 'must=x', {}], ['path.id']],
  ['a header', ['/things/1', 'must=x', { 'x-page': 'one' }], ['header.x-page']],
  ['a missing one', ['/things/1', '', {}], ['query']],
])('%s: %j is refused at %j', (_what, asked, at) => {
  expect(refused(both, asked)).toStrictEqual(at);
});

test('where Prism alone says otherwise is known', () => {
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
  expect(differing).toStrictEqual(['step=0.29']);
});
