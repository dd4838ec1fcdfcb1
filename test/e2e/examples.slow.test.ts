// @module-tag long
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ended, root, run, start, startMockCommand } from '../cli/command.ts';
import type { RunningCommand } from '../cli/command.ts';
import { freePort } from './free-port.ts';
import { linkedProject } from './linked-project.ts';

let mock: RunningCommand;
beforeAll(async () => {
  mock = await startMockCommand(['--quiet']);
});
afterAll(() => mock.stop());

const project = (name: string): Promise<string> => linkedProject(join(root, 'examples', name, 'project'));

async function script(cwd: string, name: string, environment: Readonly<Record<string, string>> = {}) {
  return run('npm', ['run', '--silent', name], { cwd, environment });
}

async function succeed(
  cwd: string,
  name: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await script(cwd, name, environment);
  expect(code, `${name}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

test('the demo prints at most 60 lines and ends with exit code 0', async () => {
  const { code, stdout, stderr } = await run('npm', ['run', '--silent', 'demo']);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toContain('replayed: true');
  expect(stdout).toContain('504 deadline_exceeded, not charged');
  expect(stdout).toContain('504 provider_timeout, but charged');
  expect(stdout).toMatch(/published 1\.0\.0: 201, archive of \d+ bytes uploaded: 200/);
  expect(stdout).toContain('skin enhancement started: 200');
  expect(stdout).toContain('queued → running → succeeded');
  expect(stdout).toContain('cancelled another: canceled');
  for (const api of ['router', 'registry', 'proxy', 'jobs'])
    expect(stdout).toMatch(new RegExp(`✔ ${api} +\\d+ rules: \\d+ pass`));
  expect(stdout).toContain('only router.list.limit-clamped fails');
  const [, heading = ''] = /Next: "(.+)" in README\.md\./.exec(stdout) ?? [];
  expect(await readFile(join(root, 'README.md'), 'utf8')).toContain(`## ${heading}\n`);
  expect(stdout.trim().split('\n').length).toBeLessThanOrEqual(60);
});

test('generate-in-your-repo: generates, builds, runs, and notices stale code', async () => {
  const cwd = await project('generate-in-your-repo');
  await succeed(cwd, 'generate');
  await succeed(cwd, 'generate:check');
  await succeed(cwd, 'build');
  const printed = await succeed(cwd, 'start', { ROUTER_URL: mock.url, ROUTER_KEY: 'service-mock-ok' });
  expect(printed.trim().split('\n')).toHaveLength(3);
  expect(printed).toMatch(/^\S+\/\S+: (might charge|does not charge) for what it refuses$/m);
  await writeFile(
    join(cwd, 'src/api/router/types.ts'),
    (await readFile(join(cwd, 'src/api/router/types.ts'), 'utf8')).slice(1),
  );
  expect((await script(cwd, 'generate:check')).code).not.toBe(0);
});

test('query-hooks: generates hooks that compile, and renders what the cache holds of two pages', async () => {
  const cwd = await project('query-hooks');
  await succeed(cwd, 'generate');
  await succeed(cwd, 'build');
  const printed = await succeed(cwd, 'start', { ROUTER_URL: mock.url, ROUTER_KEY: 'service-mock-ok' });
  expect(printed.match(/<li>[^<]+: charges (?:no|yes|unknown|\w+), idle<\/li>/g)).toHaveLength(4);
  expect(printed).toContain('<ul title="more to come">');
  expect(printed).toContain('4 models in the cache');
  expect(printed).toContain('a run: done');
});

test('standard-schema: a form and a route that know Standard Schema take a generated check', async () => {
  const cwd = await project('standard-schema');
  await succeed(cwd, 'generate');
  await succeed(cwd, 'build');
  const printed = (await succeed(cwd, 'start')).trim().split('\n');
  expect(printed).toStrictEqual([
    'form refuses node_version.dependencies[1] must be string',
    'form sends numpy pillow',
    expect.stringMatching(
      /^route answers 400 .*"path":\["node_version","dependencies",1\].*"personal_access_token"/,
    ),
    'route answers 201 {"version":{"version":"1.0.0","dependencies":["numpy","pillow"]}}',
  ]);
});

test('servers: each framework serves the API beside another route, and ends on a signal', async () => {
  const cwd = await project('servers');
  await succeed(cwd, 'generate');
  await succeed(cwd, 'build');
  const headers = { 'X-API-Key': 'service-key-of-ada', 'Content-Type': 'application/json' };
  const keyed = { ...headers, 'Idempotency-Key': 'order-1' };
  const programs: (readonly [name: string, port: string])[] = [];
  for (const name of ['with-node', 'with-express', 'with-fastify', 'with-hono'])
    programs.push([name, String(await freePort())]);
  await Promise.all(
    programs.map(async ([name, port]) => {
      const url = `http://localhost:${port}`;
      const program = start(process.execPath, [`out/${name}.js`], { cwd, environment: { PORT: port } });
      const end = ended(program);
      try {
        await Promise.race([program.stdout === null ? end : once(program.stdout, 'data'), end]);
        const run = { method: 'POST', headers: keyed, body: '{"prompt":"a notched stick"}' };
        const answers = [];
        for (let attempt = 0; attempt < 2; attempt += 1) {
          const answer = await fetch(`${url}/v1/models/acme/echo-1`, run);
          answers.push([answer.status, await answer.json(), answer.headers.get('idempotent-replayed')]);
        }
        const input = { prompt: 'a notched stick' };
        expect(answers, name).toStrictEqual([
          [200, input, null],
          [200, input, 'true'],
        ]);
        const health = await fetch(`${url}/health`);
        expect([name, health.status]).toStrictEqual([name, name === 'with-node' ? 401 : 200]);
        await health.text();
        program.kill('SIGTERM');
        expect((await end).code, name).toBe(0);
      } finally {
        program.kill('SIGKILL');
      }
    }),
  );
});

test('qa-live-run: checks its fixtures, prints a plan, and judges', async () => {
  const cwd = await project('qa-live-run');
  const fixtures = join(cwd, 'fixtures.yaml');
  await writeFile(fixtures, (await readFile(fixtures, 'utf8')).replace('http://localhost:4710', mock.url));
  const environment = { ROUTER_KEY: 'service-mock-ok', ROUTER_KEY_WITHOUT_ACCESS: 'service-mock-forbidden' };
  expect(await succeed(cwd, 'fixtures', environment)).toContain('is valid');
  expect(await succeed(cwd, 'plan', environment)).toContain('/v1/models');
  expect(await succeed(cwd, 'reads', environment)).toMatch(/\d+ pass/);
  expect(await succeed(cwd, 'runs', environment)).toMatch(/\d+ pass/);
  const unset = await script(cwd, 'reads');
  expect(unset.stderr).toContain('$ROUTER_KEY');
  expect(unset.code).toBe(2);
});
