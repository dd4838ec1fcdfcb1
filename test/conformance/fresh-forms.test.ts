import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted } from './servers.ts';

const DOCUMENT = (example: string): string => `
openapi: 3.1.0
info: { title: Editions, version: '1' }
paths:
  /editions:
    post:
      operationId: addEdition
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [edition], properties: { edition: { type: string } } }
            example: { edition: ${JSON.stringify(example)} }
      responses: { '201': { description: made }, '400': { description: no }, '409': { description: taken } }
`;
const SHEET = `
api: editions
contract: '1'
document: 1
policies:
  - { kind: uniqueness, operations: [addEdition], member: edition, within: [], refusal: { status: 409 } }
rules: []
unspecified: []
`;

test.each([
  ['1.0.0', /^\d+\.\d+\.\d+$/],
  ['v2.1.0-rc.1+build.5', /^v\d+\.\d+\.\d+-rc\.\d+\+build\.5$/],
  ['978-3-16-148410', /^\d{3}-\d-\d\d-\d{6}$/],
  ['Second edition', /./],
])('a value that has to be unique has the form of %s, which a server may want', async (example, form) => {
  const isTaken = new Map([
    [false, 'fail'],
    [true, 'pass'],
  ] as const);
  for (const [isKept, verdict] of isTaken) {
    const known = new Set<string>();
    const { transport } = scripted(({ body }) => {
      const { edition } = JSON.parse(new TextDecoder().decode(body)) as { readonly edition: string };
      if (!form.test(edition)) return { status: 400 };
      if (isKept && known.has(edition)) return { status: 409 };
      known.add(edition);
      return { status: 201 };
    });
    const report = await runConformance({
      contracts: [await own('editions', DOCUMENT(example), SHEET)],
      baseUrl: 'http://editions.localhost',
      fixtures: { writes: ['addEdition'] },
      allow: ['writes'],
      transport,
      clock: virtualClock(),
    });
    const rule = report.rules.find(({ id }) => id === 'uniqueness.addEdition.taken');
    expect([isKept, rule?.verdict]).toEqual([isKept, verdict]);
  }
});
