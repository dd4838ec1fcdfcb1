/**
 * `npx tsx test/soak/mixed-load.ts [SECONDS]`, 600 when left out: runs, submissions, publications, walks, dropped clients
 * and open streams against the mock as it ships. No request stays unanswered and memory stays flat. Exit 1 otherwise.
 * With `--write` the table goes to docs/soak.md.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { writeSection } from './page.ts';

const seconds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 600);
const bin = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));
const child = spawn(
  process.execPath,
  [bin, 'mock', '--port', '0', '--control-port', '0', '--print-url', '--quiet', '--clock', 'x20'],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const url = (
  await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve))
).trim();
const headers = { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json' };
const until = performance.now() + seconds * 1_000;
const counts = { answered: 0, unanswered: 0, dropped: 0, streams: 0 };
const PATIENCE_MS = 30_000;

async function send(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Response | undefined> {
  try {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...more },
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    counts.answered += 1;
    return response;
  } catch {
    counts.unanswered += 1;
    return undefined;
  }
}

let number = 0;
const graph = { 1: { class_type: 'SketchPicture', inputs: { prompt: 'a hand' } } };
const kinds: readonly (() => Promise<void>)[] = [
  async () => void (await (await send('GET', '/v1/models?limit=20'))?.text()),
  async () => {
    const key = { 'Idempotency-Key': `k${String((number += 1) >> 1)}` };
    await (await send('POST', '/v1/models/mock/ok', { prompt: 'x' }, key))?.text();
  },
  async () => void (await (await send('POST', '/v1/models/mock/slow', { prompt: 'x' }))?.text()),
  async () => {
    const version = `1.0.${String((number += 1))}`;
    const publication = { node: {}, node_version: { version }, personal_access_token: 'pat-mock-ok' };
    await (await send('POST', '/publishers/acme/nodes/acme-upscaler/versions', publication))?.text();
  },
  async () => {
    const job = (await (await send('POST', '/api/v2/jobs', graph))?.json()) as { id?: string } | undefined;
    if (job?.id === undefined) return;
    await (await send('GET', `/api/v2/jobs/${job.id}/events`))?.text();
    counts.streams += 1;
  },
  // A caller that goes away in the middle of its request, and one that goes away before its answer.
  () =>
    drop(
      'POST /v1/models/mock/slow HTTP/1.1\r\nHost: x\r\nX-API-Key: service-mock-ok\r\nContent-Length: 100\r\n\r\n{"pro',
    ),
  () => drop('GET /v1/models HTTP/1.1\r\nHost: x\r\nX-API-Key: service-mock-ok\r\n\r\n'),
];

function drop(bytes: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.resetAndDestroy()));
    socket
      .on('error', () => undefined)
      .once('close', () => {
        counts.dropped += 1;
        resolve();
      });
  });
}

async function caller(first: number): Promise<void> {
  for (let turn = first; performance.now() < until; turn += 1) await kinds[turn % kinds.length]?.();
}

const megabytes = async (): Promise<number> =>
  Math.round(
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${String(child.pid)}/status`, 'utf8'))?.[1] ?? 0) /
      1_024,
  );
const callers = Array.from({ length: 24 }, (_, first) => caller(first));
const memory: number[] = [];
for (let part = 1; part <= 10; part += 1) {
  await new Promise((resolve) => setTimeout(resolve, seconds * 100));
  memory.push(await megabytes());
}
await Promise.all(callers);
child.kill('SIGTERM');
process.stdout.write(
  `${writeSection('mixed-load', [
    [
      'seconds',
      'answered',
      'streams to their end',
      'dropped on purpose',
      'unanswered',
      'memory after each tenth, MB',
    ],
    [seconds, counts.answered, counts.streams, counts.dropped, counts.unanswered, memory.join(' ')].map(
      String,
    ),
  ])}\n`,
);
// Flat: the second half grows by less than half of what there was; what jobs and versions are kept is not a leak.
const [half = 0, end = 0] = [memory[4], memory[9]];
if (counts.unanswered > 0 || end > half * 1.5) process.exitCode = 1;
