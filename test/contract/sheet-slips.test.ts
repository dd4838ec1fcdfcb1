import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../contract/index.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Rooms, version: '1' }
paths:
  /rooms:
    post:
      operationId: addRoom
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      responses: { '201': { description: Added. } }
  /rooms/{id}:
    get:
      operationId: getRoom
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: A room. }, '304': { description: Same. } }
  /rooms/{id}/close:
    post:
      operationId: closeRoom
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: Closed. } }
components:
  schemas:
    Room: { type: object, properties: { state: { type: string, enum: [free, closed] } } }
`;

const KEYS = `
  - kind: idempotency
    mode: replay
    operations: [addRoom]
    requestHeader: Idempotency-Key
    replayHeader: { name: Replayed, value: 'true' }
    window: P1D
    release: [5xx]
    inFlight: { status: 201, retryAfter: false }
    mismatch: { status: 201 }`;
const TAG = `
  - { kind: conditional-get, operations: [getRoom], status: 304, keptHeaders: [ETag] }`;
const ROOMS = `
  - { kind: resource, collection: rooms, id: { member: id }, operations: { read: getRoom } }`;
const ERRORS = `
  - { kind: error-codes, code: code, message: message, codes: [{ name: bad }], roles: { badInput: bad, own: bad } }`;

const sheet = (policies: string): string => `
api: rooms
contract: '1'
document: 1
policies:${policies}
rules: []
unspecified: []
`;

/** The messages about a sheet, each with its line and the advice. */
async function told(text: string, isWithCode = false): Promise<readonly string[]> {
  const cwd = mkdtempSync(join(tmpdir(), 'tallystick-slips-'));
  try {
    writeFileSync(join(cwd, 'rooms.yaml'), DOCUMENT);
    writeFileSync(join(cwd, 'rooms.behaviour.yaml'), text);
    const loaded = await loadContract({ document: 'rooms.yaml', sheet: 'rooms.behaviour.yaml', cwd });
    const all = loaded.ok ? loaded.warnings : loaded.diagnostics;
    return all.map(({ message, help, location, ...of }) =>
      isWithCode
        ? `${String(location?.line)} ${of.severity} ${of.code}: ${message}; ${help ?? ''}`
        : `${String(location?.line)}: ${message}; ${help ?? ''}`,
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

test.each([
  ['a sheet without slips', sheet(KEYS + TAG + ROOMS + ERRORS), []],
  [
    'a policy that has no effect',
    sheet(TAG + TAG),
    [
      '7: getRoom has conditional-get by an earlier policy already, which alone has an effect; correct the sheet or the document',
    ],
  ],
  [
    'two collections of one name',
    sheet(ROOMS + ROOMS),
    ['7: another resource has the collection rooms as well; correct the sheet or the document'],
  ],
  [
    'a role in other letters',
    sheet(ERRORS.replace('badInput', 'badinput')),
    ['6: badinput is nearly the role badInput; did you mean badInput?'],
  ],
  [
    'a header that the document spells otherwise',
    sheet(KEYS.replace('Idempotency-Key', 'Idempotency_Key')),
    ['9: Idempotency_Key is nearly the header of addRoom Idempotency-Key; did you mean Idempotency-Key?'],
  ],
  [
    'a duration in other words',
    sheet(KEYS.replace('P1D', '24h')),
    ['11: window is not a duration (ISO 8601); write a duration such as PT30S, PT24H or P1D'],
  ],
  [
    'a document in place of a sheet',
    DOCUMENT,
    [
      '2: rooms.behaviour.yaml is an OpenAPI document, not a behaviour sheet; name its behaviour sheet; `sheet draft` writes one',
    ],
  ],
  [
    'a list in place of a sheet',
    '- kind: resource',
    [
      '1: rooms.behaviour.yaml contains an array, not an object; a behaviour sheet begins with a line such as `api: rooms`: `sheet draft my.yaml` writes one',
    ],
  ],
])('%s', async (_what, text, messages) => {
  expect(await told(text)).toEqual(messages);
});

const LIFE = `
  - { kind: lifecycle, schema: Room, property: state, states: [free, closed], initial: free, terminal: [closed],
      transitions: [{ from: free, to: closed, on: clos }] }`;
const rule = (more: string): string => `
rules:
  - { id: rooms.ids.own, level: must, says: So it is., source: { document: 1, section: Rooms, item: Ids }, needs: [], audience: server${more} }
`;

test.each([
  [
    'a case that its policy does not have',
    KEYS,
    rule(', policy: idempotency, case: replayd'),
    'sheet-case-unknown',
    'error: unknown case "replayd" of idempotency; did you mean replayed?',
  ],
  [
    'an occasion that brings no case of its policy about',
    KEYS,
    rule(', policy: idempotency, case: released, when: [5xx, 425, unpayed]'),
    'sheet-case-unknown',
    'error: unknown occasion "unpayed" of idempotency; did you mean unpaid?',
  ],
  [
    'a rule that names no case of its policy',
    KEYS,
    rule(', policy: idempotency').replace('So it is.', 'Other bodies are refused.'),
    'sheet-rule-unjudged',
    'warning: no template judges the rule rooms.ids.own; add the line `case: mismatch`, or another case: in-flight, released, first-use, replayed, window, no-key; or say why it is `unobservable`, or write a probe for it',
  ],
  [
    'a rule that nothing judges',
    KEYS,
    rule(''),
    'sheet-rule-unjudged',
    'warning: no template judges the rule rooms.ids.own; name the policy and the case that it is about; or say why it is `unobservable`, or write a probe for it',
  ],
  [
    'a cause that is nearly an operation',
    LIFE,
    '',
    'sheet-name-doubtful',
    'warning: no operation causes clos, but one is named close; did you mean close?',
  ],
])('%s', async (_what, policies, rules, code, message) => {
  const text = rules === '' ? sheet(policies) : sheet(policies).replace('\nrules: []\n', rules);
  const line = rules === '' ? 7 : 16;
  expect(await told(text, true)).toEqual([`${String(line)} ${message.replace(':', ` ${code}:`)}`]);
});
