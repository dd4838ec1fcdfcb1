// @module-tag long
import { beforeAll, expect, test } from 'vitest';
import { join } from 'node:path';
import { bin, ended, root, run, start } from '../cli/command.ts';
import { freePort } from './free-port.ts';
import { linkedProject } from './linked-project.ts';
import { pause } from '../until.ts';

let cwd: string;
beforeAll(async () => {
  cwd = await linkedProject(join(root, 'examples/your-own-api/project'));
});

async function succeed(name: string): Promise<string> {
  const { code, stdout, stderr } = await run('npm', ['run', '--silent', name], { cwd });
  expect(code, `${name}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

test('the generated server of an API, with nothing but handlers, passes its suite', async () => {
  await succeed('generate');
  await succeed('build');
  const port = String(await freePort());
  const server = start(process.execPath, ['out/main.js'], { cwd, environment: { PORT: port } });
  try {
    const args = ['conform', `http://localhost:${port}`, '--contract', 'orders.openapi.yaml'];
    const { code, stdout, stderr } = await run(
      process.execPath,
      [bin, ...args, '--allow', 'writes,negatives', '--bearer', 'somebody', '--wait', '20s'],
      { cwd },
    );
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    expect(Number(/(\d+) pass/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(39);
    expect(stdout).not.toMatch(/\d+ (?:fail|warn|error|inconclusive)/);
  } finally {
    server.kill();
    await Promise.race([ended(server), pause(5_000)]);
  }
});

test('each of at least 20 deviations of its mock is caught by its rule, and by none that it does not name', async () => {
  const printed = await succeed('self-test');
  const [, all, caught] = /^(\d+) deviations: (\d+) caught, 0 survived, 0 open; exit 0$/m.exec(printed) ?? [];
  expect(Number(all)).toBeGreaterThanOrEqual(20);
  expect(caught).toBe(all);
});
