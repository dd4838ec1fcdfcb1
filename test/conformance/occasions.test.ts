import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { parseJson } from '../../conformance/exchanges/exchange.ts';
import { callsOn } from '../../conformance/target/occasions.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Prints, version: '1' }
paths:
  /prints:
    post:
      operationId: addPrint
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [picture], properties: { picture: { type: string } } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } } }
        '503': { description: full, content: { application/json: { schema: { $ref: '#/components/schemas/Fault' } } } }
components:
  schemas:
    Fault: { type: object, required: [why], properties: { why: { type: string }, detail: { type: string } } }
`;

const ANSWERS: Readonly<Record<string, readonly [status: number, body: unknown]>> = {
  busy: [503, { why: 'The printer is busy.' }],
  'busy, in other words': [503, { reason: 'The printer is busy.' }],
  forbidden: [451, { why: 'Not this picture.' }],
};

/** Prints each picture, but for those that bring an occasion about. */
function printer(request: WireRequest): Scripted {
  const { target, method, body } = request;
  const json = (status: number, value: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body: value,
  });
  if (target !== '/prints' || method !== 'POST') return json(404, {});
  const { picture } = Object(parseJson(Buffer.from(body ?? []).toString())) as { readonly picture?: unknown };
  if (typeof picture !== 'string' || headerIn(request, 'Content-Type') !== 'application/json')
    return json(400, {});
  return json(...(ANSWERS[picture] ?? ([201, { id: 'p1' }] as const)));
}

async function judged(occasions: unknown, serve = printer, sheet?: string): Promise<Report> {
  const read = readFixtures(JSON.stringify({ occasions: { addPrint: occasions } }), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return runConformance({
    contracts: [await own('own-prints', DOCUMENT, sheet)],
    baseUrl: 'http://localhost',
    allow: permissions,
    fixtures: read.fixtures,
    transport: scripted(serve).transport,
  });
}

const broken = ({ rules }: Report): readonly string[] =>
  rules.flatMap(({ id, verdict, observed = '' }) =>
    verdict === 'fail' || verdict === 'warn' ? [`${id}: ${observed}`] : [],
  );

test('the answer to a call that fixtures bring about is judged by the document', async () => {
  const honest = await judged({ unavailable: { body: { picture: 'busy' }, expect: { status: 503 } } });
  expect(broken(honest)).toEqual([]);
  expect(honest.findings).toEqual([]);
  const [fault, ...others] = broken(
    await judged({ unavailable: { body: { picture: 'busy, in other words' } } }),
  );
  expect(fault).toMatch(/^document\.addPrint\.answer: .*why/);
  expect(others).toEqual([]);
});

test('a refusal that fixtures bring about need not be declared', async () => {
  expect(broken(await judged({ refused: { body: { picture: 'forbidden' } } }))).toEqual([]);
  expect(broken(await judged({ other: { body: { picture: 'forbidden' } } }))).toEqual([
    expect.stringMatching(/^document\.addPrint\.status: 451/),
  ]);
});

test('the last occasion is tried, however many calls the others have', async () => {
  const many = ['other', 'slow', 'failing', 'refused', 'invalid', 'limited', 'full', 'huge', 'unavailable'];
  const several = Object.fromEntries(many.map((name) => [name, Array(3).fill({})]));
  const last = { missing: { body: { picture: 'busy, in other words' } } };
  expect(broken(await judged({ ...several, ...last }))).toEqual([
    expect.stringMatching(/^document\.addPrint\.answer: .*why/),
  ]);
});

test('a call that does not bring about what the fixtures state is an error of the fixtures', async () => {
  const { findings } = await judged({ failing: { body: { picture: 'a hand' }, expect: { status: 500 } } });
  expect(findings.map(({ says }) => says)).toEqual([
    expect.stringMatching(/^fixture occasions\.addPrint\.failing: expected 500, and the server returned 201/),
  ]);
});

test.each<[string, unknown, string, string]>([
  ['no object', 7, 'occasions must be an object, by operation', ''],
  [
    'an unknown occasion',
    { addPrint: { slwo: {} } },
    'occasions.addPrint.slwo is not an occasion',
    'did you mean slow?',
  ],
  [
    'a text for a call',
    { addPrint: { slow: 'long' } },
    'occasions.addPrint.slow must be a call: an object',
    'known: parameters',
  ],
  [
    'a misspelt member',
    { addPrint: { slow: { bdoy: 1 } } },
    'occasions.addPrint.slow.bdoy is not a member of a call',
    'did you mean body?',
  ],
  [
    'one of several calls',
    { addPrint: { slow: [{}, { minMs: 0 }] } },
    'occasions.addPrint.slow.1.minMs must be a number of milliseconds above 0',
    '',
  ],
  [
    'a status of one digit',
    { addPrint: { failing: { expect: { status: 5 } } } },
    'occasions.addPrint.failing.expect must be an object with a status such as 503',
    '',
  ],
])('%s is refused with its place', (_what, occasions, message, help) => {
  const read = readFixtures(JSON.stringify({ occasions }, null, 1), {});
  expect(read.ok).toBe(false);
  if (read.ok) return;
  expect(read.diagnostics).toHaveLength(1);
  expect(read.diagnostics[0]?.message).toBe(message);
  expect(read.diagnostics[0]?.help ?? '').toContain(help);
});

test('one call, several calls, and the spelling of before read alike', () => {
  const body = { picture: 'slow' };
  expect(callsOn('slow', 'addPrint', { occasions: { addPrint: { slow: { body } } } })).toEqual([{ body }]);
  expect(callsOn('slow', 'addPrint', { occasions: { addPrint: { slow: [{ body }, {}] } } })).toEqual([
    { body },
    {},
  ]);
  expect(callsOn('slow', 'addPrint', { bodies: { 'addPrint.slow': body } })).toEqual([{ body }]);
  expect(callsOn('slow', 'addPrint', {})).toEqual([]);
});

const ROLES = [
  ...['badInput', 'policyRefusal', 'providerFailure', 'providerTimeout', 'noCredits', 'unknownModel'],
  ...['noCredential', 'noAccess', 'capacity', 'disconnected', 'internal', 'deadline', 'notEnabled'],
  ...['unavailable', 'rateLimit'],
];

/** Each role has a bucket of its own name. */
const SHEET = `
api: own-prints
contract: '1'
document: 1
policies:
  - kind: error-buckets
    header: X-Why
    bodyMember: why
    detailMember: detail
    fallback: internal
    forecast: []
    buckets: [${ROLES.map((name) => `{ name: ${name}, level: request }`).join(', ')}]
    roles: { ${ROLES.map((name) => `${name}: ${name}`).join(', ')} }
