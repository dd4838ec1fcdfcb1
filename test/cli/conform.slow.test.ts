// @module-tag long
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { permissions } from '../../conformance/index.ts';
import { permissionNames } from '../../cli/conform/permission-names.ts';
import { freshFolder, startMockCommand, tallystick, tallystickHere } from './command.ts';
import type { RunningCommand } from './command.ts';

let faithful: RunningCommand;
let broken: RunningCommand;
let folder = '';
const rule = 'router.list.limit-clamped';

beforeAll(async () => {
  const { stdout } = await tallystick(['deviations', '--json']);
  const deviations = JSON.parse(stdout) as { id: string; rule: string }[];
  const id = deviations.find((deviation) => deviation.rule === rule)?.id ?? 'none';
  [faithful, broken] = await Promise.all([startMockCommand(), startMockCommand(['--deviate', id])]);
});
afterAll(async () => {
  await Promise.all([faithful.stop(), broken.stop()]);
});
beforeEach(async () => {
  folder = await freshFolder();
});

const environment = { TALLYSTICK_API_KEY: 'service-mock-ok' };
const conform = (...args: readonly string[]) =>
  tallystickHere(['conform', ...args], { cwd: folder, environment });

test('a server that keeps the rules gives exit code 0 and a report without secrets', async () => {
  const { code, stdout, stderr } = await conform(faithful.url);
  expect(stdout).toMatch(/\d+ pass/);
  expect(stderr).toContain('tallystick-report/  report.json');
  expect(code).toBe(0);
  const files = await readdir(join(folder, 'tallystick-report'));
  const texts = await Promise.all(
    files.map((file) => readFile(join(folder, 'tallystick-report', file), 'utf8')),
  );
  expect(texts.join()).not.toContain('service-mock-ok');
  expect(stdout).not.toContain('service-mock-ok');
});

test('a broken rule gives exit code 1, and the message has rule, citation, request and response', async () => {
  const { code, stdout } = await conform(broken.url, '--rule', 'router.list.*');
  expect(stdout).toContain(`✖ ${rule}`);
  for (const word of ['rule ', 'cites', 'sent', 'got', 'repeat'])
    expect(stdout).toMatch(new RegExp(`^ +${word}`, 'm'));
  expect(code).toBe(1);
});

test('--json is the report alone on stdout', async () => {
  const { stdout } = await conform(faithful.url, '--json', '--rule', 'router.list.*');
  const report = JSON.parse(stdout) as { rules: { id: string; verdict: string }[] };
  expect(report.rules.find(({ id }) => id === rule)?.verdict).toBe('pass');
});

test('--plan prints the requests and sends none', async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, stdout } = await conform(url, '--plan');
  server.close();
  expect(stdout).toContain('/v1/models');
  expect(requests).toBe(0);
  expect(code).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

test('a router before its rollout ends the run with 3 and no failure, and the other APIs are judged', async () => {
  const unserved = await startMockCommand(['--profile', 'not-rolled-out']);
  const { code, stdout } = await conform(unserved.url);
  await unserved.stop();
  expect(stdout).toContain('✖ The router is not served here: authenticated GET /v1/models returned 404');
  expect(stdout).toContain('To test only the others, add --api registry,jobs');
  expect(stdout).toMatch(/^ {2}jobs {2}\d+ pass/m);
  expect(stdout).not.toMatch(/\d+ fail/);
  expect(code).toBe(3);
});

test('a refused credential is a configuration error and ends with exit code 2', async () => {
  const { code, stdout } = await tallystickHere(['conform', faithful.url, '--api-key', 'nonsense'], {
    cwd: folder,
  });
  expect(stdout).toMatch(/credential/i);
  expect(code).toBe(2);
});

test('by default no POST with a usable credential is sent', async () => {
  const { stdout } = await conform(faithful.url, '--json');
  const { requests, exchanges } = JSON.parse(stdout) as {
    requests: { billedAtMost: number };
    exchanges: { request: { method: string; as: string } }[];
  };
  const posts = exchanges.filter(({ request }) => request.method === 'POST');
  expect(posts.filter(({ request }) => !['none', 'unusable'].includes(request.as))).toEqual([]);
  expect(requests.billedAtMost).toBe(0);
});

test('--min-exercised and --require make a thin run a finding', async () => {
  expect((await conform(faithful.url, '--rule', rule, '--min-exercised', '2')).code).toBe(1);
  expect((await conform(faithful.url, '--require', 'router.run.504-deadline')).code).toBe(1);
});

test('a baseline accepts known failures, and reports those that are fixed', async () => {
  await conform(broken.url, '--rule', rule, '--write-baseline', 'known.json');
  expect(JSON.parse(await readFile(join(folder, 'known.json'), 'utf8'))).toEqual({
    known: { [rule]: 'fail' },
  });
  expect((await conform(broken.url, '--rule', rule, '--baseline', 'known.json')).code).toBe(0);
  const mended = await conform(faithful.url, '--rule', rule, '--baseline', 'known.json');
  expect(mended.stdout).toContain(`${rule}   passes now`);
  expect(mended.code).toBe(1);
});

test('an interrupted run ends with 130 and still writes its report', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { bin, ended, start } = await import('./command.ts');
  const child = start(process.execPath, [bin, 'conform', url], { cwd: folder, environment });
  const end = ended(child);
  await new Promise<void>((resolve) => server.once('request', () => resolve()));
  child.kill('SIGINT');
  expect((await end).code).toBe(130);
  server.closeAllConnections();
  server.close();
  expect(await readdir(join(folder, 'tallystick-report'))).toContain('report.json');
});

test('the suite accepts the fixtures that the mock prints', async () => {
  const { stdout } = await tallystickHere(['fixtures']);
  await writeFile(join(folder, 'mock.json'), stdout);
  const { code, stdout: told } = await tallystickHere(['fixtures', 'check', 'mock.json'], { cwd: folder });
  expect(told).toMatch(/mock\.json is valid: with all permissions, conform can test \d+ rules/);
  expect(code).toBe(0);
});

test('the empty template is a valid file', async () => {
  const { stdout } = await tallystickHere(['fixtures', '--template']);
  await writeFile(join(folder, 'empty.yaml'), stdout);
  expect((await tallystickHere(['fixtures', 'check', 'empty.yaml'], { cwd: folder })).code).toBe(0);
});

test('the command line knows all permissions of the suite', () => {
  expect(permissionNames).toEqual(permissions);
});
