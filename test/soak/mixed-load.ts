/**
 * `npx tsx test/soak/mixed-load.ts [SECONDS]`, 600 when left out: runs, submissions, publications, walks, dropped clients
 * and open streams against the mock as it ships. After each tenth the callers rest, the mock's clock passes the time for
 * which keys and jobs are kept, and what is still in use is measured: it must not grow. Exit 1 when it does, and for a
 * request without an answer. With `--write` the table goes to docs/soak.md.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { writeSection } from './page.ts';

const seconds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 600);
const bin = fileURLToPath(new URL('../../dist/cli/bin.cjs', import.meta.url));
/** Lets the process tell what is in use after a collection, in bytes. */
const measuring = `
  process.on('message', () => {
    gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.send({ used: heapUsed + external, rss });
  });
  process.channel.unref();`;
const child = spawn(
  process.execPath,
  [
    ...['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(measuring)}`, bin],
    ...['mock', '--port', '0', '--control-port', '0', '--json', '--quiet', '--clock', 'x20'],
  ],
  { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
);
const { url, controlUrl } = JSON.parse(
  await new Promise<string>((resolve) => child.stdout?.setEncoding('utf8').once('data', resolve)),
) as { readonly url: string; readonly controlUrl: string };
const headers = { Authorization: 'Bearer service-mock-ok', 'Content-Type': 'application/json' };
let until = 0;
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
/** A version is taken for good: after so many only names that are taken are tried. */
const VERSIONS = 500;
const graph = { 1: { class_type: 'SketchPicture', inputs: { prompt: 'a hand' } } };
const kinds: readonly (() => Promise<void>)[] = [
  async () => void (await (await send('GET', '/v1/models?limit=20'))?.text()),
  async () => {
    const key = { 'Idempotency-Key': `k${String((number += 1) >> 1)}` };
    await (await send('POST', '/v1/models/mock/ok', { prompt: 'x' }, key))?.text();
  },
  async () => void (await (await send('POST', '/v1/models/mock/slow', { prompt: 'x' }))?.text()),
  async () => {
    const version = `1.0.${String((number += 1) % VERSIONS)}`;
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

/** Longer than a key is remembered and a job is kept. */
const PAST_ALL_WINDOWS = 'PT26H';

async function afterAllWindows(): Promise<{ readonly used: number; readonly rss: number }> {
  await fetch(`${controlUrl}/control/v1/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ advance: PAST_ALL_WINDOWS }),
  });
  // The next of a kind makes room; each kind is called once.
  for (const kind of kinds) await kind();
  return new Promise((resolve) => {
    child.once('message', (memory) => {
      resolve(memory as { readonly used: number; readonly rss: number });
    });
    child.send('measure');
  });
}

const used: number[] = [];
const resident: number[] = [];
const megabytes = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10;
for (let part = 1; part <= 10; part += 1) {
  until = performance.now() + seconds * 100;
  await Promise.all(Array.from({ length: 24 }, (_, first) => caller(first)));
  const memory = await afterAllWindows();
  used.push(megabytes(memory.used));
  resident.push(Math.round(memory.rss / 2 ** 20));
}
child.kill('SIGTERM');
process.stdout.write(
  `${writeSection('mixed-load', [
    [
      'seconds',
      'answered',
      'streams to their end',
      'dropped on purpose',
      'unanswered',
      'in use after each tenth, MB',
      'resident, MB',
    ],
    [
      ...[seconds, counts.answered, counts.streams, counts.dropped, counts.unanswered],
      ...[used.join(' '), resident.join(' ')],
    ].map(String),
  ])}\n`,
);
const [middle = 0] = used.slice(4);
if (counts.unanswered > 0 || (used.at(-1) ?? 0) > middle * 1.15) process.exitCode = 1;
