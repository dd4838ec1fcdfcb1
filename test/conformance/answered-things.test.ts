import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.0.3
info: { title: Parcels, version: '1' }
paths:
  /depots/{depotId}/parcels:
    parameters: [{ name: depotId, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addParcel
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [parcel], properties: { parcel: { $ref: '#/components/schemas/Parcel' } } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { type: object, required: [parcel], properties: { parcel: { $ref: '#/components/schemas/Parcel' } } } } } }, '400': { description: no } }
components:
  schemas:
    Parcel:
      type: object
      properties:
        id: { type: string, readOnly: true }
        depot_id: { type: string, readOnly: true }
        remark: { type: string, example: fragile }
        stops: { type: array, items: { type: string }, example: [north] }
`;

const SHEET = `
api: parcels
contract: '1'
document: 1
policies:
  - { kind: resource, collection: parcels, id: { member: id }, operations: { create: addParcel }, item: parcel }
rules: []
unspecified: []
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('parcels', DOCUMENT, SHEET);
});

const FAULTS = [
  'one id',
  'one depot',
  'remark lost',
  'characters split in chunks',
  'long list cut',
  'remark of another',
  'not where the sheet says',
] as const;

const ODDITIES = ['none', 'no chunks', 'ASCII only, others refused', 'depots by another name'] as const;

/** A server that shows a parcel only when it takes it. */
function parcels(
  is: (typeof FAULTS)[number] | (typeof ODDITIES)[number],
): (request: WireRequest) => Scripted {
  let count = 0;
  let last = 'fragile';
  return (request) => {
    const isChunked = headerIn(request, 'transfer-encoding') !== undefined;
    if (is === 'no chunks' && isChunked) return { status: 501 };
    const depot = decodeURIComponent(request.target.split('/')[2] ?? '');
    const { parcel } = JSON.parse(new TextDecoder().decode(request.body) || '{}') as {
      readonly parcel?: { readonly remark?: string; readonly stops?: readonly string[] };
    };
    if (typeof parcel !== 'object' || typeof (parcel.remark ?? '') !== 'string') return { status: 400 };
    const { remark, stops } = parcel;
    if (is === 'ASCII only, others refused' && !/^[ -~]*$/.test(remark ?? '')) return { status: 400 };
    const before = last;
    last = remark ?? '';
    count += 1;
    const shown = {
      ...parcel,
      id: is === 'one id' ? 'p-1' : `p-${count}`,
      depot_id: is === 'one depot' ? 'd-1' : is === 'depots by another name' ? `d-of-${depot}` : depot,
      ...(is === 'remark of another' ? { remark: before } : {}),
      ...(is === 'characters split in chunks' && isChunked
        ? { remark: remark?.replace(/[^ -~]/gu, '\ufffd') }
        : {}),
      ...(is === 'long list cut' ? { stops: stops?.slice(0, 20) } : {}),
    };
    const { remark: _, ...rest } = shown;
    if (is === 'not where the sheet says') return { status: 201, body: shown };
    return { status: 201, body: { parcel: is === 'remark lost' ? rest : shown } };
  };
}

async function wrongWith(is: Parameters<typeof parcels>[0]): Promise<readonly string[]> {
  const { transport } = scripted(parcels(is));
  const body = (remark: string): unknown => ({ parcel: { remark, stops: ['north'] } });
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://parcels.localhost',
    allow: ['negatives', 'writes'],
    rules: ['resource.*'],
    fixtures: {
      parameters: { depotId: 'd-1' },
      bodies: { addParcel: body('fragile') as never },
      occasions: { addParcel: { other: { parameters: { depotId: 'd-2' }, body: body('heavy') as never } } },
    },
    transport,
  });
  return report.rules
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict, observed, reason }) => [id, verdict, observed, reason].join(' '));
}

test.each(FAULTS)('things that only the answer to their creation shows: %s', async (fault) => {
  expect(await wrongWith(fault)).toEqual([expect.stringMatching(/^resource\.parcels\.created fail/)]);
});

test.each(ODDITIES)('things that are answered as they were sent are no alarm (%s)', async (oddity) => {
  expect(await wrongWith(oddity)).toEqual([]);
});
