import type { Contract } from '../../contract/index.ts';
import { own } from './own-document.ts';

export const DOCUMENT = `
openapi: 3.1.0
info: { title: Bookings, version: '1' }
paths:
  /bookings:
    get:
      operationId: listBookings
      parameters:
        - { name: page, in: query, schema: { type: integer, minimum: 1 } }
        - { name: per_page, in: query, schema: { type: integer } }
        - { name: status, in: query, schema: { type: string } }
      responses:
        '200':
          description: Bookings.
          content:
            application/json:
              schema:
                type: object
                required: [bookings, total]
                properties:
                  bookings: { type: array, items: { $ref: '#/components/schemas/Booking' } }
                  total: { type: integer }
    post:
      operationId: createBooking
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } }
      responses:
        '201':
          description: Created.
          content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } }
        '409': { $ref: '#/components/responses/Problem' }
  /bookings/{bookingId}:
    parameters: [{ name: bookingId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBooking
      responses: &answers
        '200':
          description: The booking.
          content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } }
        '304': { description: Not modified. }
        '400': { $ref: '#/components/responses/Problem' }
        '404': { $ref: '#/components/responses/Problem' }
        '412': { $ref: '#/components/responses/Problem' }
        '428': { $ref: '#/components/responses/Problem' }
    put:
      operationId: replaceBooking
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } }
      responses: *answers
    patch:
      operationId: patchBooking
      requestBody:
        required: true
        content: { application/merge-patch+json: { schema: { type: object } } }
      responses: *answers
    delete:
      operationId: deleteBooking
      responses:
        '204': { description: Gone. }
        '404': { $ref: '#/components/responses/Problem' }
        '412': { $ref: '#/components/responses/Problem' }
        '428': { $ref: '#/components/responses/Problem' }
  /bookings/{bookingId}/guests:
    parameters: [{ name: bookingId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listGuests
      responses:
        '200':
          description: Guests.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Guest' } }
        '404': { $ref: '#/components/responses/Problem' }
    post:
      operationId: addGuest
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Guest' } } }
      responses:
        '201':
          description: Added.
          content: { application/json: { schema: { $ref: '#/components/schemas/Guest' } } }
        '404': { $ref: '#/components/responses/Problem' }
components:
  responses:
    Problem:
      description: What went wrong.
      content:
        application/problem+json:
          schema:
            type: object
            required: [title, status, code]
            properties:
              title: { type: string }
              status: { type: integer }
              detail: { type: string }
              code: { type: string }
  schemas:
    Booking:
      type: object
      required: [id, guest_name, starts_on, status, created_at]
      properties:
        id: { type: string, readOnly: true }
        guest_name: { type: string, minLength: 1, maxLength: 40 }
        email: { type: string, format: email }
        starts_on: { type: string, format: date }
        nights: { type: integer, minimum: 1, maximum: 30 }
        status: { type: string, enum: [requested, confirmed, cancelled] }
        card_token: { type: string, writeOnly: true }
        created_at: { type: string, format: date-time, readOnly: true }
        updated_at: { type: string, format: date-time, readOnly: true }
    Guest:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        bookingId: { type: string, readOnly: true }
`;

export const SHEET = `
api: bookings
contract: '1'
document: 1
policies:
  - kind: resource
    collection: bookings
    id: { member: id, parameter: bookingId, form: integer, prefix: bk_ }
    operations:
      create: createBooking
      list: listBookings
      read: getBooking
      replace: replaceBooking
      patch: patchBooking
      delete: deleteBooking
    missing: { status: 404, bucket: no_such_booking }
  - kind: resource
    collection: guests
    id: { member: id }
    operations: { create: addGuest, list: listGuests }
  - kind: numbered-pages
    operations: [listBookings]
    pageParameter: page
    limitParameter: per_page
    defaultLimit: 10
    maximumLimit: 20
    link: true
    page: { items: bookings, total: total }
  - kind: conditional-write
    operations: [replaceBooking, patchBooking, deleteBooking]
    mismatch: { status: 412, bucket: stale }
    required: { status: 428, bucket: if_match_needed }
  - kind: conditional-get
    operations: [getBooking]
    status: 304
    keptHeaders: [ETag]
  - kind: error-codes
    code: code
    message: detail
    status: status
    title: title
    codes: [{ name: invalid }, { name: no_such_booking, status: 404 }, { name: stale, status: 412 }, { name: if_match_needed, status: 428 }]
    roles: { badInput: invalid }
  - kind: lifecycle
    schema: Booking
    property: status
    states: [requested, confirmed, cancelled]
    initial: requested
    terminal: [cancelled]
    transitions: []
rules: []
unspecified: []
`;

/** A contract with collections, pages by number, conditional writes and problem reports. */
export const bookingsContract = (): Promise<Contract> => own('bookings', DOCUMENT, SHEET);
