import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';

/** A shop that uses every kind of policy that a server of any API can be judged by. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Shop, version: '1' }
security: [{ key: [] }]
paths:
  /items:
    get:
      operationId: listItems
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200': { $ref: '#/components/responses/ItemPage' }
        default: { $ref: '#/components/responses/Problem' }
    post:
      operationId: addItem
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses:
        '201': { $ref: '#/components/responses/Item' }
        default: { $ref: '#/components/responses/Problem' }
  /items/{itemId}:
    parameters: [{ name: itemId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getItem
      responses: &item
        '200': { $ref: '#/components/responses/Item' }
        '304': { description: Not modified. }
        default: { $ref: '#/components/responses/Problem' }
    put:
      operationId: replaceItem
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses: *item
    patch:
      operationId: changeItem
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object } } } }
      responses: *item
    delete:
      operationId: removeItem
      responses:
        '204': { description: Gone. }
        default: { $ref: '#/components/responses/Problem' }
  /labels:
    get:
      operationId: listLabels
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1 } }
        - { name: size, in: query, schema: { type: integer, minimum: 1 } }
      responses:
        '200':
          description: Labels.
          content:
            application/json:
              schema:
                type: object
                required: [labels, total]
                properties: { labels: { type: array, items: { $ref: '#/components/schemas/Label' } }, total: { type: integer } }
        default: { $ref: '#/components/responses/Problem' }
    post:
      operationId: addLabel
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Label' } } } }
      responses:
        '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Label' } } } }
        default: { $ref: '#/components/responses/Problem' }
  /labels/{labelId}:
    parameters: [{ name: labelId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getLabel
      responses:
        '200': { description: A label., content: { application/json: { schema: { $ref: '#/components/schemas/Label' } } } }
        default: { $ref: '#/components/responses/Problem' }
  /orders:
    get:
      operationId: listOrders
      responses:
        '200':
          description: Orders.
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } }, example: [{ id: o1, state: placed }] } }
        default: { $ref: '#/components/responses/Problem' }
    post:
      operationId: placeOrder
      parameters: [{ name: Order-Key, in: header, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [item], properties: { item: { type: string, minLength: 1 } } } } }
      responses:
        '201': { description: Placed., content: { application/json: { schema: { $ref: '#/components/schemas/Order' }, example: { id: o1, state: placed } } } }
        default: { $ref: '#/components/responses/Problem' }
  /orders/{orderId}:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getOrder
      responses:
        '200': { $ref: '#/components/responses/Order' }
        default: { $ref: '#/components/responses/Problem' }
  /orders/{orderId}/events:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: watchOrder
      responses:
        '200': { description: Events., content: { text/event-stream: { schema: { type: string }, example: "event: state\\ndata: {\\"state\\":\\"placed\\"}\\n\\nevent: state\\ndata: {\\"state\\":\\"shipped\\"}\\n\\n" } } }
        default: { $ref: '#/components/responses/Problem' }
  /pictures:
    post:
      operationId: addPicture
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string, minLength: 1 } } } } }
      responses:
        '201':
          description: Where to upload it.
          content:
            application/json:
              schema: { type: object, required: [upload_url], properties: { upload_url: { type: string, format: uri } } }
              example: { upload_url: 'https://upload.example.com/p1' }
        default: { $ref: '#/components/responses/Problem' }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-API-Key } }
  responses:
    Item: { description: An item., content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
    ItemPage:
      description: Items.
      content:
        application/json:
          schema:
            type: object
            required: [items, has_more, limit]
            properties:
              items: { type: array, items: { $ref: '#/components/schemas/Item' } }
              has_more: { type: boolean }
              limit: { type: integer }
              next_cursor: { type: string }
    Order:
      description: An order.
      content:
        application/json:
          schema: { $ref: '#/components/schemas/Order' }
          example: { id: o1, state: shipped, receipt_url: 'https://receipts.example.com/o1' }
    Problem:
      description: What went wrong.
      content:
        application/problem+json:
          schema:
            type: object
            required: [title, status, code]
            properties: { title: { type: string }, status: { type: integer }, detail: { type: string }, code: { type: string } }
  schemas:
    Item:
      type: object
      required: [id, name]
      properties:
        id: { type: string, readOnly: true }
        name: { type: string, minLength: 1, maxLength: 60 }
        price: { type: integer, minimum: 0 }
        note: { type: string }
    Label:
      type: object
      required: [id, text]
      properties: { id: { type: string, readOnly: true }, text: { type: string, minLength: 1, maxLength: 80 } }
    Order:
      type: object
      required: [id, state]
      properties:
        id: { type: string }
        state: { type: string, enum: [placed, packed, shipped, cancelled] }
        receipt_url: { type: string, format: uri }
`;

const SHEET = `
api: shop
contract: '1'
document: 1
policies:
  - { kind: credentials, keyHeader: X-API-Key }
  - kind: error-codes
    code: code
    message: detail
    status: status
    title: title
    codes:
      - { name: bad_input }
      - { name: no_key, status: 401 }
      - { name: no_such_item, status: 404 }
      - { name: taken, status: 409 }
      - { name: stale, status: 412 }
      - { name: another_body, status: 422 }
      - { name: version_needed, status: 428 }
      - { name: busy, status: 429 }
      - { name: late, status: 504 }
    roles: { badInput: bad_input, noCredential: no_key }
  - { kind: headers, requestId: Request-Id }
  - kind: resource
    collection: items
    id: { member: id, parameter: itemId, form: integer, prefix: it_ }
    operations: { create: addItem, list: listItems, read: getItem, replace: replaceItem, patch: changeItem, delete: removeItem }
    items: items
    missing: { status: 404, bucket: no_such_item }
  - kind: pagination
    operations: [listItems]
    cursorParameter: cursor
    limitParameter: limit
    defaultLimit: 3
    maximumLimit: 6
    zeroIsDefault: true
    noSuchPage: { status: 400, bucket: bad_input }
    page: { items: items, more: has_more, limit: limit, next: next_cursor }
  - kind: idempotency
    mode: replay
    operations: [addItem]
    requestHeader: Idempotency-Key
    replayHeader: { name: Idempotency-Replayed, value: 'true' }
    window: PT24H
    release: [5xx]
    inFlight: { status: 409, retryAfter: true }
    mismatch: { status: 422 }
  - { kind: reserved-fields, operations: [addItem], members: [internal] }
  - kind: conditional-get
    operations: [getItem]
    status: 304
    keptHeaders: [ETag]
  - kind: conditional-write
    operations: [replaceItem, changeItem, removeItem]
    mismatch: { status: 412, bucket: stale }
    required: { status: 428, bucket: version_needed }
  - kind: resource
    collection: labels
    id: { member: id, parameter: labelId }
    operations: { create: addLabel, list: listLabels, read: getLabel }
    items: labels
    missing: { status: 404, bucket: no_such_item }
  - kind: numbered-pages
    operations: [listLabels]
    pageParameter: page
    limitParameter: size
    defaultLimit: 3
    maximumLimit: 6
    link: true
    page: { items: labels, total: total }
  - { kind: uniqueness, operations: [addLabel], member: text, within: [] }
  - { kind: capacity, operations: [addPicture], status: 429, calls: 2 }
  - { kind: deadline, operations: [addPicture], default: PT30S, status: 504, bucket: late }
  - kind: idempotency
    mode: single-use
    operations: [placeOrder]
    requestHeader: Order-Key
    window: PT24H
    release: [4xx]
    reuse: { status: 409, code: taken }
  - kind: lifecycle
    schema: Order
    property: state
    states: [placed, packed, shipped, cancelled]
    initial: placed
    terminal: [shipped, cancelled]
    transitions:
      - { from: placed, to: packed, on: pack }
      - { from: packed, to: shipped, on: ship }
      - { from: placed, to: cancelled, on: cancel }
  - { kind: presence, schema: Order, property: receipt_url, operations: [getOrder], onlyWhenTerminal: true }
  - { kind: links, schema: Order, property: receipt_url }
  - kind: event-stream
    operations: [watchOrder]
    events: { status: state, progress: progress, preview: preview }
    authority: getOrder
  - { kind: diagnostics, findings: [], accepts: { placeOrder: [item] } }
  - { kind: upload, operations: [addPicture], address: upload_url, method: PUT, mediaType: image/png }
rules: []
unspecified: []
`;

export const everyKind = (): Promise<Contract> => own('shop', DOCUMENT, SHEET);
