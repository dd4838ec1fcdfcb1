import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { exitCode, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { pause } from '../until.ts';
import { startSick } from './sick/front.ts';
import type { Call } from './sick/front.ts';
import { judgeSick } from './sick/judge.ts';
import { silent } from './sick/symptoms.ts';

const task =
  '{ description: A task., content: { application/json: { schema: { $ref: "#/components/schemas/Task" } } } }';
const body =
  'requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } } } } }';
const id = 'parameters: [{ name: id, in: path, required: true, schema: { type: string, example: t1 } }]';

const DOCUMENT = `
openapi: 3.1.0
info: { title: Tasks, version: '1' }
security: [{ token: [] }]
paths:
  /tasks:
    get: { operationId: listTasks, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Task" } } } } }, '401': { description: No. } } }
    post: { operationId: addTask, ${body}, responses: { '201': ${task}, '400': { description: Bad. }, '415': { description: Not JSON. }, '401': { description: No. } } }
  /tasks/{id}:
    get: { operationId: getTask, ${id}, responses: { '200': ${task}, '401': { description: No. }, '404': { description: None. } } }
    delete: { operationId: dropTask, ${id}, responses: { '204': { description: Gone. }, '401': { description: No. }, '404': { description: None. } } }
  /tasks/{id}/finish:
    post: { operationId: finishTask, ${id}, responses: { '200': ${task}, '401': { description: No. }, '404': { description: None. }, '409': { description: Done already. } } }
  /tasks/{id}/events:
    get: { operationId: watchTask, ${id}, responses: { '200': { description: Events., content: { text/event-stream: { schema: { type: string } } } }, '401': { description: No. }, '404': { description: None. } } }
components:
  schemas:
    Task: { type: object, required: [id, state], properties: { id: { type: string }, state: { type: string, enum: [open, done] } } }
  securitySchemes: { token: { type: http, scheme: bearer } }
`;

const sheet = (stateFirst: boolean): string => `
api: tasks
contract: '1'
document: 1
policies:
  - kind: lifecycle
    schema: Task
    property: state
    states: [open, done]
    initial: open
    terminal: [done]
    transitions: [{ from: open, to: done, on: finish }]
  - kind: event-stream
    operations: [watchTask]
    events: { status: state }
    authority: getTask
    stateFirst: ${stateFirst}
rules: []
unspecified: []
`;

type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
/** What a server does in place of an answer; `undefined` for an answer. */
type Fault = (operation: string, isValid: boolean, response: ServerResponse) => 'silent' | number | undefined;

/** Tasks in memory. A stream has its head with its first event, which is the next change. */
function tasks(fault: Fault): Answer {
  const state = new Map([['t1', 'open']]);
  const watchers = new Map<string, ServerResponse[]>();
  let count = 1;
  return async (request, response) => {
    const given = await text(request);
    const [path = ''] = (request.url ?? '').split('?');
    const [, , id = '', below] = path.split('/');
    const operation = `${request.method} /${['tasks', ...(id === '' ? [] : ['{id}']), ...(below === undefined ? [] : [below])].join('/')}`;
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    };
    const isIn = request.headers.authorization === 'Bearer good';
    const isAdd = operation === 'POST /tasks';
    const value = isAdd ? parsed(given) : undefined;
    const isValid = isIn && (isAdd ? typeof value?.name === 'string' : id === '' || state.has(id));
    const wrong = fault(operation, isValid, response);
    if (wrong === 'silent') return;
    if (typeof wrong === 'number') await pause(wrong);
    if (!isIn) return void response.writeHead(401).end();
    if (!isValid) return void response.writeHead(isAdd ? 400 : 404).end();
    if (isAdd && request.headers['content-type'] !== 'application/json')
      return void response.writeHead(415).end();
    const shown = (one: string): object => ({ id: one, state: state.get(one) });
    switch (operation) {
      case 'GET /tasks':
        return json(200, [...state.keys()].map(shown));
      case 'POST /tasks':
        state.set(`t${(count += 1)}`, 'open');
        return json(201, shown(`t${count}`));
      case 'GET /tasks/{id}':
        return json(200, shown(id));
      case 'DELETE /tasks/{id}':
        state.delete(id);
        return void response.writeHead(204).end();
      case 'POST /tasks/{id}/finish':
        if (state.get(id) === 'done') return void response.writeHead(409).end();
        state.set(id, 'done');
        for (const watcher of watchers.get(id) ?? []) watcher.end(`event: state\ndata: {"state":"done"}\n\n`);
        return json(200, shown(id));
      case 'GET /tasks/{id}/events':
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        if (state.get(id) === 'done') return void response.end(`event: state\ndata: {"state":"done"}\n\n`);
        watchers.set(id, [...(watchers.get(id) ?? []), response]);
        return;
      default:
        return void response.writeHead(404).end();
    }
  };
}

function parsed(given: string): { readonly name?: unknown } | undefined {
  try {
    return Object(JSON.parse(given)) as { name?: unknown };
  } catch {
    return undefined;
  }
}

interface Setting {
  readonly sheet?: string;
  readonly except?: readonly string[];
  readonly rules?: readonly string[];
}

