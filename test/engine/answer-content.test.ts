import { expect, test } from 'vitest';
import { outgoing } from '../../engine/answer.ts';
import type { LooseReply } from '../../engine/handler.ts';
import type { ServedApi, ServedContent } from '../../engine/served-api.ts';

const api: ServedApi = { name: 'files', errors: { kind: 'plain' }, operations: [] };

const json: ServedContent = { mediaType: 'application/json', bodyFormat: 'json' };
const csv: ServedContent = { mediaType: 'text/csv', bodyFormat: 'text' };
const png: ServedContent = { mediaType: 'image/png', bodyFormat: 'binary' };
const jpeg: ServedContent = { mediaType: 'image/jpeg', bodyFormat: 'binary' };
const lines: ServedContent = { mediaType: 'application/jsonl', bodyFormat: 'lines' };
const form: ServedContent = { mediaType: 'application/x-www-form-urlencoded', bodyFormat: 'form' };
const parts: ServedContent = { mediaType: 'multipart/form-data', bodyFormat: 'multipart' };
const range = (mediaType: string, bodyFormat: ServedContent['bodyFormat']): ServedContent => ({
  mediaType,
  bodyFormat,
});
const blob = (type?: string): Blob => new Blob(['x'], type === undefined ? {} : { type });

async function sent(contents: readonly ServedContent[], reply: Omit<LooseReply, 'status'>): Promise<string> {
  const operation = { id: 'read', method: 'GET', path: '/f', responses: { '200': contents } };
  const { headers, body } = await outgoing(api, operation, { status: 200, ...reply }, 1_000);
  return `${headers.get('content-type') ?? ''}: ${new TextDecoder().decode(body as Uint8Array)}`;
}

test.each<[string, readonly ServedContent[], Omit<LooseReply, 'status'>, string]>([
  ['an object, where bytes are declared first', [png, json], { body: { a: 1 } }, 'application/json: {"a":1}'],
  ['bytes, where JSON is declared first', [json, png], { body: blob() }, 'image/png: x'],
  ['a Blob of the second type', [json, png, jpeg], { body: blob('image/jpeg') }, 'image/jpeg: x'],
  ['a text, where JSON is declared first', [json, csv], { body: 'a,b' }, 'text/csv: a,b'],
  ['a text that nothing but JSON can carry', [json, png], { body: 'a' }, 'application/json: "a"'],
  ['a list, of JSON and lines of JSON', [lines, json], { body: [1] }, 'application/json: [1]'],
  ['a list, of text and lines of JSON', [csv, lines], { body: [1] }, 'application/jsonl: 1\n'],
  ['a form', [form], { body: 'a=1' }, 'application/x-www-form-urlencoded: a=1'],
  [
    'the media type that the handler names',
    [json, range('application/vnd.v2+json', 'json')],
    { body: {}, headers: { 'content-type': 'application/vnd.v2+json' } },
    'application/vnd.v2+json: {}',
  ],
])('of several media types, the answer has that of its body: %s', async (_, contents, reply, expected) => {
  expect(await sent(contents, reply)).toBe(expected);
});

test.each<[string, ServedContent, unknown, string]>([
  ['*/* with JSON', range('*/*', 'json'), { a: 1 }, 'application/json: {"a":1}'],
  ['application/*+json', range('application/*+json', 'json'), [1], 'application/json: [1]'],
  ['image/* with a typed Blob', range('image/*', 'binary'), blob('image/webp'), 'image/webp: x'],
  ['image/* with bytes', range('image/*', 'binary'), blob(), 'application/octet-stream: x'],
  ['text/*', range('text/*', 'text'), 'hi', 'text/plain: hi'],
  [
    'parts with a boundary',
    parts,
    blob('multipart/form-data; boundary=b'),
    'multipart/form-data; boundary=b: x',
  ],
])('a range of media types is never sent: %s', async (_, content, body, expected) => {
  expect(await sent([content], { body })).toBe(expected);
});
