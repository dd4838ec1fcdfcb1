// @module-tag long
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageManagerAbove } from '../../cli/mock/started-by.ts';
import { runningProcess, type RunningProcess } from '../../mock/state/process-table.ts';
import { linkedProject } from '../e2e/linked-project.ts';
import { bin, freshFolder, plainEnvironment } from './command.ts';

/** What a file holds once it is there. */
async function content(file: string): Promise<string> {
  await expect.poll(() => readFile(file, 'utf8').catch(() => ''), { interval: 20 }).not.toBe('');
  return readFile(file, 'utf8');
}

function killedAfterwards(pid: number): number {
  onTestFinished(() => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return pid;
}

function started(program: string, args: readonly string[], cwd: string): ChildProcess {
  const child = spawn(program, args, { cwd, env: plainEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
  killedAfterwards(Number(child.pid));
  child.stdout.resume();
  child.stderr.resume();
  return child;
}

const mockFlags = '--port 0 --quiet --ready-file ready.json';

/** The pid of the mock whose ready file is in the folder. */
async function mockPid(folder: string): Promise<number> {
  const { pid } = JSON.parse(await content(join(folder, 'ready.json'))) as { pid: number };
  return killedAfterwards(pid);
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)(
  '%s to a mock ends all that its --exec command has started, with %i',
  async (signal, expected) => {
    const folder = await freshFolder();
    // A shell that waits for a program that waits for a program.
    const inner = `require('node:fs').writeFileSync('inner', String(process.pid)); setInterval(() => {}, 1000)`;
    await writeFile(join(folder, 'inner.cjs'), inner);
    await writeFile(
      join(folder, 'outer.cjs'),
      `require('node:child_process').spawn(process.execPath, ['inner.cjs'], { stdio: 'ignore' }); setInterval(() => {}, 1000)`,
    );
    const command = `"${process.execPath}" outer.cjs; echo done`;
    const mock = started(process.execPath, [bin, 'mock', '--quiet', '--exec', command], folder);
    const pid = killedAfterwards(Number(await content(join(folder, 'inner'))));
    mock.kill(signal);
    const [code] = (await once(mock, 'close')) as [number | null];
    expect(runningProcess(pid)).toBeUndefined();
    expect(code).toBe(expected);
  },
);

test('a second signal kills a command that ignores the first one', async () => {
  const folder = await freshFolder();
  await writeFile(
    join(folder, 'stubborn.cjs'),
    `let told = 0; process.on('SIGTERM', () => require('node:fs').writeFileSync('told', String(++told)));
     require('node:fs').writeFileSync('inner', String(process.pid)); setInterval(() => {}, 1000)`,
  );
  const command = `"${process.execPath}" stubborn.cjs; echo done`;
  const mock = started(process.execPath, [bin, 'mock', '--quiet', '--exec', command], folder);
  const pid = killedAfterwards(Number(await content(join(folder, 'inner'))));
  mock.kill('SIGTERM');
  await content(join(folder, 'told'));
  mock.kill('SIGTERM');
  const [code] = (await once(mock, 'close')) as [number | null];
  await expect.poll(() => runningProcess(pid)).toBeUndefined();
  expect(code).toBe(143);
});

/** npm hands a signal to the shell between itself and the mock, and that shell dies of it alone. */
test.each([
  ['npx', 'SIGTERM'],
  ['npx', 'SIGHUP'],
  ['npx', 'SIGKILL'],
  ['npm run', 'SIGTERM'],
] as const)('a mock that %s started ends when %s ends that', async (program, signal) => {
  const folder = await linkedProject();
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, scripts: { mock: `tallystick mock ${mockFlags} && echo after` } }),
  );
  const child =
    program === 'npx'
      ? started('npx', ['--no', '--', 'tallystick', 'mock', ...mockFlags.split(' ')], folder)
      : started('npm', ['run', 'mock'], folder);
  const pid = await mockPid(folder);
  child.kill(signal);
  await expect.poll(() => runningProcess(pid)).toBeUndefined();
});

test('--keep-running lets a mock outlive npm', async () => {
  const folder = await linkedProject();
  // Both have the same npm above them; the one that ends shows when the other one would have.
  const kept = `tallystick mock --port 0 --quiet --keep-running --ready-file kept.json`;
  const script = `${kept} & tallystick mock ${mockFlags}; echo after`;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { mock: script } }));
  const child = started('npm', ['run', 'mock'], folder);
  const { url, pid } = JSON.parse(await content(join(folder, 'kept.json'))) as { url: string; pid: number };
  killedAfterwards(pid);
  const other = await mockPid(folder);
  child.kill('SIGTERM');
  await expect.poll(() => runningProcess(other)).toBeUndefined();
  // It still answers: without a credential, a refusal.
  expect((await fetch(`${url}/nowhere`)).status).toBe(401);
});

describe('the package manager above a process', () => {
  const process = (pid: number, parent: number, program: string, group = 7): RunningProcess => ({
    pid,
    parent,
    program,
    group,
    started: 'then',
  });
  const npm = { npm_config_user_agent: 'npm/11.0.0 node/v22.12.0' };
  const init = process(1, 0, 'init');
  const above = (environment: Record<string, string>, ...all: RunningProcess[]): number | undefined =>
    packageManagerAbove({ environment }, 9, (pid) => all.find((each) => each.pid === pid));

  test.each([
    [
      'is behind its shell',
      npm,
      [process(9, 8, 'node'), process(8, 7, 'sh'), process(7, 1, 'npm exec'), init],
      7,
    ],
    ['is right above', npm, [process(9, 7, 'node'), process(7, 1, 'node'), init], 7],
    [
      'is not there without its environment',
      {},
      [process(9, 8, 'node'), process(8, 1, 'node'), init],
      undefined,
    ],
    [
      'is not there for what was detached',
      npm,
      [process(9, 7, 'node', 9), process(7, 1, 'node'), init],
      undefined,
    ],
    ['is not there for what a script left behind', npm, [process(9, 1, 'node'), init], undefined],
    ['is not there where the system lists no processes', npm, [], undefined],
  ] as const)('%s', (_title, environment, all, expected) => {
    expect(above(environment, ...all)).toBe(expected);
  });
});