async function judge(fault: Fault, { sheet, except, rules }: Setting = {}): Promise<Report> {
  const answer = tasks(fault);
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await runConformance({
      contracts: [await own('tasks', DOCUMENT, sheet)],
      baseUrl: `http://127.0.0.1:${port}`,
      credential: { header: 'Authorization', value: 'Bearer good' },
      allow: ['writes', 'negatives'],
      timeoutMs: 500,
      fixtures: { deadlineMs: 300 },
      seed: 1,
      ...(except === undefined ? {} : { except }),
      ...(rules === undefined ? {} : { rules }),
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const at =
  (wanted: string, when: (isValid: boolean) => boolean = () => true): Fault =>
  (operation, isValid) =>
    operation === wanted && when(isValid) ? 'silent' : undefined;
const isValid = (valid: boolean): boolean => valid;
const STREAM = 'GET /tasks/{id}/events';
const told = ({ findings }: Report): readonly string[] =>
  findings.map(({ kind, says }) => `${kind}: ${says}`);

test.concurrent.each<[string, string, Fault, Setting]>([
  ['a read, to any caller', 'GET /tasks/{id}', at('GET /tasks/{id}'), { rules: ['document.getTask.*'] }],
  [
    'a read, to callers with access',
    'GET /tasks/{id}',
    at('GET /tasks/{id}', isValid),
    { rules: ['document.getTask.*'] },
  ],
  ['a creation', 'POST /tasks', at('POST /tasks'), { rules: ['document.addTask.*', 'document.listTasks.*'] }],
  [
    'a creation that is valid',
    'POST /tasks',
    at('POST /tasks', isValid),
    { rules: ['document.addTask.*', 'document.listTasks.*'] },
  ],
  ['a change', 'POST /tasks/{id}/finish', at('POST /tasks/{id}/finish', isValid), {}],
  ['a deletion', 'DELETE /tasks/{id}', at('DELETE /tasks/{id}', isValid), { rules: ['document.dropTask.*'] }],
  ['a stream, by the document', STREAM, at(STREAM), { rules: ['document.watchTask.*'] }],
  ['a stream with access, by the document', STREAM, at(STREAM, isValid), { rules: ['document.watchTask.*'] }],
  ['a stream, by the sheet', STREAM, at(STREAM, isValid), { sheet: sheet(false), rules: ['event-stream.*'] }],
  [
    'a stream that begins with its state',
    STREAM,
    at(STREAM, isValid),
    { sheet: sheet(true), rules: ['event-stream.*'] },
  ],
])(
  '%s that is never answered, while others are, is broken',
  async (_, operation, fault, setting) => {
    const report = await judge(fault, setting);
    expect(
      told(report)
        .filter((one) => one.startsWith('broken: '))
        .join('\n'),
    ).toContain(`broken: ${operation} `);
    expect(exitCode(report)).toBe(1);
  },
  60_000,
);

test('a stream whose state never comes, although its head does, breaks the rule about it', async () => {
  const fault: Fault = (operation, valid, response) => {
    if (operation !== STREAM || !valid) return undefined;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    return 'silent';
  };
  const report = await judge(fault, { sheet: sheet(true) });
  const failed = report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toContain('event-stream.watchTask.first');
  expect(exitCode(report)).toBe(1);
}, 60_000);

test.concurrent.each<[string, Fault, Setting]>([
  ['answers each request after a while', () => 200, { except: ['watchTask'] }],
  ['has the head of a stream with its first event', () => undefined, { sheet: sheet(false) }],
])(
  'a server that %s is not broken',
  async (_, fault, setting) => {
    const report = await judge(fault, setting);
    expect(told(report)).toEqual([]);
    expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    expect(exitCode(report)).toBe(0);
  },
  60_000,
);

test('a network that loses one response in six breaks no operation', async () => {
  let count = 0;
  const report = await judge(() => ((count += 1) % 6 === 0 ? 'silent' : undefined), {
    except: ['watchTask'],
  });
  expect(told(report).filter((one) => one.startsWith('broken'))).toEqual([]);
  expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
}, 60_000);

test('a server that never answers anything is unreachable', async () => {
  const report = await judge(() => 'silent');
  expect([report.status, exitCode(report)]).toEqual(['unreachable', 3]);
}, 60_000);

test('a stream of a job that is never answered fails the run', async () => {
  const isSilent = ({ target, request }: Call): boolean => target.endsWith('/events') && isGood(request);
  const server = await startSick(silent(isSilent), { apis: ['jobs'] });
  try {
    const report = await judgeSick(server, {
      contracts: [await loadOwnContract('jobs')],
      allow: ['jobs'],
      rules: ['jobs.sse.ends-after-terminal'],
      timeoutMs: 500,
    });
    expect(told(report)[0]).toContain('broken: GET /api/v2/jobs/{id}/events ');
    expect(exitCode(report)).toBe(1);
  } finally {
    await server.stop();
  }
}, 120_000);

function isGood({ headers }: IncomingMessage): boolean {
  return headers['x-api-key'] !== undefined || headers.authorization !== undefined;
}
