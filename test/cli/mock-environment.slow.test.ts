// @module-tag long
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, startMockCommand, tallystick } from './command.ts';

test('each option of the mock can be set in the environment, and the command line takes precedence', async () => {
  const mock = await startMockCommand(['--profile', 'faithful'], {
    environment: {
      TALLYSTICK_MOCK_CONTROL_TOKEN: 'a&b',
      TALLYSTICK_MOCK_HOST: '0.0.0.0',
      TALLYSTICK_MOCK_LATENCY: '1ms',
      TALLYSTICK_MOCK_PROFILE: 'not-rolled-out',
      TALLYSTICK_MOCK_QUIET: '1',
    },
  });
  // The address by which this machine reaches it: some systems cannot connect to 0.0.0.0.
  expect(new URL(mock.url).hostname).toBe('127.0.0.1');
  const { port } = new URL(mock.url);
  const answer = await fetch(`http://127.0.0.1:${port}/v1/models?limit=1`, {
    headers: { 'X-API-Key': 'service-mock-ok' },
  });
  expect(answer.status).toBe(200);
  expect(await mock.stop()).toBe(0);
  expect(mock.said()).not.toContain('/v1/models?limit=1');
});

test('an invalid value in the environment is refused by the name of its variable', async () => {
  const { code, stderr } = await tallystick(['mock'], { environment: { TALLYSTICK_MOCK_PORT: 'first' } });
  expect(code).toBe(2);
  expect(stderr).toContain('$TALLYSTICK_MOCK_PORT');
});

test('the token of the control port can be chosen, and is in the printed address', async () => {
  const mock = await startMockCommand(['--json'], {
    environment: { TALLYSTICK_MOCK_CONTROL_TOKEN: 'a&b' },
  });
  const controlUrl = new URL(/"controlUrl":"([^"]+)"/.exec(mock.said())?.[1] ?? '');
  expect(controlUrl.searchParams.get('token')).toBe('a&b');
  const state = `${controlUrl.origin}/control/v1/state`;
  expect((await fetch(state)).status).toBe(401);
  expect((await fetch(state, { headers: { Authorization: 'Bearer a&b' } })).status).toBe(200);
  await mock.stop();
});

test('the image runs the shipped files, as an unprivileged user, with known variables', async () => {
  const lines = (await readFile(join(root, 'Dockerfile'), 'utf8')).split('\n');
  expect(lines).toContain('USER node');
  const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly bin: { readonly tallystick: string };
  };
  const entry = `ENTRYPOINT ["node", "/usr/local/lib/node_modules/tallystick/${bin.tallystick}"]`;
  expect(lines).toContain(entry);
  const help = (await tallystick(['mock', '--help'])).stdout;
  const variables = lines.flatMap((line) => /TALLYSTICK_MOCK_(\w+)=/.exec(line)?.[1] ?? []);
  expect(variables.length).toBeGreaterThan(0);
  for (const variable of variables)
    expect(help).toContain(`--${variable.toLowerCase().replaceAll('_', '-')}`);
});
