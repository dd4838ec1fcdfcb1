// @module-tag attack
import { expect, test } from 'vitest';
import { followRequest } from '../../mock/control/sending.ts';
import type { FollowedLine } from '../../mock/control/calls-shape.ts';
import { Journal } from '../../mock/journal/journal.ts';

const secret = 'mark7Qk3fZ9pW5d';
const stream = `data: {"id":1}\n\ndata: {"password":"${secret}"}\n\n: alive\n\ndata: {"api_key":"${secret}`;

async function* inChunks(length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < stream.length; at += length)
    yield await Promise.resolve(new TextEncoder().encode(stream.slice(at, at + length)));
  throw new Error('the connection is lost');
}

test.each([1, 7, 20, 1000])(
  'a stream in chunks of %i is shown by events, without a secret',
  async (length) => {
    const lines: FollowedLine[] = [];
    await followRequest(
      {
        mock: {
          journal: new Journal({ capacity: 0 }),
          handle: () =>
            Promise.resolve({
              reply: { status: 200, headers: [['Set-Cookie', `sid=${secret}`]], body: inChunks(length) },
              settle: () => undefined,
            }),
        },
        assembly: { apis: [], secrecy: {} },
      },
      'http://x',
      { method: 'GET', target: '/events' },
      (line) => lines.push(line),
      new AbortController().signal,
    );
    expect(lines[0]).toStrictEqual({ number: 0, status: 200, headers: [['Set-Cookie', 'sid=…']] });
    expect(lines.at(-1)).toStrictEqual({ delivery: 'short' });
    const texts = lines.flatMap((line) => ('text' in line ? line.text : []));
    expect(texts.join('')).toBe('data: {"id":1}\n\ndata: {"password":"…"}\n\n: alive\n\ndata: {"api_key":"…');
    // The first event does not wait for the last one.
    expect(texts.length).toBeGreaterThan(1);
  },
);
