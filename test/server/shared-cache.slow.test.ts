// @module-tag attack
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeListener } from '../../generated/server-runtime/node.ts';
import { createMock } from '../../mock/index.ts';
import { freePort } from '../e2e/free-port.ts';
import { desks, deskServer } from '../engine/shared-caches.ts';
import { toolPath } from '../tools.ts';

describe('behind varnish as it is shipped', { tags: ['varnish'] }, () => {
  test('three callers of a generated server get three answers', async () => {
    const server = await deskServer(await desks());
    expect(await askedByThree(await listening(createHttpServer(nodeListener(server))))).toStrictEqual([
      ...['200 {"id":"ada"}', '200 {"id":"bob"}', '401'],
    ]);
  });

  test('a server that says nothing gives the answer of one caller to all, so that the test can fail', async () => {
    const shared = createHttpServer(({ headers }, answer) => {
      answer.setHeader('Content-Type', 'application/json');
      answer.end(JSON.stringify({ id: headers['x-api-key'] }));
    });
    expect(await askedByThree(await listening(shared))).toStrictEqual(
      Array.from({ length: 3 }, () => '200 {"id":"ada"}'),
    );
  });

  test('three callers of the mock are each asked for their own credential', async () => {
    const mock = createMock({ contracts: [await desks()] });
    onTestFinished(() => {
      mock.close();
    });
    await mock.ready();
    const http = createHttpServer((request, answer) => {
      void mock
        .fetch(request.url ?? '/', { headers: request.headers as Record<string, string> })
        .then(async (from) => {
          answer.writeHead(from.status, Object.fromEntries(from.headers));
          answer.end(new Uint8Array(await from.arrayBuffer()));
        });
    });
    expect(await askedByThree(await listening(http))).toStrictEqual(['200 {}', '200 {}', '401']);
  });
});

/** What Ada, Bob and a caller without a credential get, one after the other. */
async function askedByThree(port: number): Promise<string[]> {
  const url = await cached(port);
  const answers: string[] = [];
  for (const caller of ['ada', 'bob', undefined]) {
    const answer = await fetch(
      `${url}/header`,
      caller === undefined ? {} : { headers: { 'X-API-Key': caller } },
    );
    const text = await answer.text();
    answers.push(answer.ok ? `${String(answer.status)} ${text}` : String(answer.status));
  }
  return answers;
}

/** The address of a varnish before a server. */
async function cached(port: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tallystick-varnish-'));
  const own = await freePort();
  const child = spawn(
    toolPath('varnish'),
    [
      ...['-F', '-j', 'none', '-n', folder, '-s', 'malloc,16m'],
      ...['-a', `127.0.0.1:${String(own)}`, '-b', `127.0.0.1:${String(port)}`],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/Child launched OK|said Child starts/);
  return `http://127.0.0.1:${String(own)}`;
}

async function listening(http: HttpServer): Promise<number> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return (http.address() as AddressInfo).port;
}
