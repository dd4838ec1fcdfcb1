import { expect, test } from 'vitest';
import { diffContracts } from '../../../contract/diff/diff.ts';
import { readValid } from './read.ts';

const ROW = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const row = { $ref: '#/components/schemas/Row' };
const event = (name: string, data: object): object => ({
  type: 'object',
  required: ['event', 'data'],
  properties: { event: { const: name }, data },
});
const text = { type: 'string' };
const items = (itemSchema: object): object => ({ itemSchema });

function documentOf(mediaType: string, described: object): object {
  const responses = { 200: { description: 'ok', content: { [mediaType]: described } } };
  return {
    openapi: '3.2.0',
    info: { title: 'T', version: '1' },
    paths: { '/x': { get: { operationId: 'x', responses } } },
    components: { schemas: { Row: ROW } },
  };
}

const LINES = 'application/jsonl';
const PARTS = 'multipart/mixed';
const EVENTS = 'text/event-stream';
const wider = { ...ROW, properties: { n: { type: ['integer', 'null'] } } };

/** `kind callers/servers` of each change. */
test.each<[what: string, mediaType: string, old: object, next: object, expected: readonly string[]]>([
  ['a list and its item', LINES, { schema: { type: 'array', items: row } }, items(row), []],
  ['each line and the item', LINES, { schema: row }, items(row), []],
  [
    'data and events with data',
    EVENTS,
    { schema: row },
    items({ type: 'object', required: ['data'], properties: { data: row } }),
    [],
  ],
  ['data and its list', EVENTS, { schema: row }, { schema: { type: 'array', items: row } }, []],
  [
    'a schema and the JSON in a text',
    EVENTS,
    items(event('a', row)),
    items(event('a', { type: 'string', contentMediaType: 'application/json', contentSchema: row })),
    [],
  ],
  [
    'the order of kinds',
    EVENTS,
    items({ oneOf: [event('a', row), event('b', text)] }),
    items({ anyOf: [event('b', text), event('a', row)] }),
    [],
  ],
  ['a list of parts and its item', PARTS, { schema: { type: 'array', items: row } }, items(row), []],
  ['a wider part', PARTS, items(row), items(wider), ['nullable-added wire/none']],
  [
    'an alternative of parts without a kind',
    PARTS,
    items({ oneOf: [row, text] }),
    items({ oneOf: [row, text, { type: 'boolean' }] }),
    ['alternative-added wire/none'],
  ],
  ['texts in place of JSON parts', PARTS, items(row), items(text), ['media-type-changed wire/wire']],
  [
    'parts of bytes in place of texts',
    PARTS,
    items(text),
    { itemSchema: {}, itemEncoding: { contentType: 'image/png' } },
    ['media-type-changed wire/wire'],
  ],
  ['a wider line', LINES, items(row), items(wider), ['nullable-added wire/none']],
  [
    'a wider list of lines',
    LINES,
    { schema: { type: 'array', items: row } },
    items(wider),
    ['nullable-added wire/none'],
  ],
  [
    'wider data of one kind',
    EVENTS,
    items({ oneOf: [event('a', row), event('b', text)] }),
    items({ oneOf: [event('a', wider), event('b', text)] }),
    ['nullable-added wire/none'],
  ],
  [
    'another name',
    EVENTS,
    items(event('a', row)),
    items({ oneOf: [event('a', row), event('b', text)] }),
    ['value-added wire/none'],
  ],
  [
    'a name less',
    EVENTS,
    items({ oneOf: [event('a', row), event('b', text)] }),
    items(event('a', row)),
    ['value-removed code/wire'],
  ],
  [
    'text in place of JSON',
    EVENTS,
    items(event('a', row)),
    items(event('a', text)),
    ['media-type-changed wire/wire'],
  ],
])('%s', async (_what, mediaType, old, next, expected) => {
  const [before, after] = [
    await readValid(documentOf(mediaType, old)),
    await readValid(documentOf(mediaType, next)),
  ];
  const { changes } = diffContracts(before, after);
  expect(changes.map(({ kind, callers, servers }) => `${kind} ${callers}/${servers}`)).toStrictEqual(
    expected,
  );
});
