// @module-tag long
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, run, startMockCommand } from '../cli/command.ts';
import type { RunningCommand } from '../cli/command.ts';
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

test('the demo tells its story in at most 60 lines and ends well', async () => {
  const { code, stdout, stderr } = await run('npm', ['run', '--silent', 'demo']);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  expect(stdout).toContain('replayed: true');
  expect(stdout).toContain('504 deadline_exceeded, not charged');
  expect(stdout).toContain('504 provider_timeout, charged all the same');
  expect(stdout).toMatch(/published 1\.0\.0: 201, archive of \d+ bytes uploaded: 200/);
  expect(stdout).toContain('skin enhancement begun: 200');
  expect(stdout).toContain('queued → running → succeeded');
  expect(stdout).toContain('cancelled another: canceled');
  for (const api of ['router', 'registry', 'proxy', 'jobs'])
    expect(stdout).toMatch(new RegExp(`✔ ${api} +\\d+ rules: \\d+ pass`));
  expect(stdout).toContain('exactly router.list.limit-clamped is red');
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
