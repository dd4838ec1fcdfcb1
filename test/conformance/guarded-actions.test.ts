import { expect, test } from 'vitest';
import { permissions, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { digest, hasTag, Refusal, serve } from '../unseen/wire.ts';
import type { Answer, Call, Thing } from '../unseen/wire.ts';

const DOOR = "content: { application/json: { schema: { $ref: '#/components/schemas/Door' } } }";
const ID = 'parameters: [{ name: doorId, in: path, required: true, schema: { type: string } }]';
const REFUSED = ['400', '404', '409', '412', '428']
  .map((status) => `'${status}': { description: No. }`)
  .join(', ');
const action = (name: string): string => `
  /doors/{doorId}/${name}:
    ${ID}
    post: { operationId: ${name}Door, responses: { '200': { description: Done., ${DOOR} }, ${REFUSED} } }`;

/** Doors that are opened and locked by calls that name a version, and changed by a patch of the one member that fixtures name. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Doors, version: '1' }
paths:
  /doors:
    post: { operationId: addDoor, requestBody: { required: true, ${DOOR} }, responses: { '201': { description: Added., ${DOOR} }, ${REFUSED} } }
  /doors/{doorId}:
    ${ID}
    get: { operationId: getDoor, responses: { '200': { description: It., ${DOOR} }, '304': { description: The same. }, ${REFUSED} } }
    patch: { operationId: changeDoor, requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object, properties: { width: { type: integer, minimum: 60, maximum: 200 } } } } } }, responses: { '200': { description: Changed., ${DOOR} }, ${REFUSED} } }
    delete: { operationId: dropDoor, responses: { '204': { description: Gone. }, ${REFUSED} } }${action('open')}${action('lock')}
components:
  schemas:
    Door:
      type: object
      required: [name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string, minLength: 1, maxLength: 40, example: front }
        width: { type: integer, minimum: 60, maximum: 200, default: 90 }
        state: { type: string, enum: [closed, open, locked], readOnly: true }
        reads: { type: integer, readOnly: true }
`;

const SHEET = `
api: doors
contract: '1'
document: 1
policies:
  - kind: resource
    collection: doors
    id: { member: id, parameter: doorId }
    operations: { create: addDoor, read: getDoor, patch: changeDoor, delete: dropDoor }
  - { kind: conditional-get, operations: [getDoor], status: 304, keptHeaders: [ETag] }
  - kind: conditional-write
    operations: [changeDoor, openDoor, lockDoor]
    mismatch: { status: 412 }
    required: { status: 428 }
  - kind: lifecycle
    schema: Door
    property: state
    states: [closed, open, locked]
    initial: closed
    terminal: [locked]
    transitions: [{ from: closed, to: open, on: open }, { from: open, to: locked, on: lock }]
    refusal: { status: 409 }
`;

type Fault =
  'ignores-version' | 'wants-no-version' | 'star-refused' | 'weak-taken' | 'tag-stays' | 'opens-anyway';

/** @param countsReads whether each read shows how many there were, which is no part of the version */
function doors(fault?: Fault, countsReads = false) {
  const all = new Map<string, Thing>();
  const has = (one: Fault): boolean => fault === one;
  let count = 0;
  let reads = 0;
  const tagOf = (door: Thing): string => {
    const { state, ...others } = door;
    return `"${digest(JSON.stringify(has('tag-stays') ? others : { ...others, state }))}"`;
  };
  const shown = (door: Thing, status = 200): Answer => ({
    status,
    headers: { ETag: tagOf(door) },
    json: door,
  });
  const guard = (call: Call, door: Thing): void => {
    const given = call.header('If-Match');
    if (has('ignores-version')) return;
    if (given === undefined && !has('wants-no-version')) throw new Refusal(428, 'version');
    if (given === undefined) return;
    const isStar = given === '*' && has('star-refused');
    if (isStar || !hasTag(given, tagOf(door), has('weak-taken'))) throw new Refusal(412, 'stale');
  };
  const handle = (call: Call): Answer => {
    const id = call.path['doorId'] ?? '';
    if (call.operation === 'addDoor') {
      const width = widthIn(call.body);
      const name = (call.body as Thing)['name'];
      if (typeof name !== 'string' || name === '' || name.length > 40) throw new Refusal(400, 'name');
      const door = {
        width: 90,
        ...width,
        name,
        id: `d-${String((count += 1))}`,
        state: 'closed',
      };
      all.set(door.id, door);
      return shown(door, 201);
    }
    const door = all.get(id);
    if (door === undefined) throw new Refusal(404, 'none');
    const become = (more: Thing): Answer => {
      const next = { ...door, ...more };
      all.set(id, next);
      return shown(next);
    };
    if (call.operation === 'getDoor') {
      const answer = countsReads ? { ...shown(door), json: { ...door, reads: (reads += 1) } } : shown(door);
      const isHeld = hasTag(call.header('If-None-Match') ?? '', tagOf(door), true);
      return isHeld ? { status: 304, headers: { ETag: tagOf(door) } } : answer;
    }
    if (call.operation === 'dropDoor') return all.delete(id) ? { status: 204 } : { status: 404 };
    const [from, to] = call.operation === 'openDoor' ? ['closed', 'open'] : ['open', 'locked'];
    try {
      guard(call, door);
    } catch (error) {
      if (has('opens-anyway') && call.operation === 'openDoor') become({ state: 'open' });
      throw error;
    }
    if (call.operation === 'changeDoor') return become(widthIn(call.body));
    if (door['state'] !== from) throw new Refusal(409, 'state');
    return become({ state: to });
  };
  return serve(DOCUMENT, {
    admit: () => undefined,
    handle,
    refused: ({ status, code }) => ({ status, json: { code } }),
    always: () => ({}),
  });
}

function widthIn(body: unknown): Thing {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(400, 'body');
  if (!Object.hasOwn(body, 'width')) return {};
  const { width } = body as Thing;
  if (!Number.isInteger(width) || Number(width) < 60 || Number(width) > 200) throw new Refusal(400, 'width');
  return { width };
}

async function judged(fault?: Fault, countsReads = false): Promise<Report> {
  return runConformance({
    contracts: [await own('doors', DOCUMENT, SHEET)],
    baseUrl: 'http://localhost',
    allow: permissions,
    fixtures: { bodies: { changeDoor: { width: 120 } } },
    transport: doors(fault, countsReads),
    clock: virtualClock(),
    seed: 1,
    explore: 0,
  });
}

const broken = ({ rules }: Report): readonly string[] =>
  rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict)).map(({ id }) => id);

