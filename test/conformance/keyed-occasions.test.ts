import { expect, test } from 'vitest';
import { permissions, readFixtures, runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { ownSuite } from '../../conformance/probes/own-suite.ts';
import { parseJson } from '../../conformance/exchanges/exchange.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Kitchen, version: '1' }
paths:
  /meals:
    post:
      operationId: cook
      parameters: [{ name: Key, in: header, schema: { type: string } }]
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, required: [dish], properties: { dish: { type: string } } } } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { type: object, required: [meal], properties: { meal: { type: string } } } } } }
        '400': { description: bad, content: { application/json: { schema: { type: object } } } }
        '409': { description: used, content: { application/json: { schema: { type: object } } } }
        '422': { description: no such dish, content: { application/json: { schema: { type: object } } } }
`;

const SHEET = `
api: kitchen
contract: '1'
document: 1
policies:
  - kind: idempotency
    mode: replay
    operations: [cook]
    requestHeader: Key
    replayHeader: { name: Again, value: 'yes' }
    window: PT24H
    release: [5xx]
    inFlight: { status: 409, retryAfter: false }
    mismatch: { status: 409 }
    consumed: { status: 409 }
`;

const FIXTURES = {
  bodies: { cook: { dish: 'soup' } },
  occasions: {
    cook: {
      other: { body: { dish: 'stew' } },
      huge: { body: { dish: 'feast' } },
      invalid: { body: { dish: 'stone' } },
    },
  },
};

interface Call {
  readonly dish: string;
  readonly key: string | undefined;
  readonly isAgain: boolean;
  readonly wants: string;
}
type Fault = (answer: Scripted, call: Call) => Scripted;

/** Cooks each dish once for a key. What it answers for a feast is too large to be kept. */
function kitchen(fault: Fault): (request: WireRequest) => Scripted {
  const kept = new Map<string, { readonly text: string; readonly answer: Scripted }>();
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const cooked = (dish: string): Scripted => {
    if (dish === 'stone') return json(422, { why: 'No stones.' });
    return json(201, { meal: dish === 'feast' ? `a feast${'!'.repeat(400)}` : dish });
  };
  return (request) => {
    if (request.target !== '/meals' || request.method !== 'POST') return json(404, {});
    const text = Buffer.from(request.body ?? []).toString();
    const { dish } = Object(parseJson(text)) as { readonly dish?: unknown };
    if (typeof dish !== 'string' || headerIn(request, 'Content-Type') !== 'application/json')
      return json(400, {});
    const key = headerIn(request, 'Key');
    const known = kept.get(key ?? '');
    const call = {
      ...{ dish, key, isAgain: known !== undefined },
      wants: `${headerIn(request, 'Accept') ?? ''} ${headerIn(request, 'Prefer') ?? ''}`,
    };
    if (key !== undefined && known === undefined) kept.set(key, { text, answer: cooked(dish) });
    if (known === undefined) return fault(cooked(dish), call);
    if (known.text !== text || dish === 'feast') return fault(json(409, {}), call);
    return fault({ ...known.answer, headers: { ...known.answer.headers, Again: 'yes' } }, call);
  };
}

async function judged(fault: Fault, rules = ''): Promise<Report> {
  const read = readFixtures(JSON.stringify(FIXTURES), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  return runConformance({
    contracts: [await own('kitchen', DOCUMENT, `${SHEET}${rules}`)],
    baseUrl: 'http://localhost',
    allow: permissions.filter((one) => one !== 'long'),
    fixtures: read.fixtures,
    transport: scripted(kitchen(fault)).transport,
  });
}

const marked = (answer: Scripted): Scripted => ({ ...answer, headers: { ...answer.headers, Again: 'yes' } });

test.each<[string, Fault, readonly string[]]>([
  ['nothing is wrong with the kitchen', (answer) => answer, []],
  [
    'the first use of a key is marked for one kind of call',
    (answer, { dish, isAgain }) =>
      dish === 'stew' && !isAgain && answer.status === 201 ? marked(answer) : answer,
    ['idempotency.cook.first-use', 'idempotency.cook.no-key'],
  ],
  [
    'a key with a full stop is marked for one kind of call',
    (answer, { dish, key, isAgain }) =>
      dish === 'stew' && !isAgain && key?.startsWith('.') === true ? marked(answer) : answer,
    ['idempotency.cook.first-use'],
  ],
  [
    'a replay has another body for one kind of call',
    (answer, { dish, isAgain }) =>
      dish === 'stew' && isAgain && answer.status === 201 ? { ...answer, body: { meal: 'stew!' } } : answer,
    ['idempotency.cook.replayed'],
  ],
  [
    'half of a large answer is replayed',
    (answer, { dish, isAgain }) =>
      dish === 'feast' && isAgain ? marked({ ...answer, status: 201, body: { meal: 'a feast' } }) : answer,
    ['idempotency.cook.consumed'],
  ],
  [
    'the refusal of a dish is replayed with another body',
    (answer, { dish, isAgain }) =>
      dish === 'stone' && isAgain && answer.status === 422 ? { ...answer, body: { why: 'No.' } } : answer,
    ['idempotency.cook.replayed'],
  ],
  [
    'a refusal before the key is looked at has no record',
    (answer, { dish, isAgain }) => {
      if (dish !== 'stone' || !isAgain) return answer;
      const { Again: _, ...headers } = answer.headers ?? {};
      return { ...answer, headers };
    },
    [],
  ],
  [
    'a caller that would take a stream gets one',
    (answer, { dish, wants }) =>
      dish === 'stew' && wants.includes('event-stream')
        ? { ...answer, headers: { 'Content-Type': 'text/event-stream' }, body: 'data: {}\n\n' }
        : answer,
    ['document.cook.answer'],
  ],
  [
    'a caller that would wait gets a 202',
    (answer, { dish, wants }) =>
      dish === 'stew' && wants.includes('respond-async') ? { ...answer, status: 202 } : answer,
    ['document.cook.status'],
  ],
  [
    'a dish of the occasions is refused without a key',
    (answer, { dish, key }) =>
      dish === 'feast' && key === undefined ? { status: 500, headers: {}, body: '' } : answer,
    ['document.cook.answer'],
  ],
])('%s', async (_what, fault, expected) => {
  const report = await judged(fault);
  const broken = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(broken.map(({ id }) => id)).toEqual(expected);
  expect(report.findings).toEqual([]);
});

/** Rules of a sheet about parts of what brings a case about: of replays, of refusals, and of what is recorded. */
const APART = `
rules:
${[
  ['kitchen.keys.refusals', 'replayed', 'invalid'],
  ['kitchen.keys.other-refusals', 'replayed', '4xx'],
  ['kitchen.keys.replays', 'replayed'],
  ['kitchen.keys.server-errors', 'released', '5xx'],
  ['kitchen.keys.kept', 'not-overwritten'],
]
  .map(
    ([id = '', of = '', when]) =>
      `  - { id: ${id}, level: must, says: So it is., source: { document: 1, section: Keys, item: '1' }, operation: cook, policy: idempotency, case: ${of}${
        when === undefined ? '' : `, when: ${when}`
      }, needs: [], audience: server }`,
  )
  .join('\n')}
