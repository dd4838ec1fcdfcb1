import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { parseJson } from '../../conformance/exchanges/exchange.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const ANSWERS = `
        '400': { description: bad }
        '401': { description: who? }
        '403': { description: not you }
        '404': { description: none }`;

const DOCUMENT = `
openapi: 3.1.0
info: { title: Prints, version: '1' }
security: [{ key: [] }, { token: [] }]
paths:
  /papers:
    get:
      operationId: listPapers
      parameters:
        - { name: cursor, in: query, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 10 } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object } } } }${ANSWERS}
  /papers/{paper}/prints:
    post:
      operationId: print
      parameters: [{ name: paper, in: path, required: true, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { type: object } } } }${ANSWERS}
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    token: { type: http, scheme: bearer }
`;

const SHEET = `
api: prints
contract: '1'
document: 1
policies:
  - { kind: credentials, keyHeader: X-Key, first: true }
  - kind: pagination
    operations: [listPapers]
    cursorParameter: cursor
    limitParameter: limit
    defaultLimit: 5
    maximumLimit: 10
    page: { items: papers, next: next }
`;

const FIXTURES = {
  cred: { valid: { header: 'X-Key', value: 'k-1' }, apiKey: 'k-1', jwt: 't-1', forbidden: 'k-0' },
  parameters: { paper: 'A4' },
  bodies: { print: { text: 'short' } },
  occasions: {
    print: {
      other: { body: { text: 'a picture' } },
      missing: { parameters: { paper: 'A99' }, body: { text: 'short' } },
    },
  },
};

interface Call {
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly cursor: string | null;
  readonly text: unknown;
  readonly isPrint: boolean;
  readonly isMissing: boolean;
}
type Fault = (status: number, call: Call) => number;

function shop(fault: Fault): (request: WireRequest) => Scripted {
  return (request) => {
    const { pathname, searchParams } = new URL(request.target, 'http://localhost');
    const body = parseJson(Buffer.from(request.body ?? []).toString());
    const { text } = Object(body) as { readonly text?: unknown };
    const key = headerIn(request, 'X-Key');
    const token = /^Bearer (\S+)$/i.exec(headerIn(request, 'Authorization') ?? '')?.[1];
    const isList = pathname === '/papers' && request.method === 'GET';
    const isPrint = /^\/papers\/[^/]+\/prints$/.test(pathname) && request.method === 'POST';
    const isMissing = isPrint && !pathname.startsWith('/papers/A4/');
    const from = Number(searchParams.get('cursor')?.replace(/^c/, '') ?? 0);
    const limit = Number(searchParams.get('limit') ?? 5);
    const honest = (): number => {
      if (key !== 'k-1' && key !== 'k-0' && token !== 't-1') return 401;
      if (token !== 't-1' && key === 'k-0') return 403;
      if (!isList && !isPrint) return 404;
      if (isList)
        return Number.isInteger(limit) && limit > 0 && limit < 11 && /^c?\d+$/.test(`c${from}`) ? 200 : 400;
      if (typeof text !== 'string' || headerIn(request, 'Content-Type') !== 'application/json') return 400;
      return isMissing ? 404 : 201;
    };
    const status = fault(honest(), {
      key,
      token,
      cursor: searchParams.get('cursor'),
      text,
      isPrint,
      isMissing,
    });
    const items = ['A3', 'A4', 'A5'].slice(from, from + limit);
    const end = from + items.length;
    const page = { papers: items, ...(end < 3 ? { next: `c${String(end)}` } : {}) };
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
    return { status, headers, body: status === 200 ? page : {} };
  };
}

async function judged(fault: Fault): Promise<Report> {
  const read = readFixtures(JSON.stringify(FIXTURES), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return runConformance({
    contracts: [await own('prints', DOCUMENT, SHEET)],
    baseUrl: 'http://localhost',
    allow: permissions,
    fixtures: read.fixtures,
    transport: scripted(shop(fault)).transport,
  });
}

const credentialRules = ({ rules }: Report): readonly string[] =>
  rules.flatMap(({ id, verdict }) =>
    id.startsWith('credentials.') && (verdict === 'fail' || verdict === 'warn') ? [id] : [],
  );

test.each<[string, Fault, readonly string[]]>([
  ['each kind of call knows its callers', (status) => status, []],
  [
    'a caller without access reads later pages',
    (status, { cursor }) => (status === 403 && cursor !== null ? 200 : status),
    ['credentials.forbidden'],
  ],
  [
    'a key is refused for one kind of valid call',
    (status, { key, text }) => (status === 201 && key !== undefined && text === 'a picture' ? 401 : status),
    ['credentials.accepted'],
  ],
  [
    'a key is refused for what does not exist',
    (status, { key, isMissing }) => (status === 404 && key !== undefined && isMissing ? 401 : status),
    ['credentials.accepted'],
  ],
  [
    'what does not exist is said to everybody',
    (status, { isMissing }) => (status === 401 && isMissing ? 404 : status),
    ['credentials.none'],
  ],
  [
    'a body is read before the caller is known',
    (status, { text, isPrint }) => (status === 401 && isPrint && text === undefined ? 400 : status),
    ['credentials.none'],
  ],
])('%s', async (_what, fault, expected) => {
  expect(credentialRules(await judged(fault))).toEqual(expected);
});

test('a key that no operation lets in is not held against one kind of call', async () => {
  const report = await judged((status, { key }) => (key === 'k-1' ? 401 : status));
  expect(credentialRules(report)).toEqual([]);
});
