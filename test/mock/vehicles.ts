import { own } from './own-document.ts';

const path = '{ name: id, in: path, required: true, schema: { type: string } }';
const vehicle = "content: { application/json: { schema: { $ref: '#/components/schemas/Vehicle' } } }";

/** Vehicles of three kinds, each with members of its own; a patch names only common ones. */
const DOCUMENT = `
openapi: 3.0.3
info: { title: Vehicles, version: '1' }
paths:
  /vehicles:
    get:
      operationId: listVehicles
      responses:
        '200': { description: Vehicles., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Vehicle' } } } } }
  /vehicles/{id}:
    parameters: [${path}]
    get:
      operationId: getVehicle
      responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Vehicle' } }, application/xml: { schema: { $ref: '#/components/schemas/Vehicle' } } } }, '404': { description: None. } }
    put:
      operationId: putVehicle
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/VehicleWrite' } } } }
      responses: { '200': { description: Replaced., ${vehicle} }, '201': { description: Created., ${vehicle} }, '400': { description: Wrong. } }
    patch:
      operationId: patchVehicle
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { $ref: '#/components/schemas/VehiclePatch' } } } }
      responses: { '200': { description: Changed., ${vehicle} }, '400': { description: Wrong. }, '404': { description: None. } }
  /imports:
    post:
      operationId: startImport
      requestBody: { required: true, content: { text/csv: { schema: { type: string }, example: "plate\\nB 1\\n" } } }
      responses: { '202': { description: Accepted., content: { application/json: { schema: { $ref: '#/components/schemas/Import' } } } } }
  /imports/{id}:
    get:
      operationId: getImport
      parameters: [${path}]
      responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Import' } } } }, '404': { description: None. } }
  /tenants/{tenantId}/drivers:
    get:
      operationId: listDrivers
      parameters: [{ name: tenantId, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: Drivers., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Driver' } } } } }
  /tenants/{tenantId}/drivers/{id}:
    get:
      operationId: getDriver
      parameters: [{ name: tenantId, in: path, required: true, schema: { type: string } }, ${path}]
      responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Driver' } } } }, '404': { description: None. } }
  /tenants/{tenantId}/trips:
    parameters: [{ name: tenantId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listTrips
      responses:
        '200': { description: Trips., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Trip' } } } } }
    post:
      operationId: planTrip
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewTrip' } } } }
      responses:
        '201': { description: Planned., content: { application/json: { schema: { $ref: '#/components/schemas/Trip' } } } }
components:
  schemas:
    Driver: { type: object, required: [id, tenantId, name], properties: { id: { type: string }, tenantId: { type: string }, name: { type: string } } }
    Trip: { type: object, required: [id, driverId, startedAt], properties: { id: { type: string, readOnly: true }, driverId: { type: string }, startedAt: { type: string, format: date-time, nullable: true, readOnly: true } } }
    NewTrip: { type: object, required: [driverId], properties: { driverId: { type: string } } }
    Kind: { type: string, enum: [van, truck] }
    Base:
      type: object
      required: [id, kind, plate]
      properties: { id: { type: string, readOnly: true }, kind: { $ref: '#/components/schemas/Kind' }, plate: { type: string }, name: { type: string, nullable: true } }
    Van: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, required: [volume], properties: { volume: { type: number, minimum: 0 } } }] }
    Truck: { allOf: [{ $ref: '#/components/schemas/Base' }, { type: object, required: [axles], properties: { axles: { type: integer, minimum: 2 } } }] }
    Vehicle:
      oneOf: [{ $ref: '#/components/schemas/Van' }, { $ref: '#/components/schemas/Truck' }]
      discriminator: { propertyName: kind, mapping: { van: '#/components/schemas/Van', truck: '#/components/schemas/Truck' } }
    VehicleWrite:
      type: object
      required: [kind, plate]
      properties: { kind: { $ref: '#/components/schemas/Kind' }, plate: { type: string }, name: { type: string, nullable: true }, volume: { type: number, minimum: 0 }, axles: { type: integer, minimum: 2 } }
    VehiclePatch: { type: object, properties: { plate: { type: string }, name: { type: string, nullable: true } } }
    Import: { type: object, required: [id, status], properties: { id: { type: string }, status: { type: string, enum: [queued, done] } } }
`;

const SHEET = `
api: vehicles
contract: '1'
document: 1
policies:
  - kind: resource
    collection: vehicles
    id: { member: id, form: caller }
    operations: { list: listVehicles, read: getVehicle, replace: putVehicle, patch: patchVehicle }
    upsert: true
  - kind: resource
    collection: imports
    id: { member: id }
    operations: { create: startImport, read: getImport }
  - kind: resource
    collection: drivers
    id: { member: id }
    operations: { list: listDrivers, read: getDriver }
  - kind: resource
    collection: trips
    id: { member: id }
    operations: { list: listTrips, create: planTrip }
  - kind: lifecycle
    schema: Import
    property: status
    states: [queued, done]
    initial: queued
    terminal: [done]
    transitions: [{ from: queued, to: done, on: finish }]
rules: []
unspecified: []
`;

export const vehiclesContract = () => own('vehicles', DOCUMENT, SHEET);
