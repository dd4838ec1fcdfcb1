// @module-tag long
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportFormatNames } from '../../cli/conform/report.ts';
import { reportFormats } from '../../conformance/index.ts';
import { freePort } from '../e2e/free-port.ts';
import { freshFolder, run as program, startMockCommand, tallystickHere } from './command.ts';
import type { RunningCommand } from './command.ts';

let broken: RunningCommand;
let folder = '';
let advice = '';
let exchange = '';
const environment = { TALLYSTICK_API_KEY: 'service-mock-ok' };
const run = (...args: readonly string[]) => tallystickHere(args, { cwd: folder, environment });

beforeAll(async () => {
  folder = await freshFolder();
  broken = await startMockCommand(['--deviate', 'router.list.limit-clamped~400']);
  const { stdout } = await run('conform', broken.url, '--rule', 'router.list.limit-clamped');
  advice = /tallystick (conform replay .*)/.exec(stdout)?.[1] ?? '';
  exchange = /exchange (x\d+)/.exec(stdout)?.[1] ?? '';
});
afterAll(() => broken.stop());

test('the line after "repeat" runs as it is printed, and shows both verdicts', async () => {
  const { code, stdout, stderr } = await run(...advice.split(' '));
  expect(stderr).toBe('');
  expect(stdout).toMatch(/then {2}fail .*\n {2}now {3}fail /);
  expect(stdout).toContain('✖ the same verdict as in the report');
  expect(code).toBe(1);
});

test('against a repaired server, a rule passes now', async () => {
  const mock = await startMockCommand();
  const { code, stdout } = await run(...advice.replace(broken.url, mock.url).split(' '));
  await mock.stop();
  expect(stdout).toMatch(/then {2}fail .*\n {2}now {3}pass /);
  expect(stdout).toContain('✔ the verdict differs from the report');
  expect(code).toBe(0);
});

test('no server at the address: the replay of a rule ends with exit code 3', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const { code, stdout } = await run(...advice.replace(broken.url, nowhere).split(' '));
  expect(stdout).toContain(`✖ ${nowhere} does not respond`);
  expect(code).toBe(3);
});

test('a rule is not sent to the server of the report unless the user says so', async () => {
  const bare = ['conform', 'replay', 'tallystick-report', 'router.list.limit-clamped'];
  const refused = await run(...bare);
  expect(refused.stderr).toContain(`to send it there: npx --no -- tallystick ${advice}`);
  expect(refused.code).toBe(2);
  expect((await run(...bare, '--trust-report')).code).toBe(1);
});

test('an exchange is sent again, and both answers are shown', async () => {
  const args = ['conform', 'replay', 'tallystick-report', exchange, '--base-url', broken.url];
  const { code, stdout, stderr } = await run(...args);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/sent {2}GET \/v1\/models\?limit=\d+/);
  expect(stdout).toMatch(/then {2}400 .*\n {2}now {3}400 /);
  expect(stdout).not.toContain('service-mock-ok');
  expect(code).toBe(0);
});

test(
  'each broken rule has a script that a shell runs, with the secret as a variable',
  { tags: 'curl' },
  async () => {
    const curl = join(folder, 'tallystick-report', 'curl');
    const [script = ''] = await readdir(curl);
    expect(script).toBe('router.list.limit-clamped.sh');
    const text = await readFile(join(curl, script), 'utf8');
    expect(text).toContain('# router.list.limit-clamped (must): ');
    expect(text).not.toContain('service-mock-ok');
    const path = process.env['PATH'] ?? '';
    const ran = await program('sh', [join(curl, script)], {
      environment: { API_KEY: 'service-mock-ok', PATH: path },
    });
    expect(ran.stdout).toMatch(/^ {2}then 400, this one decided\n {2}now:\nHTTP\/1\.1 400/m);
    const without = await program('sh', [join(curl, script)], { environment: { API_KEY: '' } });
    expect(without.stderr).toContain('API_KEY: is not set');
    expect(without.stdout).toBe('');
  },
);

test('a report is printed again in another form', async () => {
  const { code, stdout } = await run('conform', 'report', 'report.json', '--format', 'junit');
  expect(stdout).toMatch(/^<\?xml/);
  expect(stdout).toContain('router.list.limit-clamped');
  expect(code).toBe(0);
});

test('two reports are compared: a rule that is newly broken gives exit code 1', async () => {
  const mock = await startMockCommand();
  const better = await run('conform', mock.url, '--rule', 'router.list.limit-clamped', '--report', 'better');
  await mock.stop();
  expect(better.code).toBe(0);
  const worse = await run('conform', 'compare', 'better', 'tallystick-report');
  expect(worse.stdout).toContain('✖ router.list.limit-clamped   pass → fail');
  expect(worse.code).toBe(1);
  const mended = await run('conform', 'compare', 'tallystick-report', 'better', '--json');
  expect(JSON.parse(mended.stdout)).toMatchObject({ mended: [{ id: 'router.list.limit-clamped' }] });
  expect(mended.code).toBe(0);
});

test.each([
  ['an unknown exchange', ['replay', 'report.json', 'x9999'], 'The report has no exchange x9999'],
  [
    'an unknown rule',
    ['replay', 'report.json', 'router.list.limit-clampd', '--trust-report'],
    'The report has no rule router.list.limit-clampd. Did you mean router.list.limit-clamped?',
  ],
  ['a missing report', ['replay', 'nowhere.json', 'x0001'], 'There is no report nowhere.json'],
  ['a file that is no report', ['report', 'other.json'], 'other.json is not a report of tallystick conform'],
  [
    'a base URL that is none',
    ['replay', 'report.json', 'x0001', '--base-url', 'localhost'],
    '"localhost" is not a base URL',
  ],
])('%s is reported in a sentence, with exit code 2', async (_name, args, message) => {
  await writeFile(join(folder, 'other.json'), '{"rules":3}');
  const { code, stderr } = await run('conform', ...args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
  expect(code).toBe(2);
});

test('without the secret of the exchange, nothing is sent', async () => {
  const again = ['conform', 'replay', 'tallystick-report', exchange, '--base-url', broken.url];
  const { code, stderr } = await tallystickHere(again, { cwd: folder });
  expect(stderr).toContain('$API_KEY');
  expect(code).toBe(2);
});

test('the help names the forms that the suite can print', () => {
  expect(reportFormatNames).toStrictEqual(reportFormats);
});
