// @module-tag long
import { access, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addressFailure } from '../../cli/network/address-failure.ts';
import { freePort } from '../e2e/free-port.ts';
import { freshFolder, startMockCommand, tallystick, tallystickHere } from './command.ts';

/** Rejects when something listens there. */
async function listenOn(port: number): Promise<() => Promise<void>> {
  // It disconnects clients that probe the port, so that it can be closed.
  const server = createServer((socket) => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return () => new Promise((resolve) => server.close(() => resolve()));
}

async function occupied(port: number): Promise<number> {
  const free = await listenOn(port);
  onTestFinished(free);
  return port;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

test('a control port that is in use ends the mock: nothing listens, no command was run, no ready file is written', async () => {
  const port = await freePort();
  await occupied(port + 1);
  const folder = await freshFolder();
  const ready = join(folder, 'ready.json');
  // Of an earlier mock: it must not look as if this one were ready.
  await writeFile(ready, '{}');
  const args = ['--port', String(port), '--data', 'state', '--ready-file', ready, '--exec', 'echo > ran'];
  const { code, stderr, stdout } = await tallystick(['mock', ...args], { cwd: folder });
  expect(stderr).toBe(
    `✖ Port ${port + 1} is in use, and the control API was to listen there\n` +
      `   let the control API take a free port: npx --no -- tallystick mock --port ${port} --control-port 0\n`,
  );
  expect([code, stdout]).toStrictEqual([2, '']);
  await (
    await listenOn(port)
  )();
  for (const path of [ready, join(folder, 'ran'), join(folder, 'state/lock.json')])
    expect(await exists(path), path).toBe(false);
});

interface Row {
  readonly what: string;
  readonly args: (ports: { readonly taken: number; readonly free: number }) => readonly string[];
  readonly says: (ports: { readonly taken: number; readonly free: number }) => readonly string[];
}

const rows: readonly Row[] = [
  {
    what: 'the port of the API is taken',
    args: ({ taken }) => ['--port', String(taken)],
    says: ({ taken }) => [
      `✖ Port ${taken} is in use\n`,
      'take a free port: npx --no -- tallystick mock --port 0',
    ],
  },
  {
    what: 'the control port that was asked for is taken',
    args: ({ taken }) => ['--port', '0', '--control-port', String(taken)],
    says: ({ taken }) => [`✖ Port ${taken} is in use, and the control API`, 'mock --port 0 --control-port 0'],
  },
  {
    what: 'both ports are taken',
    args: ({ taken }) => ['--port', String(taken), '--control-port', String(taken + 1)],
    says: ({ taken }) => [`✖ Port ${taken} is in use\n`],
  },
  {
    what: 'both ports are the same one',
    args: ({ free }) => ['--port', String(free), '--control-port', String(free)],
    says: ({ free }) => [`✖ The API and the control API cannot share port ${free}`],
  },
  {
    what: 'browsers refuse the port of the API',
    args: () => ['--port', '6000'],
    says: () => ['✖ Port 6000 cannot be called from browsers or with fetch', 'Take another one, or 0'],
  },
  {
    what: 'browsers refuse the control port',
    args: ({ free }) => ['--port', String(free), '--control-port', '6667'],
    says: () => ['✖ Port 6667 cannot be called from browsers or with fetch'],
  },
  {
    what: 'the host is another machine',
    args: ({ free }) => ['--port', String(free), '--host', '192.0.2.1'],
    says: () => ['✖ 192.0.2.1 is not an address of this machine', 'mock --host 127.0.0.1'],
  },
  {
    what: 'the host is no host',
    args: ({ free }) => ['--port', String(free), '--host', 'nowhere.invalid'],
    says: () => ['✖ nowhere.invalid is not an address of this machine'],
  },
];

test.each(rows)('the mock ends with 2 and names the next step if $what', async ({ args, says }) => {
  const taken = await occupied(await freePort());
  const free = await freePort();
  await occupied(taken + 1);
  const { code, stderr, stdout } = await tallystickHere(['mock', ...args({ taken, free })]);
  for (const part of says({ taken, free })) expect(stderr).toContain(part);
  expect([code, stdout]).toStrictEqual([2, '']);
  await (
    await listenOn(free)
  )();
});

test('a privileged port is refused, and an unprivileged one is suggested', async () => {
  const denied = (port: number): Error =>
    Object.assign(new Error('listen EACCES'), { code: 'EACCES', port, address: '127.0.0.1' });
  const wanted = { port: 80, host: '127.0.0.1', command: ['mock', 'my api.yaml'] };
  expect(await addressFailure(denied(80), wanted)).toMatchObject({
    message: 'This user may not listen on port 80',
    help: ["take a port above 1023: npx --no -- tallystick mock 'my api.yaml' --port 4710"],
  });
  expect(await addressFailure(denied(81), wanted)).toMatchObject({
    message: 'This user may not listen on port 81',
    help: ["take a port above 1023: npx --no -- tallystick mock 'my api.yaml' --port 80 --control-port 0"],
  });
});

test('a ready file is created with its folder; one that cannot be written is reported before anything listens', async () => {
  const folder = await freshFolder();
  const mock = await startMockCommand(['--ready-file', 'new/folder/ready.json'], { cwd: folder });
  onTestFinished(() => void mock.stop('SIGKILL'));
  await expect.poll(() => exists(join(folder, 'new/folder/ready.json'))).toBe(true);
  await mkdir(join(folder, 'taken'));
  const { code, stderr } = await tallystickHere(['mock', '--port', '0', '--ready-file', 'taken'], {
    cwd: folder,
  });
  expect(stderr).toContain('✖ The ready file taken cannot be written: ');
  expect(code).toBe(2);
});
