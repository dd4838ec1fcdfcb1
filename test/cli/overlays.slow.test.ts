import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { freshFolder, tallystickHere } from './command.ts';
import type { Ended } from './command.ts';

/** Nothing says that the list of users wants the token. */
const DOCUMENT = `openapi: 3.0.3
info: { title: Notes, version: '1' }
paths:
  /users:
    get:
      operationId: listUsers
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
  /maintenance:
    get:
      operationId: getMaintenance
      security: [{ t: [] }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object } } } } }
components: { securitySchemes: { t: { type: http, scheme: bearer } } }
`;

/** Says what the server does not keep: the answer has a name. */
const NAMED = `overlay: 1.0.0
info: { title: Names, version: '1' }
actions:
  - target: $.paths['/users'].get.responses['200'].content['application/json'].schema
    update: { required: [name], properties: { name: { type: string } } }
`;

let server: Server;
let url = '';
let cwd = '';

beforeAll(async () => {
  server = createServer(({ url: path = '', headers }, response) => {
    const status =
      headers.authorization !== 'Bearer good' ? 401 : /^\/(users|maintenance)$/.test(path) ? 200 : 404;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  cwd = await freshFolder();
  await writeFile(join(cwd, 'notes.yaml'), DOCUMENT);
  await writeFile(join(cwd, 'names.yaml'), NAMED);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const run = (...args: readonly string[]): Promise<Ended> => tallystickHere(args, { cwd });
const conform = (...args: readonly string[]): Promise<Ended> =>
  run('conform', url, '--contract', 'notes.yaml', ...args);
const reported = async (): Promise<Report> =>
  JSON.parse(await readFile(join(cwd, 'tallystick-report/report.json'), 'utf8')) as Report;

test.each([
  ['--bearer', 'good'],
  ['--header', 'Authorization: Bearer good'],
])('the overlay that a run with %s prints corrects the document', async (...credential) => {
  const { code, stdout } = await conform(...credential);
  expect(stdout).toContain('GET /users returned 401 without one, and 200 with it');
  expect(code).toBe(1);
  const [, overlay = ''] = /--overlay: (\{.*\})/.exec(stdout.replace(/\n\s*/g, ' ')) ?? [];
  await writeFile(join(cwd, 'security.yaml'), overlay);
  const again = await conform(...credential, '--overlay', 'security.yaml');
  expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
  const { rules, settings } = await reported();
  expect(rules.find(({ id }) => id === 'document.listUsers.security')?.verdict).toBe('pass');
  expect(settings).toMatchObject({ contract: 'notes.yaml', overlays: ['security.yaml'] });
});

test('the command that repeats a rule has the overlays, and runs as printed', async () => {
  await conform('--bearer', 'good', '--overlay', 'names.yaml');
  const broken = (await reported()).rules.find(({ id }) => id === 'document.listUsers.answer');
  expect(broken?.verdict).toBe('fail');
  expect(broken?.sheet).toMatchObject({ file: 'notes.yaml', line: 5 });
  const { replay = '' } = broken?.repeat ?? {};
  expect(replay).toContain('--contract notes.yaml --overlay names.yaml');
  const words = replay.replace(/^.*tallystick (?=conform)/, '').split(' ');
  const again = await run(...words, '--bearer', 'good');
  expect(again.stdout).toContain('✖ the same verdict as in the report');
  const without = await run(
    ...words.filter((word) => !/--overlay|names|--contract|notes/.test(word)),
    '--bearer',
    'good',
  );
  expect(without.stderr).toContain('--contract notes.yaml --overlay names.yaml');
});

test('overlays of the configuration hold, are repeated, and give way to those of the command line', async () => {
  const contract = { document: 'notes.yaml', overlays: ['names.yaml'] };
  const config = { conform: { targets: { staging: { baseUrl: url, contract } } } };
  await writeFile(join(cwd, 'tallystick.config.json'), JSON.stringify(config));
  await writeFile(join(cwd, 'nothing.yaml'), NAMED.replace(/actions:[^]*/, 'actions: []\n'));
  await run('conform', 'staging', '--bearer', 'good');
  const configured = await reported();
  expect(configured.settings?.overlays).toEqual(['names.yaml']);
  expect(configured.rules.find(({ id }) => id === 'document.listUsers.answer')?.verdict).toBe('fail');
  await run('conform', 'staging', '--bearer', 'good', '--overlay', 'nothing.yaml');
  const told = await reported();
  expect(told.settings?.overlays).toEqual(['nothing.yaml']);
  expect(told.rules.find(({ id }) => id === 'document.listUsers.answer')?.verdict).toBe('pass');
});

test('each command that takes a document takes its overlays', async () => {
  const overlay = ['--overlay', 'names.yaml'];
  const contract = ['--contract', 'notes.yaml'];
  await writeFile(join(cwd, 'fixtures.yaml'), '{}\n');
  const bad = ['--overlay', 'none.yaml'];
  for (const line of [
    ['fixtures', ...contract],
    ['fixtures', 'check', 'fixtures.yaml', ...contract],
    ['sheet', 'draft', 'notes.yaml'],
    ['proxy', url, ...contract, '--port', '0', '--no-control', '--exec', 'true', '--quiet'],
  ]) {
    expect((await run(...line, ...overlay)).code, line.join(' ')).toBe(0);
    expect((await run(...line, ...bad)).stderr, line.join(' ')).toContain('none.yaml');
  }
});

test('a drafted sheet is checked with the overlays that the draft names', async () => {
  const { stderr } = await run(
    'sheet',
    'draft',
    'notes.yaml',
    '--out',
    'notes.behaviour.yaml',
    '--overlay',
    'names.yaml',
  );
  const [, line = ''] = /tallystick (sheet check .*)/.exec(stderr) ?? [];
  expect(line).toBe('sheet check notes.behaviour.yaml --overlay names.yaml');
  expect((await run(...line.split(' '))).code).toBe(0);
  expect((await run('sheet', 'check', 'notes.behaviour.yaml', '--overlay', 'none.yaml')).code).toBe(1);
});

test('an overlay without a document of a user is refused', async () => {
  const { code, stderr } = await tallystickHere(['conform', url, '--overlay', 'names.yaml', '--anonymous'], {
    cwd: await freshFolder(),
  });
  expect(code).toBe(2);
  expect(stderr).toContain('--overlay needs an OpenAPI document of your own');
});
