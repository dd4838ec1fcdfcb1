import { expect, test } from 'vitest';
import { runConformance, type Report, type Transport } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { streamsDocument } from '../generator/streams-document.ts';
import { own } from '../mock/own-document.ts';

/** What follows the pieces of a body. */
type Ending = 'ends' | 'stays open' | 'breaks';

/** A server on which only one operation exists, whose answer is this stream. */
function streaming(
  operation: string,
  mediaType: string,
  chunks: readonly string[],
  ending: Ending,
): Transport {
  async function* body(signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk);
    if (ending === 'breaks')
      throw Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' });
    if (ending === 'stays open')
      await new Promise((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error)),
      );
  }
  return ({ target, signal }) =>
    Promise.resolve(
      target.startsWith(`/${operation}`)
        ? { status: 200, headers: [['Content-Type', mediaType]], body: body(signal) }
        : { status: 404, headers: [], body: (async function* () {})() },
    );
}

let contract: Promise<Contract> | undefined;

async function judged(
  operation: string,
  mediaType: string,
  chunks: readonly string[],
  ending: Ending,
): Promise<Report['rules'][number]> {
  contract ??= own('streams', JSON.stringify(streamsDocument));
  const report = await runConformance({
    contracts: [await contract],
    baseUrl: 'http://localhost',
    only: [operation],
    transport: streaming(operation, mediaType, chunks, ending),
  });
  const rule = report.rules.find(({ id }) => id === `document.${operation}.answer`);
  if (rule === undefined) throw new Error(`no rule for ${operation}`);
  return rule;
}

const EVENTS = 'text/event-stream';
const LINES = 'application/jsonl';
const SEQUENCE = 'application/json-seq';
const PARTS = 'multipart/mixed; boundary=b';
const part = (content: string): string => `--b\r\n\r\n${content}\r\n`;
const n = (value: unknown): string => JSON.stringify({ n: value });

test.each<[what: string, operation: string, mediaType: string, chunks: readonly string[], ending?: Ending]>([
  ['lines', 'lines', LINES, [`${n(1)}\n`, `${n(2)}\n`]],
  ['lines without the last line feed', 'lines', LINES, [`${n(1)}\n${n(2)}`]],
  ['lines that are cut anywhere into chunks', 'lines', LINES, [`${n(1)}\n{"n"`, ':2}', '\n']],
  ['empty lines', 'lines', LINES, [`${n(1)}\r\n\r\n${n(2)}\r\n`]],
  ['endless lines', 'lines', LINES, [`${n(1)}\n{"n"`], 'stays open'],
  ['no lines', 'lines', LINES, ['\n']],
  ['a sequence', 'sequence', SEQUENCE, [`\u001E${n(1)}\n\u001E{\n"n":2}\n`]],
  ['a sequence that stays open', 'sequence', SEQUENCE, [`\u001E${n(1)}\n\u001E{"n"`], 'stays open'],
  ['parts', 'parts', PARTS, [part(n(1)), `--b\nContent-Type: application/json\n\n${n(2)}\n--b--`]],
  ['parts that are cut anywhere', 'parts', PARTS, ['-', '-b\r', '\n\r\n{"n":1}\r\n-', '-b-', '-\r\n']],
  ['no parts', 'parts', PARTS, ['--b--\r\n']],
  ['parts between a preamble and an epilogue', 'parts', PARTS, [`a --b\n${part(n(1))}--b--\n--b\n\nnone`]],
  ['endless parts', 'parts', PARTS, [part(n(1)), '--b\r\n\r\n{"n"'], 'stays open'],
  ['parts that stay open after a delimiter', 'parts', PARTS, [`${part(n(1))}--b`], 'stays open'],
  ['a connection that breaks between parts', 'parts', PARTS, [`${part(n(1))}--b`], 'breaks'],
  [
    'a quoted boundary',
    'parts',
    'multipart/mixed; boundary="-"',
    [part(n(1)).replace('--b', '---'), '-----'],
  ],
  ['parts that are text', 'notes', PARTS, [`${part('')}${part('{')}--b--`]],
  ['parts that are bytes', 'images', PARTS, [`${part('')}${part('{')}--b--`]],
  ['data of events', 'listed', EVENTS, [`data: ${n(1)}\n\n: still here\n\n`, `data: ${n(2)}\n\n`]],
  ['data, then the usual last text', 'listed', EVENTS, [`data: ${n(1)}\n\ndata: [DONE]\n\n`]],
  ['an event without data', 'printed', EVENTS, [`event: ping\n\nevent: message\ndata: ${n(1)}\n\n`]],
  ['an event as its schema prints it', 'printed', EVENTS, [`event: message\ndata: ${n(1)}\n\n`]],
  ['that schema as the data', 'printed', EVENTS, [`data: {"event":"message","data":${n(1)}}\n\n`]],
  [
    'JSON in the text of an event',
    'referred',
    EVENTS,
    [`event: any\nid: 1\ndata: ${n(1)}\n\n`],
    'stays open',
  ],
  ['either event', 'either', EVENTS, [`event: say\ndata: hello\n\nevent: add\ndata: ${n(1)}\n\n`]],
  ['a connection that breaks between events', 'listed', EVENTS, [`data: ${n(1)}\n\n`], 'breaks'],
  ['any text of which nothing is said', 'opaque', EVENTS, ['data: {\n\ndata'], 'ends'],
])('an honest server passes: %s', async (_what, operation, mediaType, chunks, ending = 'ends') => {
  const { verdict, failures } = await judged(operation, mediaType, chunks, ending);
  expect({ verdict, failures }).toMatchObject({ verdict: 'pass' });
});

