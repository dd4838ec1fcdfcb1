import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, loadContract } from '../../contract/index.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Notes, version: '1' }
security: [{ token: [] }]
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200':
          description: One page of notes.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/NotePage' }
              example: { data: [{ id: a }, { id: b }, { id: c }], has_more: false, limit: 20 }
    post:
      operationId: addNote
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } }
      responses:
        '201':
          description: The new note.
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' }, example: { id: n1 } } }
  /notes/{id}:
    get:
      operationId: getNote
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: A note.
          content: { application/json: { schema: { $ref: '#/components/schemas/Note' }, example: { id: n1 } } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Note: { type: object, required: [id], properties: { id: { type: string } } }
    NewNote: { type: object, required: [text], properties: { text: { type: string, minLength: 1 } } }
    NotePage:
      type: object
      required: [data, has_more, limit]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Note' } }
        has_more: { type: boolean }
        limit: { type: integer, minimum: 1 }
        next_cursor: { type: string }
`;

export const SHEET = `
api: notes
contract: '1'
document: 1
policies:
  - kind: pagination
    operations: [listNotes]
    cursorParameter: cursor
    limitParameter: limit
    defaultLimit: 2
    maximumLimit: 3
    page: { items: data, more: has_more, limit: limit, next: next_cursor }
  - kind: idempotency
    mode: replay
    operations: [addNote]
    requestHeader: Idempotency-Key
    replayHeader: { name: Replayed, value: 'yes' }
    window: PT1H
    release: [5xx]
    inFlight: { status: 409, retryAfter: true }
    consumed: { status: 409 }
    mismatch: { status: 422 }
    collecting: { status: 504, marker: Retry-After }
  - kind: conditional-get
    operations: [getNote]
    status: 304
    keptHeaders: [ETag]
rules: []
unspecified: []
`;

/** The same with single-use keys. */
export const ONE_USE = SHEET.replace(
  /mode: replay[^]*?collecting: .*/,
  `mode: single-use
    operations: [addNote]
    requestHeader: Idempotency-Key
    window: PT1H
    reuse: { status: 422, code: used }`,
);

/** A contract that this project knows nothing of: its document and its sheet are all that there is. */
export async function notesContract(sheet = SHEET): Promise<Contract> {
  const folder = mkdtempSync(join(tmpdir(), 'notes-'));
  try {
    writeFileSync(join(folder, 'notes.yaml'), DOCUMENT);
    writeFileSync(join(folder, 'notes.behaviour.yaml'), sheet);
    const loaded = await loadContract({ document: 'notes.yaml', sheet: 'notes.behaviour.yaml', cwd: folder });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
    return loaded.contract;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
