import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { eventStreamParser, formatComment, formatEvent } from '../../../contract/policies/event-stream.ts';
import type { StreamEvent } from '../../../contract/policies/event-stream.ts';

const read = (...pieces: readonly string[]): StreamEvent[] => {
  const parser = eventStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
};
const event = (name: string, data: string, id = ''): StreamEvent => ({
  ...{ event: name, data },
  ...(id === '' ? {} : { id }),
});

test.each<[string, string, StreamEvent[]]>([
  ['a named event', 'event: status\ndata: {"a":1}\n\n', [event('status', '{"a":1}')]],
  ['an event without a name', 'data: x\n\n', [event('message', 'x')]],
  ['an empty name', 'event:\ndata: x\n\n', [event('message', 'x')]],
  ['the last name counts', 'event: a\nevent: b\ndata: x\n\n', [event('b', 'x')]],
  ['lines that end in both', 'event: s\r\ndata: x\r\n\r\n', [event('s', 'x')]],
  ['lines that end in a return', 'event: s\rdata: x\r\r', [event('s', 'x')]],
  ['several data lines', 'data: a\ndata:\ndata: b\n\n', [event('message', 'a\n\nb')]],
  ['only the first space is cut off', 'data:  x \n\n', [event('message', ' x ')]],
  ['no space', 'data:x\n\n', [event('message', 'x')]],
  ['a colon in the data', 'data: a: b\n\n', [event('message', 'a: b')]],
  ['a field without a colon', 'data\n\n', [event('message', '')]],
  ['comments', ': awake\n\n:\ndata: x\n: more\n\n', [event('message', 'x')]],
  ['fields of other purposes', 'retry: 1\nother: y\ndata: x\n\n', [event('message', 'x')]],
  ['an id', 'id: 7\ndata: x\n\n', [event('message', 'x', '7')]],
  [
    'an id counts until the next',
    'id: 7\n\ndata: x\n\nid\ndata: y\n\n',
    [event('message', 'x', '7'), event('message', 'y')],
  ],
  ['an id with a NUL is none', 'id: 7\nid: a\0b\ndata: x\n\n', [event('message', 'x', '7')]],
  ['fields are compared with their case', 'Data: x\n\n', []],
  ['a name without data is no event, and does not stay', 'event: s\n\ndata: x\n\n', [event('message', 'x')]],
  ['a byte order mark', '\uFEFFdata: x\n\n', [event('message', 'x')]],
  ['only the first byte order mark', 'data: x\n\n\uFEFFdata: y\n\n', [event('message', 'x')]],
  ['an event that is cut off is not given out', 'data: x\n\ndata: y\n', [event('message', 'x')]],
  ['nothing', '', []],
])('%s', (_, text, want) => {
  expect(read(text)).toStrictEqual(want);
});

test('a return at the end of a piece completes its event at once, and a feed that follows adds nothing', () => {
  const parser = eventStreamParser();
  expect(parser.push('data: x\r\r')).toStrictEqual([event('message', 'x')]);
  expect(parser.push('\n')).toStrictEqual([]);
  expect(parser.push('data: y\r')).toStrictEqual([]);
  expect(parser.push('')).toStrictEqual([]);
  expect(parser.push('\ndata: z\r\n\r\n')).toStrictEqual([event('message', 'y\nz')]);
});

const lines = fc.array(
  fc.oneof(
    fc.constantFrom(
      '',
      '',
      ': c',
      ':',
      'data',
      'data:',
      'event',
      'event: s',
      'id: 1',
      'retry: 5',
      'x',
      ' data: y',
    ),
    fc.string().map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
    fc.string().map((text) => `event:${text.replace(/[\r\n\0]/g, '')}`),
  ),
);
const stream = fc
  .tuple(lines, fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1 }))
  .map(([all, breaks]) => all.map((line, index) => line + breaks[index % breaks.length]).join(''));

test('a stream gives the same events for any cuts between its pieces', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(200)), (text, cuts) => {
      const at = [
        0,
        ...cuts.filter((cut) => cut < text.length).sort((left, right) => left - right),
        text.length,
      ];
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      expect(read(...pieces)).toStrictEqual(read(text));
      expect(read(...text)).toStrictEqual(read(text));
    }),
  );
});

test('another parser reads the same events', () => {
  let compared = 0;
  fc.assert(
    fc.property(stream, (text) => {
      const theirs: StreamEvent[] = [];
      const parser = createParser({
        onEvent: ({ event: name, data }) =>
          theirs.push(event(name === undefined || name === '' ? 'message' : name, data)),
      });
      // It holds a return at the very end back until it sees what follows.
      parser.feed(`${text.replace(/^\uFEFF/, '')}\n: end\n`);
      const ours = read(`${text.replace(/^\uFEFF/, '')}\n: end\n`).map((each) =>
        event(each.event, each.data),
      );
      expect(ours).toStrictEqual(theirs);
      compared += theirs.length;
    }),
    { numRuns: 1_000 },
  );
  expect(compared).toBeGreaterThan(50);
});

test('a formatted event is parsed back unchanged, and a comment is not an event', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', ':', '\n', '"', 'é') }), (data) => {
      expect(read(formatComment('still\nhere'), formatEvent({ event: 'progress', data }))).toStrictEqual([
        event('progress', data),
      ]);
    }),
  );
});

test('an id is formatted and read back, and cannot smuggle a line in', { tags: 'attack' }, () => {
  expect(read(formatEvent({ event: 'a', data: 'x', id: '7' }))).toStrictEqual([event('a', 'x', '7')]);
  expect(read(formatEvent({ event: 'a', data: 'x', id: '7\r\ndata: forged\0' }))).toStrictEqual([
    event('a', 'x', '7 data: forged '),
  ]);
});

test('a name cannot smuggle a line in', { tags: 'attack' }, () => {
  expect(read(formatEvent({ event: 'a\ndata: forged\n\n', data: 'x' }))).toStrictEqual([
    event('a data: forged ', 'x'),
  ]);
});
