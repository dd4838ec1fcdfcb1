import { expect, test } from 'vitest';

import {
  readBlob,
  readByMediaType,
  readJson,
  readNothing,
  readStream,
  readText,
} from '../../../generator/runtime/answers.ts';
import { binary, json, text, urlEncoded } from '../../../generator/runtime/bodies.ts';
import { multipart } from '../../../generator/runtime/multipart.ts';

/** What a server would receive. */
const received = async (body: RequestInit['body']): Promise<Response> => Promise.resolve(new Response(body));

test('JSON is written unchanged, including null', () => {
  expect(json({ a: null, b: [1, 'ü'], c: undefined })).toBe('{"a":null,"b":[1,"ü"]}');
  expect(json(null)).toBe('null');
});

test.each([[{ a: 1 }], [null], [['a']], [new Blob(['a'])]])('%o is not a text', (value) => {
  expect(() => text(value)).toThrow('the body must be a text');
});

test('a text is sent unchanged', () => {
  expect(text(7)).toBe('7');
});

test.each([
  ['a view', new Uint8Array([0, 255])],
  ['a part of a buffer', new Uint8Array([9, 0, 255, 9]).subarray(1, 3)],
  ['a buffer', new Uint8Array([0, 255]).buffer],
  ['a Blob', new Blob([new Uint8Array([0, 255])])],
])('bytes go out as they are: %s', async (_, value) => {
  const response = await received(binary(value));
  expect([...new Uint8Array(await response.arrayBuffer())]).toStrictEqual([0, 255]);
});

test.each([['text'], [{}], [null], [undefined]])('%j are not bytes', (value) => {
  expect(() => binary(value)).toThrow(TypeError);
});

test('a form repeats the names of lists and leaves out what is missing', async () => {
  const response = await received(
    urlEncoded({ a: ['x y', '&'], b: { c: 1 }, d: undefined, e: null, f: false }),
  );
  expect(await response.text()).toBe('a=x+y&a=%26&b=%7B%22c%22%3A1%7D&f=false');
});

test('a multipart body has files, parts of JSON and repeated fields', async () => {
  const body = multipart({
    file: new File(['abc'], 'a.txt', { type: 'text/plain' }),
    bytes: new Uint8Array([1, 2]),
    meta: { a: 1 },
    tags: ['x', 'y'],
    missing: undefined,
    count: 3,
  });
  const response = await received(body);
  expect(response.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
  const form = await response.formData();
  const file = form.get('file') as File;
  expect([file.name, file.type, await file.text()]).toStrictEqual(['a.txt', 'text/plain', 'abc']);
  expect([...new Uint8Array(await (form.get('bytes') as File).arrayBuffer())]).toStrictEqual([1, 2]);
  expect(form.get('meta')).toBe('{"a":1}');
  expect([form.getAll('tags'), form.get('count'), form.has('missing')]).toStrictEqual([
    ['x', 'y'],
    '3',
    false,
  ]);
});

test.each([['text'], [null], [7]])('a form of %j is refused', (value) => {
  expect(() => urlEncoded(value)).toThrow('must be an object');
  expect(() => multipart(value)).toThrow('must be an object');
});

const answer = (body: string, mediaType: string): Response =>
  new Response(body, { headers: { 'content-type': mediaType } });

test.each<[string, string, unknown]>([
  ['{"a":1}', 'application/json', { a: 1 }],
  ['{"a":1}', 'application/problem+json; charset=utf-8', { a: 1 }],
  ['{"a":1}', 'Application/JSON', { a: 1 }],
  ['{"a":1}', 'text/plain', '{"a":1}'],
  ['a,b', 'text/csv; header=present', 'a,b'],
  ['<a/>', 'application/xml', '<a/>'],
  ['<a/>', 'application/atom+xml; charset=utf-8', '<a/>'],
  ['a=1', 'application/x-www-form-urlencoded', 'a=1'],
])('a body %s of %s is read by its type', async (body, mediaType, want) => {
  expect(await readByMediaType(answer(body, mediaType))).toStrictEqual(want);
});

test('a body of another type, or of none, is a Blob', async () => {
  for (const response of [
    answer('x', 'image/png'),
    answer('x', 'application/jsonish'),
    new Response(new Uint8Array([120])),
  ]) {
    const blob = await readByMediaType(response);
    expect(blob).toBeInstanceOf(Blob);
    expect(await (blob as Blob).text()).toBe('x');
  }
});

test('the readers that are asked for by name', async () => {
  expect(await readJson(new Response('[1]'))).toStrictEqual([1]);
  expect(await readText(new Response('[1]'))).toBe('[1]');
  expect(await readBlob(new Response('[1]'))).toBeInstanceOf(Blob);
  expect(await readNothing(new Response('[1]'))).toBeUndefined();
  expect(await readStream(new Response('[1]'))).toBeInstanceOf(ReadableStream);
  await expect(readJson(new Response(''))).rejects.toBeInstanceOf(SyntaxError);
});

test.each<[charset: string, bytes: readonly number[], text: string]>([
  ['; charset=iso-8859-1', [0xe9], 'é'],
  ['; Charset = "UTF-16LE"; x=y', [0xe9, 0], 'é'],
  ['; charset=utf-8', [0xc3, 0xa9], 'é'],
  ['; charset=nonsense', [0xc3, 0xa9], 'é'],
  ['', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
])('text is read in its charset: text/plain%s', async (charset, bytes, text) => {
  const answer = (): Response =>
    new Response(new Uint8Array(bytes), { headers: { 'Content-Type': `text/plain${charset}` } });
  expect(await readText(answer())).toBe(text);
  expect(await readByMediaType(answer())).toBe(text);
});
