import { expect, onTestFinished, test } from 'vitest';
import { runConformance, type Transport } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { createMock, type Mock, virtualClock } from '../../mock/index.ts';
import { streamsDocument } from '../generator/streams-document.ts';
import { own } from './own-document.ts';

function mockOf(contract: Contract): Mock {
  const mock = createMock({ contracts: [contract] });
  onTestFinished(() => mock.close());
  return mock;
}

/** The head and the text of the only answer of a document with this content. */
async function answered(
  mediaType: string,
  described: object,
): Promise<{ readonly type: string | null; readonly text: string }> {
  const { components } = streamsDocument;
  const content = { [mediaType]: described };
  const operation = { operationId: 'x', responses: { 200: { description: 'ok', content } } };
  const document = { ...streamsDocument, paths: { '/x': { get: operation } }, components };
  const answer = await mockOf(await own('pieces', JSON.stringify(document))).fetch('http://localhost/x');
  return { type: answer.headers.get('content-type'), text: await answer.text() };
}

const row = { $ref: '#/components/schemas/Row' };
const told = { $ref: '#/components/schemas/Told' };
const rows = [{ n: 1 }, { n: 2 }];

test.each<[what: string, mediaType: string, described: object, text: string, type?: string]>([
  ['a list as JSON lines', 'application/jsonl', { itemSchema: row, example: rows }, '{"n":1}\n{"n":2}\n'],
  ['one value as a line', 'application/x-ndjson', { schema: row, example: rows[0] }, '{"n":1}\n'],
  [
    'a list as a sequence',
    'application/json-seq',
    { itemSchema: row, examples: { two: { dataValue: rows } } },
    '\u001E{"n":1}\n\u001E{"n":2}\n',
  ],
  [
    'the text of a sequence',
    'application/json-seq',
    { itemSchema: row, examples: { one: { serializedValue: '\u001E{"n":7}\n' } } },
    '\u001E{"n":7}\n',
  ],
  [
    'a list as events',
    'text/event-stream',
    { schema: { type: 'array', items: row }, example: rows },
    'event: message\ndata: {"n":1}\n\nevent: message\ndata: {"n":2}\n\n',
  ],
  [
    'events',
    'text/event-stream',
    { itemSchema: told, example: [{ event: 'add', data: '{"n":1}', id: '7' }] },
    'id: 7\nevent: add\ndata: {"n":1}\n\n',
  ],
  [
    'an event with its value',
    'text/event-stream',
    { itemSchema: told, example: { data: { n: 1 } } },
    'event: message\ndata: {"n":1}\n\n',
  ],
  [
    'a list as parts',
    'multipart/mixed',
    { itemSchema: row, example: rows },
    '--part\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n--part\r\nContent-Type: application/json\r\n\r\n{"n":2}\r\n--part--\r\n',
    'multipart/mixed; boundary=part',
  ],
  [
    'texts as parts, one of which contains the boundary',
    'multipart/mixed',
    { schema: { type: 'array', items: { type: 'string' } }, example: ['--part', '{}'] },
    '--part-\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n--part\r\n--part-\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n--part---\r\n',
    'multipart/mixed; boundary=part-',
  ],
  [
    'the text of parts',
    'multipart/mixed',
    { itemSchema: row, examples: { one: { serializedValue: '--a b\r\n\r\n{"n":7}\r\n--a b--' } } },
    '--a b\r\n\r\n{"n":7}\r\n--a b--',
    'multipart/mixed; boundary="a b"',
  ],
  [
    'the text of events',
    'text/event-stream',
    { schema: { type: 'string' }, example: 'data: 1\n\n' },
    'data: 1\n\n',
  ],
])(
  'an example becomes the form of its media type: %s',
  async (_what, mediaType, described, text, type = mediaType) => {
    expect(await answered(mediaType, described)).toStrictEqual({ type, text });
  },
);

