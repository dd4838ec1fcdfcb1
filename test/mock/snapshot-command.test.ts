import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { startMock } from '../../mock/index.ts';

/** States of a mock that runs, from the command line. */
const cwd = mkdtempSync(join(tmpdir(), 'tallystick-snapshot-'));
const mock = await startMock({ controlToken: 'open sesame' });
afterAll(async () => {
  await mock.stop();
  rmSync(cwd, { recursive: true, force: true });
});

async function snapshot(...args: readonly string[]): Promise<{ code: number; out: string; said: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const environment = { TALLYSTICK_MOCK_CONTROL_URL: mock.controlUrl };
  const code = await main(['mock', 'snapshot', ...args], {
    stdout,
    stderr,
    cwd,
    environment,
    onSignal: () => () => undefined,
  });
  const textOf = (stream: PassThrough): Promise<string> => text(stream.end());
  return { code, out: await textOf(stdout), said: await textOf(stderr) };
}

const run = async (): Promise<string | null> => {
  const headers = {
    'X-API-Key': 'service-mock-ok',
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order',
  };
  const answer = await mock.fetch('/v1/models/mock/ok', { method: 'POST', headers, body: '{"prompt":"x"}' });
  return answer.headers.get('Idempotent-Replayed');
};

test('a state is saved, forgotten, loaded, carried about as a file and deleted', async () => {
  await run();
  expect((await snapshot('save', 'paid')).said).toContain(
    'to restore it: npx --no -- tallystick mock snapshot load paid',
  );
  expect((await snapshot('list')).out).toMatch(/^paid {2}\d{4}-/);
  expect((await snapshot('export', 'paid', 'paid.json')).code).toBe(0);
  expect((await snapshot('export', 'paid')).out).toBe(readFileSync(join(cwd, 'paid.json'), 'utf8'));
  expect((await snapshot('delete', 'paid')).code).toBe(0);
  expect((await snapshot('reset')).code).toBe(0);
  expect(mock.dispatches()).toStrictEqual({});
  expect((await snapshot('import', 'paid.json')).said).toContain('load paid');
  expect((await snapshot('load', 'paid')).code).toBe(0);
  expect(await run()).toBe('true');
  expect(JSON.parse((await snapshot('list', '--json')).out)).toMatchObject({
    schemaVersion: 1,
    snapshots: [{ name: 'paid' }],
    lasting: false,
  });
});

writeFileSync(join(cwd, 'diary.json'), '{"dear":"diary"}');
writeFileSync(join(cwd, 'words.txt'), 'dear diary');
test.each([
  [['load', 'none'], 2, 'Snapshot none does not exist.'],
  [['save', '../x'], 2, 'The name of a snapshot is'],
  [['import', 'diary.json'], 2, 'This is not a snapshot of a mock of this version'],
  [['import', 'words.txt'], 2, 'words.txt:1:1: '],
  [['import', 'missing.json'], 2, 'missing.json'],
  [['list', '--control-url', 'http://127.0.0.1:9'], 3, 'No mock answers at http://127.0.0.1:9'],
  [['list', '--control-url', 'nowhere'], 2, 'nowhere is not an address'],
  [['saev', 'x'], 2, 'Did you mean save?'],
  [[], 2, 'Missing command'],
])('mock snapshot %j ends with %i and words', async (args, code, words) => {
  const ended = await snapshot(...args);
  expect([ended.code, ended.said]).toStrictEqual([code, expect.stringContaining(words) as string]);
});
