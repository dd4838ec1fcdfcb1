import { expect, test } from 'vitest';
import { framingOf } from '../../../contract/sequential/framing.ts';
import { type Pieces, piecesOf } from '../../../contract/sequential/pieces.ts';
import { slipLoader } from '../repairs/slip-documents.ts';

const load = slipLoader();

test.each([
  ['application/jsonl', 'lines'],
  ['application/x-ndjson; charset=utf-8', 'lines'],
  ['Application/JSON-seq', 'sequence'],
  ['application/geo+json-seq', 'sequence'],
  ['text/event-stream; charset=utf-8', 'events'],
  ['multipart/mixed; boundary=x', 'parts'],
  ['multipart/form-data', undefined],
  ['application/json', undefined],
  ['text/plain', undefined],
])('the framing of %s is %s', (mediaType, framing) => {
  expect(framingOf(mediaType)).toBe(framing);
});

const ROW = { type: 'object', properties: { n: { type: 'integer' } } };
const REF = { $ref: '#/components/schemas/Row' };
const event = (properties: object, others: object = {}): object => ({
  type: 'object',
  properties,
  ...others,
});

/** A media type with its description, in which version, and the pieces. */
const table: readonly (readonly [
  title: string,
  version: string,
  mediaType: string,
  described: object,
  pieces: Pieces | undefined,
])[] = [
  ['a value', '3.1.0', 'application/json', { schema: REF }, undefined],
  ['lines of a list', '3.1.0', 'application/jsonl', { schema: { type: 'array', items: REF } }, lines(REF)],
  ['lines of a named list', '3.0.3', 'application/jsonl', { schema: ref('Rows') }, lines(REF)],
  ['lines, each by the schema', '3.1.0', 'application/x-ndjson', { schema: REF }, lines(REF)],
  [
    'lines of which only the text is described',
    '3.1.0',
    'application/jsonl',
    { schema: { type: 'string' } },
    lines(undefined),
  ],
  ['lines without a schema', '3.1.0', 'application/jsonl', {}, lines(undefined)],
  [
    'lines with first items',
    '3.1.0',
    'application/jsonl',
    { schema: { type: 'array', prefixItems: [REF], items: false } },
    lines({ anyOf: [REF, false] }),
  ],
  [
    'a referred item',
    '3.2.0',
    'application/json-seq',
    { itemSchema: REF },
    { framing: 'sequence', kinds: [{ form: 'json', schema: REF }] },
  ],
  [
    'an item in an earlier version',
    '3.1.0',
    'text/event-stream',
    { itemSchema: ref('Ev') },
    events({ form: 'json', schema: REF }),
  ],
  [
    'a whole schema beside the item',
    '3.2.0',
    'application/jsonl',
    { itemSchema: REF, schema: { minItems: 2 } },
    lines(REF),
  ],
  [
    'parts of a list',
    '3.2.0',
    'multipart/mixed',
    { itemSchema: REF },
    { framing: 'parts', kinds: [{ form: 'json', schema: REF }] },
  ],
  ...partsOf([
    ['texts', { type: 'string', maxLength: 3 }, { form: 'text', schema: { type: 'string', maxLength: 3 } }],
    ['bytes', { type: 'string', format: 'binary' }, { form: 'bytes', schema: undefined }],
    [
      'images',
      { contentMediaType: 'image/png' },
      { form: 'bytes', schema: undefined, mediaType: 'image/png' },
    ],
    [
      'XML',
      { type: 'object', contentMediaType: 'application/xml' },
      { form: 'text', schema: undefined, mediaType: 'application/xml' },
    ],
    [
      'images as text',
      { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
      {
        form: 'text',
        schema: { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
      },
    ],
    ['JSON as text', { type: 'string', contentSchema: REF }, { form: 'json', schema: REF }],
    ['numbers', { type: ['integer', 'null'] }, { form: 'json', schema: { type: ['integer', 'null'] } }],
    ['anything', {}],
  ]),
  [
    'parts whose encoding has their media type',
    '3.2.0',
    'multipart/mixed',
    { itemSchema: REF, itemEncoding: { contentType: 'image/png' } },
    { framing: 'parts', kinds: [{ form: 'bytes', schema: undefined, mediaType: 'image/png' }] },
  ],
  [
    'parts that are text in one and JSON in another',
    '3.2.0',
    'multipart/mixed',
    { itemSchema: { oneOf: [REF, { type: 'string' }] } },
    { framing: 'parts', kinds: [], unread: expect.stringContaining('by turns') as string },
  ],
  ['named parts', '3.1.0', 'multipart/mixed', { schema: REF }, undefined],
  ['events without a schema', '3.1.0', 'text/event-stream', {}, events()],
  ['the text of all events', '3.0.3', 'text/event-stream', { schema: { type: 'string' } }, events()],
  ['data', '3.1.0', 'text/event-stream', { schema: REF }, events({ form: 'json', schema: REF })],
  [
    'a list of data',
    '3.0.3',
    'text/event-stream',
    { schema: { type: 'array', items: REF } },
    events({ form: 'json', schema: REF }),
  ],
  [
    'a list of texts',
    '3.1.0',
    'text/event-stream',
    { schema: { type: 'array', items: { type: 'string' } } },
    events({ form: 'text', schema: { type: 'string' } }),
  ],
  [
    'data in an envelope',
    '3.1.0',
    'text/event-stream',
    { schema: event({ data: REF }) },
    events({ form: 'json', schema: event({ data: REF }) }),
  ],
  [
    'data with a member that no event has',
    '3.1.0',
    'text/event-stream',
    { schema: event({ event: {}, data: REF, at: {} }) },
    events({ form: 'json', schema: event({ event: {}, data: REF, at: {} }) }),
  ],
  [
    'an event',
    '3.1.0',
    'text/event-stream',
    { schema: event({ event: { const: 'add' }, data: REF }, { required: ['event'] }) },
    events({
      form: 'json',
      schema: REF,
      names: ['add'],
      asData: event({ event: { const: 'add' }, data: REF }, { required: ['event'] }),
    }),
  ],
  [
    'an event whose name may be absent',
    '3.2.0',
    'text/event-stream',
    { itemSchema: event({ event: { enum: ['add', 'end'] }, data: { type: 'string' } }) },
    events({ form: 'text', schema: { type: 'string' }, names: ['add', 'end', 'message'] }),
  ],
  [
    'an event with nothing but a text',
    '3.2.0',
    'text/event-stream',
    { itemSchema: event({ data: { type: 'string' } }) },
    events({ form: 'text', schema: { type: 'string' } }),
  ],
  [
    'a referred event with JSON in its text',
    '3.2.0',
    'text/event-stream',
    { itemSchema: ref('Ev') },
    events({ form: 'json', schema: REF }),
  ],
  [
    'events of a union beside a base',
    '3.2.0',
    'text/event-stream',
    {
      itemSchema: event(
        { event: { type: 'string' }, data: { type: 'string' } },
        {
          required: ['event'],
          oneOf: [
            event({
              event: { const: 'add' },
              data: { contentMediaType: 'application/json', contentSchema: REF },
            }),
            { properties: { event: { const: 'say' } } },
          ],
        },
      ),
    },
    events(
      { form: 'json', schema: REF, names: ['add'] },
      { form: 'text', schema: { type: 'string' }, names: ['say'] },
    ),
  ],
  [
    'JSON without a schema in the text of an event',
    '3.2.0',
    'text/event-stream',
    { itemSchema: { allOf: [ref('Base'), event({ data: { contentMediaType: 'application/json' } })] } },
    events({ form: 'json', schema: true }),
  ],
  [
    'text and JSON under the same name',
    '3.2.0',
    'text/event-stream',
    { itemSchema: { oneOf: [event({ data: { type: 'string' } }), event({ data: REF })] } },
    { framing: 'events', kinds: [], unread: expect.stringContaining('same name') as string },
  ],
];

test.each(table)('%s (%s, %s)', async (_title, version, mediaType, described, pieces) => {
  const document = {
    openapi: version,
    info: { title: 'T', version: '1' },
    paths: {
      '/x': {
        get: {
          operationId: 'x',
          responses: { '200': { description: 'd', content: { [mediaType]: described } } },
        },
      },
    },
    components: {
      schemas: {
        Row: ROW,
        Rows: { type: 'array', items: REF },
        Base: event({ data: { type: 'string' }, id: { type: 'string' } }, { required: ['data'] }),
        ...(version === '3.0.3'
          ? {}
          : {
              Ev: event({
                event: { type: 'string' },
                data: { type: 'string', contentMediaType: 'application/json', contentSchema: REF },
              }),
            }),
      },
    },
  };
  const loaded = await load(JSON.stringify(document));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.diagnostics));
  const { contract } = loaded;
  const content = contract.operations[0]?.responses[0]?.content[0];
  if (content === undefined) throw new Error('the answer has no content');
  expect(piecesOf(content, contract.document)).toStrictEqual(pieces);
  const warnings = loaded.warnings.filter(({ code }) => code === 'stream-untyped');
  expect(warnings).toHaveLength(pieces?.unread === undefined ? 0 : 1);
});

// --- internal ---

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** Rows for parts: what they are, the schema of an item, and the kind of it. */
function partsOf(
  rows: readonly (readonly [what: string, items: object, kind?: Pieces['kinds'][number]])[],
): typeof table {
  return rows.map(([what, items, kind]) => [
    ...([
      `parts that are ${what}`,
      '3.1.0',
      'multipart/mixed',
      { schema: { type: 'array', items } },
    ] as const),
    { framing: 'parts', kinds: kind === undefined ? [] : [kind] },
  ]);
}

function lines(schema: Pieces['kinds'][number]['schema']): Pieces {
  return { framing: 'lines', kinds: [{ form: 'json', schema }] };
}

function events(...kinds: readonly unknown[]): Pieces {
  return { framing: 'events', kinds: kinds as Pieces['kinds'] };
}
