import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { parseJson } from '../../conformance/exchanges/exchange.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Ovens, version: '1' }
security: [{ key: [] }]
paths:
  /ovens:
    get:
      operationId: listOvens
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array } } } } }
  /loaves:
    post:
      operationId: bake
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [minutes], properties: { minutes: { type: integer } } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { type: object } } } }
        '400': { description: bad, content: { application/json: { schema: { type: object } } } }
        '429': { description: full, content: { application/json: { schema: { type: object } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`;

const SHEET = `
api: ovens
contract: '1'
document: 1
policies:
  - { kind: credentials, keyHeader: X-Key }
  - { kind: capacity, operations: [bake], status: 429 }
`;

const FIXTURES = {
  cred: { valid: { header: 'X-Key', value: 'baker' }, secondAccount: 'neighbour' },
  account: { narrow: 'apprentice' },
  bodies: { bake: { minutes: 1 } },
  occasions: { bake: { slow: { body: { minutes: 60 }, minMs: 3000 }, refused: { body: { minutes: 13 } } } },
};

/** What is wrong with the bakery: it decides whether a call is refused for lack of room. */
type Fault = (
  honest: boolean,
  call: {
    readonly key: string;
    readonly target: string;
    readonly minutes: number;
    readonly refusals: number;
  },
) => boolean;

async function judged(fault: Fault): Promise<Report> {
  const clock = virtualClock();
  let running = 0;
  let refusals = 0;
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body,
  });
  const bakery = async (request: WireRequest): Promise<Scripted> => {
    const { target, method, body } = request;
    const key = headerIn(request, 'X-Key') ?? '';
    if (!['baker', 'neighbour', 'apprentice'].includes(key)) return json(401, {});
    const { minutes } = Object(parseJson(Buffer.from(body ?? []).toString())) as {
      readonly minutes?: unknown;
    };
    const call = { key, target, minutes: Number(minutes), refusals };
    const isBake = target === '/loaves' && method === 'POST';
    if (isBake && (!Number.isInteger(minutes) || headerIn(request, 'Content-Type') !== 'application/json'))
      return json(400, {});
    if (fault(isBake && key === 'apprentice' && running > 0, call)) {
      refusals += 1;
      return json(429, {});
    }
    if (target === '/ovens' && method === 'GET') return json(200, []);
    if (!isBake) return json(404, {});
    if (call.minutes === 13) return json(451, {});
    if (key === 'apprentice') running += 1;
    await clock.sleep(call.minutes * 50);
    if (key === 'apprentice') running -= 1;
    return json(201, {});
  };
  const read = readFixtures(JSON.stringify(FIXTURES), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return runConformance({
    contracts: [await own('ovens', DOCUMENT, SHEET)],
    baseUrl: 'http://localhost',
    allow: permissions,
    fixtures: read.fixtures,
    transport: scripted(bakery).transport,
    clock,
  });
}

test.each<[string, Fault, readonly string[]]>([
  ['a bound that holds', (honest) => honest, []],
  [
    'reads are bounded',
    (honest, { key, target }) => honest || (key === 'apprentice' && target === '/ovens'),
    ['calls'],
  ],
  [
    'the bound is that of all',
    (honest, { key, refusals }) => honest || (key === 'neighbour' && refusals === 1),
    ['calls'],
  ],
  [
    'a refused caller stays refused',
    (honest, { key, refusals }) => honest || (key === 'apprentice' && refusals > 0),
    ['calls'],
  ],
  [
    'refused calls find no room',
    (honest, { key, minutes }) => honest || (key === 'apprentice' && minutes === 13),
    ['calls'],
  ],
])('%s', async (_what, fault, expected) => {
  const report = await judged(fault);
  const broken = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(broken.map(({ id }) => id)).toEqual(expected.map((name) => `capacity.bake.${name}`));
  expect(report.rules.find(({ id }) => id === 'capacity.bake.calls')?.verdict).toBe(
    expected.length === 0 ? 'pass' : 'fail',
  );
  expect(report.findings).toEqual([]);
});

test('a caller that may have more calls at once is an error of the fixtures', async () => {
  const { rules, findings } = await judged(() => false);
  expect(rules.find(({ id }) => id === 'capacity.bake.calls')?.verdict).toBe('error');
  expect(findings.map(({ says }) => says)).toEqual([expect.stringMatching(/^fixture account\.narrow: /)]);
});
