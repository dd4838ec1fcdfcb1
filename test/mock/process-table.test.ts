import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { fromPs, runningProcess, runningProcesses } from '../../mock/state/process-table.ts';

test('a process knows its parent, and is the same each time it is asked for', () => {
  const own = runningProcess(process.pid);
  expect(own).toMatchObject({ pid: process.pid, parent: process.ppid });
  expect(runningProcess(process.pid)).toStrictEqual(own);
  expect(runningProcesses().get(process.pid)).toStrictEqual(own);
});

const hasPs = spawnSync('ps').error === undefined;

test.runIf(hasPs)('ps tells the same of every process as the system does', () => {
  for (const { pid, parent, group } of fromPs(['-A'])) {
    const known = runningProcess(pid);
    // Some have ended meanwhile, ps itself among them, and others have a new parent.
    if (known?.parent === parent) expect(known).toMatchObject({ pid, group });
  }
  expect(fromPs(['-p', String(process.pid)])).toStrictEqual([
    expect.objectContaining({
      pid: process.pid,
      parent: process.ppid,
      group: runningProcess(process.pid)?.group,
      started: expect.stringMatching(/^\w{3} \w{3} .\d \d\d:\d\d:\d\d \d{4}$/) as string,
    }),
  ]);
  expect(fromPs(['--no-such-option'])).toStrictEqual([]);
});

test('a process that has ended is not there', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  await once(child, 'spawn');
  expect(runningProcess(Number(child.pid))?.parent).toBe(process.pid);
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(runningProcess(Number(child.pid))).toBeUndefined();
});
