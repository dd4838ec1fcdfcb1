import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import { isObject, parseJson } from '../../conformance/exchanges/exchange.ts';
import { virtualClock } from '../../mock/index.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const loan = `{ content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } }, description: ok }`;
const errors = ['400', '401', '404', '409', '422', '429', '503', '504']
  .map((status) => `'${status}': { $ref: '#/components/responses/Error' }`)
  .join(', ');
const key = '{ name: Key, in: header, schema: { type: string, maxLength: 64 } }';
const id = '{ name: loanId, in: path, required: true, schema: { type: integer } }';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Lending desk, version: '1' }
security: [{ key: [] }]
paths:
  /desk:
    get: { operationId: desk, responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } }, ${errors} } }
  /loans:
    post:
      operationId: lend
      parameters: [${key}]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [title], properties: { title: { type: string }, days: { type: integer, minimum: 1, maximum: 30 } } } } } }
      responses: { '201': ${loan}, ${errors} }
  /loans/{loanId}:
    get: { operationId: loan, parameters: [${id}], responses: { '200': ${loan}, ${errors} } }
  /loans/{loanId}/return:
    post:
      operationId: giveBack
      parameters: [${id}, ${key}]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [shelf], properties: { shelf: { type: string }, torn: { type: boolean } } } } } }
      responses: { '200': ${loan}, ${errors} }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  responses:
    Error: { description: refused, content: { application/json: { schema: { type: object, required: [code, message], properties: { code: { type: string }, message: { type: string } } } } } }
  schemas:
    Loan: { type: object, required: [id, title, isBack], properties: { id: { type: integer }, title: { type: string }, isBack: { type: boolean }, days: { type: integer } } }
`;

const KEYS = {
  replay: `mode: replay
    inFlight: { status: 409, retryAfter: false, bucket: running }
    mismatch: { status: 422, bucket: other_body }`,
  'single-use': `mode: single-use
    reuse: { status: 409, code: used }`,
};

const sheetOf = (mode: keyof typeof KEYS): string => `
api: desk
contract: '1'
document: 1
policies:
  - { kind: credentials, keyHeader: X-Key, first: true }
  - kind: error-codes
    code: code
    message: message
    codes: [{ name: no_key, status: 401 }, { name: bad, status: 400 }, { name: busy }, { name: running }, { name: other_body }, { name: too_slow }, { name: used }]
    roles: { noCredential: no_key, malformed: bad }
  - kind: idempotency
    operations: [lend, giveBack]
    requestHeader: Key
    window: PT24H
    release: [4xx, 5xx]
    ${KEYS[mode]}
  - { kind: capacity, operations: [lend], status: 429, bucket: busy, calls: 2 }
  - { kind: deadline, operations: [lend], default: PT2S, status: 504, bucket: too_slow }
