import { expect, test } from 'vitest';

import { formatComment, formatEvent } from '../../../contract/policies/event-stream.ts';
import { readStream } from '../../../generator/runtime/answers.ts';
import { ApiError, ConnectionError, ResponseError, TimeoutError } from '../../../generator/runtime/errors.ts';
import { serverEvents } from '../../../generator/runtime/events.ts';
import { follow } from '../../../generator/runtime/follow.ts';
import type { FollowOptions, FollowRules, Update } from '../../../generator/runtime/follow.ts';
import { send } from '../../../generator/runtime/http.ts';
import type { Answer, Operation } from '../../../generator/runtime/operation.ts';
import { simple } from '../../../generator/runtime/parameters.ts';
import { fakeServer, jsonAnswer, problem, readThing } from './fake-server.ts';
import type { FakeServer, Step } from './fake-server.ts';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly urls?: object;
  readonly logs?: object;
}

const rules: FollowRules = {
  events: { status: 'status', progress: 'progress', preview: 'preview' },
  property: 'status',
  terminal: ['succeeded', 'canceled', 'failed', 'expired'],
  links: { property: 'urls', stream: 'events', read: 'self' },
};
const parameters: Operation['parameters'] = [{ name: 'id', in: 'path', style: simple }];
const readJob: Operation = { ...readThing, id: 'getJob', path: '/jobs/{id}', parameters };
const streamJob: Operation = {
  ...readThing,
  id: 'streamJobEvents',
  path: '/jobs/{id}/events',
  parameters,
  accept: 'text/event-stream',
  read: readStream,
};

type Piece = string | 'stays open' | 'breaks off' | (() => void);

/** A stream of the given pieces; it ends after them unless the last one says otherwise. */
function stream(...pieces: readonly Piece[]): Response & { readonly left: () => boolean } {
  let left = false;
  const rest = [...pieces];
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const piece = rest.shift();
        if (piece === undefined) controller.close();
        else if (piece === 'breaks off') controller.error(new Error('terminated'));
        else if (piece === 'stays open') return new Promise(() => undefined);
        else if (typeof piece === 'function') {
          piece();
          return new Promise(() => undefined);
        } else controller.enqueue(new TextEncoder().encode(piece));
        return undefined;
      },
      cancel: () => {
        left = true;
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'text/event-stream' };
  return Object.assign(new Response(body, { headers }), { left: () => left });
}

const job = (status: string, more: Partial<Job> = {}): Job => ({ id: '1', status, ...more });
const status = (state: string): string => formatEvent({ event: 'status', data: JSON.stringify(job(state)) });
const progress = (value: number): string =>
  formatEvent({ event: 'progress', data: JSON.stringify({ value }) });

async function watch(server: FakeServer, options: FollowOptions<Job> = {}): Promise<Update<Job>[]> {
  const seen: Update<Job>[] = [];
  const collect = async (): Promise<void> => {
    const updates = follow<Job>(
      server.connection,
      rules,
      {
        stream: (connection, call) =>
          send(connection, streamJob, { id: '1' }, call) as Promise<Answer<Response['body']>>,
        read: (connection, call) => send(connection, readJob, { id: '1' }, call) as Promise<Answer<Job>>,
      },
      options,
    );
    for await (const update of updates) seen.push(update);
  };
  try {
    await collect();
  } catch (error) {
    throw Object.assign(error as Error, { seen });
  }
  return seen;
}
const pathsOf = ({ seen }: FakeServer): string[] => seen.map(({ url }) => new URL(url).pathname);

test('jobs.logs.reread: a job is watched to its end and then read afresh', async () => {
  const done = job('succeeded', { logs: { text: 'all of it' } });
  const body = stream(
    status('running'),
    formatComment('awake'),
    progress(0.5),
    status('succeeded'),
    'stays open',
  );
  const server = fakeServer([body, jsonAnswer(done)]);
  expect(await watch(server)).toStrictEqual([
    { kind: 'status', resource: job('running') },
    { kind: 'progress', data: { value: 0.5 } },
    { kind: 'status', resource: job('succeeded') },
    { kind: 'end', resource: done },
  ]);
  expect(pathsOf(server)).toStrictEqual(['/jobs/1/events', '/jobs/1']);
  expect(body.left()).toBe(true);
  expect(server.clock.isAwaited).toBe(false);
});

