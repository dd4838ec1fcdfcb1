/** A list whose document bounds the size of a page, and declares the refusal. */
export const DOCUMENT = `
openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 10 } }
      responses:
        '200':
          description: Things.
          content:
            application/json:
              schema:
                type: object
                required: [items, next]
                properties: { items: { type: array, items: { type: object, required: [id], properties: { id: { type: string } } } }, next: { type: [string, 'null'] } }
        '400': { description: Refused. }
`;

/** @param rules in the flow style of YAML */
export const sheet = (rules: string): string => `
api: things
contract: '1'
document: 1
policies:
  - { kind: pagination, operations: [listThings], cursorParameter: cursor, limitParameter: limit, defaultLimit: 10, maximumLimit: 50, page: { items: items, next: next } }
rules: ${rules}
unspecified: []
`;
