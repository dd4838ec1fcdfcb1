import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import { listDeviations } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted } from './servers.ts';

const document = (required: string, status = 401): string => `
openapi: 3.1.0
info: { title: Notes, version: '1' }
security: [{ token: [] }]
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200': { description: Notes., content: { application/json: { schema: { type: array } } } }
        '${status}':
          description: Refused.
          content:
            application/json:
              schema:
                type: object
                required: [${required}]
                properties: { code: { type: string }, detail: { type: string } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`;

const SHEET = `
api: notes
contract: '1'
document: 1
policies: [{ kind: error-codes, code: code, message: detail, codes: [], roles: {} }]
rules: []
unspecified: []
`;

test.each([
  ['may leave out', 'code', {}, 'pass'],
  ['requires', 'code, detail', {}, 'fail'],
  ['may leave out, but a number is no text', 'code', { detail: 5 }, 'fail'],
])('an error without a message that the document %s', async (_what, required, more, verdict) => {
  const { transport } = scripted(() => ({
    status: 401,
    headers: { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' },
    body: { code: 'who', ...more },
  }));
  const { rules } = await runConformance({
    contracts: [await own('notes', document(required), SHEET)],
    baseUrl: 'http://notes.localhost',
    rules: ['error-codes.shape'],
    transport,
  });
  expect(rules.map((rule) => rule.verdict)).toEqual([verdict]);
});

test('an optional message may be absent', async () => {
  const idsOf = async (required: string): Promise<readonly string[]> =>
    listDeviations([await own('notes', document(required), SHEET)]).map(({ id }) => id);
  expect(await idsOf('code')).not.toContain('error-codes.shape~no-message');
  expect(await idsOf('code, detail')).toContain('error-codes.shape~no-message');
});

test.each([
  ['may leave out', 'detail', 403, 'pass'],
  ['requires', 'code, detail', 403, 'fail'],
  ['may leave out, but the error is declared', 'detail', 401, 'fail'],
])(
  'an undeclared error without a code that the declared ones %s',
  async (_what, required, status, verdict) => {
    const { transport } = scripted(() => ({
      status: 401,
      headers: { 'Content-Type': 'application/json', 'WWW-Authenticate': 'Bearer' },
      body: { detail: 'Nobody is known by this name.' },
    }));
    const { rules } = await runConformance({
      contracts: [await own('notes', document(required, status), SHEET)],
      baseUrl: 'http://notes.localhost',
      rules: ['error-codes.shape'],
      transport,
    });
    expect(rules.map((rule) => rule.verdict)).toEqual([verdict]);
  },
);
