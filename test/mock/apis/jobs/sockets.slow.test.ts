// @module-tag long
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock, startMock, type RunningMock } from '../../../../mock/index.ts';
import { parseEvents, statusesIn, waiting, workflow, writeText, type JobBody } from './jobs-mock.ts';

const KEY = 'service-mock-ok';
const authorization = `Bearer ${KEY}`;
const sketch = workflow({ class_type: 'SketchPicture', inputs: { prompt: 'a hand' } }, writeText());

const clock = realClock();
let mock: RunningMock;
beforeAll(async () => {
  // Jobs of seconds take a fraction of that.
  clock.speed = 20;
  mock = await startMock({ apis: ['jobs'], clock, controlPort: false });
});
afterAll(() => mock.stop());

async function submit(
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; job: JobBody }> {
  const response = await fetch(`${mock.url}/api/v2/jobs`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, job: (await response.json()) as JobBody };
}

async function read(job: JobBody): Promise<JobBody> {
  return (await (
    await fetch(new URL(job.urls['self'] ?? '', mock.url), { headers: { authorization } })
  ).json()) as JobBody;
}

/** A connection that requests events. Nothing is read from it before a listener is added. */
function watching(job: JobBody): Socket {
  const { hostname, port } = new URL(mock.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `GET ${job.urls['events'] ?? ''} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`,
  );
  return socket;
}

async function eventsUntilEnd(job: JobBody): Promise<string> {
  const response = await fetch(new URL(job.urls['events'] ?? '', mock.url), { headers: { authorization } });
  return response.text();
}

const textOf = async (socket: Socket, until: RegExp): Promise<string> => {
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (until.test(text)) break;
  }
  return text;
};

test('curl -N follows a job to its end', { tags: 'curl' }, async () => {
  const { job } = await submit(sketch);
  const url = new URL(job.urls['events'] ?? '', mock.url).href;
  const curl = spawn('curl', ['-sN', '--noproxy', '*', '-H', `Authorization: ${authorization}`, url]);
  let text = '';
  curl.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const code = await new Promise((resolve) => curl.once('close', resolve));
  expect(code).toBe(0);
  expect(statusesIn(parseEvents(text)).at(-1)).toBe('succeeded');
});

test('events come one by one, as they happen', async () => {
  const { job } = await submit(workflow(waiting(40)));
  const response = await fetch(new URL(job.urls['events'] ?? '', mock.url), { headers: { authorization } });
  const pieces: string[] = [];
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
    pieces.push(Buffer.from(piece).toString());
  expect(pieces.length).toBeGreaterThan(5);
  expect(statusesIn(parseEvents(pieces.join(''))).at(-1)).toBe('succeeded');
});

test('a reader that disconnects affects no other reader, and gets the snapshot when it reconnects', async () => {
  const { job } = await submit(workflow(waiting(600)));
  const socket = watching(job);
  await textOf(socket, /event: progress/);
  socket.destroy();
  const again = watching(job);
  const text = await textOf(again, /event: progress/);
  expect(text).toMatch(/event: status[^]*"status":"running"[^]*event: progress/);
  expect(text).not.toMatch(/"status":"queued"/);
  again.destroy();
});

test('a stalled reader does not delay other readers', async () => {
  const { job } = await submit(sketch);
  const stalled = Array.from({ length: 20 }, () => {
    const socket = watching(job);
    socket.pause();
    return socket;
  });
  expect(statusesIn(parseEvents(await eventsUntilEnd(job))).at(-1)).toBe('succeeded');
  const [first] = stalled;
  expect(await textOf(first as Socket, /\r\n0\r\n\r\n/)).toContain('"status":"succeeded"');
  for (const socket of stalled) socket.destroy();
});

test('jobs.idem.concurrent-one-201: of two hundred submissions with one key one becomes a job', async () => {
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => submit(workflow(writeText()), { 'Idempotency-Key': 'two hundred' })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 422)).toHaveLength(199);
});

test('half a body creates no job and uses no key', async () => {
  const body = JSON.stringify(workflow(writeText()));
  await new Promise<void>((resolve) => {
    const half = request(`${mock.url}/api/v2/jobs`, {
      method: 'POST',
      headers: {
        authorization,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'Idempotency-Key': 'cut',
      },
    });
    half.once('error', () => {
      resolve();
    });
    half.write(body.slice(0, body.length / 2), () => half.destroy(new Error('cut')));
  });
  expect((await submit(workflow(writeText()), { 'Idempotency-Key': 'cut' })).status).toBe(201);
});

test('a thousand streams are open at once, and each of them gets every event', async () => {
  // The clock advances when all readers have received the events so far.
  clock.speed = 0;
  const { job } = await submit(workflow(waiting(3_000)));
  await clock.advance(1_000);
  const streams = Array.from({ length: 1_000 }, () => new Listener(watching(job)));
  const all = async (text: RegExp, times: number): Promise<void> => {
    await Promise.all(streams.map((stream) => stream.until(text, times)));
  };
  await all(/^event: progress$/gm, 1);
  for (let step = 2; step <= 5; step += 1) {
    await clock.advance(500);
    await all(/^event: progress$/gm, step);
  }
  await fetch(new URL(job.urls['cancel'] ?? '', mock.url), { method: 'POST', headers: { authorization } });
  await clock.advance(1_000);
  await all(/\r\n0\r\n\r\n$/g, 1);
  const [first] = streams.map((stream) => stream.events());
  expect(statusesIn(parseEvents(first ?? ''))).toStrictEqual(['running', 'canceling', 'canceled']);
  expect(new Set(streams.map((stream) => stream.events())).size).toBe(1);
  expect((await read(job)).status).toBe('canceled');
});

/** A connection and its received text. */
class Listener {
  #text = '';
  #check: () => void = () => undefined;

  constructor(socket: Socket) {
    socket.on('data', (chunk) => {
      this.#text += chunk.toString();
      this.#check();
      if (this.#text.endsWith('\r\n0\r\n\r\n')) socket.destroy();
    });
  }

  /** Resolves when the received text contains the pattern this many times. */
  until(pattern: RegExp, times: number): Promise<void> {
    return new Promise((resolve) => {
      this.#check = () => {
        if ((this.#text.match(pattern)?.length ?? 0) >= times) resolve();
      };
      this.#check();
    });
  }

  /** Without head and lengths of pieces. */
  events(): string {
    const body = this.#text.slice(this.#text.indexOf('\r\n\r\n') + 4);
    return body.replace(/(^|\r\n)[0-9a-f]+\r\n/g, '');
  }
}
