// @module-tag long
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, tallystickHere } from './command.ts';

test('generate --handlers creates a file of handlers once, and later adds missing ones', async () => {
  const cwd = await freshFolder();
  const run = (...more: readonly string[]) =>
    tallystickHere(['generate', 'jobs', '--out', 'src/api', '--handlers', 'src/handlers', ...more], { cwd });
  const first = await run();
  expect(first.code).toBe(0);
  expect(first.stderr).toContain('created with submitJob, getJob, cancelJob, streamJobEvents');
  const path = join(cwd, 'src/handlers/jobs.ts');
  const made = await readFile(path, 'utf8');
  expect(made).toContain("from '../api/jobs/server.js'");
  const mine = made.replace(
    /\n {2}\/\*\*(?:(?!\*\/)[^])*\*\/\n {2}getJob\(_input, _call\) \{\n.*\n {2}\},\n/,
    '\n  dropJob() {}, // mine\n',
  );
  expect(mine).toContain('// mine');
  await writeFile(path, mine);
  const stale = await run('--check');
  expect(stale.code).toBe(1);
  expect(stale.stderr).toContain('jobs.ts lacks getJob');
  expect(await readFile(path, 'utf8')).toBe(mine);
  const second = await run();
  expect(second.code).toBe(0);
  expect(second.stderr).toMatch(
    /jobs\.ts:\d+:3: dropJob is not an operation of the contract any more: remove it/,
  );
  expect(await readFile(path, 'utf8')).toContain('dropJob() {}, // mine');
  expect((await run('--check')).code).toBe(0);
});
