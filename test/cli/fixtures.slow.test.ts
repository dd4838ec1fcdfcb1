// @module-tag long
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshFolder, startMockCommand, tallystickHere } from './command.ts';
import type { RunningCommand } from './command.ts';

let mock: RunningCommand;
let folder = '';
const environment = { TALLYSTICK_API_KEY: 'service-mock-ok' };

beforeAll(async () => {
  mock = await startMockCommand();
  folder = await freshFolder();
});
afterAll(async () => {
  await mock.stop();
});

test('fixtures discover writes a file that passes `fixtures check` and contains no secret', async () => {
  const { code, stdout, stderr } = await tallystickHere(['fixtures', 'discover', mock.url], { environment });
  expect(stderr).toMatch(/the catalogue lists \d+ models/);
  expect(stdout).toContain(`baseUrl: "${mock.url}"`);
  expect(stdout).toMatch(/^ {2}apiKey: "\$TALLYSTICK_API_KEY"/m);
  expect(stdout).toMatch(/^ {2}ok: {2}# a cheap model that succeeds\n {4}id: /m);
  expect(stdout).not.toContain('service-mock-ok');
  expect(code).toBe(0);
  await writeFile(join(folder, 'found.yaml'), stdout);
  const checked = await tallystickHere(['fixtures', 'check', 'found.yaml'], { cwd: folder, environment });
  expect(checked.stdout).toMatch(/found\.yaml is valid: with all permissions, conform can test \d+ rules/);
  expect(checked.code).toBe(0);
});

test('fixtures discover needs a credential, an address and a server', async () => {
  const without = await tallystickHere(['fixtures', 'discover', mock.url]);
  expect(without).toMatchObject({ code: 2, stdout: '' });
  expect(without.stderr).toMatch(/^✖ No credential for http/);
  const nowhere = await tallystickHere(['fixtures', 'discover', 'api.example.com'], { environment });
  expect(nowhere).toMatchObject({ code: 2, stdout: '' });
  const gone = await tallystickHere(['fixtures', 'discover', 'http://127.0.0.1:9'], { environment });
  expect(gone).toMatchObject({ code: 3, stdout: '' });
  expect(gone.stderr).toMatch(/^✖ http:\/\/127\.0\.0\.1:9 does not respond: .*ECONNREFUSED/);
});