rules: []
unspecified: []
`;

const FIXTURES = {
  cred: { valid: { header: 'X-Key', value: 'librarian' }, secondAccount: 'neighbour' },
  account: { narrow: 'apprentice', narrowCalls: 2 },
  bodies: { lend: { title: 'Middlemarch' }, giveBack: { shelf: 'A3' } },
  occasions: {
    giveBack: { invalid: { body: { shelf: 'nowhere' } } },
    lend: {
      slow: { body: { title: 'in the cellar' }, minMs: 3000 },
      other: { body: { title: 'Emma', days: 3 } },
      refused: { body: { title: 'forbidden' } },
      invalid: { body: { title: 'unknown' } },
      failing: { body: { title: 'broken' } },
    },
  },
};

/** What is unusual about a desk, although no sentence of its contract forbids it. */
interface Habits {
  readonly mode: keyof typeof KEYS;
  /** Refuses bodies in chunks: 411. */
  readonly wantsLength?: true;
  /** The number of loans in a second; more are refused as those beyond the capacity, with another code. */
  readonly mostInSecond?: number;
  /** Lends one thing at a time, and refuses others meanwhile: 409. */
  readonly isLocked?: true;
  /** Takes only what has to be told, and says so before it looks at the key. */
  readonly isTerse?: true;
}

interface Loan {
  readonly id: number;
  readonly title: string;
  readonly days?: number;
  isBack: boolean;
}

interface KeyRecord {
  readonly call: string;
  answer?: Scripted;
  until: number;
}

const WINDOW_MS = 86_400_000;

/** A desk that lends books, and takes each of them back once. */
function desk({ mode, ...habits }: Habits, clock: ReturnType<typeof virtualClock>) {
  const loans: Loan[] = [];
  const keys = new Map<string, KeyRecord>();
  const running = new Map<string, number>();
  let starts: readonly number[] = [];
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body,
  });
  const refused = (status: number, code: string): Scripted => json(status, { code, message: code });

  return async (request: WireRequest): Promise<Scripted> => {
    const caller = headerIn(request, 'X-Key') ?? '';
    if (!['librarian', 'neighbour', 'apprentice'].includes(caller)) return refused(401, 'no_key');
    const [, noun, given, action] = /^\/(\w+)(?:\/([^/?]+))?(?:\/(\w+))?/.exec(request.target) ?? [];
    if (noun === 'desk' && request.method === 'GET') return json(200, {});
    if (noun !== 'loans') return refused(404, 'nothing');
    if (given !== undefined && !/^-?\d+$/.test(given)) return refused(400, 'bad');
    const lent = loans.find((one) => one.id === Number(given));
    if (request.method === 'GET') return lent === undefined ? refused(404, 'nothing') : json(200, lent);
    const isLoan = given === undefined;
    if (request.method !== 'POST' || (!isLoan && action !== 'return')) return refused(404, 'nothing');
    if (isLoan && isTooOften()) return refused(429, 'slow_down');
    if (habits.wantsLength && headerIn(request, 'Transfer-Encoding') !== undefined)
      return refused(411, 'length');
    if (headerIn(request, 'Content-Type') !== 'application/json') return refused(415, 'type');
    const text = Buffer.from(request.body ?? []).toString();
    const body = parseJson(text);
    if (!isObject(body)) return refused(400, 'bad');
    const { title, days = 14, shelf, torn = false } = body;
    const isGood = isLoan
      ? typeof title === 'string' && Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 30
      : typeof shelf === 'string' && typeof torn === 'boolean';
    if (!isGood) return refused(400, 'bad');
    if (habits.isTerse && Object.keys(body).length > 1) return refused(422, 'too_much');
    return keyed(headerIn(request, 'Key'), `${request.target} ${text}`, () =>
      isLoan ? lend(caller, String(title), body['days']) : takeBack(lent, String(shelf)),
    );
  };

  function isTooOften(): boolean {
    const now = clock.now();
    starts = starts.filter((start) => start > now - 1000);
    if (starts.length >= (habits.mostInSecond ?? Infinity)) return true;
    starts = [...starts, now];
    return false;
  }

  async function keyed(
    given: string | undefined,
    call: string,
    run: () => Promise<Scripted>,
  ): Promise<Scripted> {
    if (given === undefined) return run();
    if (given.length > 64) return refused(400, 'bad');
    const known = keys.get(given);
    if (known !== undefined && known.until > clock.now()) {
      if (mode === 'single-use') return refused(409, 'used');
      if (known.call !== call) return refused(422, 'other_body');
      return known.answer ?? refused(409, 'running');
    }
    const record: KeyRecord = { call, until: Infinity };
    keys.set(given, record);
    const answer = await run();
    if (answer.status >= 400) keys.delete(given);
    record.answer = answer;
    record.until = clock.now() + WINDOW_MS;
    return answer;
  }

  async function lend(caller: string, title: string, days: unknown): Promise<Scripted> {
    const others = running.get(caller) ?? 0;
    if (others >= 2) return refused(429, 'busy');
    if (habits.isLocked && others > 0) return refused(409, 'conflict');
    running.set(caller, others + 1);
    await clock.sleep(title === 'in the cellar' ? 2000 : 20);
    running.set(caller, (running.get(caller) ?? 1) - 1);
    if (title === 'in the cellar') return refused(504, 'too_slow');
    if (title === 'forbidden') return refused(403, 'not_lent');
    if (title === 'unknown') return refused(422, 'no_such_book');
    if (title === 'broken') return refused(500, 'broken');
    const made = {
      id: loans.length + 1,
      title,
      ...(typeof days === 'number' ? { days } : {}),
      isBack: false,
    };
    loans.push(made);
    return json(201, { ...made });
  }

  async function takeBack(lent: Loan | undefined, shelf: string): Promise<Scripted> {
    if (lent === undefined) return refused(404, 'nothing');
    if (shelf === 'nowhere') return refused(422, 'no_such_shelf');
    if (lent.isBack) return refused(409, 'is_back');
    lent.isBack = true;
    await clock.sleep(15);
    return json(200, { ...lent });
  }
}

test.each<[string, Habits]>([
  ['takes a book back once, and ends slow calls at the deadline', { mode: 'replay' }],
  ['takes a book back once, with keys of a single use', { mode: 'single-use' }],
  ['takes no chunks', { mode: 'replay', wantsLength: true }],
  ['takes no chunks, with keys of a single use', { mode: 'single-use', wantsLength: true }],
  ['limits the rate', { mode: 'replay', mostInSecond: 4 }],
  ['limits the rate, with keys of a single use', { mode: 'single-use', mostInSecond: 4 }],
  ['wants no more than it needs', { mode: 'replay', isTerse: true }],
  ['wants no more than it needs, with keys of a single use', { mode: 'single-use', isTerse: true }],
  ['refuses what meets another loan', { mode: 'replay', isLocked: true }],
])('no alarm on a desk that %s', async (_, habits) => {
  const read = readFixtures(JSON.stringify(FIXTURES), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  const clock = virtualClock();
  const { rules } = await runConformance({
    contracts: [await own('desk', DOCUMENT, sheetOf(habits.mode))],
    baseUrl: 'http://localhost',
    allow: permissions,
    fixtures: read.fixtures,
    transport: scripted(desk(habits, clock)).transport,
    clock,
  });
  const alarms = rules.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  expect(alarms.map(({ id: rule, observed, reason }) => [rule, observed ?? reason])).toEqual([]);
});
