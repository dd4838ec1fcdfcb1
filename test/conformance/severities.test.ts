import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Rooms, version: '1' }
paths:
  /rooms:
    get:
      operationId: listRooms
      parameters:
        - { name: order, in: query, schema: { type: string, enum: [up, down], default: down } }
        - { name: size, in: query, schema: { type: integer, minimum: 1, default: 20 } }
      responses: { '200': { description: Rooms., content: { application/json: { schema: { type: array, items: { type: string } } } } }, '400': { description: Bad. } }
  /cleaning:
    get: { operationId: clean, responses: { '200': { description: Done. } } }
  /floors:
    get:
      operationId: listFloors
      parameters: [{ name: wing, in: query, schema: { type: string, enum: [east, west] } }]
      responses: { '200': { description: Floors., content: { application/json: { schema: { type: array, items: { type: string } } } } } }
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('rooms', DOCUMENT);
});

const json = { 'Content-Type': 'application/json' };

function rooms({ target }: WireRequest): Scripted {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  if (pathname === '/cleaning') return { status: 200 };
  if (pathname === '/rooms')
    return ['up', 'down', null].includes(searchParams.get('order')) &&
      Number(searchParams.get('size') ?? 1) > 0
      ? { status: 200, headers: json, body: [] }
      : { status: 400 };
  return pathname === '/floors'
    ? ['east', 'west', null].includes(searchParams.get('wing'))
      ? { status: 200, headers: json, body: [] }
      : { status: 400 }
    : { status: 404 };
}

async function judge(change: (answer: Scripted, request: WireRequest) => Scripted): Promise<Report> {
  const { transport } = scripted((request) => change(rooms(request), request));
  return runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    transport,
    allow: ['negatives'],
  });
}

const broken = ({ rules }: Report): Record<string, string> =>
  Object.fromEntries(
    rules
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ id, verdict, observed }) => [id.replace('document.', ''), `${verdict}: ${observed ?? ''}`]),
  );

test('a server that keeps its document is not blamed', async () => {
  expect(broken(await judge((answer) => answer))).toEqual({});
});

test.each<[string, (answer: Scripted, request: WireRequest) => Scripted, Record<string, string>]>([
  [
    'a body where none is declared is a fail',
    (answer, { target }) =>
      target === '/cleaning' ? { status: 200, headers: json, body: { secret: 1 } } : answer,
    { 'clean.answer': 'fail: 200 with 12 bytes of application/json' },
  ],
  [
    'a default of the document that is refused is a fail',
    (answer, { target }) => (target.includes('size=20') ? { status: 400 } : answer),
    { 'listRooms.answer': 'fail: 400' },
  ],
  [
    'another success than the declared one is a fail',
    (answer, { target }) => (target === '/cleaning' ? { status: 202 } : answer),
    { 'clean.status': 'fail: 202' },
  ],
  [
    'an undeclared refusal of a valid request is a fail',
    (answer, { target }) => (target.includes('wing=east') ? { status: 422 } : answer),
    { 'listFloors.status': 'fail: 422' },
  ],
  [
    'a refusal that depends on what the server has is a warning',
    (answer, { target }) => (target.includes('wing=east') ? { status: 409 } : answer),
    { 'listFloors.status': 'warn: 409' },
  ],
  [
    'a redirect is a warning',
    (answer, { target }) =>
      target.includes('wing=east') ? { status: 308, headers: { Location: '/' } } : answer,
    { 'listFloors.status': 'warn: 308' },
  ],
  [
    'an invalid request that breaks the server is a fail, and one that is accepted a warning where nothing says that it is refused',
    (answer, { target }) => (target.includes('/floors?') && answer.status === 400 ? { status: 500 } : answer),
    { 'listFloors.status': 'fail: 500', 'listFloors.bad-parameter': 'warn: 500' },
  ],
  [
    'an invalid request that the server does not support is a warning',
    (answer, { target }) => (target.includes('/floors?') && answer.status === 400 ? { status: 501 } : answer),
    { 'listFloors.status': 'warn: 501', 'listFloors.bad-parameter': 'warn: 501' },
  ],
])('%s', async (_what, change, found) => {
  expect(broken(await judge(change))).toEqual(found);
});

test('one fail among warnings decides a rule', async () => {
  const report = await judge((answer, { target }) =>
    target.startsWith('/floors?') ? { status: target.includes('east') ? 409 : 500 } : answer,
  );
  expect(broken(report)).toMatchObject({ 'listFloors.status': 'fail: 500' });
});
