import { expect, test } from 'vitest';
import { isBroken, selfTest } from '../../cli/conform/kills.ts';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { listDeviations } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const SHOWN = "content: { application/json: { schema: { $ref: '#/components/schemas/Crate' } } }";
const contract = await own(
  'crates',
  `
openapi: 3.1.0
info: { title: Crates, version: '1' }
paths:
  /crates:
    parameters: [&owner { name: X-Tenant, in: header, required: true, schema: { type: string, pattern: '^[a-z]{2,12}$' }, example: acme }]
    get:
      operationId: listCrates
      responses: { '200': { description: Crates., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Crate' } } } } } }
    post:
      operationId: addCrate
      requestBody: { required: true, ${SHOWN} }
      responses: { '201': { description: Added., ${SHOWN} } }
  /crates/{id}:
    parameters: [*owner, { name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getCrate
      responses: { '200': { description: The crate., ${SHOWN} }, '404': { description: None. } }
    delete:
      operationId: dropCrate
      responses: { '204': { description: Gone. }, '404': { description: None. } }
components:
  schemas:
    Crate:
      type: object
      required: [label]
      properties: { id: { type: string, readOnly: true }, label: { type: string, minLength: 1, maxLength: 80 } }
`,
  `
api: crates
contract: '1'
document: 1
policies:
  - kind: resource
    collection: crates
    id: { member: id }
    operations: { create: addCrate, list: listCrates, read: getCrate, delete: dropCrate }
    otherCaller: { status: 404 }
    owner: X-Tenant
rules: []
unspecified: []
`,
);

test('the mock tells owners apart by the header, and each deviation of that is caught', async () => {
  const chosen = listDeviations([contract]).filter(({ id }) => id.includes('.owned~'));
  expect(chosen.map(({ id }) => id.split('~')[1])).toEqual([
    'read-by-anybody',
    'changed-by-anybody',
    'listed-for-anybody',
  ]);
  const result = await selfTest(chosen, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
}, 120_000);

/** A server of another hand, which knows some tenants. */
function crates(known: readonly string[], isCareless: boolean): Promise<Report> {
  const stored = new Map<string, { readonly tenant: string; readonly label: unknown }>();
  let count = 0;
  const answer = (request: WireRequest): Scripted => {
    const tenant = headerIn(request, 'x-tenant') ?? '';
    if (!/^[a-z]{2,12}$/.test(tenant)) return { status: 400 };
    if (!known.includes(tenant)) return { status: 403 };
    const json = (status: number, body: unknown, headers = {}): Scripted => ({
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
    const id = request.target.split('/')[2] ?? '';
    if (request.method === 'POST') {
      const { label } = JSON.parse(Buffer.from(request.body ?? []).toString()) as {
        readonly label?: unknown;
      };
      const made = `c${String((count += 1))}`;
      stored.set(made, { tenant, label });
      return json(201, { id: made, label }, { Location: `/crates/${made}` });
    }
    if (id === '')
      return json(
        200,
        [...stored].flatMap(([own, crate]) =>
          crate.tenant === tenant ? [{ id: own, label: crate.label }] : [],
        ),
      );
    const found = stored.get(id);
    if (found === undefined || (found.tenant !== tenant && !isCareless)) return { status: 404 };
    if (request.method !== 'DELETE') return json(200, { id, label: found.label });
    stored.delete(id);
    return { status: 204 };
  };
  return runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    fixtures: { cred: { secondOwner: 'zeta' } },
    rules: ['resource.*'],
    transport: scripted(answer).transport,
  });
}

test.each<[string, readonly string[], boolean, readonly string[], string]>([
  ['is honest', ['acme', 'zeta'], false, [], 'pass'],
  ['shows a crate to another tenant', ['acme', 'zeta'], true, ['resource.crates.owned'], 'fail'],
  ['does not know the other tenant', ['acme'], false, [], 'not-exercised'],
])('a server that %s', async (_what, known, isCareless, expected, verdict) => {
  const { rules } = await crates(known, isCareless);
  expect(rules.filter(isBroken).map(({ id }) => id)).toEqual(expected);
  expect(rules.find(({ id }) => id === 'resource.crates.owned')?.verdict).toBe(verdict);
});
