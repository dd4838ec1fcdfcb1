import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { own } from '../mock/own-document.ts';
import { headerIn, scripted, type Scripted } from './servers.ts';
import { pause } from '../until.ts';

const shown = (name: string): string =>
  `{ description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }`;
const sent = (name: string): string =>
  `{ required: true, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }`;
const DOCUMENT = `
openapi: 3.1.0
info: { title: Marks, version: '1' }
security: [{ token: [] }]
paths:
  /marks:
    get: { operationId: listMarks, responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Mark' } } } } } } }
    post:
      operationId: addMark
      parameters: [{ name: Request-Key, in: header, schema: { type: string } }]
      requestBody: ${sent('NewMark')}
      responses: { '201': ${shown('Mark')}, '409': { description: taken }, '422': { description: no } }
  /marks/{markId}:
    parameters: [{ name: markId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getMark, responses: { '200': ${shown('Mark')}, '404': { description: no } } }
    patch:
      operationId: changeMark
      requestBody: { required: true, content: { application/merge-patch+json: { schema: { type: object, properties: { label: { type: string }, hint: { type: [string, 'null'] } } } } } }
      responses: { '200': ${shown('Mark')}, '404': { description: no }, '422': { description: no } }
    delete: { operationId: dropMark, responses: { '204': { description: gone }, '404': { description: no } } }
  /seats/{seat}:
    parameters: [{ name: seat, in: path, required: true, schema: { type: string, pattern: '^[a-z]{2}[0-9]{6}$' } }]
    get: { operationId: getSeat, responses: { '200': ${shown('Seat')}, '404': { description: no } } }
    put:
      operationId: putSeat
      requestBody: ${sent('Seat')}
      responses: { '200': ${shown('Seat')}, '201': ${shown('Seat')}, '422': { description: no } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  schemas:
    Seat: { type: object, required: [row], properties: { row: { type: integer }, seat: { type: string, readOnly: true } } }
    Level: { type: string, enum: [low, high] }
    NewMark:
      type: object
      required: [label]
      properties: &members
        label: { type: string, minLength: 1 }
        hint: { type: [string, 'null'] }
        code: { type: string, pattern: '^[a-z]{3}$' }
        kind: { type: string, enum: [round, square] }
        weight: { type: number, minimum: 0, multipleOf: 0.5 }
        price: { type: integer, exclusiveMinimum: 0 }
        words: { type: array, maxItems: 3, uniqueItems: true, items: { type: string, minLength: 1 } }
        level: { $ref: '#/components/schemas/Level', default: low }
    Mark:
      type: object
      required: [id, label, hint]
      properties:
        <<: *members
        id: { type: integer }
`;
const SHEET = `
api: marks
contract: '1'
document: 1
policies:
  - kind: resource
    collection: marks
    id: { member: id, parameter: markId, form: integer }
    operations: { create: addMark, list: listMarks, read: getMark, patch: changeMark, delete: dropMark }
  - { kind: resource, collection: seats, id: { member: seat, form: caller }, upsert: true, operations: { read: getSeat, replace: putSeat } }
  - { kind: uniqueness, operations: [addMark], member: label, within: [] }
  - kind: idempotency
    mode: replay
    operations: [addMark]
    requestHeader: Request-Key
    window: P1D
    release: [4xx, 5xx]
    inFlight: { status: 409, retryAfter: false }
    mismatch: { status: 422 }
rules: []
unspecified: []
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('marks', DOCUMENT, SHEET);
});

type Fault = (typeof FAULTS)[number][0];
interface Mark extends Record<string, unknown> {
  readonly id: number;
}

/** A server with at most one fault, each of which only a value next to a valid one can show. */
function marks(fault: Fault): (request: WireRequest) => Promise<Scripted> {
  const is = (one: Fault): boolean => fault === one;
  let count = 1000;
  const all = new Map<number, Mark>();
  const seats = new Map<string, unknown>();
  const keys = new Map<string, { readonly text: string; readonly answer: Scripted; readonly id: number }>();
  const json = (status: number, body: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const texts = /^[a-z]{3}$/;
  const isMark = ({
    label,
    hint,
    code,
    kind,
    weight,
    price,
    words,
    level,
  }: Record<string, unknown>): boolean =>
    typeof label === 'string' &&
    label !== '' &&
    (hint === undefined || hint === null || typeof hint === 'string') &&
    (code === undefined ||
      (typeof code === 'string' && (is('open pattern') ? /^[a-z]{3}/ : texts).test(code))) &&
    [undefined, 'round', 'square'].some((one) => one === (is('any case') ? lower(kind) : kind)) &&
    (weight === undefined ||
      (typeof weight === 'number' && weight >= 0 && (is('steps') || (weight * 2) % 1 === 0))) &&
    (price === undefined ||
      (is('flags') && price === true) ||
      (Number.isInteger(price) && (price as number) >= (is('bound') ? 0 : 1))) &&
    (words === undefined || isWords(words)) &&
    ['low', 'high', undefined].includes(level as string);
  const isWords = (words: unknown): boolean =>
    Array.isArray(words) &&
    words.every((one) => typeof one === 'string' && one !== '') &&
    (is('many') || words.length <= 3) &&
    (is('twice') || new Set(words).size === words.length);
  return async (request) => {
    const [, collection, id = '', ...rest] = request.target.split('?')[0]?.split('/') ?? [];
    const isOpen = is('other scheme') && headerIn(request, 'authorization')?.startsWith('Basic') === true;
    if (rest.length > 0) return { status: 404 };
    if (headerIn(request, 'authorization') !== 'Bearer good' && !isOpen) return { status: 401 };
    const { method } = request;
    const body = parsed(request);
    if (method !== 'GET' && method !== 'DELETE' && body === undefined) return { status: 422 };
    if (collection === 'seats') {
      const seat = (is('seats of any case') ? /^[a-z]{2}\d{6}$/i : /^[a-z]{2}\d{6}$/).test(id) ? id : '';
      const isThere = seats.has(seat);
      if (method === 'GET') return isThere ? json(200, seats.get(seat)) : { status: 404 };
      if (headerIn(request, 'content-type') !== 'application/json') return { status: 422 };
      if (seat === '' || !Number.isInteger(body?.['row'])) return { status: 422 };
      seats.set(seat, { seat, row: body?.['row'] });
      return json(isThere && !is('always created') ? 200 : 201, seats.get(seat));
    }
    if (collection !== 'marks') return { status: 404 };
    if (id !== '') {
      const number = is('leading digits')
        ? Number.parseInt(id, 10)
        : /^\d+$/.test(id)
          ? Number(id)
          : Number.NaN;
      if (is('failure') && Number.isNaN(number)) return { status: 500 };
      const mark = all.get(number);
      if (mark === undefined) return { status: 404 };
      if (method === 'GET') return json(200, mark);
      if (method === 'DELETE') return all.delete(number) ? { status: 204 } : { status: 404 };
      if (headerIn(request, 'content-type') !== 'application/merge-patch+json') return { status: 422 };
      const { id: _, ...patch } = body ?? {};
      const isKept = (value: unknown): boolean => !(is('null ignored') && value === null);
      const merged = {
        ...mark,
        ...Object.fromEntries(Object.entries(patch).filter(([, one]) => isKept(one))),
      };
      const stored = Object.entries(merged).filter(([name, one]) => one !== null || name === 'hint');
      const changed = { ...Object.fromEntries(stored), id: number } as Mark;
      if (!isMark(changed)) return { status: 422 };
      all.set(number, changed);
      return json(200, changed);
    }
    if (method === 'GET') return json(200, [...all.values()]);
    if (headerIn(request, 'content-type') !== 'application/json') return { status: 422 };
    const key = headerIn(request, 'request-key');
    const before = keys.get(key ?? '');
    const text = JSON.stringify(body);
    if (before !== undefined && before.text !== text) return { status: 422 };
    if (before !== undefined) return is('gone') && !all.has(before.id) ? { status: 404 } : before.answer;
    if (body === undefined || !isMark(body)) return { status: 422 };
    const isTaken = (): boolean => [...all.values()].some(({ label }) => label === body['label']);
    if (isTaken()) return { status: 409 };
    if (is('late')) await pause(20);
    const mark = {
      hint: null,
      level: is('default') && body['words'] !== undefined ? 'high' : 'low',
      ...body,
      id: (count += 1),
    };
    all.set(mark.id, mark);
    if (key !== undefined) keys.set(key, { text, answer: json(201, mark), id: mark.id });
    return json(201, mark);
  };
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

function parsed({ body }: WireRequest): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const bodies = ['document.addMark.bad-body'];
const FAULTS = [
  ['none', []],
  ['open pattern', bodies],
  ['any case', bodies],
  ['steps', bodies],
  ['flags', bodies],
  ['bound', bodies],
  ['many', bodies],
  ['twice', bodies],
  ['other scheme', ['document.listMarks.security']],
  ['failure', ['document.getMark.bad-parameter']],
  ['leading digits', ['document.getMark.bad-parameter']],
  ['seats of any case', ['document.putSeat.bad-parameter']],
  ['always created', ['resource.seats.upsert']],
  ['gone', ['idempotency.addMark.replayed']],
  ['late', ['uniqueness.addMark.taken']],
  ['null ignored', ['resource.marks.patched']],
  ['default', ['resource.marks.created']],
] as const;

test.each(FAULTS)('what a server does wrong beside valid values: %s', async (fault, broken) => {
  const { transport } = scripted(marks(fault));
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://marks.localhost',
    allow: ['negatives', 'writes'],
    credential: { header: 'Authorization', value: 'Bearer good' },
    transport,
  });
  const wrong = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const ids = wrong.map(({ id }) => id);
  expect(broken.filter((id) => !ids.includes(id))).toEqual([]);
  if (broken.length === 0) expect(wrong.map(({ id, observed }) => [id, observed])).toEqual([]);
});

test('the mock of such a contract keeps every rule, also for two calls at once', async () => {
  const mock = createMock({ contracts: [contract] });
  onTestFinished(() => {
    mock.close();
  });
  await mock.ready();
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['negatives', 'writes'],
    credential: { header: 'Authorization', value: 'Bearer good' },
    transport: inProcess(mock.handle),
  });
  const wrong = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(wrong.map(({ id, observed }) => [id, observed])).toEqual([]);
});

test('a sheet that does not say what is unique, and what keys are for, is no reason for an alarm', async () => {
  const said = SHEET.replace(/ {2}- \{ kind: uniqueness.*\n/, '').replace(
    / {2}- kind: idempotency\n(?: {4}.*\n)+/,
    '',
  );
  const document = DOCUMENT.replace(
    'name: Request-Key, in: header,',
    'name: Request-Key, in: header, required: true,',
  );
  const inner = marks('none');
  const { transport } = scripted((request) => {
    const lacksKey = request.method === 'POST' && headerIn(request, 'request-key') === undefined;
    const isKnown = headerIn(request, 'authorization') === 'Bearer good';
    return lacksKey && isKnown ? Promise.resolve({ status: 400 }) : inner(request);
  });
  const report = await runConformance({
    contracts: [await own('marks', document, said)],
    baseUrl: 'http://marks.localhost',
    allow: ['negatives', 'writes'],
    credential: { header: 'Authorization', value: 'Bearer good' },
    transport,
  });
  const judged = report.rules.filter(
    ({ id }) => id.startsWith('resource.marks.') || id.startsWith('document.addMark'),
  );
  expect(said).not.toMatch(/uniqueness|idempotency/);
  expect(report.findings).toEqual([]);
  expect(judged.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
});
