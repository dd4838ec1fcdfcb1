// @module-tag long
// @module-tag attack
import { createServer, type RequestListener, type Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../conformance/index.ts';
import { bin, ended, freshFolder, start, type Ended } from '../cli/command.ts';
import { rawClient } from '../proxy/raw.ts';
import { request } from './bytes.ts';
import { pause } from '../until.ts';

/** With any kind of open connection, a proxy that is asked to end does so, and what passed is in its report and in its record. */

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

const HOST = 'Host: localhost';

interface Subject {
  readonly url: string;
  readonly child: ChildProcess;
  /** How many exchanges it has reported. */
  readonly told: () => number;
  /** Sends a signal, and gives what the process left. */
  readonly end: (...signals: readonly NodeJS.Signals[]) => Promise<Left>;
}

interface Left extends Ended {
  readonly report: Report;
  readonly record: { readonly log: { readonly entries: readonly unknown[] } };
}

async function serverOf(answer: RequestListener): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer(answer);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function proxyTo(url: string, ...more: readonly string[]): Promise<Subject> {
  const cwd = await freshFolder();
  const files = ['--report', 'report', '--record', 'record.har'];
  const args = ['proxy', url, '--api', 'router', '--port', '0', '--control-port', '0', '--json', ...files];
  const child = start(process.execPath, [bin, ...args, ...more], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  const over = ended(child);
  let said = '';
  child.stdout?.on('data', (text: string) => (said += text));
  const address = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (text: string) => {
      const line = /"url":"([^"]+)"/.exec(text)?.[1];
      if (line !== undefined) resolve(line);
    });
  });
  const read = async (file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(cwd, file), 'utf8')) as unknown;
  return {
    ...{ url: address, child, told: () => said.split('"exchange"').length - 1 },
    end: async (...signals) => {
      for (const signal of signals) {
        child.kill(signal);
        // Two signals of one kind that wait are one signal.
        await pause(1);
      }
      const output = await over;
      const report = (await read('report/report.json')) as Report;
      return { ...output, report, record: (await read('record.har')) as Left['record'] };
    },
  };
}

const models: RequestListener = (_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'X-Service-Request-Id': 'r' });
  response.end('{"data":[],"has_more":false,"limit":20}');
};

/** What is open, by its name: resolves when it is. */
const open: Readonly<Record<string, (server: Server, url: string, told: () => number) => Promise<void>>> = {
  'a connection that has switched': async (server, url) => {
    server.on('upgrade', (_, socket) => socket.write(SWITCHED));
    const wish = [HOST, 'Connection: Upgrade', 'Upgrade: websocket'];
    const client = rawClient(url, request('GET /live', wish));
    await expect.poll(client.received).toContain('101');
  },
  'bytes after a switch that was not made': async (_, url, told) => {
    const wish = [HOST, 'Connection: Upgrade', 'Upgrade: websocket'];
    const client = rawClient(url, `${request('GET /v1/models', wish)}${'x'.repeat(1000)}`);
    await expect.poll(client.received).toContain('200');
    await expect.poll(told).toBe(2);
  },
  'half a body': async (server, url) => {
    const arrived = new Promise((resolve) => server.once('checkContinue', resolve));
    rawClient(url, request('POST /half', [HOST, 'Expect: 100-continue', 'Content-Length: 100'], 'half'));
    await arrived;
  },
  'half an answer': async (server, url) => {
    server.removeAllListeners('request').on('request', (_, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
    });
    const client = rawClient(url, request('GET /half', [HOST]));
    await expect.poll(client.received).toContain('half');
  },
  'a stream that goes on': async (server, url) => {
    server.removeAllListeners('request').on('request', (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const pour = (): void => {
        while (response.write(': more\n\n'));
        response.once('drain', pour);
      };
      pour();
    });
    const client = rawClient(url, request('GET /stream', [HOST]));
    await expect.poll(client.received).toContain('more');
  },
  'an idle connection': async (_, url, told) => {
    const client = rawClient(url, request('GET /v1/models', [HOST]));
    await expect.poll(client.received).toContain('has_more');
    await expect.poll(told).toBe(2);
  },
};

test.each(
  Object.keys(open).flatMap((what) =>
    (['SIGINT', 'SIGTERM'] as const).map((signal) => [signal, what] as const),
  ),
)('%s ends a proxy with %s, and report and record are whole', async (signal, what) => {
  const { server, url } = await serverOf(models);
  const proxy = await proxyTo(url);
  await (await fetch(`${proxy.url}/v1/models`, { headers: { 'X-API-Key': 'k' } })).text();
  await open[what]?.(server, proxy.url, proxy.told);
  const { code, stderr, report, record } = await proxy.end(signal);
  expect(code).toBe(0);
  expect(record.log.entries).toHaveLength(2);
  expect(report.requests.sent).toBe(2);
  const isCut = !['bytes after a switch that was not made', 'an idle connection'].includes(what);
  const says = '1 exchange was still open at the end, and cut';
  expect(report.findings.map((finding) => finding.says).includes(says)).toBe(isCut);
  expect(stderr.includes(says)).toBe(isCut);
});

test('a second signal still writes what there is', async () => {
  const { server, url } = await serverOf(models);
  const proxy = await proxyTo(url);
  await open['a connection that has switched']?.(server, proxy.url, proxy.told);
  const { report, record } = await proxy.end('SIGINT', 'SIGTERM');
  expect(record.log.entries).toHaveLength(1);
  expect(report.requests.sent).toBe(1);
});

test('two signals to a proxy with a command end both, and write what there is', async () => {
  const { server, url } = await serverOf(models);
  const proxy = await proxyTo(
    url,
    '--exec',
    `node -e "process.on('SIGINT', () => 0); setInterval(() => 0, 1000)"`,
  );
  await open['a connection that has switched']?.(server, proxy.url, proxy.told);
  const { code, report } = await proxy.end('SIGINT', 'SIGTERM');
  // That of the signal that ended the shell.
  expect([130, 137]).toContain(code);
  expect(report.requests.sent).toBe(1);
});
