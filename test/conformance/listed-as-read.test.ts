import { expect, test } from 'vitest';
import { TrafficJudge, type PassedExchange } from '../../conformance/traffic/index.ts';
import { own } from '../mock/own-document.ts';

const shown = (name: string): string =>
  `{ description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }`;
const listed = (name: string): string =>
  `{ description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/${name}' } } } } }`;
const shelfId = '{ name: shelfId, in: path, required: true, schema: { type: string } }';
const DOCUMENT = `
openapi: 3.1.0
info: { title: Shelves, version: '1' }
paths:
  /shelves:
    get: { operationId: listShelves, responses: { '200': ${listed('Shelf')} } }
    post: { operationId: addShelf, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewShelf' } } } }, responses: { '201': ${shown('Shelf')}, '422': { description: no } } }
  /shelves/{shelfId}:
    parameters: [${shelfId}]
    get: { operationId: getShelf, responses: { '200': ${shown('Shelf')}, '404': { description: no } } }
  /shelves/{shelfId}/boxes:
    parameters: [${shelfId}]
    get: { operationId: listBoxes, responses: { '200': ${listed('Box')}, '404': { description: no } } }
    post: { operationId: addBox, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewBox' } } } }, responses: { '201': ${shown('Box')}, '404': { description: no }, '422': { description: no } } }
  /shelves/{shelfId}/boxes/{boxId}:
    parameters: [${shelfId}, { name: boxId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBox, responses: { '200': ${shown('Box')}, '404': { description: no } } }
components:
  schemas:
    NewShelf: { type: object, required: [label], properties: { label: { type: string, minLength: 1 } } }
    Shelf: { type: object, required: [id, label], properties: { id: { type: string, readOnly: true }, label: { type: string } } }
    NewBox: { type: object, required: [label], properties: { label: { type: string, minLength: 1 } } }
    Box: { type: object, required: [id, label, mark], properties: { id: { type: string, readOnly: true }, label: { type: string }, mark: { type: string, readOnly: true } } }
`;
const SHEET = `
api: shelves
contract: '1'
document: 1
policies:
  - { kind: resource, collection: shelves, id: { member: id, parameter: shelfId, form: uuid }, operations: { create: addShelf, list: listShelves, read: getShelf } }
  - { kind: resource, collection: boxes, id: { member: id, parameter: boxId, form: integer }, operations: { create: addBox, list: listBoxes, read: getBox } }
`;

type Call = readonly [method: string, operation: string, path: string, body: unknown];

/** The rules that a list breaks which is read between two reads of a box. */
async function broken(...calls: readonly Call[]): Promise<readonly string[]> {
  const judge = new TrafficJudge({
    contracts: [await own('shelves', DOCUMENT, SHEET)],
    baseUrl: 'http://shelves.test',
  });
  for (const [index, [method, operation, target, body]] of calls.entries()) {
    const time = 100 * index;
    const seen: PassedExchange = {
      ...{
        number: index + 1,
        startedAt: time,
        endedAt: time + 10,
        during: [],
        caller: 'one',
        isInvalid: false,
      },
      ...{
        api: 'shelves',
        operation,
        method,
        target,
        status: method === 'POST' ? 201 : 200,
        informational: [],
        delivery: 'delivered',
      },
      request: { headers: [], body: new Uint8Array() },
      response: {
        headers: [['Content-Type', 'application/json']],
        body: new TextEncoder().encode(JSON.stringify(body)),
      },
    };
    await judge.see(seen);
  }
  const { rules } = await judge.report();
  return rules.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : []));
}

const box = (mark: string): object => ({ id: '1', label: 'Nails', mark });
const read = (mark: string): Call => ['GET', 'getBox', '/shelves/a/boxes/1', box(mark)];
const list = (shelf: string, mark: string): Call => [
  'GET',
  'listBoxes',
  `/shelves/${shelf}/boxes`,
  [box(mark)],
];

test.each<[string, readonly Call[], readonly string[]]>([
  [
    'another mark than reads before and after it',
    [read('x'), list('a', 'y'), read('x')],
    ['resource.boxes.listed'],
  ],
  ['the same mark', [read('x'), list('a', 'x'), read('x')], []],
  ['a mark that changes meanwhile', [read('x'), list('a', 'y'), read('y')], []],
  ['the box of another shelf with the same number', [read('x'), list('b', 'y'), read('x')], []],
  [
    'a mark that calls changed and changed back',
    [
      read('x'),
      ['POST', 'addBox', '/shelves/a/boxes', box('z')],
      list('a', 'y'),
      ['POST', 'addBox', '/shelves/a/boxes', box('z')],
      read('x'),
    ],
    [],
  ],
])('a list shows %s', async (_, calls, rules) => {
  expect(await broken(...calls)).toEqual(rules);
});
