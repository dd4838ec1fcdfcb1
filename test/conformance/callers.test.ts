import { beforeAll, expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Letters, version: '1' }
security: [{ token: [] }, { key: [] }]
paths:
  /letters:
    get:
      operationId: listLetters
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array } } } }, '401': { description: who }, '403': { description: no } }
    post:
      operationId: sendLetter
      parameters: [{ name: Request-Key, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } } } }
      responses: { '201': { description: sent }, '400': { description: no }, '401': { description: who }, '403': { description: no } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    key: { type: apiKey, in: header, name: X-Key }
`;
const SHEET = `
api: letters
contract: '1'
document: 1
policies:
  - { kind: credentials, keyHeader: X-Key, keyPrefix: key- }
  - kind: idempotency
    mode: replay
    operations: [sendLetter]
    requestHeader: Request-Key
    window: P1D
    release: [4xx, 5xx]
    inFlight: { status: 409, retryAfter: false }
    mismatch: { status: 422 }
rules: []
unspecified: []
`;
const EXACT = SHEET.replace('keyPrefix: key-', 'keyPrefix: key-, exact: true');
const OPEN = SHEET.replace(
  'unspecified: []',
  `unspecified:
  - { id: A-01, about: the status of the refusal, policy: credentials, case: [none, refused], mockUses: { status: 403 }, canBe: { status: { type: integer } } }
`,
);

const TOKEN = `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"ada"}')}.signature`;
const KEY = 'key-of-ada-17';
const FORBIDDEN = 'key-of-nobody';

/** A server whose callers have a token or a key. */
function letters(fault: string): (request: WireRequest) => Scripted {
  const is = (one: string): boolean => fault === one;
  const refused = is('refuses with 403') ? 403 : 401;
  const isGood = (token: string): boolean =>
    token === TOKEN || (is('any signature') && token.split('.')[1] === TOKEN.split('.')[1]);
  const callerOf = (request: WireRequest): 'ada' | 'nobody' | undefined => {
    const [bearer = '', key] = [headerIn(request, 'authorization'), headerIn(request, 'x-key')];
    const isWrite = request.method === 'POST';
    const token = /^Bearer (.*)$/.exec(bearer)?.[1] ?? '';
    if (is('lets the repeated in') && isWrite && headerIn(request, 'request-key') !== undefined) return 'ada';
    if (is('raw token') && bearer === TOKEN) return 'ada';
    if (is('any scheme') && bearer.endsWith(TOKEN)) return 'ada';
    if (is('token in the key header') && key === TOKEN) return 'ada';
    if (is('half a key') && key !== undefined && key.length > 4 && KEY.startsWith(key)) return 'ada';
    if (is('key in any case') && key?.toLowerCase() === KEY) return 'ada';
    if (is('key with a scheme') && key === `Bearer ${KEY}`) return 'ada';
    if (is('key without its beginning') && `key-${token}` === KEY) return 'ada';
    if (is('lets the forbidden bearer in') && token === FORBIDDEN) return 'ada';
    if (is('reads the beginning') && key?.startsWith(KEY) === true) return 'ada';
    if (token.startsWith('key-') && is('no key as bearer on writes') && isWrite) return undefined;
    if (is('no token on writes') && isWrite && token === TOKEN) return undefined;
    if ([key, token].includes(FORBIDDEN)) return is('forgets the forbidden') ? undefined : 'nobody';
    return key === KEY || token === KEY || isGood(token) ? 'ada' : undefined;
  };
  return (request) => {
    if (!request.target.startsWith('/letters')) return { status: 404 };
    const text = new TextDecoder().decode(request.body);
    const isWrite = request.method === 'POST';
    const body = isWrite ? readJson(text) : {};
    const isBad = isWrite && typeof body?.['text'] !== 'string';
    if (is('reads the body first') && isBad) return { status: 400 };
    const caller = callerOf(request);
    if (caller === undefined) return { status: refused };
    if (caller === 'nobody') return { status: is('hides the forbidden') ? 404 : 403 };
    if (isBad) return { status: 400 };
    if (isWrite) return { status: 201 };
    return { status: 200, headers: { 'Content-Type': 'application/json' }, body: [] };
  };
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

let contract: Contract;
let open: Contract;
let exact: Contract;
beforeAll(async () => {
  contract = await own('letters', DOCUMENT, SHEET);
  open = await own('letters', DOCUMENT, OPEN);
  exact = await own('letters', DOCUMENT, EXACT);
});

const judge = (fault: string, by = contract): Promise<Report> =>
  runConformance({
    contracts: [by],
    baseUrl: 'http://letters.localhost',
    allow: ['negatives', 'writes'],
    rules: ['credentials.*', '*.security'],
    fixtures: {
      cred: { apiKey: KEY, jwt: TOKEN, forbidden: FORBIDDEN },
      capabilities: { keyAsBearer: true },
      writes: ['sendLetter'],
    },
    transport: scripted(letters(fault)).transport,
    clock: virtualClock(),
  });

const verdicts = ({ rules }: Report): Readonly<Record<string, string>> =>
  Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

test.each([
  ['lets the repeated in', { 'document.sendLetter.security': 'fail', 'credentials.none': 'fail' }],
  ['raw token', { 'credentials.refused': 'warn' }],
  ['any scheme', { 'credentials.refused': 'warn' }],
  ['token in the key header', { 'credentials.refused': 'warn' }],
  ['any signature', { 'credentials.refused': 'fail' }],
  ['reads the beginning', { 'credentials.refused': 'fail' }],
  ['no token on writes', { 'credentials.accepted': 'fail' }],
  ['no key as bearer on writes', { 'credentials.key-as-bearer': 'fail' }],
  ['forgets the forbidden', { 'credentials.forbidden': 'fail' }],
  ['hides the forbidden', { 'credentials.forbidden': 'fail' }],
  ['lets the forbidden bearer in', { 'credentials.forbidden': 'fail' }],
  ['refuses with 403', { 'credentials.none': 'fail', 'credentials.refused': 'fail' }],
])('what a server does wrong with its callers: %s', async (fault, broken) => {
  expect(verdicts(await judge(fault))).toMatchObject(broken);
});

test.each([
  ...['raw token', 'any scheme', 'token in the key header'],
  ...['half a key', 'key in any case', 'key with a scheme', 'key without its beginning'],
])(
  'a form of a credential that is not declared, where the sheet says that forms are exact: %s',
  async (fault) => {
    expect(verdicts(await judge(fault, exact))).toMatchObject({ 'credentials.refused': 'fail' });
  },
);

test.each(['nothing', 'reads the body first'])('a server that keeps its contract: %s', async (fault) => {
  for (const sheet of [contract, exact]) {
    const all = verdicts(await judge(fault, sheet));
    expect(Object.values(all).filter((one) => one === 'fail' || one === 'warn')).toEqual([]);
    const cases = ['none', 'refused', 'accepted', 'key-as-bearer', 'forbidden'];
    expect(cases.map((name) => all[`credentials.${name}`])).toEqual(cases.map(() => 'pass'));
  }
});

test('a status that the sheet leaves open is not judged, and who is let in is', async () => {
  const all = verdicts(await judge('refuses with 403', open));
  expect([all['credentials.none'], all['credentials.refused']]).toEqual(['pass', 'pass']);
  expect(verdicts(await judge('any signature', open))['credentials.refused']).toBe('fail');
});
