// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkedProject } from '../e2e/linked-project.ts';
import { run, startMockCommand, tallystick } from './command.ts';
import type { Ended, RunningCommand } from './command.ts';

let project = '';
let mock: RunningCommand;
const environment = { TALLYSTICK_API_KEY: 'service-mock-ok' };

beforeAll(async () => {
  project = await linkedProject();
  await writeFile(join(project, 'package.json'), '{ "name": "x", "scripts": { "test": "true" } }');
  mock = await startMockCommand(['--deviate', 'router.list.limit-clamped~400']);
});
afterAll(() => mock.stop());

/** The commands in a text as a person would copy them; a description is two spaces away. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/npx --no -- tallystick(?: [^\s]+)*/g)].map(([command]) => command);
}

/** Types a command into a shell. A mock that would serve until it is stopped gets a command to run beside it. */
function type(command: string): Promise<Ended> {
  const isMock = / mock /.test(command) && !/--help|--exec/.test(command);
  const text = command.replace('BASE_URL', mock.url).replace('FILE', 'found.yaml');
  return run('sh', ['-c', isMock ? `${text} --port 0 --exec true` : text], { cwd: project, environment });
}

/** A command line whose output offers commands; what each of these prints, in their order, and its exit code. */
type Offered = readonly [prints: string, code: number];
const rows: readonly [line: string, ...offered: Offered[]][] = [
  ['mok', ['Usage: tallystick <command>', 0]],
  ['mock --prot 1', ['Usage: tallystick mock ', 0]],
  ['conform report x --format pdf', ['Usage: tallystick conform report ', 0]],
  ['conform replay', ['Usage: tallystick conform replay ', 0]],
  ['fixtures check none.yaml', ['# Fixtures for `tallystick conform`', 0]],
  ['conform report none', ['1 fail', 1]],
  [
    'explain router.list.limit-clampd',
    ['router.list.limit-clamped ', 0],
    ['registry.', 0],
    ['jobs.', 0],
    ['A-07', 0],
  ],
  ['explain router.cursor.opaque', ['not exercised: no request of the client exercised it', 0]],
  ['init', ['src/tallystick/router/', 0], ['', 0]],
];

test.each(rows)(
  'each command that `tallystick %s` suggests runs as printed and has the promised effect',
  async (line, ...offered) => {
    const { stdout, stderr } = await tallystick(line.split(' '), { cwd: project });
    const commands = commandsIn(`${stdout}\n${stderr}`);
    expect(commands.length, `${stdout}${stderr}`).toBeGreaterThanOrEqual(offered.length);
    for (const [index, [prints, code]] of offered.entries()) {
      const ended = await type(commands[index] ?? '');
      expect(`${ended.stdout}${ended.stderr}`).toContain(prints);
      expect(ended.code, `${commands[index] ?? ''}\n${ended.stderr}`).toBe(code);
    }
  },
);

test('explain offers a mock that breaks the rule, and the run that notices it', async () => {
  const { stdout } = await tallystick(['explain', 'router.list.limit-clamped']);
  const commands = commandsIn(stdout);
  const [breaking = ''] = commands;
  expect(breaking).toContain('mock --deviate router.list.limit-clamped~');
  expect((await type(breaking)).code).toBe(0);
  const judged = await type(commands.at(-1) ?? '');
  expect(judged.stdout).toContain('✖ router.list.limit-clamped   must');
  expect(judged.code).toBe(1);
});

test(
  'the lines after "repeat" work for a report in a folder with a blank in its name',
  { tags: 'curl' },
  async () => {
    const args = ['conform', mock.url, '--rule', 'router.list.limit-clamped', '--report', 'my reports'];
    const { stdout } = await tallystick(args, { cwd: project, environment });
    const [, replay = '', script = ''] = /repeat +(npx .*)\n +(\S.*)/.exec(stdout) ?? [];
    expect(replay).toContain("conform replay 'my reports' router.list.limit-clamped");
    const replayed = await type(replay);
    expect(replayed.stdout).toMatch(/then {2}fail .*\n {2}now {3}fail /);
    expect(replayed.code).toBe(1);
    expect((await type(`TALLYSTICK_API_KEY=service-mock-ok ${script}`)).stdout).toMatch(/^HTTP\/1\.1 400/m);
  },
);

test('discover suggests the check of the file that it printed', async () => {
  const { stdout, stderr } = await tallystick(['fixtures', 'discover', mock.url], {
    cwd: project,
    environment,
  });
  await writeFile(join(project, 'found.yaml'), stdout);
  const [check = ''] = commandsIn(stderr);
  const checked = await type(check);
  expect(checked.stdout).toContain('✔ found.yaml is valid');
  expect(checked.code).toBe(0);
});
