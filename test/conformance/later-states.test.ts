import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const shown = `{ description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }`;
const action = (name: string): string => `
  /parcels/{parcelId}/${name}:
    parameters: [{ name: parcelId, in: path, required: true, schema: { type: string } }]
    post: { operationId: ${name}Parcel, responses: { '200': ${name === 'ship' ? shown.replace('Parcel', 'Shipped') : shown}, '404': { description: no }, '409': { description: state } } }`;
const DOCUMENT = `
openapi: 3.1.0
info: { title: Parcels, version: '1' }
paths:
  /parcels:
    get: { operationId: listParcels, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } } } } }
    post: { operationId: addParcel, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewParcel' } } } }, responses: { '201': ${shown}, '422': { description: no } } }
  /parcels/{parcelId}:
    parameters: [{ name: parcelId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getParcel, responses: { '200': ${shown}, '404': { description: no } } }
    delete: { operationId: removeParcel, responses: { '204': { description: gone }, '404': { description: no } } }
  /parcels/{parcelId}/restore:
    parameters: [{ name: parcelId, in: path, required: true, schema: { type: string } }]
    post: { operationId: restoreParcel, responses: { '200': ${shown}, '404': { description: no } } }
  /parcels/{parcelId}/slips:
    parameters: [{ name: parcelId, in: path, required: true, schema: { type: string } }]
    get: { operationId: listSlips, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Slip' } } } } }, '404': { description: no } } }
    post: { operationId: addSlip, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewSlip' } } } }, responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Slip' } } } }, '404': { description: no }, '422': { description: no } } }
  /parcels/{parcelId}/slips/{slipId}:
    parameters: [{ name: parcelId, in: path, required: true, schema: { type: string } }, { name: slipId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getSlip, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Slip' } } } }, '404': { description: no } } }
${['pack', 'seal', 'ship'].map(action).join('')}
components:
  schemas:
    NewParcel: { type: object, required: [label], properties: { label: { type: string, minLength: 1 } } }
    NewSlip: { type: object, required: [text], properties: { text: { type: string, minLength: 1 } } }
    Slip: { type: object, required: [id, text], properties: { id: { type: string }, text: { type: string } } }
    Parcel:
      type: object
      required: [id, label, state, stamps]
      properties:
        id: { type: string, readOnly: true }
        label: { type: string }
        state: { enum: [open, packed, sealed, shipped], readOnly: true }
        stamps: { type: integer, readOnly: true }
        packer: { type: string, readOnly: true }
    Shipped: { allOf: [{ $ref: '#/components/schemas/Parcel' }, { type: object, required: [packer] }] }
`;
const SHEET = `
api: parcels
contract: '1'
document: 1
policies:
  - kind: resource
    collection: parcels
    id: { member: id, parameter: parcelId, form: uuid }
    operations: { create: addParcel, list: listParcels, read: getParcel, delete: removeParcel, restore: restoreParcel }
    missing: { status: 404 }
  - kind: resource
    collection: slips
    id: { member: id, parameter: slipId, form: uuid }
    operations: { create: addSlip, list: listSlips, read: getSlip }
    missing: { status: 404 }
  - kind: lifecycle
    schema: Parcel
    property: state
    states: [open, packed, sealed, shipped]
    initial: open
    terminal: [shipped]
    transitions:
      - { from: open, to: packed, on: pack }
      - { from: packed, to: sealed, on: seal }
      - { from: sealed, to: shipped, on: ship }
    refusal: { status: 409 }
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('parcels', DOCUMENT, SHEET);
});

interface Parcel {
  readonly id: string;
  readonly label: string;
  step: number;
  packer?: string;
  isRemoved: boolean;
  readonly slips: { readonly id: string; readonly text: string }[];
}

const STATES = ['open', 'packed', 'sealed', 'shipped'];

function parcels(fault: string): (request: WireRequest) => Scripted {
  const all: Parcel[] = [];
  const is = (name: string): boolean => fault === name;
  const show = ({ id, label, step, packer }: Parcel): object => ({
    ...{ id, label, state: STATES[step], stamps: 2 * step },
    ...(packer === undefined ? {} : { packer }),
  });
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return (request) => {
    const [, base, id, what, inner] = new URL(request.target, 'http://parcels').pathname.split('/');
    if (base !== 'parcels') return { status: 404 };
    const there = all.filter(({ isRemoved }) => !isRemoved);
    if (id === undefined && request.method === 'GET')
      return json(
        200,
        there.map((one) => ({ ...show(one), ...(is('stamps of the list') ? { stamps: 0 } : {}) })),
      );
    if (id === undefined && request.method === 'POST') {
      const label = textIn(request, 'label');
      if (label === undefined) return { status: 422 };
      const made: Parcel = { id: crypto.randomUUID(), label, step: 0, isRemoved: false, slips: [] };
      all.push(made);
      return json(201, show(made));
    }
    const own = all.find((one) => one.id === id);
    if (own === undefined) return { status: 404 };
    if (own.isRemoved && what === 'slips' && inner !== undefined && is('orphans'))
      return json(
        200,
        own.slips.find((one) => one.id === inner),
      );
    if (what === 'restore' && own.isRemoved) {
      own.isRemoved = false;
      if (is('forgets the packer')) delete own.packer;
      return json(200, show(own));
    }
    if (own.isRemoved) return { status: 404 };
    if (what === undefined && request.method === 'GET') return json(200, show(own));
    if (what === undefined && request.method === 'DELETE') {
      own.isRemoved = true;
      return { status: 204 };
    }
    if (what === 'slips') {
      const slip = own.slips.find((one) => one.id === inner);
      if (inner !== undefined) return slip === undefined ? { status: 404 } : json(200, slip);
      if (request.method === 'GET')
        return json(200, own.slips.length === 0 && is('nothing for none') ? null : own.slips);
      const text = textIn(request, 'text');
      if (text === undefined) return { status: 422 };
      const made = { id: crypto.randomUUID(), text };
      own.slips.push(made);
      return json(201, made);
    }
    const step = ['pack', 'seal', 'ship'].indexOf(what ?? '');
    if (request.method !== 'POST' || step < 0) return { status: 404 };
    if (own.step !== step) return { status: 409 };
    own.step += 1;
    if (what === 'pack') own.packer = 'Ida';
    const { packer: _, ...rest } = show(own) as { readonly packer?: string };
    return json(200, what === 'ship' && is('no packer at the end') ? rest : show(own));
  };
}

function textIn({ body, headers }: WireRequest, name: string): string | undefined {
  if (!headers.some(([key, value]) => /^content-type$/i.test(key) && /^application\/json/.test(value)))
    return undefined;
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as Readonly<Record<string, unknown>> | null;
    const text = Array.isArray(value) ? undefined : value?.[name];
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

async function judged(fault: string): Promise<Report> {
  const { transport } = scripted(parcels(fault));
  return runConformance({
    contracts: [contract],
    baseUrl: 'http://parcels.localhost',
    allow: ['negatives', 'writes'],
    fixtures: { writes: ['restoreParcel', 'packParcel', 'sealParcel', 'shipParcel'] },
    clock: virtualClock(),
    transport,
  });
}

test.each([
  ['', []],
  ['no packer at the end', ['document.shipParcel.answer']],
  ['stamps of the list', ['resource.parcels.listed']],
  ['forgets the packer', ['resource.parcels.restored']],
  ['orphans', ['resource.parcels.deleted']],
  ['nothing for none', ['document.listSlips.answer']],
])('what is seen only later in the life of a thing: %s', async (fault, rules) => {
  const { rules: all } = await judged(fault);
  const failed = all.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toEqual(expect.arrayContaining(rules));
  if (fault === '') {
    expect(failed).toEqual([]);
    // A call that is possible only after others is made after them.
    expect(all.find(({ id }) => id === 'document.shipParcel.answer')?.verdict).toBe('pass');
  }
});
