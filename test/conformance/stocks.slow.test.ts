import { expect, test } from 'vitest';
import { exitCode, permissions, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { selfTest, selfTestCode } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { listDeviations, virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const one = (status: number): string =>
  `'${status}': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Booking' } } } }`;
const no = (status: number): string =>
  `'${status}': { description: No., content: { application/json: { schema: { type: object } } } }`;
const id = 'parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]';
const body = `requestBody: { required: true, content: { application/json: { schema: { type: object, required: [room], properties: { room: { type: string } } } } } }`;

/** Bookings, of which a caller may have eight. */
const DOCUMENT = (refusal: number): string => `
openapi: 3.1.0
info: { title: Bookings, version: '1' }
paths:
  /bookings:
    get: { operationId: listBookings, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Booking' } } } } } } }
    post: { operationId: addBooking, ${body}, responses: { ${one(201)}, ${no(400)}, ${no(415)}, ${no(refusal)} } }
  /bookings/{id}:
    get: { operationId: getBooking, ${id}, responses: { ${one(200)}, ${no(404)} } }
    put: { operationId: putBooking, ${id}, ${body}, responses: { ${one(200)}, ${no(400)}, ${no(404)}, ${no(415)} } }
    delete: { operationId: dropBooking, ${id}, responses: { '204': { description: Gone. }, ${no(404)} } }
components:
  schemas:
    Booking: { type: object, required: [id, room], properties: { id: { type: integer, readOnly: true }, room: { type: string } } }
`;

const SHEET = (refusal: number): string => `
api: bookings
contract: '1'
document: 1
policies:
  - kind: resource
    collection: bookings
    id: { member: id, parameter: id, form: integer }
    operations: { create: addBooking, list: listBookings, read: getBooking, replace: putBooking, delete: dropBooking }
    missing: { status: 404 }
  - { kind: capacity, operations: [addBooking], status: ${refusal}, things: { most: 8 } }
rules: []
unspecified: []
`;

interface Setting {
  /** How many bookings were there before. */
  readonly before: number;
  readonly refusal?: number;
  readonly sheet?: string;
  /** In seconds; without it, no header. */
  readonly retryAfter?: number;
  readonly most?: number;
  /** Whether a removal makes room. */
  readonly isFreed?: boolean;
  readonly rules?: readonly string[];
}

async function judge({
  before,
  refusal = 429,
  sheet,
  retryAfter,
  most = 8,
  isFreed = true,
  rules,
}: Setting): Promise<{ readonly report: Report; readonly waitedMs: number; readonly left: number }> {
  const contract: Contract = await own('bookings', DOCUMENT(refusal), sheet);
  const clock = virtualClock();
  const state = new Map(Array.from({ length: before }, (_, index) => [index + 1, 'old']));
  let count = 100;
  let made = before;
  const json = (status: number, value: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body: value,
  });
  const answer = ({ method, target, headers, body: bytes }: WireRequest): Scripted => {
    const [, collection, given] = (target.split('?')[0] ?? '').split('/');
    if (collection !== 'bookings') return json(404, {});
    const shown = (key: number): unknown => ({ id: key, room: state.get(key) });
    const isWrite = method === 'POST' || method === 'PUT';
    if (given !== undefined && !state.has(Number(given))) return json(404, {});
    const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
    if (isWrite && type !== 'application/json') return json(415, {});
    const value = isWrite ? parsed(Buffer.from(bytes ?? []).toString()) : undefined;
    if (isWrite && typeof value?.room !== 'string') return json(400, {});
    const key = Number(given);
    switch (`${method} ${given === undefined ? 'all' : 'one'}`) {
      case 'GET all':
        return json(200, [...state.keys()].map(shown));
      case 'POST all':
        if ((isFreed ? state.size : made) >= most)
          return {
            status: refusal,
            headers: {
              ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
              'Content-Type': 'application/json',
            },
            body: { error: 'too many bookings' },
          };
        made += 1;
        state.set((count += 1), value?.room as string);
        return json(201, shown(count));
      case 'GET one':
        return json(200, shown(key));
      case 'PUT one':
        state.set(key, value?.room as string);
        return json(200, shown(key));
      case 'DELETE one':
        state.delete(key);
        return { status: 204 };
      default:
        return json(405, {});
    }
  };
  const startedAt = clock.now();
  const { transport } = scripted(answer);
  const report = await runConformance({
    ...{ contracts: [contract], baseUrl: 'http://bookings.localhost', allow: permissions, clock, transport },
    ...(rules === undefined ? {} : { rules }),
  });
  return { report, waitedMs: clock.now() - startedAt, left: state.size };
}

function parsed(text: string): { readonly room?: unknown } | undefined {
  try {
    return Object(JSON.parse(text)) as { room?: unknown };
  } catch {
    return undefined;
  }
}

const broken = ({ rules }: Report): readonly string[] =>
  rules
    .filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    .map(({ id, verdict, observed, reason }) => `${id} ${verdict} ${observed ?? reason}`);
const about = ({ findings }: Report): readonly string[] =>
  findings.map(({ kind, says }) => `${kind}: ${says}`);

test.each<[string, Setting, number]>([
  ['full before, asking for a minute', { before: 8, retryAfter: 60 }, 70_000],
  ['full before, asking for nothing', { before: 8 }, 15_000],
  ['nearly full, asking for a minute', { before: 7, retryAfter: 60 }, 70_000],
  ['with a bound that the sheet states', { before: 8, retryAfter: 60, sheet: SHEET(429) }, 3_000],
  [
    'nearly full, with a bound that the sheet states',
    { before: 7, sheet: SHEET(429), retryAfter: 60 },
    3_000,
  ],
  ['with a bound by 409', { before: 8, refusal: 409, sheet: SHEET(409) }, 3_000],
])('a server %s: said once, hardly waited for, and no alarm', async (_, setting, mostMs) => {
  const { report, waitedMs, left } = await judge(setting);
  expect(broken(report)).toEqual([]);
  expect(about(report).filter((says) => says.includes('POST /bookings refuses further'))).toHaveLength(1);
  expect(waitedMs).toBeLessThan(mostMs);
  expect(left).toBe(setting.before);
  expect([report.status, exitCode(report)]).toEqual(['judged', 0]);
});

/** As the mock needs it: it answers a full collection as the sheet states. */
async function bounded(): Promise<Contract> {
  return own('bookings', DOCUMENT(429), SHEET(429));
}

test('the mock keeps a bound on things, and its deviations are caught by the rule about it alone', async () => {
  const contract = await bounded();
  const judgeMock = judgeOf(contract, undefined);
  const chosen = listDeviations([contract]).filter(({ id }) => id.includes('.things~'));
  expect(chosen.map(({ id }) => id)).toEqual([
    'capacity.addBooking.things~another-status',
    'capacity.addBooking.things~one-more',
    'capacity.addBooking.things~removed-too',
  ]);
  const result = await selfTest(chosen, judgeMock);
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
  expect(selfTestCode(result)).toBe(0);
}, 120_000);

test.each<[string, Setting, string]>([
  ['keeps its bound', { before: 0, retryAfter: 60 }, 'pass'],
  ['had things before', { before: 3, retryAfter: 60 }, 'pass'],
  ['was full before', { before: 8, retryAfter: 60 }, 'not-exercised'],
  ['takes any number', { before: 0, most: 1000 }, 'fail'],
  ['takes one more', { before: 0, most: 9, retryAfter: 60 }, 'fail'],
  ['is full for ever', { before: 0, isFreed: false, retryAfter: 60 }, 'fail'],
])('the rule about things on a server that %s: %s', async (_, setting, verdict) => {
  const rules = ['capacity.addBooking.things'];
  const { report, waitedMs, left } = await judge({ ...setting, sheet: SHEET(429), rules });
  expect(report.rules.find(({ id }) => id === rules[0])?.verdict).toBe(verdict);
  expect(waitedMs).toBeLessThan(3_000);
  expect(left).toBe(setting.before);
});
