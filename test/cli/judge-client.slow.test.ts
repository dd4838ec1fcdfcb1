// @module-tag long
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, tallystick } from './command.ts';

/** A client that tries a call again after a failure, under the key that the function gives. */
const client = (key: string): string => `
const url = process.env.TALLYSTICK_MOCK_URL + '/v1/models/mock/provider-error';
for (const attempt of [1, 2]) {
  const headers = { 'x-api-key': 'service-mock-ok', 'content-type': 'application/json', 'idempotency-key': ${key} };
  await (await fetch(url, { method: 'POST', headers, body: '{}' })).text();
}
`;

test.each([
  ['keeps its key', "'one'", 0, / pass +router\.idem\.recommended/],
  ['takes another key for each attempt', "'key-' + attempt", 1, /✖ router\.idem\.recommended/],
])('mock --exec --judge-client: a client that %s', async (_, key, code, said) => {
  const folder = await freshFolder();
  await writeFile(join(folder, 'client.mjs'), client(key));
  const ended = await tallystick(
    ['mock', '--port', '0', '--control-port', '0', '--quiet', '--exec', 'node client.mjs', '--judge-client'],
    { cwd: folder },
  );
  expect(ended.stdout).toMatch(said);
  expect(ended.stdout).toContain('rules not exercised: no request of the client exercised it');
  expect(ended.code).toBe(code);
  const report = await readFile(join(folder, 'tallystick-client-report', 'report.json'), 'utf8');
  expect(report).toContain('router.idem.recommended');
  expect(report).not.toContain('service-mock-ok');
});

test('--judge-client without a command is refused: there is no client to judge', async () => {
  const { code, stderr } = await tallystick(['mock', '--judge-client']);
  expect(stderr).toMatch(/^✖ --judge-client needs --exec/);
  expect(code).toBe(2);
});
