import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted } from './servers.ts';

/** Requests that can be made only by a close reading of the document; each came out wrong, or not at all, once. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Odd requests, version: '1' }
paths:
  /price:
    post:
      operationId: price
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [price, kind]
              properties:
                price: { type: string, pattern: '^[0-9]+$', example: nine }
                kind: { allOf: [{ $ref: '#/components/schemas/Kind' }], description: One of two. }
      responses: { '204': { description: Done. } }
  /note:
    post:
      operationId: note
      requestBody: { required: true, content: { text/plain: { schema: { type: string, example: hello } } } }
      responses: { '204': { description: Done. } }
  /find:
    get:
      operationId: find
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      parameters:
        - { name: p, in: query, required: true, schema: { type: array, items: { type: string } } }
        - { name: nested, in: query, schema: { type: object, example: { a: { b: 1 } } } }
      responses: { '204': { description: Done. } }
  /loan:
    post:
      operationId: loan
      security: [{ bearer: [] }, { certificate: [] }]
      requestBody:
        required: true
        content: { application/x-www-form-urlencoded: { schema: { type: object, properties: { amount: { type: integer } } } } }
      responses: { '204': { description: Done. } }
  /tenant:
    get:
      operationId: tenant
      security: [{ tenant: [] }]
      parameters: [{ name: x-tenant, in: header, required: true, schema: { type: string } }]
      responses: { '204': { description: Done. } }
components:
  securitySchemes:
    tenant: { type: apiKey, in: header, name: X-Tenant }
    bearer: { type: http, scheme: bearer }
    certificate: { type: mutualTLS }
  schemas:
    Kind: { type: string, enum: [small, large] }
`;

async function sent(): Promise<{ readonly report: Report; readonly requests: readonly WireRequest[] }> {
  const { transport, requests } = scripted(() => ({ status: 204 }));
  const report = await runConformance({
    contracts: [await own('odd', DOCUMENT)],
    baseUrl: 'http://localhost',
    allow: ['writes'],
    fixtures: { writes: ['price', 'note', 'loan'] },
    credential: { header: 'Authorization', value: 'Bearer a-token-of-the-tests' },
    transport,
  });
  return { report, requests };
}

const bodyOf = ({ body }: WireRequest): string => new TextDecoder().decode(body);

test('a body has values that its schema takes, also where the examples are wrong', async () => {
  const { requests } = await sent();
  const bodies = requests.filter(({ target }) => target === '/price').map(bodyOf);
  expect(bodies.length).toBeGreaterThan(0);
  expect(JSON.parse(bodies[0] ?? '')).toEqual({ price: '0', kind: 'small' });
});

test('a text is sent as it is', async () => {
  const { requests } = await sent();
  const note = requests.find(({ target }) => target === '/note');
  expect(note && [bodyOf(note), headerIn(note, 'content-type')]).toEqual(['hello', 'text/plain']);
});

test('a required list has an item, and what no style can write is left out', async () => {
  const { report, requests } = await sent();
  const targets = requests.map(({ target }) => target).filter((target) => target.startsWith('/find'));
  expect(new Set(targets)).toEqual(new Set(['/find?p=text']));
  expect(report.rules.map(({ id }) => id)).not.toContain('document.find.bad-body');
  expect([report.summary.fail, report.summary.warn, report.summary.inconclusive]).toEqual([0, 0, 0]);
});

test('a required form has a member, and a credential is sent where a certificate would do as well', async () => {
  const { requests } = await sent();
  const loan = requests.find(({ target }) => target === '/loan');
  expect(loan && [bodyOf(loan), headerIn(loan, 'authorization')]).toEqual([
    'amount=1',
    'Bearer a-token-of-the-tests',
  ]);
});

test('a key that is declared as a parameter as well is sent in any case, and nothing is judged without it', async () => {
  const { report } = await sent();
  const rules = report.rules.map(({ id }) => id);
  expect(rules).toContain('document.loan.answer');
  expect(rules).not.toContain('document.tenant.security');
});