test('a job that had ended before needs one event and one read', async () => {
  const server = fakeServer([stream(status('failed')), jsonAnswer(job('failed'))]);
  expect((await watch(server)).map(({ kind }) => kind)).toStrictEqual(['status', 'end']);
});

test('jobs.sse.client-no-resume: a stream that breaks off is opened again without Last-Event-ID, and no event is reported twice', async () => {
  const server = fakeServer([
    stream(status('running'), progress(0.2), 'breaks off'),
    jsonAnswer(job('running')),
    stream(status('running'), progress(0.2), progress(0.9), status('succeeded')),
    jsonAnswer(job('succeeded')),
  ]);
  expect(await watch(server)).toStrictEqual([
    { kind: 'status', resource: job('running') },
    { kind: 'progress', data: { value: 0.2 } },
    { kind: 'progress', data: { value: 0.9 } },
    { kind: 'status', resource: job('succeeded') },
    { kind: 'end', resource: job('succeeded') },
  ]);
  expect(server.seen.some(({ headers }) => headers.has('last-event-id'))).toBe(false);
});

test('jobs.sse.terminal-before-end: an end without a terminal status is decided by the read', async () => {
  const server = fakeServer([stream(status('running')), jsonAnswer(job('succeeded'))]);
  expect((await watch(server)).at(-1)).toStrictEqual({ kind: 'end', resource: job('succeeded') });
});

test('a read that still shows the state of before is asked again', async () => {
  const server = fakeServer([
    stream(status('succeeded')),
    jsonAnswer(job('running')),
    stream(status('succeeded')),
    jsonAnswer(job('succeeded')),
  ]);
  expect((await watch(server)).map(({ kind }) => kind)).toStrictEqual(['status', 'status', 'status', 'end']);
});

test('a silent stream counts as dead, one with comments does not', async () => {
  const server = fakeServer([
    stream(status('running'), formatComment('1'), formatComment('2'), 'stays open'),
    jsonAnswer(job('succeeded')),
  ]);
  const begun = server.clock.now();
  await watch(server);
  expect(server.clock.now() - begun).toBe(45_000);
});

test.each<[string, Step[]]>([
  ['are not served', [problem(404, 'x')]],
  ['are not implemented', [problem(501, 'x')]],
  [
    'break off again and again',
    [stream('breaks off'), jsonAnswer(job('queued')), stream(), jsonAnswer(job('queued')), problem(429, 'x')],
  ],
])('where events %s, the job is read again and again', async (_, begin) => {
  const rest = [job('queued'), job('running'), job('running'), job('succeeded')].map((state) =>
    jsonAnswer(state),
  );
  const server = fakeServer([...begin, ...rest]);
  const updates = await watch(server, { pollMs: 3_000 });
  expect(updates.map((update) => 'resource' in update && update.resource.status)).toStrictEqual([
    'queued',
    'running',
    'succeeded',
  ]);
  expect(server.clock.slept.filter((pause) => pause === 3_000)).toHaveLength(3);
});

test('links are followed where the job has some', async () => {
  const urls = { self: '/deployment/7/jobs/1', events: '/deployment/7/jobs/1/events' };
  const server = fakeServer([
    jsonAnswer(job('queued', { urls })),
    stream(status('running')),
    jsonAnswer(job('succeeded', { urls })),
  ]);
  const from = (await send(server.connection, readJob, { id: '1' })) as Answer<Job>;
  await watch(server, { from });
  expect(pathsOf(server)).toStrictEqual(['/jobs/1', '/deployment/7/jobs/1/events', '/deployment/7/jobs/1']);
});

test('unknown kinds are passed on, and data that is not JSON is left out', async () => {
  const server = fakeServer([
    stream(
      'event: output\ndata: {"n":1}\n\n',
      'event: output\ndata: {"n":1}\n\n',
      'event: progress\ndata: half\n\n',
      status('succeeded'),
    ),
    jsonAnswer(job('succeeded')),
  ]);
  const other = { kind: 'other', event: 'output', data: { n: 1 } };
  expect((await watch(server)).slice(0, 3)).toStrictEqual([
    other,
    other,
    { kind: 'status', resource: job('succeeded') },
  ]);
});

