// @module-tag long
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '../e2e/free-port.ts';
import { bin, ended, freshFolder, start, startMockCommand, tallystickHere } from './command.ts';
import type { Ended, RunningCommand } from './command.ts';

let faithful: RunningCommand;
let broken: RunningCommand;
let folder = '';
const rule = 'router.list.limit-clamped';
const own = { TALLYSTICK_API_KEY: 'service-mock-ok' };

beforeAll(async () => {
  [faithful, broken] = await Promise.all([
    startMockCommand(),
    startMockCommand(['--deviate', `${rule}~400`]),
  ]);
});
afterAll(async () => {
  await Promise.all([faithful.stop(), broken.stop()]);
});
beforeEach(async () => {
  folder = await freshFolder();
});

const conform = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  tallystickHere(['conform', ...args], { cwd: folder, environment: { ...own, ...environment } });

/** The exit code of the process, the one that was printed, and whether JUnit shows a failure or an error. */
async function outcome({ code, stdout }: Ended): Promise<readonly [number | null, number, boolean]> {
  const printed = /exit (\d+)\n?$/.exec(stdout)?.[1];
  const junit = await readFile(join(folder, 'tallystick-report/junit.xml'), 'utf8');
  const sum = /failures="(\d+)" errors="(\d+)"/.exec(junit) ?? [];
  return [code, Number(printed), Number(sum[1]) + Number(sum[2]) > 0];
}

const baseline = (known: object) => writeFile(join(folder, 'known.json'), JSON.stringify({ known }));

test('the printed exit code, the real one and JUnit agree for a broken rule, a satisfied baseline and a stale one', async () => {
  expect(await outcome(await conform([broken.url, '--rule', rule]))).toEqual([1, 1, true]);
  await baseline({ [rule]: 'fail' });
  const satisfied = await conform([broken.url, '--rule', rule, '--baseline', 'known.json']);
  expect(await outcome(satisfied)).toEqual([0, 0, false]);
  expect(satisfied.stdout).toContain(`${rule}   known failure, listed in the baseline`);
  const stale = await conform([faithful.url, '--rule', rule, '--baseline', 'known.json']);
  expect(await outcome(stale)).toEqual([1, 1, true]);
  expect(stale.stdout).toContain(`✖ ${rule}   passes now: remove it from the baseline`);
  const again = await tallystickHere(['conform', 'report', '.'], { cwd: folder });
  expect(again.code).toBe(2);
  const printed = await tallystickHere(['conform', 'report', 'tallystick-report'], { cwd: folder });
  expect(printed.stdout).toMatch(/exit 1\n$/);
});

test('a baseline entry that names no rule is a usage error with a suggestion', async () => {
  await baseline({ 'router.list.limit-clampd': 'fail' });
  const { code, stderr } = await conform([broken.url, '--rule', rule, '--baseline', 'known.json']);
  expect(stderr).toContain(
    '✖ known.json: No rule matches router.list.limit-clampd. Did you mean router.list.limit-clamped?',
  );
  expect(code).toBe(2);
});

test('no server at the address: exit code 3, and an error in JUnit', async () => {
  const ended = await conform([`http://127.0.0.1:${await freePort()}`]);
  expect(await outcome(ended)).toEqual([3, 3, true]);
});

test('an interrupted run prints the code that it ends with', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = start(process.execPath, [bin, 'conform', url], { cwd: folder, environment: own });
  const end = ended(child);
  await new Promise<void>((resolve) => server.once('request', () => resolve()));
  child.kill('SIGINT');
  expect(await outcome(await end)).toEqual([130, 130, true]);
  server.closeAllConnections();
  server.close();
});

test('a requirement that is not met is reported, and counted', async () => {
  const ended = await conform([faithful.url, '--rule', rule, '--min-exercised', '2']);
  expect(await outcome(ended)).toEqual([1, 1, true]);
  expect(ended.stdout).toContain('✖ 1 rules were exercised, and at least 2 have to be');
});

test('reports that cannot be written: the printed code is the real one', async () => {
  await writeFile(join(folder, 'inside'), '');
  const { code } = await conform([faithful.url, '--rule', rule, '--report', 'inside/report']);
  expect(code).toBe(2);
});

test('GitHub Actions gets an annotation for a broken rule, and none for a known failure', async () => {
  const github = { GITHUB_ACTIONS: 'true' };
  const { stdout } = await conform([broken.url, '--rule', rule], github);
  expect(stdout).toMatch(new RegExp(`^::error title=${rule}::expected .*%0A.*$`, 'm'));
  await baseline({ [rule]: 'fail' });
  const known = await conform([broken.url, '--rule', rule, '--baseline', 'known.json'], github);
  expect(known.stdout).not.toContain('::error');
  const json = await conform([broken.url, '--rule', rule, '--json'], github);
  expect(JSON.parse(json.stdout)).toMatchObject({ exitCode: 1, reasons: [{ code: 1, rule }] });
  const printed = await tallystickHere(['conform', 'report', 'tallystick-report', '--format', 'github'], {
    cwd: folder,
  });
  expect(printed.stdout).toMatch(/^::error title=/);
});

test('events end with the exit code and its reasons', async () => {
  const { stdout, code } = await conform([broken.url, '--rule', rule, '--events']);
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as object;
  expect(last).toMatchObject({ event: 'finished', exitCode: 1, reasons: [{ code: 1, rule }] });
  expect(code).toBe(1);
});
