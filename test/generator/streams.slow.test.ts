import { expect, test } from 'vitest';
import { compilerErrors, filesOf } from './generated.ts';
import { streamsDocument } from './streams-document.ts';

test('the types of all streams compile', async () => {
  const files = await filesOf(streamsDocument, 'sample', { server: true });
  const use = {
    path: 'use.ts',
    text: `import { createServer, type EitherReply, type ImagesReply, type LinesReply, type NotesReply, type PartsReply } from './sample/server.js';
import { createSample } from './sample/index.js';
const client = createSample({ baseUrl: 'http://localhost' });
export async function numbers(): Promise<number> {
  let sum = 0;
  for await (const { n } of (await client.lines()).data) sum += n;
  for await (const item of (await client.either()).data) sum += item.event === 'add' ? item.data.n : item.data.length;
  for await (const item of (await client.printed()).data) sum += item.data.n;
  for await (const { n } of (await client.parts()).data) sum += n;
  for await (const note of (await client.notes()).data) sum += note.length;
  for await (const image of (await client.images()).data) sum += image.size;
  return sum;
}
async function* rows(): AsyncGenerator<{ n: number }> {
  yield await Promise.resolve({ n: 1 });
}
export const lines = (): LinesReply => ({ status: 200, items: rows() });
export const whole = (): LinesReply => ({ status: 200, body: [{ n: 1 }] });
export const parts = (): PartsReply => ({ status: 200, items: rows() });
export const images = (): ImagesReply => ({ status: 200, body: [new Blob([])] });
export const notes = (): NotesReply => ({ status: 200, items: texts() });
async function* texts(): AsyncGenerator<string> {
  yield await Promise.resolve('');
}
// @ts-expect-error the items are not rows
export const wrong = (): LinesReply => ({ status: 200, items: texts() });
// @ts-expect-error the parts are not rows
export const wrongParts = (): PartsReply => ({ status: 200, items: texts() });
async function* events(): AsyncGenerator<{ event: 'add'; data: { n: number } } | { event: 'say'; data: string }> {
  yield await Promise.resolve({ event: 'add', data: { n: 1 } });
}
export const told = (): EitherReply => ({ status: 200, events: events() });
async function* misnamed(): AsyncGenerator<{ event: 'sing'; data: string }> {
  yield await Promise.resolve({ event: 'sing', data: '' });
}
// @ts-expect-error the document has no event of this name
export const odd = (): EitherReply => ({ status: 200, events: misnamed() });
async function* empty(): AsyncGenerator<{ event: 'add'; data: object }> {
  yield await Promise.resolve({ event: 'add', data: {} });
}
// @ts-expect-error the data of the event is not a row
export const bare = (): EitherReply => ({ status: 200, events: empty() });
async function* alive(): AsyncGenerator<{ comment: string } | { event: 'say'; data: '[DONE]' }> {
  yield await Promise.resolve({ comment: 'still here' });
}
export const quiet = (): EitherReply => ({ status: 200, events: alive() });
export { createServer };`,
  };
  expect(compilerErrors([...files, use])).toStrictEqual([]);
});
