import { expect, test } from 'vitest';
import { permissions, planConformance } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';

const content = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const THING = '{ type: object, required: [id], properties: { id: { type: integer } } }';
const object = (members: string, required: string): string =>
  `{ type: object, required: [${required}], properties: { ${members} } }`;

/** The reason for which `POST /things` is withheld; `undefined` if it is sent. */
async function withheld(
  body: string,
  {
    parameter = '{ name: thingId, in: path, required: true, schema: { type: integer } }',
    statuses = '201',
  } = {},
): Promise<string | undefined> {
  const [name] = /(?<=name: )\w+/.exec(parameter) ?? [''];
  const answers = statuses
    .split(' ')
    .map((status) => `'${status}': { description: Answer., ${content(THING)} }`)
    .join(', ');
  const contract = await own(
    'things',
    `
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    post: { operationId: addThing, requestBody: { required: true, ${content(body)} }, responses: { ${answers} } }
  /things/{${name}}:
    parameters: [${parameter}]
    delete: { operationId: dropThing, responses: { '204': { description: Gone. } } }
`,
  );
  const plan = planConformance({ contracts: [contract], baseUrl: 'http://localhost', allow: permissions });
  return plan.withheld.find(({ operation }) => operation === 'addThing')?.reason;
}

test.each([
  ['a switch for all', object('all: { const: true }', 'all'), true],
  [
    'ids or a tag',
    `{ oneOf: [${object('tag: { type: string }', 'tag')}, ${object('itemIds: { type: array, minItems: 1, items: { type: integer } }', 'itemIds')}] }`,
    true,
  ],
  [
    'ids or all',
    `{ anyOf: [${object('all: { type: boolean, const: true }', 'all')}, ${object('itemId: { type: integer }', 'itemId')}] }`,
    true,
  ],
  [
    'ids or all, by lists of one value',
    `{ anyOf: [${object('select: { enum: [true] }', 'select')}, ${object('itemId: { type: integer }, dry: { enum: [false] }', 'itemId, dry')}] }`,
    true,
  ],
  [
    'kinds of things',
    `{ oneOf: [${object('kind: { const: point }, x: { type: number }', 'kind, x')}, ${object('kind: { const: copy }, ownerId: { type: integer }', 'kind, ownerId')}] }`,
    false,
  ],
  [
    'two forms of one thing',
    `{ oneOf: [${object('title: { type: string }', 'title')}, ${object('caption: { type: string }', 'caption')}] }`,
    false,
  ],
])('a body with %s may mean things that exist: %#', async (_, body, isWithheld) => {
  const reason = await withheld(body);
  expect(reason === undefined).toBe(!isWithheld);
});

const code = '{ name: code, in: path, required: true, schema: { type: string } }';
const few = object('code: { type: string, pattern: "^[A-C]$", example: A }', 'code');
const any = object('code: { type: string, example: A }', 'code');

test.each([
  ['200 alone, a few ids', few, '200', true],
  ['200 and 201, a few ids', few, '200 201', true],
  ['201 alone', few, '201', false],
  ['200, and 409 for what exists', few, '200 409', false],
  ['200, and any text as an id', any, '200', false],
])('an id that the caller gives may exist, with %s', async (_, body, statuses, isWithheld) => {
  const reason = await withheld(body, { parameter: code, statuses });
  expect(reason === undefined).toBe(!isWithheld);
});
