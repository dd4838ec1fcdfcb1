import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../../generator/runtime/clock.ts';
import { ResponseError } from '../../../generator/runtime/errors.ts';
import { partsReader } from '../../../generator/runtime/parts.ts';
import type { ItemStream } from '../../../generator/runtime/streams.ts';
import { streamedReader } from '../../../generator/runtime/streams.ts';

type Form = Parameters<typeof partsReader>[0];

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** The items of a body that arrives in these chunks; blobs as their type and bytes. */
async function read(
  chunks: readonly Uint8Array<ArrayBuffer>[],
  { form, type = 'multipart/mixed; boundary=b' }: { readonly form?: Form; readonly type?: string } = {},
  reader = partsReader(form),
): Promise<readonly unknown[]> {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk);
      controller.close();
    },
  });
  const response = new Response(body, { headers: { 'Content-Type': type } });
  const { status, headers } = response;
  const facts = { operation: 'read', method: 'GET', url: 'http://localhost/', attempts: 1, status, headers };
  const answer = { ...facts, idempotencyKey: undefined, requestId: undefined };
  const stream = await reader(response, undefined, { answer, signal: undefined, clock: systemClock });
  const items: unknown[] = [];
  for await (const item of stream as ItemStream<unknown>)
    items.push(item instanceof Blob ? [item.type, [...new Uint8Array(await item.arrayBuffer())]] : item);
  return items;
}

const two = [{ n: 1 }, { n: 2 }];
const TWO = '--b\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n--b\r\n\r\n{"n":2}\r\n--b--\r\n';

test.each<[what: string, text: string, items: readonly unknown[], more?: { form?: Form; type?: string }]>([
  ['parts', TWO, two],
  ['parts whose lines end with LF', TWO.replaceAll('\r', ''), two],
  ['a preamble', `This is\r\na --b\r\n${TWO}`, two],
  ['a line break before the first delimiter', `\r\n${TWO}`, two],
  ['an epilogue, even if it looks like a part', `${TWO}\r\n--b\r\n\r\nnone`, two],
  ['no line break after the end', TWO.slice(0, -2), two],
  ['spaces after a delimiter', TWO.replaceAll('--b\r\n', '--b \t\r\n'), two],
  ['a delimiter after the last part, and no end', TWO.replace('--b--', '--b'), two],
  ['nothing', '', []],
  ['no part', '--b--\r\n', []],
  [
    'a quoted boundary',
    TWO.replaceAll('--b', '--a; b(+)'),
    two,
    { type: 'multipart/mixed; boundary="a; b(+)"' },
  ],
  ['a boundary with further parameters', TWO, two, { type: 'multipart/mixed;charset=utf-8; BOUNDARY=b;x=y' }],
  ['a boundary of one hyphen', TWO.replaceAll('--b', '---'), two, { type: 'multipart/mixed; boundary="-"' }],
  ['data that contains the boundary', '--b\n\n"--b\\n--b b"\n--b--', ['--b\n--b b']],
  [
    'data with beginnings of the delimiter',
    '--bb\n\n\n--\n--b\r\n-\r\n--bb--',
    ['\n--\n--b\r\n-'],
    { form: 'text', type: 'multipart/mixed; boundary=bb' },
  ],
  ['an empty text', '--b\r\n\r\n\r\n--b\r\nX: 1\r\n\r\n\r\n--b--', ['', ''], { form: 'text' }],
  ['JSON over several lines', '--b\n\n{\n\n"n": 1\n}\n--b--', [{ n: 1 }]],
  ['text beyond ASCII', '--b\n\n"é😀"\n--b--', ['é😀']],
])('%s: read, in whichever chunks they arrive', async (_what, text, items, { form = 'json', type } = {}) => {
  const bytes = bytesOf(text);
  const options = { form, ...(type === undefined ? {} : { type }) };
  expect(await read([bytes], options)).toStrictEqual(items);
  expect(
    await read(
      [...bytes].map((byte) => Uint8Array.of(byte)),
      options,
    ),
  ).toStrictEqual(items);
  for (let at = 0; at <= bytes.length; at += 1)
    expect(await read([bytes.slice(0, at), bytes.slice(at)], options)).toStrictEqual(items);
});

test('bytes arrive unchanged, with the media type of their part', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array()), fc.integer({ min: 1, max: 40 }), async (parts, size) => {
      const boundary = 'a boundary that no random bytes contain';
      const all = Buffer.concat([
        ...parts.flatMap((part) => [
          bytesOf(`--${boundary}\r\nContent-Type: image/png\r\n\r\n`),
          part,
          bytesOf('\r\n'),
        ]),
        bytesOf(`--${boundary}--`),
      ]);
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
        Uint8Array.from(all.subarray(index * size, (index + 1) * size)),
      );
      const items = await read(chunks, { form: 'bytes', type: `multipart/mixed; boundary="${boundary}"` });
      expect(items).toStrictEqual(parts.map((part) => ['image/png', [...part]]));
    }),
    { numRuns: 50 },
  );
});

test('without a description, the media type of a part decides', async () => {
  const part = (type: string, content: string): string =>
    `--b\r\n${type === '' ? '' : `content-type:${type}\r\n`}\r\n${content}\r\n`;
  const text = `${part('application/problem+json; charset=utf-8', '[1]')}${part('', '[1]')}${part(' text/csv', '1,2')}${part('image/gif', 'a')}--b--`;
  expect(await read([bytesOf(text)])).toStrictEqual([[1], '[1]', '1,2', ['image/gif', [97]]]);
});

test.each([
  ['a part that is cut', TWO.slice(0, -9), 'The stream ended within a part'],
  ['a body without any delimiter', '{"n":1}', 'The stream ended within a part'],
  ['a part that is not JSON', '--b\n\nnone\n--b--', 'An item of the stream is not JSON'],
  ['no boundary', TWO, 'The server sent parts without their boundary, as multipart/mixed', 'multipart/mixed'],
])('%s is an error of the answer', async (_what, text, message, type?: string) => {
  const reading = read([bytesOf(text)], { form: 'json', ...(type === undefined ? {} : { type }) });
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toBeInstanceOf(ResponseError);
});

test('a part without end is refused at the usual length', async () => {
  const chunks = [bytesOf('--b\n\n'), ...Array.from({ length: 18 }, () => new Uint8Array(2 ** 20).fill(97))];
  await expect(read(chunks)).rejects.toThrow('A part is longer than the longest part: 16777216 characters');
});

test('a part arrives with its delimiter, before the next one exists', async () => {
  let send: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      send = (text) => controller.enqueue(bytesOf(text));
    },
  });
  const response = new Response(body, { headers: { 'Content-Type': 'multipart/mixed; boundary=b' } });
  const { status, headers } = response;
  const facts = { operation: 'read', method: 'GET', url: 'http://localhost/', attempts: 1, status, headers };
  const answer = { ...facts, idempotencyKey: undefined, requestId: undefined };
  const stream = await partsReader('json')(response, undefined, {
    answer,
    signal: undefined,
    clock: systemClock,
  });
  const items = (stream as ItemStream<unknown>)[Symbol.asyncIterator]();
  send('--b\r\n\r\n{"n":1}\r\n--b');
  expect(await items.next()).toStrictEqual({ done: false, value: { n: 1 } });
  await items.return?.();
});

test('where several media types can come, parts are read only by an operation that has them', async () => {
  const reader = streamedReader(undefined, partsReader('json'));
  expect(await read([bytesOf(TWO)], {}, reader)).toStrictEqual(two);
});
