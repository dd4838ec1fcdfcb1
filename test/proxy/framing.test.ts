import { expect, test } from 'vitest';
import { codingsBesideChunks, framingOf } from '../../proxy/framing.ts';

test.each([
  ['no header', [], { kind: 'none' }],
  ['a length', ['content-LENGTH', '2'], { kind: 'length' }],
  ['chunks', ['Transfer-Encoding', 'chunked'], { kind: 'chunked', codings: 'chunked' }],
  [
    'codings on two lines',
    ['Transfer-Encoding', 'gzip', 'X', 'y', 'transfer-encoding', 'chunked'],
    { kind: 'chunked', codings: 'gzip, chunked' },
  ],
  ['a length twice', ['Content-Length', '2', 'Content-Length', '2'], undefined],
  ['both', ['Content-Length', '2', 'Transfer-Encoding', 'chunked'], undefined],
] as const)('the framing of a message with %s', (_, raw, framing) => {
  expect(framingOf(raw)).toStrictEqual(framing);
});

test.each([
  ['chunked', undefined],
  ['Chunked', undefined],
  ['gzip, chunked', 'gzip, chunked'],
  ['gzip', 'gzip, chunked'],
])('the codings "%s" are "%s" to a client', (codings, sent) => {
  expect(codingsBesideChunks(['Transfer-Encoding', codings])).toBe(sent);
});
