import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

const invoice = "{ $ref: '#/components/schemas/Invoice' }";
const ok = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;

const DOCUMENT = `
openapi: 3.1.0
info: { title: Invoices, version: '1' }
paths:
  /customers:
    post:
      operationId: addCustomer
      requestBody: { required: true, ${ok("{ $ref: '#/components/schemas/Customer' }")} }
      responses:
        '201': { description: Made., ${ok("{ $ref: '#/components/schemas/Customer' }")} }
        '400': { description: Wrong. }
  /customers/{customer}/invoices:
    parameters: [{ name: customer, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listInvoices
      parameters: [{ name: state, in: query, schema: { type: string, enum: [draft, sent, paid] } }]
      responses:
        '200': { description: Invoices., ${ok(`{ type: array, items: ${invoice} }`)} }
        '400': { description: Wrong. }
        '404': { description: None. }
    post:
      operationId: addInvoice
      parameters:
        - { name: Request-Key, in: header, schema: { type: string, minLength: 8, maxLength: 40 } }
      requestBody: { required: true, ${ok("{ $ref: '#/components/schemas/NewInvoice' }")} }
      responses:
        '201': { description: Made., ${ok(invoice)} }
        '400': { description: Wrong. }
        '404': { description: None. }
        '409': { description: In use. }
        '422': { description: Another body. }
  /invoices/{invoice}:
    parameters: &invoice [{ name: invoice, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getInvoice
      responses: { '200': { description: It., ${ok(invoice)} }, '304': { description: As before. }, '404': { description: None. } }
    put:
      operationId: putInvoice
      requestBody: { required: true, ${ok("{ $ref: '#/components/schemas/NewInvoice' }")} }
      responses: { '200': { description: It., ${ok(invoice)} }, '400': { description: Wrong. }, '404': { description: None. } }
    delete:
      operationId: dropInvoice
      responses: { '204': { description: Gone. }, '404': { description: None. } }
  /invoices/{invoice}/send:
    parameters: *invoice
    post:
      operationId: sendInvoice
      responses: { '200': { description: Sent., ${ok(invoice)} }, '404': { description: None. }, '409': { description: No. } }
  /invoices/{invoice}/pay:
    parameters: *invoice
    post:
      operationId: payInvoice
      responses: { '200': { description: Paid., ${ok(invoice)} }, '404': { description: None. }, '409': { description: No. } }
components:
  schemas:
    Customer:
      type: object
      required: [name]
      properties: { id: { type: string, readOnly: true }, name: { type: string, minLength: 1 } }
    NewInvoice:
      type: object
      additionalProperties: false
      required: [lines]
      properties:
        lines:
          type: array
          minItems: 1
          items:
            type: object
            required: [text, price]
            properties: { text: { type: string, minLength: 1 }, price: { type: number, minimum: 0, multipleOf: 0.5 } }
        tags: { type: array, items: { type: string, enum: [late, large, foreign] } }
        reference: { type: string, maxLength: 20 }
    Invoice:
      type: object
      required: [id, state, lines, tags, createdAt]
      properties:
        id: { type: string, readOnly: true }
        state: { type: string, enum: [draft, sent, paid] }
        lines: { type: array, items: { type: object, properties: { text: { type: string }, price: { type: number } } } }
        tags: { type: array, items: { type: string } }
        reference: { type: string }
        createdAt: { type: string, format: date-time, readOnly: true }
`;

const SHEET = `
api: invoices
contract: '1'
document: 1
policies:
  - kind: resource
    collection: customers
    id: { member: id, parameter: customer }
    operations: { create: addCustomer }
  - kind: resource
    collection: invoices
    id: { member: id, parameter: invoice }
    operations: { create: addInvoice, list: listInvoices, read: getInvoice, replace: putInvoice, delete: dropInvoice }
    filters: { state: state }
  - kind: conditional-get
    operations: [getInvoice]
    status: 304
    keptHeaders: [ETag]
  - kind: idempotency
    mode: replay
    operations: [addInvoice]
    requestHeader: Request-Key
    window: P1D
    release: [4xx, 5xx]
    inFlight: { status: 409, retryAfter: false }
    mismatch: { status: 422 }
  - kind: lifecycle
    schema: Invoice
    property: state
    states: [draft, sent, paid]
    initial: draft
    terminal: [paid]
    transitions: [{ from: draft, to: sent, on: send }, { from: sent, to: paid, on: pay }]
    refusal: { status: 409 }
rules: []
unspecified: []
`;

/** Things that are made below their parent, and have a path of their own. */
export function invoicesContract(): Promise<Contract> {
  return own('invoices', DOCUMENT, SHEET);
}