test('a status event that carries no job does not end the watch', async () => {
  const server = fakeServer([stream('event: status\ndata: "succeeded"\n\n'), jsonAnswer(job('succeeded'))]);
  expect((await watch(server)).map(({ kind }) => kind)).toStrictEqual(['status', 'end']);
});

test('a job that is gone ends the watch with its error', async () => {
  const server = fakeServer([problem(404, 'gone'), problem(404, 'gone')]);
  await expect(watch(server)).rejects.toMatchObject({ status: 404, operation: 'getJob' });
});

test('the client waits for the end of an outage, within a limit', async () => {
  const dead = new TypeError('fetch failed');
  const short = fakeServer([
    stream(status('running'), 'breaks off'),
    dead,
    dead,
    dead,
    dead,
    jsonAnswer(job('succeeded')),
  ]);
  expect((await watch(short)).at(-1)).toStrictEqual({ kind: 'end', resource: job('succeeded') });
  const long = fakeServer(Array.from({ length: 99 }, () => dead));
  await expect(watch(long)).rejects.toBeInstanceOf(ConnectionError);
  expect(long.seen.length).toBeLessThan(30);
});

test('an abort ends the watch with its reason and closes the stream', async () => {
  const stop = new AbortController();
  const reason = new Error('the user left');
  const body = stream(status('running'), () => stop.abort(reason));
  const server = fakeServer([body]);
  await expect(watch(server, { signal: stop.signal })).rejects.toBe(reason);
  expect(body.left()).toBe(true);
  expect(server.clock.isAwaited).toBe(false);
});

test('ending the iteration closes the stream', async () => {
  const body = stream(status('running'), 'stays open');
  const server = fakeServer([body]);
  const answer = (await send(server.connection, streamJob, { id: '1' })) as Answer<Response['body']>;
  for await (const event of serverEvents(answer, { clock: server.clock }))
    if (event.event === 'status') break;
  expect(body.left()).toBe(true);
  expect(server.clock.isAwaited).toBe(false);
});

async function eventsOf(body: Response): Promise<unknown> {
  const server = fakeServer([body]);
  const answer = (await send(server.connection, streamJob, { id: '1' })) as Answer<Response['body']>;
  const read = async (): Promise<unknown[]> => {
    const events: unknown[] = [];
    for await (const event of serverEvents(answer, { clock: server.clock, idleMs: 1_000 }))
      events.push(event);
    return events;
  };
  return read().catch((error: unknown) => error);
}

test('an event is complete no matter where its bytes are split', async () => {
  const bytes = new TextEncoder().encode('event: e\r\ndata: "ü€😀"\r\n\r\n');
  const pieces = [...bytes].map((byte) => new Uint8Array([byte]));
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  expect(await eventsOf(new Response(body))).toStrictEqual([{ event: 'e', data: '"ü€😀"' }]);
});

test('without a body there are no events', async () => {
  expect(await eventsOf(new Response(null))).toStrictEqual([]);
});

test.each(['text/html; charset=utf-8', 'application/json', 'application/problem+json', 'application/xml'])(
  'a body of %s is no stream without events',
  async (type) => {
    let isOpen = true;
    const body = new ReadableStream({ cancel: () => void (isOpen = false) });
    const error = await eventsOf(new Response(body, { headers: { 'content-type': type } }));
    expect(error).toBeInstanceOf(ResponseError);
    expect(String(error)).toContain(`The server sent ${type} instead of events (GET `);
    expect(isOpen).toBe(false);
  },
);

test('the client distinguishes an end by the server from a cut', async () => {
  expect(await eventsOf(stream(progress(1)))).toHaveLength(1);
  const broken = await eventsOf(stream('breaks off'));
  expect(broken).toBeInstanceOf(ConnectionError);
  expect(broken).toHaveProperty('cause.message', 'terminated');
  expect(await eventsOf(stream('stays open'))).toBeInstanceOf(TimeoutError);
});

test('a refused stream is a typed error', async () => {
  const server = fakeServer([problem(403, 'closed')]);
  const call = send(server.connection, streamJob, { id: '1' });
  await expect(call).rejects.toBeInstanceOf(ApiError);
  expect(server.seen[0]?.headers.get('accept')).toBe('text/event-stream');
});