test.each<
  [
    what: string,
    operation: string,
    mediaType: string,
    chunks: readonly string[],
    got: string,
    ending?: Ending,
  ]
>([
  [
    'a wrong line',
    'lines',
    LINES,
    [`${n(1)}\n${n('x')}\n${n(3)}\n`],
    'piece 2: {"n":"x"}: /n must be integer',
  ],
  [
    'a wrong line of an endless stream',
    'lines',
    LINES,
    [`${n(1)}\n`, `${n('x')}\n`],
    'piece 2: {"n":"x"}: /n',
    'stays open',
  ],
  [
    'a last line without its end',
    'lines',
    LINES,
    [`${n(1)}\n{"n":`],
    'piece 2: {"n":: the body ends within it',
  ],
  ['a line that is not JSON', 'lines', LINES, [`${n(1)}\nnone\n`], 'piece 2: none: not JSON'],
  [
    'a line that the connection cuts',
    'lines',
    LINES,
    [`${n(1)}\n{"n":`],
    'piece 2: {"n":: the connection broke within it',
    'breaks',
  ],
  ['a list in one line', 'lines', LINES, [`[${n(1)}]\n`], `piece 1: [{"n":1}]: the piece must be`],
  [
    'a wrong item of a sequence',
    'sequence',
    SEQUENCE,
    [`\u001E${n(1)}\n\u001E{}\n`],
    'piece 2: {}: the piece must have the property "n"',
  ],
  [
    'a wrong part',
    'parts',
    PARTS,
    [`${part(n(1))}${part(n('x'))}${part(n(3))}--b--`],
    'piece 2: {"n":"x"}: /n must be integer',
  ],
  [
    'a wrong part of endless ones',
    'parts',
    PARTS,
    [`${part(n(1))}--b`, `\r\n\r\n${n('x')}\r\n--b`],
    'piece 2: {"n":"x"}: /n',
    'stays open',
  ],
  ['a part that is not JSON', 'parts', PARTS, [`${part('none')}--b--`], 'piece 1: none: not JSON'],
  [
    'a last part without the delimiter after it',
    'parts',
    PARTS,
    [part(n(1)), part(n(2))],
    'piece 2: {"n":2}: the body ends within it',
  ],
  [
    'a part that the connection cuts',
    'parts',
    PARTS,
    [part(n(1)), part('{"n":')],
    'piece 2: {"n":: the connection broke within it',
    'breaks',
  ],
  [
    'parts without their boundary',
    'parts',
    'multipart/mixed',
    [`${part(n(1))}--b--`],
    'multipart/mixed, by which no part can be found',
  ],
  ['wrong data', 'listed', EVENTS, [`data: ${n(1)}\n\ndata: ${n(null)}\n\n`], 'piece 2: {"n":null}: /n'],
  [
    'an event that is cut off',
    'listed',
    EVENTS,
    [`data: ${n(1)}\n\ndata: ${n(2)}\n`],
    'piece 2: {"n":2}: the body ends within it',
  ],
  [
    'another name',
    'either',
    EVENTS,
    [`event: say\ndata: a\n\nevent: sing\ndata: b\n\n`],
    'piece 2, the event sing: b: the name sing',
  ],
  [
    'text in place of JSON',
    'either',
    EVENTS,
    [`event: add\ndata: a\n\n`],
    'piece 1, the event add: a: not JSON',
  ],
  [
    'wrong data of a printed event',
    'printed',
    EVENTS,
    [`event: message\ndata: {}\n\n`],
    'piece 1, the event message: {}: the piece must have the property "n"',
  ],
])(
  'a server fails, and the piece is named: %s',
  async (_what, operation, mediaType, chunks, got, ending = 'ends') => {
    const { verdict, failures } = await judged(operation, mediaType, chunks, ending);
    expect(verdict).toBe('fail');
    expect(failures?.[0]?.observed).toContain(got);
  },
);
