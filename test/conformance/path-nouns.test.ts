import { expect, test } from 'vitest';
import { planConformance, permissions, runConformance } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const json = (status: number, body: unknown): Scripted => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

const body = (schema: string, example = ''): string =>
  `requestBody: { required: true, content: { application/json: { schema: ${schema}${example} } } }`;
const made = `responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } }`;
const done = `responses: { '204': { description: Done. } }`;

/** A hotel whose bodies name rooms and items without the word "id". */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Hotel, version: '1' }
paths:
  /rooms:
    post: { operationId: addRoom, ${body('{ type: object, properties: { beds: { type: integer } } }')}, ${made} }
  /rooms/{number}:
    parameters: [{ name: number, in: path, required: true, schema: { type: integer } }]
    delete: { operationId: removeRoom, ${done} }
  /items/{sku}:
    parameters: [{ name: sku, in: path, required: true, schema: { type: string, pattern: '^S[0-9]$' } }]
    get: { operationId: getItem, responses: { '200': { description: An item. } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getNote, responses: { '200': { description: A note. } } }
  /bookings:
    post: { operationId: book, ${body('{ type: object, required: [room], properties: { room: { type: integer }, note: { type: string } } }', ', example: { room: 101, note: quiet }')}, ${made} }
  /bookings/{bookingId}:
    parameters: [{ name: bookingId, in: path, required: true, schema: { type: string } }]
    delete: { operationId: cancel, ${done} }
  /bookings/{bookingId}/move:
    parameters: [{ name: bookingId, in: path, required: true, schema: { type: string } }]
    post: { operationId: move, ${body('{ type: object, required: [toRoom], properties: { toRoom: { type: integer } } }', ', example: { toRoom: 102 }')}, ${done} }
  /stocks:
    post: { operationId: adjust, ${body('{ type: object, required: [sku], properties: { sku: { type: string } } }', ', example: { sku: S1 }')}, ${made} }
  /merges:
    post: { operationId: merge, ${body("{ type: object, required: [keep], properties: { keep: { type: string, pattern: '^S[0-9]$' } } }", ', example: { keep: S1 }')}, ${made} }
`;

/** A server with rooms 101 and 102, which a run did not make; it shows the address of what it makes, and no body. */
function hotel(sent: string[]): ReturnType<typeof scripted> {
  const rooms = new Set(['101', '102']);
  let last = 2_000;
  return scripted(({ method, target, body: bytes }) => {
    const [, collection, id] = target.split(/[/?]/);
    if (method !== 'GET') sent.push(`${method} ${target} ${new TextDecoder().decode(bytes)}`.trim());
    if (method === 'POST' && id === undefined) {
      last += 1;
      if (collection === 'rooms') rooms.add(String(last));
      return { status: 201, headers: { Location: `/${collection ?? ''}/${String(last)}` } };
    }
    if (method === 'DELETE') return { status: rooms.delete(id ?? '') || collection !== 'rooms' ? 204 : 404 };
    return method === 'POST' ? { status: 204 } : json(404, {});
  });
}

test('a word of the paths names a thing: such a body gets one that the run made, or is withheld', async () => {
  const contract = await own('hotel', DOCUMENT);
  const sent: string[] = [];
  await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: permissions,
    transport: hotel(sent).transport,
  });
  const bodies = sent.filter((line) => /"(?:room|toRoom)":\d/.test(line));
  expect(bodies.length).toBeGreaterThan(2);
  expect(bodies.filter((line) => !/"(?:room|toRoom)":2\d{3}\b/.test(line))).toEqual([]);
  expect(sent.filter((line) => /S1|^DELETE \/rooms\/10\d/.test(line))).toEqual([]);
  // The number in the address of a made room is its number.
  expect(sent.filter((line) => line.startsWith('DELETE /rooms/2')).length).toBe(
    sent.filter((line) => /^POST \/rooms(?!\S)/.test(line)).length,
  );
});

test('the plan says which member names what no operation makes; a text is no name of a thing', async () => {
  const { withheld } = planConformance({
    contracts: [await own('hotel', DOCUMENT)],
    baseUrl: 'http://localhost',
    allow: permissions,
  });
  expect(withheld.map(({ operation, reason }) => `${operation}: ${reason}`)).toEqual([
    'adjust: its body names things that the run cannot make, at /sku',
    'merge: its body names things that the run cannot make, at /keep',
  ]);
});