`;

test.each<[string, readonly [header: string, body: string, status?: number], readonly unknown[]]>([
  ['has the bucket of its reason', ['policyRefusal', 'policyRefusal'], []],
  ['meets a limit of the rate', ['rateLimit', 'rateLimit', 429], []],
  [
    'has another bucket',
    ['badInput', 'badInput'],
    [expect.stringMatching(/^error-buckets\.roles: 451 with badInput/)],
  ],
  [
    'has another bucket in its body',
    ['policyRefusal', 'badInput'],
    [expect.stringMatching(/^error-buckets\.body: "badInput"/)],
  ],
])('a refusal that fixtures bring about %s', async (_what, [header, why, status], faults) => {
  const refusing = (request: WireRequest): Scripted => {
    const answer = printer(request);
    if (answer.status < 400) return answer;
    const [name, said] = answer.status === 451 ? [header, why] : ['badInput', 'badInput'];
    return {
      status: answer.status === 451 ? (status ?? 451) : answer.status,
      headers: { 'Content-Type': 'application/json', 'X-Why': name },
      body: { why: said, detail: 'No.' },
    };
  };
  const report = await judged({ refused: { body: { picture: 'forbidden' } } }, refusing, SHEET);
  expect(broken(report)).toEqual(faults);
  expect(report.findings).toEqual([]);
});
