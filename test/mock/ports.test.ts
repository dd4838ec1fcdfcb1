import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { checkPorts, controlPortOf } from '../../mock/ports.ts';
import { freePort } from '../e2e/free-port.ts';

async function occupied(port: number): Promise<void> {
  const server = await listening(port);
  onTestFinished(() => void server.close());
}

/** Rejects when something listens there. */
function listening(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

test.each([
  [{}, 0],
  [{ port: 0 }, 0],
  [{ port: 4710 }, 4711],
  [{ port: 4710, controlPort: 0 }, 0],
  [{ port: 4710, controlPort: 9000 }, 9000],
  [{ port: 4710, controlPort: false as const }, false],
  // The next one cannot be had, or no browser would open it.
  [{ port: 65_535 }, 0],
  [{ port: 5_999 }, 0],
])('with %j the control API listens on %j', (ports, expected) => {
  expect(controlPortOf(ports)).toBe(expected);
});

test('a port is refused when fetch refuses to call it, with the reason', async () => {
  const refusal = (ports: Parameters<typeof checkPorts>[0]): string => {
    try {
      checkPorts(ports);
      return '';
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      return String(error);
    }
  };
  const all = Array.from({ length: 11_000 }, (_, port) => port);
  const refused = all.filter((port) => refusal({ port }) !== '');
  expect(refused).toContain(6_000);
  expect(refusal({ port: 6_000 })).toMatch(
    /Port 6000 .*browsers.*port-blocking.*Take another one, or 0 for a free one/,
  );
  expect(all.filter((controlPort) => refusal({ controlPort }) !== '')).toStrictEqual(refused);
  for (const port of refused)
    await expect(fetch(`http://127.0.0.1:${port}`), String(port)).rejects.toMatchObject({
      cause: { message: 'bad port' },
    });
});

test('one port cannot serve both', () => {
  expect(() => {
    checkPorts({ port: 4710, controlPort: 4710 });
  }).toThrow('cannot share port 4710');
  checkPorts({ port: 0, controlPort: 0 });
  checkPorts({ port: 4710, controlPort: false });
});

test.each(['the API', 'the control API'])(
  'nothing is left of a mock whose port for %s is taken',
  async (which) => {
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'tallystick-'));
    await occupied(which === 'the API' ? port : port + 1);
    const data = join(folder, 'data');
    await expect(startMock({ port, data, apis: ['router'] })).rejects.toThrow('EADDRINUSE');
    (await listening(which === 'the API' ? port + 1 : port)).close();
    expect(existsSync(join(data, 'lock.json'))).toBe(false);
  },
);

test('nothing is left of a mock whose state cannot be read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-'));
  await writeFile(join(folder, 'state.jsonl'), 'my diary\n');
  await expect(startMock({ data: folder, apis: ['router'] })).rejects.toThrow('state.jsonl:1');
  expect(existsSync(join(folder, 'lock.json'))).toBe(false);
});