`;

test.each<[string, Fault, readonly string[]]>([
  ['nothing is wrong', (answer) => answer, []],
  [
    'the refusal of a dish is replayed with another body',
    (answer, { dish, isAgain }) =>
      dish === 'stone' && isAgain && answer.status === 422 ? { ...answer, body: { why: 'No.' } } : answer,
    ['kitchen.keys.refusals'],
  ],
  [
    'a replay has another body for one kind of call',
    (answer, { dish, isAgain }) =>
      dish === 'stew' && isAgain && answer.status === 201 ? { ...answer, body: { meal: 'stew!' } } : answer,
    ['kitchen.keys.replays'],
  ],
])('rules about parts of a case: %s', async (_what, fault, expected) => {
  const report = await judged(fault, APART);
  const broken = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(broken.map(({ id }) => id)).toEqual(expected);
  // What no rule of the sheet names is left to the usual one, and so is the rest of a case.
  const ids = report.rules.map(({ id }) => id);
  expect(ids).toContain('idempotency.cook.mismatch');
  expect(ids).toContain('idempotency.cook.released');
  expect(ids).not.toContain('idempotency.cook.replayed');
});

test('calls at once that do not meet show nothing of a key in flight', async () => {
  const report = await judged((answer) => answer);
  const rule = report.rules.find(({ id }) => id === 'idempotency.cook.in-flight');
  expect(rule?.verdict).toBe('not-exercised');
});

test('a scenario decides those rules of a case that what it brings about can concern', async () => {
  const suite = ownSuite(await own('kitchen', DOCUMENT, `${SHEET}${APART}`)).suite;
  const about = (of: string): readonly string[] =>
    suite.scenarios
      .filter(({ id }) => id === `idempotency.cook.${of}`)
      .flatMap(({ judges, searches }) => judges.filter((id) => !searches.includes(id)))
      .filter((id) => id.startsWith('kitchen.keys.'))
      .toSorted();
  expect(about('invalid')).toEqual(['kitchen.keys.refusals', 'kitchen.keys.replays']);
  expect(about('refused')).toEqual(['kitchen.keys.other-refusals', 'kitchen.keys.replays']);
  expect(about('retries')).toEqual(['kitchen.keys.kept', 'kitchen.keys.replays']);
  expect(about('failing')).toEqual(['kitchen.keys.server-errors']);
  // A server chooses its answers: what they concern then is judged as well.
  const failing = suite.scenarios.find(({ id }) => id === 'idempotency.cook.failing');
  expect(failing?.judges).toContain('kitchen.keys.other-refusals');
});
