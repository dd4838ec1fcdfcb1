// @module-tag long
// @module-tag attack
import { createServer } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { bin, ended, freshFolder, start } from '../cli/command.ts';

/** The bodies of a server take no more memory of a proxy than it allows them. */

const entry = '{"id":"acme/echo-1","provider":"acme","model":"echo-1"}';

/** The most memory that a proxy took while 100 answers of this size passed, in MB. */
async function peakOf(bytes: number): Promise<number> {
  const data = Array.from({ length: Math.ceil(bytes / entry.length) }, () => entry).join(',');
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Service-Request-Id': 'r' });
    response.end(`{"data":[${data}],"has_more":false,"limit":20}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ['proxy', url, '--api', 'router', '--port', '0', '--no-control', '--json'];
  const child = start(process.execPath, [bin, ...args], { cwd: await freshFolder() });
  const end = ended(child);
  let said = '';
  const proxy = await new Promise<string>((resolve) => {
    child.stdout?.once('data', (text: string) => resolve(/"url":"([^"]+)"/.exec(text)?.[1] ?? ''));
    child.stdout?.on('data', (text: string) => (said += text));
  });
  for (let call = 0; call < 100; call += 1) {
    const answer = await fetch(`${proxy}/v1/models`, { headers: { 'X-API-Key': 'k' } });
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(bytes);
  }
  // What is not judged yet takes memory when it is.
  await expect.poll(() => said.split('"event":"exchange"').length - 1, { timeout: 120_000 }).toBe(100);
  const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8');
  child.kill('SIGINT');
  const { code, stderr } = await end;
  expect(code).toBe(0);
  expect(stderr).toContain('100 exchanges passed');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

test.skipIf(!existsSync('/proc/self/status'))(
  '100 answers of 4 MB take at most 60 MB more than 100 small ones, at the peak',
  async () => {
    const small = await peakOf(100);
    expect(small).toBeGreaterThan(0);
    expect((await peakOf(4_000_000)) - small).toBeLessThan(60);
  },
);
