// @module-tag long
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bin, ended, freshFolder, plainEnvironment, start, startMockCommand, tallystick } from './command.ts';
import type { RunningCommand } from './command.ts';

const started: RunningCommand[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((mock) => mock.stop('SIGKILL')));
});

async function mock(...args: readonly string[]): Promise<RunningCommand> {
  const running = await startMockCommand(args);
  started.push(running);
  return running;
}

const key = { headers: { 'X-API-Key': 'service-mock-ok', 'Content-Type': 'application/json' } };

test('answers at the address that it prints, and prints each exchange on stderr', async () => {
  const running = await mock();
  const response = await fetch(`${running.url}/v1/models?limit=1`, key);
  expect(response.status).toBe(200);
  await expect.poll(running.said).toMatch(/^\d\d:\d\d:\d\d {2}200 {2}GET {2}\/v1\/models\?limit=1 {2}\d+ms/m);
});

test('--json prints the addresses, then the exchanges without their secrets', async () => {
  const running = await mock('--json');
  await fetch(`${running.url}/v1/models`, key);
  await expect.poll(running.said).toContain('"event":"exchange"');
  const [ready, exchange] = running
    .said()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(ready).toMatchObject({ schemaVersion: 1, event: 'ready', url: running.url });
  expect(exchange).toMatchObject({ event: 'exchange', method: 'GET', target: '/v1/models', status: 200 });
  expect(exchange).not.toHaveProperty('request');
});

test(
  'a target with control characters cannot move the cursor of the terminal',
  { tags: 'attack' },
  async () => {
    const running = await mock();
    await fetch(`${running.url}/%1b%5b2J`, key);
    await expect.poll(running.said).toContain('/%1b%5b2J');
    expect(running.said()).not.toContain('\u001b');
  },
);

test.each([
  ['SIGTERM', 0],
  ['SIGINT', 130],
] as const)('%s ends it with exit code %i while a call is open', async (signal, code) => {
  const running = await mock();
  // Does not end by itself, however late the signal comes.
  const open = fetch(`${running.url}/v1/models/mock/deadline-exceeded`, {
    ...key,
    method: 'POST',
    body: '{"prompt":"x"}',
  }).then(
    ({ status }) => status,
    () => 'cut',
  );
  await fetch(`${running.url}/v1/models`, key);
  expect(await running.stop(signal)).toBe(code);
  expect(await open).toBe('cut');
});

test('ends at once after a run that ended before its deadline', async () => {
  const running = await mock();
  const run = await fetch(`${running.url}/v1/models/mock/ok`, {
    ...key,
    method: 'POST',
    body: '{"prompt":"x"}',
  });
  expect(run.status).toBe(200);
  expect(await running.stop()).toBe(0);
});

test('a busy port is reported in a sentence, with what to do', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  const { port } = blocker.address() as AddressInfo;
  const { code, stderr } = await tallystick(['mock', '--port', String(port)]);
  blocker.close();
  expect(stderr).toContain(`✖ Port ${port} is in use`);
  expect(stderr).toContain('tallystick mock --port 0');
  expect(code).toBe(2);
});

test('for a port that another mock uses, the message has the address of that mock', async () => {
  const other = await mock('--json');
  const [ready = ''] = other.said().split('\n');
  const { controlUrl } = JSON.parse(ready) as { controlUrl: string };
  const { port } = new URL(controlUrl);
  const { code, stderr } = await tallystick(['mock', '--port', port]);
  expect(stderr).toContain(`✖ Port ${port} is in use by another tallystick mock`);
  expect(stderr).toContain(`use that mock: export TALLYSTICK_MOCK_URL=${other.url}`);
  expect(code).toBe(2);
});

test('--exec runs a command while the mock serves, and ends with its exit code', async () => {
  const script = `fetch(process.env.TALLYSTICK_MOCK_URL + '/v1/models', { headers: { 'X-API-Key': 'service-mock-ok' } }).then((r) => { console.log('status', r.status); process.exit(7) })`;
  const { code, stdout } = await tallystick(['mock', '--quiet', '--exec', `node -e "${script}"`]);
  expect(stdout).toBe('status 200\n');
  expect(code).toBe(7);
});

test('--ready-file contains the addresses once the mock answers', async () => {
  const file = join(await freshFolder(), 'ready.json');
  const running = await mock('--ready-file', file);
  const ready = await expect
    .poll(() => readFile(file, 'utf8').catch(() => ''))
    .not.toBe('')
    .then(() => readFile(file, 'utf8'));
  expect(JSON.parse(ready)).toMatchObject({ url: running.url, pid: running.child.pid });
});

test('prints the fixtures of a running mock', async () => {
  const running = await mock('--json');
  const [ready = ''] = running.said().split('\n');
  const { controlUrl } = JSON.parse(ready) as { controlUrl: string };
  const { code, stdout } = await tallystick(['fixtures', '--mock', controlUrl]);
  expect(JSON.parse(stdout)).toMatchObject({ baseUrl: running.url });
  expect(code).toBe(0);
});

test('the banner names a deviation', async () => {
  const child = start(process.execPath, [bin, 'deviations', '--json']);
  const [deviation] = JSON.parse((await ended(child)).stdout) as { id: string }[];
  const mockProcess = spawn(
    process.execPath,
    [bin, 'mock', '--port', '0', '--deviate', deviation?.id ?? ''],
    {
      env: plainEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  mockProcess.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await expect.poll(() => said, { timeout: 30_000 }).toContain('Try ');
  mockProcess.kill('SIGTERM');
  expect(said).toContain(`Breaks     ${deviation?.id}`);
  expect(said).toMatch(/API +http:\/\/localhost:\d+$/m);
});

test('serves a document of the user with its examples', async () => {
  const document = join(import.meta.dirname, '../../node_modules/@blockfrost/openapi/openapi.yaml');
  const running = await mock(document);
  const response = await fetch(`${running.url}/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toHaveProperty('is_healthy');
});