test('a server whose transitions want the version is right, also with a body of one member in the fixtures', async () => {
  const report = await judged();
  expect(broken(report)).toEqual([]);
  const judgedOf = (operation: string): readonly string[] =>
    report.rules
      .filter(({ id, verdict }) => id.startsWith(`conditional-write.${operation}.`) && verdict === 'pass')
      .map(({ id }) => id.split('.').at(-1) ?? '');
  for (const operation of ['openDoor', 'lockDoor'])
    expect(judgedOf(operation)).toEqual([
      'current',
      'mismatch',
      'weak',
      'list',
      'any',
      'required',
      'changed',
    ]);
});

test.each<[Fault, string]>([
  ['ignores-version', 'conditional-write.openDoor.mismatch'],
  ['wants-no-version', 'conditional-write.lockDoor.required'],
  ['star-refused', 'conditional-write.openDoor.any'],
  ['weak-taken', 'conditional-write.lockDoor.weak'],
  ['tag-stays', 'conditional-write.openDoor.changed'],
  ['opens-anyway', 'conditional-write.openDoor.mismatch'],
])('a server that has the fault %s breaks %s', async (fault, rule) => {
  expect(broken(await judged(fault))).toContain(rule);
});

test('a tag that stays when the state changes is noticed, also where each read shows something else', async () => {
  expect(broken(await judged(undefined, true))).toEqual([]);
  expect(broken(await judged('tag-stays', true))).toContain('conditional-get.getDoor.changed');
});
