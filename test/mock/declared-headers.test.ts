import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMock, type SteerableMock, virtualClock } from '../../mock/index.ts';
import { own } from './own-document.ts';

/** Headers that a document declares and gives no example of. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Parcels, version: '1' }
servers: [{ url: https://api.example/v2 }]
paths:
  /parcels:
    get:
      operationId: listParcels
      responses:
        '200':
          description: All.
          headers: { X-Total-Count: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } }
    post:
      operationId: addParcel
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
      responses:
        '201':
          description: Added.
          headers:
            Location: { required: true, schema: { type: string, format: uri } }
            ETag: { required: true, schema: { type: string } }
            X-Rate-Limit: { required: true, schema: { type: integer, example: 60 } }
            Replayed: { schema: { type: string } }
            Last-Modified: { schema: { type: string } }
            Link: { schema: { type: string } }
            Content-Encoding: { schema: { type: string } }
            X-Note: { schema: { type: string, example: own } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } }
  /parcels/{parcelId}:
    get:
      operationId: readParcel
      parameters: [{ name: parcelId, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: One.
          headers: { ETag: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } }
        '304': { description: Not modified. }
        '404': { description: Gone. }
components:
  schemas:
    Parcel:
      type: object
      required: [id, weight]
      properties: { id: { type: string, readOnly: true }, weight: { type: integer } }
`;
const SHEET = `
api: parcels
contract: '1'
document: 1
policies:
  - kind: resource
    collection: parcels
    id: { member: id, parameter: parcelId }
    operations: { create: addParcel, list: listParcels, read: readParcel }
  - { kind: conditional-get, operations: [readParcel], status: 304, keptHeaders: [ETag] }
  - kind: idempotency
    mode: replay
    operations: [addParcel]
    requestHeader: Idempotency-Key
    replayHeader: { name: Replayed, value: 'yes' }
    window: PT1H
    release: []
    inFlight: { status: 409, retryAfter: true }
    mismatch: { status: 422 }
rules: []
unspecified: []
`;

let mocks: Readonly<Record<'document' | 'sheet', SteerableMock>>;
beforeAll(async () => {
  mocks = {
    document: createMock({
      contracts: [await own('parcels', DOCUMENT)],
      clock: virtualClock({ auto: false }),
    }),
    sheet: createMock({
      contracts: [await own('parcels', DOCUMENT, SHEET)],
      clock: virtualClock({ auto: false }),
    }),
  };
});
afterAll(() => {
  for (const mock of Object.values(mocks)) mock.close();
});

const add = (mock: SteerableMock): Promise<Response> =>
  mock.fetch('http://parcels.test/v2/parcels', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' },
    body: '{"id":"x","weight":3}',
  });

test.each(['document', 'sheet'] as const)(
  'what was created is read at the Location of its answer, below the path of the server: %s',
  async (kind) => {
    const mock = mocks[kind];
    const created = await add(mock);
    expect(created.status).toBe(201);
    const location = created.headers.get('location') ?? '';
    const { id } = (await created.json()) as { id: string };
    expect(location).toBe(`http://parcels.test/v2/parcels/${id}`);
    const read = await mock.fetch(location);
    expect(read.status).toBe(200);
    const etag = read.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(created.headers.get('etag')).toMatch(/^"[^"]+"$/);
    expect(created.headers.get('x-rate-limit')).toBe('60');
    expect(created.headers.get('x-note')).toBe('own');
    expect(created.headers.get('content-encoding')).toBeNull();
    expect(created.headers.get('last-modified')).toMatch(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
    expect(created.headers.get('sl-violations')).toBeNull();
    mock.reset();
  },
);

test('with a sheet the tag of the answer is that of the thing, and a replay alone is marked as one', async () => {
  const mock = mocks.sheet;
  const created = await add(mock);
  expect(created.headers.get('replayed')).toBeNull();
  const same = await mock.fetch(created.headers.get('location') ?? '', {
    headers: { 'If-None-Match': created.headers.get('etag') ?? '' },
  });
  expect(same.status).toBe(304);
  const again = await add(mock);
  expect([again.headers.get('replayed'), again.headers.get('location')]).toStrictEqual([
    'yes',
    created.headers.get('location'),
  ]);
  const list = await mock.fetch('http://parcels.test/parcels');
  expect(list.headers.get('x-total-count')).toBe(String(((await list.json()) as unknown[]).length));
});
