import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

const PAPER = "{ $ref: '#/components/schemas/Paper' }";
const PRINT = "{ $ref: '#/components/schemas/Print' }";
const shown = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const TAGGED = `headers: { ETag: { schema: { type: string } } }, ${shown(PAPER)}`;
const refused = (...statuses: readonly number[]): string =>
  statuses.map((status) => `        '${String(status)}': { description: Refused. }`).join('\n');

/**
 * Papers under names that callers choose, whose deletion can be taken back, and prints of them that the server completes
 * after its answer.
 */
export const DOCUMENT = `
openapi: 3.1.0
info: { title: Papers, version: '1' }
paths:
  /papers:
    get:
      operationId: listPapers
      parameters:
        - { name: offset, in: query, schema: { type: integer, minimum: 0 } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
        - { name: shelf, in: query, schema: { type: string } }
        - { name: sort, in: query, schema: { type: string, enum: [name, -name, title, -title] } }
      responses:
        '200':
          description: Papers.
          headers: { X-Total-Count: { schema: { type: integer } } }
          ${shown(`{ type: array, items: ${PAPER} }`)}
  /papers/{name}:
    parameters: [&name { name: name, in: path, required: true, schema: { type: string, pattern: '^[a-z0-9-]{1,40}$' } }]
    get:
      operationId: getPaper
      responses:
        '200': { description: The paper., ${TAGGED} }
${refused(404, 410)}
    put:
      operationId: putPaper
      requestBody: { required: true, ${shown(PAPER)} }
      responses:
        '200': { description: Replaced., ${TAGGED} }
        '201': { description: Created., ${TAGGED} }
${refused(410, 412, 422, 428)}
    delete:
      operationId: deletePaper
      responses:
        '204': { description: Deleted. }
${refused(404, 410, 412, 428)}
  /papers/{name}/restore:
    parameters: [*name]
    post:
      operationId: restorePaper
      responses:
        '200': { description: Back., ${TAGGED} }
${refused(404, 409, 410)}
  /papers/{name}/prints:
    parameters: [*name]
    post:
      operationId: printPaper
      responses:
        '202': { description: Accepted., headers: { Location: { schema: { type: string } } }, ${shown(PRINT)} }
${refused(404, 410)}
  /prints:
    get:
      operationId: listPrints
      parameters: [{ name: state, in: query, schema: { $ref: '#/components/schemas/State' } }]
      responses:
        '200': { description: Prints., ${shown(`{ type: array, items: ${PRINT} }`)} }
  /prints/{printId}:
    parameters: [&print { name: printId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPrint
      responses:
        '200': { description: The print., ${shown(PRINT)} }
${refused(404)}
  /prints/{printId}/cancel:
    parameters: [*print]
    post:
      operationId: cancelPrint
      responses:
        '200': { description: Canceled., ${shown(PRINT)} }
${refused(404, 409)}
components:
  schemas:
    State: { type: string, enum: [waiting, printing, done, canceled] }
    Paper:
      type: object
      required: [title]
      properties:
        name: { type: string, readOnly: true }
        title: { type: string, minLength: 1, maxLength: 80 }
        shelf: { type: string, maxLength: 80 }
    Print:
      type: object
      required: [id, state]
      properties:
        id: { type: string, readOnly: true }
        state: { $ref: '#/components/schemas/State' }
`;

export const SHEET = `
api: papers
contract: '1'
document: 1
policies:
  - kind: resource
    collection: papers
    id: { member: name, form: caller }
    operations: { list: listPapers, read: getPaper, replace: putPaper, delete: deletePaper, restore: restorePaper }
    upsert: true
    filters: { shelf: shelf }
    sort: { parameter: sort, descending: '-' }
    gone: { status: 410 }
  - kind: resource
    collection: prints
    id: { member: id, parameter: printId }
    operations: { create: printPaper, list: listPrints, read: getPrint }
    filters: { state: state }
  - kind: numbered-pages
    operations: [listPapers]
    offsetParameter: offset
    limitParameter: limit
    defaultLimit: 5
    maximumLimit: 20
    totalHeader: X-Total-Count
  - kind: conditional-write
    operations: [putPaper, deletePaper]
    mismatch: { status: 412 }
    required: { status: 428 }
  - kind: lifecycle
    schema: Print
    property: state
    states: [waiting, printing, done, canceled]
    initial: waiting
    terminal: [done, canceled]
    transitions:
      - { from: waiting, to: printing, on: start }
      - { from: printing, to: done, on: finish }
      - { from: waiting, to: canceled, on: cancel }
      - { from: printing, to: canceled, on: cancel }
    refusal: { status: 409 }
rules: []
unspecified: []
`;

export function papersContract(): Promise<Contract> {
  return own('papers', DOCUMENT, SHEET);
}
