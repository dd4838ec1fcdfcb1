import { expect, test } from 'vitest';
import { contractOf, imported, textOf } from './generated.ts';
import { generate, type GeneratedFile } from '../../generator/index.ts';
import { streamsDocument } from './streams-document.ts';

type Call = (options?: {
  readonly signal?: AbortSignal;
}) => Promise<{ readonly data: AsyncIterable<unknown> }>;
type Create = (options: object) => Record<string, Call>;

let made: Promise<{ readonly files: readonly GeneratedFile[]; readonly create: Create }> | undefined;

/** The generated code, made by the first test that needs it. */
function output(): NonNullable<typeof made> {
  made ??= (async () => {
    const files = await generate([await contractOf(streamsDocument)], { server: true });
    return { files, create: (await imported(files, 'sample/index.ts'))['createSample'] as Create };
  })();
  return made;
}

/** An operation, the type of its pieces, what is sent, and what arrives. */
const readings: readonly (readonly [
  operation: string,
  type: string,
  mediaType: string,
  sent: string,
  items: readonly unknown[],
])[] = [
  ['lines', 'ItemStream<Row>', 'application/jsonl', '{"n":1}\n{"n":2}', [{ n: 1 }, { n: 2 }]],
  [
    'sequence',
    'ItemStream<Row>',
    'application/json-seq',
    '\u001E{"n":1}\n\u001E{"n":2}\n',
    [{ n: 1 }, { n: 2 }],
  ],
  [
    'listed',
    'ItemStream<TypedEvent<Row>>',
    'text/event-stream',
    'data: {"n":1}\n\n',
    [{ event: 'message', data: { n: 1 } }],
  ],
  [
    'printed',
    'ItemStream<TypedEvent<Row, "message">>',
    'text/event-stream',
    'event: message\ndata: {"n":1}\n\n',
    [{ event: 'message', data: { n: 1 } }],
  ],
  [
    'referred',
    'ItemStream<TypedEvent<Row>>',
    'text/event-stream',
    'id: 7\ndata: {"n":1}\n\n',
    [{ event: 'message', data: { n: 1 }, id: '7' }],
  ],
  [
    'either',
    'ItemStream<TypedEvent<Row, "add"> | TypedEvent<string, "say">>',
    'text/event-stream',
    'event: add\ndata: {"n":1}\n\nevent: say\ndata: {"n":1}\n\nevent: ping\ndata: still here\n\n',
    [
      { event: 'add', data: { n: 1 } },
      { event: 'say', data: '{"n":1}' },
      { event: 'ping', data: 'still here' },
    ],
  ],
  [
    'texts',
    'ItemStream<TypedEvent<string>>',
    'text/event-stream',
    'data: 1\n\n',
    [{ event: 'message', data: '1' }],
  ],
  [
    'parts',
    'ItemStream<Row>',
    'multipart/mixed; boundary=b',
    '--b\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n--b\r\n\r\n{"n":2}\r\n--b--\r\n',
    [{ n: 1 }, { n: 2 }],
  ],
  [
    'notes',
    'ItemStream<NotesResponse200>',
    'multipart/mixed; boundary=b',
    '--b\r\n\r\n{"n":1}\r\n--b\r\n\r\ntwo\r\nlines\r\n--b--',
    ['{"n":1}', 'two\r\nlines'],
  ],
  [
    'images',
    'ItemStream<Blob>',
    'multipart/mixed; boundary=b',
    '--b\r\nContent-Type: image/png\r\n\r\npng\r\n--b--',
    [new Blob(['png'], { type: 'image/png' })],
  ],
];

test.each(readings)(
  '%s: pieces arrive as their type %s says',
  async (operation, type, mediaType, sent, items) => {
    const { files, create } = await output();
    expect(textOf(files, 'sample/client.ts').replaceAll("'", '"')).toContain(`${type}`);
    const client = create({
      baseUrl: 'http://localhost',
      fetch: () => Promise.resolve(new Response(sent, { headers: { 'Content-Type': mediaType } })),
    });
    const { data } = (await client[operation]?.()) ?? {};
    const arrived: unknown[] = [];
    for await (const item of data ?? []) arrived.push(item);
    expect(arrived).toStrictEqual(items);
  },
);

test('a stream of which the document says only that it is text stays bytes', async () => {
  const { files } = await output();
  expect(textOf(files, 'sample/client.ts')).toMatch(/OpaqueAnswer = Answer<Response\['body'\]/);
});

test.each([
  ['lines', 'application/jsonl', '{"n":1}\n{"n":2}\n'],
  ['listed', 'text/event-stream', 'data: {"n":1}\n\ndata: {"n":2}\n\n'],
  ['parts', 'multipart/mixed; boundary=b', '--b\n\n{"n":1}\n--b\n\n{"n":2}\n--b--'],
])(
  '%s: after the call is aborted, no piece of the same chunk arrives',
  async (operation, mediaType, sent) => {
    const { create } = await output();
    const client = create({
      baseUrl: 'http://localhost',
      fetch: () => Promise.resolve(new Response(sent, { headers: { 'Content-Type': mediaType } })),
    });
    const abort = new AbortController();
    const { data } = (await client[operation]?.({ signal: abort.signal })) ?? {};
    const arrived: unknown[] = [];
    const reason = new Error('seen enough');
    const reading = (async () => {
      for await (const item of data ?? []) {
        arrived.push(item);
        abort.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(arrived).toHaveLength(1);
  },
);

const object = { type: 'object', properties: { n: { type: 'integer' } } };
const PART = '--b\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n--b--';

test.each<[what: string, content: object, type: string, arrived: unknown]>([
  ['an object of named parts is one value', { 'multipart/mixed': { schema: object } }, 'Blob', PART],
  [
    'parts that are JSON and text by turns have no type',
    { 'multipart/mixed': { schema: { type: 'array', items: { oneOf: [object, { type: 'string' }] } } } },
    'ItemStream<unknown>',
    [{ n: 1 }],
  ],
  [
    'parts beside JSON',
    { 'application/json': { schema: object }, 'multipart/mixed': { itemSchema: object } },
    'ItemStream<',
    [{ n: 1 }],
  ],
  [
    'parts beside events',
    {
      'text/event-stream': { itemSchema: { type: 'object', properties: { data: object } } },
      'multipart/mixed': { itemSchema: object },
    },
    'ItemStream<',
    [{ n: 1 }],
  ],
  [
    'named parts beside lines',
    { 'application/jsonl': { itemSchema: object }, 'multipart/mixed': { schema: object } },
    'Blob',
    PART,
  ],
])('%s', async (_what, content, type, arrived) => {
  const responses = { 200: { description: 'ok', content } };
  const document = { ...streamsDocument, paths: { '/x': { get: { operationId: 'x', responses } } } };
  const files = await generate([await contractOf(document)], {});
  expect(/XAnswer = Answer<.*/.exec(textOf(files, 'sample/client.ts'))?.[0]).toContain(type);
  const create = (await imported(files, 'sample/index.ts'))['createSample'] as Create;
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b' };
  const client = create({
    baseUrl: 'http://localhost',
    fetch: () => Promise.resolve(new Response(PART, { headers })),
  });
  const { data } = (await client['x']?.()) ?? {};
  const items: unknown[] = [];
  if (!(data instanceof Blob)) for await (const item of data ?? []) items.push(item);
  expect(data instanceof Blob ? await data.text() : items).toStrictEqual(arrived);
});
