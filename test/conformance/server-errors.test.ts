import { beforeAll, expect, test } from 'vitest';
import { exitCode, runConformance } from '../../conformance/index.ts';
import type { Clock, Report, Verdict, WireRequest } from '../../conformance/index.ts';
import { systemClock } from '../../conformance/http/transport.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const NOTE = `{ type: object, required: [text], properties: { text: { type: string } } }`;
const DOCUMENT = `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      parameters: [{ name: order, in: query, schema: { type: string, enum: [up, down] } }]
      responses: { '200': { description: Notes., content: { application/json: { schema: { type: array, items: ${NOTE} } } } }, '400': { description: Bad. } }
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: ${NOTE} } } }
      responses: { '201': { description: Made., content: { application/json: { schema: ${NOTE} } } }, '422': { description: Bad. } }
  /health:
    get: { operationId: health, responses: { '200': { description: Well. }, '503': { description: Not yet. } } }
`;

const SHEET = `
api: notes
contract: '1'
document: 1
policies: [{ kind: reserved-fields, operations: [addNote], members: [owner] }]
rules:
  - { id: notes.owner.reserved, level: must, says: Owners are not chosen., source: { document: 1, section: s, item: i }, operation: addNote, policy: reserved-fields, case: refused, needs: [], audience: both }
unspecified: []
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('notes', DOCUMENT, SHEET);
});

const json = (status: number, body: unknown): Scripted => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body,
});

function notes({ method, target, headers, body }: WireRequest): Scripted {
  if (target === '/health') return { status: 200 };
  if (!target.startsWith('/notes')) return { status: 404 };
  if (method === 'GET') return target.includes('no-such') ? { status: 400 } : json(200, []);
  if (method !== 'POST') return { status: 405 };
  if (!headers.some(([, value]) => value === 'application/json')) return { status: 415 };
  const note = parsed(new TextDecoder().decode(body));
  return typeof note?.['text'] === 'string' && !('owner' in note) ? json(201, note) : { status: 422 };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

type Change = (answer: Scripted, request: WireRequest) => Scripted;

async function judge(change: Change): Promise<Report> {
  const clock: Clock = {
    ...systemClock,
    // The pause before a request that got a 503 is sent again; limits of time are longer.
    sleep: (milliseconds, signal) =>
      milliseconds < 10_000 ? Promise.resolve() : systemClock.sleep(milliseconds, signal),
  };
  const { transport } = scripted((request) => change(notes(request), request));
  const options = { contracts: [contract], baseUrl: 'http://localhost', transport, clock };
  const fixtures = { writes: ['addNote'] };
  return runConformance({ ...options, fixtures, allow: ['writes', 'negatives'], retries: 0 });
}

const verdictsOf = ({ rules }: Report): Record<string, Verdict> =>
  Object.fromEntries(
    rules.filter(({ verdict }) => verdict !== 'pass').map(({ id, verdict }) => [id, verdict]),
  );

test('a 500 for a valid request is a fail, and says nothing about invalid ones that get it too', async () => {
  const report = await judge((answer, { method }) => (method === 'POST' ? json(500, {}) : answer));
  expect(verdictsOf(report)).toEqual({
    'document.addNote.answer': 'fail',
    'document.addNote.status': 'fail',
    'document.addNote.bad-body': 'inconclusive',
    'document.addNote.media-type': 'inconclusive',
    'notes.owner.reserved': 'inconclusive',
  });
  expect(exitCode(report)).toBe(1);
  const [answer] = report.rules.filter(({ id }) => id === 'document.addNote.answer');
  expect(answer).toMatchObject({ observed: '500 {}' });
  expect(answer?.expected).toContain('no server error for a valid request; declared: 201, 422');
  const [body] = report.rules.filter(({ id }) => id === 'document.addNote.bad-body');
  expect(body?.reason).toContain('the valid request gets 500 as well');
});

test('a 500 for invalid requests alone breaks the rules about them', async () => {
  const report = await judge((answer) => ([400, 415, 422].includes(answer.status) ? json(500, {}) : answer));
  expect(verdictsOf(report)).toEqual({
    'document.listNotes.status': 'fail',
    'document.listNotes.bad-parameter': 'fail',
    'document.addNote.status': 'fail',
    'document.addNote.bad-body': 'fail',
    'document.addNote.media-type': 'fail',
    'notes.owner.reserved': 'fail',
  });
});

test('a read that fails whatever its parameters are is one fail', async () => {
  const report = await judge((answer, { method }) => (method === 'GET' ? json(500, {}) : answer));
  expect(verdictsOf(report)).toMatchObject({
    'document.listNotes.answer': 'fail',
    'document.listNotes.bad-parameter': 'not-exercised',
    'document.health.answer': 'fail',
  });
});

test.each([
  ['declared', '/health', 503],
  ['that may come from something before the API', '/notes', 503],
])('a server error %s is no fail', async (_, path, status) => {
  const report = await judge((answer, { target }) => (target === path ? json(status, {}) : answer));
  expect(Object.values(verdictsOf(report))).not.toContain('fail');
});
