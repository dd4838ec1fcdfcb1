// @module-tag attack
import { expect, test } from 'vitest';
import { readBlob, readStream, readText } from '../../../generator/runtime/answers.ts';
import { ApiError, ResponseError } from '../../../generator/runtime/errors.ts';
import { serverEvents } from '../../../generator/runtime/events.ts';
import { send } from '../../../generator/runtime/http.ts';
import type { Operation } from '../../../generator/runtime/operation.ts';
import { fakeServer } from './fake-server.ts';

const operation: Operation = { api: { name: 'sample' }, id: 'read', method: 'GET', path: '/x' };

/** A body without an end that counts its chunks and records whether it was cancelled. */
function endless(chunk: string): {
  readonly body: ReadableStream<Uint8Array>;
  readonly told: { chunks: number; stopped: boolean };
} {
  const told = { chunks: 0, stopped: false };
  const bytes = new TextEncoder().encode(chunk);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      told.chunks += 1;
      controller.enqueue(bytes);
    },
    cancel() {
      told.stopped = true;
    },
  });
  return { body, told };
}

const KB = 'x'.repeat(1_024);

test.each([
  ['JSON', {}],
  ['text', { read: readText }],
  ['a Blob', { read: readBlob }],
])('an endless body of %s is stopped at maxResponseBytes, and not asked for again', async (_, reads) => {
  const { body, told } = endless(KB);
  const { connection, seen } = fakeServer([new Response(body)], { maxResponseBytes: 100 * 1_024 });
  const error = await send(connection, { ...operation, ...reads }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResponseError);
  expect(String(error)).toContain('exceeds maxResponseBytes');
  expect([told.stopped, seen.length]).toStrictEqual([true, 1]);
  expect(told.chunks).toBeLessThan(110);
});

test('the limit of the call takes precedence, and a body of exactly that length is read completely', async () => {
  const text = 'ä'.repeat(5);
  const answer = (): Response => new Response(text);
  const { connection } = fakeServer([answer(), answer()], { maxResponseBytes: 1 });
  const read = { ...operation, read: readText };
  expect((await send(connection, read, {}, { maxResponseBytes: 10 })).data).toBe(text);
  await expect(send(connection, read, {}, { maxResponseBytes: 9 })).rejects.toBeInstanceOf(ResponseError);
});

test('an endless body of an error leaves its status known', async () => {
  const { body, told } = endless(KB);
  const { connection } = fakeServer([new Response(body, { status: 400 })], { maxResponseBytes: 10_000 });
  const error = await send(connection, operation).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, body: undefined });
  expect(told.stopped).toBe(true);
});

test.each([
  ['line', `data: ${KB}`, KB],
  ['event of many lines', '', `data: ${KB}\n`],
  ['name', 'event: ', KB],
])(
  'a stream of one endless %s ends in a typed error, behind the events before it',
  async (_, start, chunk) => {
    const { body, told } = endless(chunk);
    const before = new TextEncoder().encode(`data: first\n\n${start}`);
    const whole = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(before);
        const reader = body.getReader();
        for (;;) {
          const { value } = await reader.read();
          if (value === undefined || told.chunks > 500) return;
          controller.enqueue(value);
        }
      },
    });
    const { connection } = fakeServer([new Response(whole)]);
    const answer = await send(connection, { ...operation, read: readStream });
    const seen: string[] = [];
    const reading = (async (): Promise<void> => {
      for await (const { data } of serverEvents(answer as never, { maxEventLength: 100_000 }))
        seen.push(data);
    })();
    const error = await reading.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({ status: 200, operation: 'read' });
    expect(String(error)).toContain('longer than maxEventLength: 100000 characters');
    expect(seen).toStrictEqual(['first']);
  },
);

test('events that are short are read for as long as the stream lasts', async () => {
  const text = `data: ${KB}\r\n\r\n`.repeat(2_000);
  const { connection } = fakeServer([new Response(text)]);
  const answer = await send(connection, { ...operation, read: readStream });
  let count = 0;
  for await (const { data } of serverEvents(answer as never, { maxEventLength: 2_048 }))
    count += data === KB ? 1 : 0;
  expect(count).toBe(2_000);
});
