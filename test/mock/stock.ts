import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const of = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
const refused = (...statuses: readonly number[]): string =>
  statuses.map((status) => `        '${String(status)}': { description: Refused. }`).join('\n');

const collection = (path: string, one: string, bulk: string): string => `
  /${path}:
    get:
      operationId: list${one}s
      responses:
        '200': { description: All., ${json(`{ type: array, items: ${of(one)} }`)} }
    post:
      operationId: create${one}
      requestBody: { required: true, ${json(of(one))} }
      responses:
        '201': { description: Created., ${json(of(one))} }
${refused(409, 422)}
  /${path}/batch:
    post:
      operationId: create${one}s
${bulk}
  /${path}/{id}:
    get:
      operationId: get${one}
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: One., ${json(of(one))} }
${refused(404)}
`;

/** Boxes are created all or none; each part is created or refused by itself. */
export const DOCUMENT = `
openapi: 3.1.0
info: { title: Stock, version: '1' }
paths:
${collection(
  'boxes',
  'Box',
  `      requestBody: { required: true, ${json(`{ type: array, minItems: 1, maxItems: 50, items: ${of('Box')} }`)} }
      responses:
        '201': { description: All created., ${json(`{ type: array, items: ${of('Box')} }`)} }
${refused(409, 422)}`,
)}
${collection(
  'parts',
  'Part',
  `      requestBody:
        required: true
        ${json(`{ type: object, required: [parts], properties: { parts: { type: array, minItems: 1, items: ${of('Part')} } } }`)}
      responses:
        '207': { description: One result each., ${json(of('PartResults'))} }
${refused(422)}`,
)}
components:
  schemas:
    Box:
      type: object
      required: [label, size]
      properties:
        id: { type: string, readOnly: true }
        label: { type: string, minLength: 1, maxLength: 40 }
        size: { type: integer, minimum: 1, maximum: 100 }
    Part:
      type: object
      required: [name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string, minLength: 1, maxLength: 80 }
        count: { type: integer, minimum: 0, default: 1 }
    PartResults:
      type: object
      required: [created, results]
      properties:
        created: { type: integer }
        failed: { type: integer }
        results:
          type: array
          items:
            type: object
            required: [index, status]
            properties:
              index: { type: integer }
              status: { type: integer }
              part: ${of('Part')}
              error: { type: object, required: [message], properties: { message: { type: string } } }
`;

export const SHEET = `
api: stock
contract: '1'
document: 1
policies:
  - kind: resource
    collection: boxes
    id: { member: id, form: text }
    operations: { create: createBox, createMany: createBoxs, list: listBoxs, read: getBox }
    many: { whole: true }
  - kind: resource
    collection: parts
    id: { member: id, form: text }
    operations: { create: createPart, createMany: createParts, list: listParts, read: getPart }
    many: { send: parts, results: results, item: part, status: status }
  - kind: uniqueness
    operations: [createPart]
    member: name
    within: []
    refusal: { status: 409 }
rules: []
unspecified: []
`;

export function stockContract(): Promise<Contract> {
  return own('stock', DOCUMENT, SHEET);
}
