import { expect, onTestFinished, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/index.ts';
import type { ControlState } from '../../mock/control/shape.ts';
import type { OperationShape } from '../../mock/control/reference-shape.ts';
import type { SentExchange } from '../../mock/control/calls-shape.ts';
import { own } from './own-document.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Trips, version: '1' }
security: [{ token: [] }]
paths:
  /trips:
    get:
      operationId: listTrips
      security: [{}]
      responses: { '200': { description: Trips. } }
    post:
      operationId: bookTrip
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [from, to]
              properties: { from: { type: string }, to: { type: string } }
            examples: { old: { value: { from: here } } }
      responses: { '201': { description: Booked. } }
  /trips/{id}/photo:
    put:
      operationId: putPhoto
      security: [{ login: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title, photo]
              properties: { title: { type: string }, photo: { type: string, format: binary } }
      responses: { '204': { description: Kept. } }
  /notes:
    put:
      operationId: putNote
      security: [{ keyInQuery: [] }]
      requestBody: { required: true, content: { text/plain: { schema: { type: string } } } }
      responses: { '204': { description: Kept. } }
  /sessions:
    post:
      operationId: logIn
      security: []
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, required: [user], properties: { user: { type: string } } }
      responses: { '204': { description: Known. } }
  /lines:
    post:
      operationId: sendLines
      requestBody: { required: true, content: { application/x-ndjson: { schema: { $ref: '#/components/schemas/Line' } } } }
      responses: { '204': { description: Kept. } }
  /sequence:
    post:
      operationId: sendSequence
      requestBody:
        required: true
        content:
          application/json-seq:
            schema: { type: array, minItems: 2, items: { $ref: '#/components/schemas/Line' } }
      responses: { '204': { description: Kept. } }
  /uploads:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: array
              minItems: 1
              items: { type: object, required: [file], properties: { file: { type: string, format: binary } } }
      responses: { '204': { description: Kept. } }
  /covers:
    post:
      operationId: sendCover
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { type: object, required: [line], properties: { line: { $ref: '#/components/schemas/Line' } } }
            encoding: { line: { contentType: application/xml } }
      responses: { '204': { description: Kept. } }
  /files:
    put:
      operationId: putFile
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses: { '204': { description: Kept. } }
  /styled/{label}/{matrix}:
    get:
      operationId: readStyled
      parameters:
        - { name: label, in: path, required: true, style: label, explode: true, schema: { $ref: '#/components/schemas/Pair' } }
        - { name: matrix, in: path, required: true, style: matrix, explode: true, schema: { $ref: '#/components/schemas/Pair' } }
        - { name: bars, in: query, required: true, style: pipeDelimited, explode: false, schema: { $ref: '#/components/schemas/Pair' } }
        - { name: commas, in: query, required: true, explode: false, schema: { $ref: '#/components/schemas/Pair' } }
        - { name: crumbs, in: cookie, required: true, schema: { $ref: '#/components/schemas/Pair' } }
      responses: { '204': { description: Here. } }
components:
  schemas:
    Pair: { type: array, minItems: 2, items: { type: integer } }
    Line: { type: object, required: [n], properties: { n: { type: integer } } }
  securitySchemes:
    token: { type: http, scheme: bearer }
    login: { type: http, scheme: basic }
    keyInQuery: { type: apiKey, in: query, name: key }
`;

/** Sends the sample of each operation, as the inspector's composer does. */
async function sent(mock: RunningMock): Promise<Readonly<Record<string, number>>> {
  const control = async <Shape>(path: string, body?: object): Promise<Shape> => {
    const init =
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          };
    return (await (await fetch(`${mock.controlUrl ?? ''}/control/v1/${path}`, init)).json()) as Shape;
  };
  const { apis } = await control<ControlState>('state');
  const statuses: Record<string, number> = {};
  for (const { name, operations } of apis)
    for (const { id } of operations) {
      const { call } = await control<OperationShape>(`operations/${name}/${id}`);
      statuses[id] = call === undefined ? 0 : (await control<SentExchange>('requests', call)).status;
    }
  return statuses;
}

test('the sample of each operation of a document is accepted: its credential, its type, and a body that fits', async () => {
  const mock = await startMock({ contracts: [await own('trips', DOCUMENT)], apis: [], controlPort: 0 });
  onTestFinished(() => mock.stop());
  expect(await sent(mock)).toStrictEqual({
    ...{ listTrips: 200, bookTrip: 201, putPhoto: 204, putNote: 204, logIn: 204, putFile: 204 },
    ...{ sendLines: 204, sendSequence: 204, upload: 204, sendCover: 204, readStyled: 204 },
  });
});

test('the sample of each operation of the built-in APIs is accepted, once there is a job', async () => {
  const mock = await startMock({ controlPort: 0 });
  onTestFinished(() => mock.stop());
  expect(await sent(mock)).toStrictEqual({
    listModels: 200,
    getModel: 200,
    runModel: 200,
    getModelInputSchema: 200,
    publishNodeVersion: 201,
    startSkinEnhancement: 200,
    submitJob: 201,
    getJob: 200,
    cancelJob: 200,
    streamJobEvents: 200,
  });
});
