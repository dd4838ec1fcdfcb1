import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import { fraction, textOfSameForm } from '../../conformance/probes/document/variants.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const documentWith = (pattern: string): string => `
openapi: 3.1.0
info: { title: Berths, version: '1' }
security: [{ key: [] }]
paths:
  /berths:
    get: { operationId: listBerths, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Berth' } } } } } } }
    post:
      operationId: addBerth
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Berth' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Berth' } } } }, '409': { description: taken }, '422': { description: no } }
  /berths/{berthKey}:
    parameters: [{ name: berthKey, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBerth, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Berth' } } } }, '404': { description: no } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    Berth: { type: object, required: [key], properties: { key: { type: string, pattern: '${pattern}' } } }
`;
const SHEET = `
api: berths
contract: '1'
document: 1
policies:
  - { kind: resource, collection: berths, id: { member: key, parameter: berthKey, form: caller }, operations: { create: addBerth, list: listBerths, read: getBerth } }
`;

/** A server that keeps the document, for as long as there are keys. */
function berths(
  pattern: string,
  chunks: 'read' | 'refused' | 'kept and refused',
): (request: WireRequest) => Scripted {
  const keys: string[] = [];
  const shown = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return (request) => {
    if (headerIn(request, 'x-key') !== 'a-good-key') return { status: 401 };
    const key = new URL(request.target, 'http://berths').pathname.split('/')[2];
    if (request.method === 'GET' && key === undefined)
      return shown(
        200,
        keys.map((one) => ({ key: one })),
      );
    if (request.method === 'GET')
      return key !== undefined && keys.includes(key) ? shown(200, { key }) : { status: 404 };
    const wanted = keyOf(request);
    if (chunks !== 'read' && headerIn(request, 'transfer-encoding') === 'chunked') {
      if (chunks === 'kept and refused' && wanted !== undefined) keys.push(wanted);
      return { status: 422 };
    }
    if (headerIn(request, 'content-type') !== 'application/json' || wanted === undefined)
      return { status: 422 };
    if (!new RegExp(pattern).test(wanted)) return { status: 422 };
    if (keys.includes(wanted)) return { status: 409 };
    keys.push(wanted);
    return shown(201, { key: wanted });
  };
}

function keyOf({ body }: WireRequest): string | undefined {
  try {
    const value = JSON.parse(Buffer.from(body ?? []).toString()) as { readonly key?: unknown };
    return typeof value.key === 'string' ? value.key : undefined;
  } catch {
    return undefined;
  }
}

async function failsOf(
  pattern: string,
  chunks: Parameters<typeof berths>[1] = 'read',
): Promise<readonly string[]> {
  const contract = await own('berths', documentWith(pattern), SHEET);
  const { transport } = scripted(berths(pattern, chunks));
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://berths.localhost',
    allow: ['negatives', 'writes'],
    fixtures: { cred: { valid: { header: 'X-Key', value: 'a-good-key' } } },
    transport,
  });
  return report.rules.flatMap(({ id, verdict, observed }) =>
    verdict === 'fail' ? [`${id}: ${observed ?? ''}`] : [],
  );
}

test.each(['^[A-C]$', '^[A-D]{1,2}$', '^[A-Z]$', '^[1-9]$'])(
  'a key that is taken is no fault where there are few: %s',
  async (pattern) => {
    for (let run = 0; run < 5; run += 1) expect(await failsOf(pattern)).toEqual([]);
  },
);

test.each(['refused', 'kept and refused'] as const)(
  'a creation in chunks that is %s is noticed',
  async (chunks) => {
    expect(await failsOf('^[A-Z]{2,8}$', chunks)).toEqual(['document.addBerth.answer: 422']);
  },
);

test.each([
  ['AA', 26],
  ['abc', 26],
  ['word', 26],
  ['4a', 6],
])('letters of a text like %s are any of %i', (text, count) => {
  const made = Array.from({ length: 2000 }, () => textOfSameForm(text, () => crypto.randomUUID()));
  expect(new Set(made.map((one) => one.at(-1))).size).toBe(count);
});

test('a key that always begins with a letter gives numbers of the whole range', () => {
  const key = (): string => `a${crypto.randomUUID().slice(1)}`;
  const tenths = Array.from({ length: 2000 }, () => Math.floor(fraction(key) * 10));
  expect(new Set(tenths).size).toBe(10);
});
