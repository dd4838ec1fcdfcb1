import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { freshFolder, tallystickHere } from './command.ts';
import type { Ended } from './command.ts';

const note =
  '{ type: object, required: [id], properties: { id: { type: integer }, text: { type: string } } }';
const DOCUMENT = `openapi: 3.0.3
info: { title: Notes, version: '1' }
security: [{ t: [] }]
paths:
  /notes:
    post:
      operationId: addNote
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: made, content: { application/json: { schema: ${note} } } }, '401': { description: no } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getNote
      responses: { '200': { description: ok, content: { application/json: { schema: ${note} } } }, '404': { description: none }, '401': { description: no } }
    delete:
      operationId: dropNote
      responses: { '204': { description: gone }, '404': { description: none }, '401': { description: no }, '409': { description: kept } }
components: { securitySchemes: { t: { type: http, scheme: bearer } } }
`;

let server: Server;
let url = '';
let cwd = '';
const notes = new Set<number>([1]);
let count = 100;
let isLocked = false;
/** A deletion is answered with success, and the note stays. */
let isKept = false;

beforeAll(async () => {
  server = createServer(({ url: path = '', method, headers }, response) => {
    const id = Number(path.split('/')[2]);
    const answer = (status: number, body?: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(body && JSON.stringify(body));
    };
    if (headers.authorization !== 'Bearer good') return answer(401, {});
    if (method === 'POST' && path === '/notes') {
      notes.add((count += 1));
      return answer(201, { id: count });
    }
    if (!notes.has(id)) return answer(404, {});
    if (method !== 'DELETE') return answer(200, { id });
    if (isLocked) return answer(409, {});
    if (isKept) return answer(204);
    notes.delete(id);
    return answer(204);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(async () => {
  cwd = await freshFolder();
  await writeFile(join(cwd, 'notes.yaml'), DOCUMENT);
  isLocked = false;
  isKept = false;
  notes.clear();
  notes.add(1);
});

const run = (...args: readonly string[]): Promise<Ended> =>
  tallystickHere(args, { cwd, environment: { TALLYSTICK_BEARER: 'good' } });
const conform = (...args: readonly string[]): Promise<Ended> =>
  run('conform', url, '--contract', 'notes.yaml', '--allow', 'writes', ...args);

test('what a run left is removed by the command that its report prints, and nothing else is', async () => {
  isLocked = true;
  const judged = await conform('--rule', 'document.addNote.*');
  const report = JSON.parse(await readFile(join(cwd, 'tallystick-report/report.json'), 'utf8')) as Report;
  expect(report.left?.map(({ address }) => address)).toEqual([...notes].slice(1).map((id) => `/notes/${id}`));
  expect(JSON.stringify(report.left)).not.toContain('good');
  const [, printed = ''] = /to take them back: .*tallystick (conform cleanup .*)/.exec(judged.stdout) ?? [];
  expect(printed).not.toBe('');

  const refused = await run(...printed.split(' '));
  expect(refused.stdout).toContain('is still there: DELETE answered 409');
  expect(refused.code).toBe(1);

  isLocked = false;
  const { stdout, stderr, code } = await run(...printed.split(' '));
  expect(stderr).toBe('');
  expect(stdout).toMatch(/\/notes\/101 is gone/);
  expect(code).toBe(0);
  expect([...notes]).toEqual([1]);
  // What is gone already is no failure.
  expect((await run(...printed.split(' '))).code).toBe(0);
});

test('what a server keeps although it says otherwise is still there, for the run and for its cleanup', async () => {
  isKept = true;
  const judged = await conform('--rule', 'document.addNote.*');
  expect(judged.stdout).toContain('answered 204, and GET still shows it');
  const { stdout, code } = await run('conform', 'cleanup', 'tallystick-report', '--trust-report');
  expect(stdout).toMatch(/\/notes\/\d+ is still there: DELETE answered 204, and GET still shows it/);
  expect(code).toBe(1);
});

test('a server of the report gets the credential only if the user says so', async () => {
  isLocked = true;
  await conform('--rule', 'document.addNote.*');
  const { stderr, code } = await run('conform', 'cleanup', 'tallystick-report');
  expect(stderr).toContain(`conform cleanup tallystick-report --base-url ${url}`);
  expect(code).toBe(2);
  isLocked = false;
  expect((await run('conform', 'cleanup', 'tallystick-report', '--trust-report')).code).toBe(0);
});

test('a run that left nothing needs no address', async () => {
  await conform('--rule', 'document.addNote.*');
  const { stdout, code } = await run('conform', 'cleanup', 'tallystick-report');
  expect(stdout).toContain('the run left nothing on the server');
  expect(code).toBe(0);
});

test('a run says that --explore sends nothing for a contract of the user, and ends as it would without', async () => {
  const { stderr, code } = await conform('--rule', 'document.addNote.*', '--explore', '20');
  expect(stderr).toContain('--explore sends nothing for notes: a search needs a model of the API');
  expect(code).toBe(0);
});