test('the suite finds nothing wrong with the streams of the mock', async () => {
  const contract = await own('streams', JSON.stringify(streamsDocument));
  const mock = mockOf(contract);
  const transport: Transport = async ({ method, target, headers }) => {
    const answer = await mock.fetch(`http://localhost${target}`, {
      method,
      headers: headers as [string, string][],
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return {
      status: answer.status,
      headers: [...answer.headers],
      body: (async function* () {
        yield bytes;
      })(),
    };
  };
  const { rules } = await runConformance({ contracts: [contract], baseUrl: 'http://localhost', transport });
  const judged = rules.filter(({ id }) => id.endsWith('.answer'));
  expect(judged.map(({ id, verdict, failures }) => ({ id, verdict, failures }))).toMatchObject(
    Object.keys(streamsDocument.paths).map((path) => ({
      id: `document.${path.slice(1)}.answer`,
      verdict: 'pass',
    })),
  );
});

test.each(['parts', 'notes', 'images', 'lines', 'listed'])(
  '%s: a mock with a sheet sends what a mock without one sends',
  async (path) => {
    const document = JSON.stringify(streamsDocument);
    const sheet = `
contract: '1'
api: streams
document: 1
policies:
  - kind: headers
    requestId: X-Request-Id
rules: []
`;
    const [plain, sheeted] = await Promise.all(
      [await own('streams', document), await own('streams', document, sheet)].map(async (contract) => {
        const answer = await mockOf(contract).fetch(`http://localhost/${path}`);
        return { type: answer.headers.get('content-type'), text: await answer.text() };
      }),
    );
    expect(sheeted).toStrictEqual(plain);
  },
);

test('a proxy in front of the mock is asked to pass events on as they come', async () => {
  const mock = mockOf(await own('streams', JSON.stringify(streamsDocument)));
  const asked = await Promise.all(
    ['listed', 'lines'].map(async (path) =>
      (await mock.fetch(`http://localhost/${path}`)).headers.get('x-accel-buffering'),
    ),
  );
  expect(asked).toStrictEqual(['no', null]);
});

const sentRows = async (schema: object, body: string): Promise<number> => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/x': {
        post: {
          operationId: 'x',
          requestBody: { required: true, content: { 'application/jsonl': { schema } } },
          responses: { 204: { description: 'ok' }, 422: { description: 'wrong' } },
        },
      },
    },
    components: {
      schemas: { ...streamsDocument.components.schemas, Rows: { type: 'array', items: row, minItems: 2 } },
    },
  };
  const mock = mockOf(await own('rows', JSON.stringify(document)));
  const headers = { 'Content-Type': 'application/jsonl' };
  return (await mock.fetch('http://localhost/x', { method: 'POST', headers, body })).status;
};

test.each<[what: string, schema: object, body: string, status: number]>([
  ['rows of a list', { type: 'array', items: row }, '{"n":1}\n{"n":2}\n', 204],
  ['rows of a named list', { $ref: '#/components/schemas/Rows' }, '{"n":1}\n{"n":2}\n', 204],
  ['rows, each by the schema', row, '{"n":1}\n{"n":2}\n', 204],
  ['a wrong row of a list', { type: 'array', items: row }, '{"n":1}\n{"n":"x"}\n', 422],
  ['a wrong row of a named list', { $ref: '#/components/schemas/Rows' }, '{"n":1}\n{}\n', 422],
  ['a wrong row by the schema', row, '{}\n', 422],
  ['too few rows', { $ref: '#/components/schemas/Rows' }, '{"n":1}\n', 422],
])('a request in pieces is judged by the same description: %s', async (_what, schema, body, status) => {
  expect(await sentRows(schema, body)).toBe(status);
});

const body = { type: 'object', required: ['data'], properties: { data: { type: 'string' } } };

test.each<[what: string, mediaType: string, described: object, pieces: readonly string[]]>([
  ['lines', 'application/jsonl', { itemSchema: row, example: rows }, ['{"n":1}\n', '{"n":2}\n']],
  [
    'a sequence',
    'application/json-seq',
    { itemSchema: row, example: rows },
    ['\u001E{"n":1}\n', '\u001E{"n":2}\n'],
  ],
  [
    'events',
    'text/event-stream',
    { itemSchema: body, example: [{ data: 'a' }, { data: 'b' }] },
    ['event: message\ndata: a\n\n', 'event: message\ndata: b\n\n'],
  ],
  ['one line', 'application/jsonl', { itemSchema: row, example: [{ n: 1 }] }, ['{"n":1}\n']],
  [
    'parts',
    'multipart/mixed; boundary=b',
    { itemSchema: { type: 'string' }, example: ['1', '2'] },
    [
      '--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n1\r\n--b',
      '\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n2\r\n--b--\r\n',
    ],
  ],
])(
  '%s: each piece is sent by itself, and so much later as is said',
  async (_, mediaType, described, pieces) => {
    const operation = {
      operationId: 'x',
      responses: { 200: { description: 'ok', content: { [mediaType]: described } } },
    };
    const document = { ...streamsDocument, paths: { '/x': { get: operation } } };
    const clock = virtualClock();
    const mock = createMock({ contracts: [await own('pieces', JSON.stringify(document))], clock });
    onTestFinished(() => mock.close());
    for (const [prefer, waitMs] of [
      ['', 0],
      ['scenario=slow-stream;ms=250', 250],
    ] as const) {
      const before = clock.now();
      const answer = await mock.fetch('http://localhost/x', { headers: { Prefer: prefer } });
      const arrived: string[] = [];
      for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) arrived.push(chunk);
      expect(arrived).toEqual(pieces);
      expect(clock.now() - before).toBe(waitMs * (pieces.length - 1));
    }
  },
);
