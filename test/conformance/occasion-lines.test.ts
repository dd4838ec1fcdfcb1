import { expect, test } from 'vitest';
import { ownFixturesTemplate, readFixtures } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Prints, version: '1' }
paths:
  /prints:
    post:
      operationId: addPrint
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string } } } } }
      responses:
        '201': { description: Added., content: { application/json: { schema: { type: object } } } }
  /pages/{page}/turn:
    parameters: [{ name: page, in: path, required: true, schema: { type: string } }]
    post: { operationId: turnPage, responses: { '204': { description: Turned. }, '504': { description: Late. } } }
  /pages/{page}/tear:
    parameters: [{ name: page, in: path, required: true, schema: { type: string } }]
    post: { operationId: tearPage, responses: { '204': { description: Torn. } } }
`;

const SHEET = `
api: prints
contract: '1'
document: 1
policies:
  - kind: idempotency
    mode: replay
    operations: [addPrint]
    requestHeader: Idempotency-Key
    window: PT24H
    release: []
    inFlight: { status: 409, retryAfter: true }
    mismatch: { status: 422 }
  - { kind: deadline, operations: [turnPage], default: PT1S, status: 504 }
`;

test('the fixtures of a contract name each occasion with the rules that it opens, and can be given as they are printed', async () => {
  const text = ownFixturesTemplate(await own('prints', DOCUMENT, SHEET));
  const lines = text.split('\n');
  const occasions = lines.slice(lines.findIndex((line) => line.startsWith('#occasions:')));
  const of = (operation: string): readonly string[] => {
    const begin = occasions.indexOf(`#  "${operation}":`);
    const rest = begin < 0 ? [] : occasions.slice(begin + 1);
    const end = rest.findIndex((line) => !line.startsWith('#    '));
    return rest.slice(0, end);
  };
  expect(of('addPrint')).toContainEqual(
    expect.stringMatching(/^# {4}huge: \{ body: \{\} \} {2}# .*; for idempotency\.addPrint\.replayed/),
  );
  // The first operation has all of them, also those that open no other rule: their answers are judged.
  expect(of('addPrint')).toContainEqual(expect.stringMatching(/^# {4}full: [^;]*$/));
  expect(of('turnPage')).toEqual([
    expect.stringMatching(
      /^# {4}slow: \{ parameters: \{\}, minMs: 1000 \} {2}# .*; for deadline\.turnPage\.expired$/,
    ),
  ]);
  expect(of('tearPage')).toEqual([]);
  const given = readFixtures(occasions.map((line) => line.replace(/^#/, '')).join('\n'), {});
  expect(given).toMatchObject({
    ok: true,
    fixtures: { occasions: { turnPage: { slow: { minMs: 1000 } } } },
  });
});
