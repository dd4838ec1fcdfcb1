import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const shown = (name: string): string =>
  `{ description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }`;
const DOCUMENT = `
openapi: 3.1.0
info: { title: Boards, version: '1' }
security: [{ key: [], tenant: [] }]
paths:
  /boards:
    get: { operationId: listBoards, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Board' } } } } } } }
    post:
      operationId: addBoard
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Board' } } } }
      responses: { '201': ${shown('Board')}, '409': { description: taken }, '422': { description: no } }
  /boards/count:
    get:
      operationId: countBoards
      parameters: [{ name: of, in: query, required: true, schema: { enum: [all, own] } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: integer } } } }, '422': { description: no } }
  /boards/{boardKey}:
    parameters: [{ name: boardKey, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBoard, responses: { '200': ${shown('Board')}, '404': { description: no } } }
  /boards/{boardKey}/cards:
    parameters: [{ name: boardKey, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addCard
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Card' } } } }
      responses: { '201': ${shown('Card')}, '404': { description: no }, '422': { description: no } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    tenant: { type: apiKey, in: header, name: X-Tenant }
  schemas:
    Board: { type: object, required: [key], properties: { key: { type: string, pattern: '^[A-Z]{2,8}$' } } }
    Card:
      type: object
      required: [title]
      properties: { title: { type: string, minLength: 1 }, size: { type: integer, minimum: 1, maximum: 5 } }
`;
const SHEET = `
api: boards
contract: '1'
document: 1
policies:
  - { kind: resource, collection: boards, id: { member: key, parameter: boardKey, form: caller }, operations: { create: addBoard, list: listBoards, read: getBoard } }
rules: []
unspecified: []
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('boards', DOCUMENT, SHEET);
});

interface Faults {
  readonly largest?: number;
  readonly takesParts?: boolean;
  readonly needsTenant?: boolean;
  readonly needsOf?: boolean;
  /** Below a board, a credential is needed. */
  readonly guardsCards?: boolean;
}

/** A server that looks for the board before it looks at the credential. */
function boards({
  largest = 5,
  takesParts = false,
  needsTenant = true,
  needsOf = true,
  guardsCards = true,
}: Faults): (request: WireRequest) => Scripted {
  const keys = ['AA'];
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  return (request) => {
    const { pathname, searchParams } = new URL(request.target, 'http://boards');
    const [, , key, cards] = pathname.split('/');
    if (cards !== undefined && !keys.includes(key ?? '')) return { status: 404 };
    const isTenant = !needsTenant || headerIn(request, 'x-tenant') === 'acme';
    const isKnown = headerIn(request, 'x-key') === 'a-good-key' && isTenant;
    if (!isKnown && (cards === undefined || guardsCards)) return { status: 401 };
    if (key === 'count')
      return ['all', 'own', needsOf ? '' : null].includes(searchParams.get('of'))
        ? json(200, keys.length)
        : { status: 422 };
    if (request.method === 'GET' && key === undefined)
      return json(
        200,
        keys.map((one) => ({ key: one })),
      );
    if (request.method === 'GET') return keys.includes(key ?? '') ? json(200, { key }) : { status: 404 };
    const body = parsed(request);
    if (headerIn(request, 'content-type') !== 'application/json' || body === undefined)
      return { status: 422 };
    if (cards !== undefined) {
      const { title, size = 1 } = body;
      const isSize = typeof size === 'number' && size >= 1 && size <= largest;
      const isCard = typeof title === 'string' && title !== '' && isSize;
      return isCard && (takesParts || Number.isInteger(size)) ? json(201, { title }) : { status: 422 };
    }
    if (typeof body['key'] !== 'string' || !/^[A-Z]{2,8}$/.test(body['key'])) return { status: 422 };
    if (keys.includes(body['key'])) return { status: 409 };
    keys.push(body['key']);
    return json(201, { key: body['key'] });
  };
}

function parsed({ body }: WireRequest): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

test.each<[string, Faults, readonly string[]]>([
  ['nothing of a faithful server', {}, []],
  ['a bound that is one too high', { largest: 6 }, ['document.addCard.bad-body']],
  ['a part where a whole number is wanted', { takesParts: true }, ['document.addCard.bad-body']],
  [
    'the second of two credentials that is not looked at',
    { needsTenant: false },
    ['countBoards', 'getBoard', 'listBoards'].map((id) => `document.${id}.security`),
  ],
  ['a required parameter that may be missing', { needsOf: false }, ['document.countBoards.bad-parameter']],
  ['an open door behind a board', { guardsCards: false }, ['document.addCard.security']],
])('notices %s', async (_, faults, broken) => {
  const { transport } = scripted(boards(faults));
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://boards.localhost',
    allow: ['negatives', 'writes'],
    fixtures: { cred: { valid: { header: 'X-Key', value: 'a-good-key' } } },
    headers: [['X-Tenant', 'acme']],
    transport,
  });
  const judged = report.rules.filter(({ level }) => level !== 'info');
  const open = judged.filter(({ verdict }) => !['pass', 'fail'].includes(verdict));
  expect(open.map(({ id, reason }) => `${id}: ${reason ?? ''}`)).toEqual([]);
  expect(judged.flatMap(({ id, verdict }) => (verdict === 'fail' ? [id] : [])).sort()).toEqual(broken);
});
