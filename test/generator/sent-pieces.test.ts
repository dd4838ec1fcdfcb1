import { expect, onTestFinished, test } from 'vitest';
import type { Contract } from '../../contract/index.ts';
import { createMock } from '../../mock/index.ts';
import { contractOf, filesOf, imported } from './generated.ts';
import { streamsDocument } from './streams-document.ts';

type Serve = (request: Request) => Promise<Response>;

const row = { $ref: '#/components/schemas/Row' };
const rows = { $ref: '#/components/schemas/Rows' };
const BODIES = {
  each: { 'application/jsonl': { schema: row } },
  listed: { 'application/jsonl': { schema: { type: 'array', items: row } } },
  named: { 'application/json-seq': { schema: rows } },
  item: { 'application/x-ndjson': { itemSchema: row } },
  either: { 'application/json': { schema: rows }, 'application/jsonl': { schema: rows } },
  events: {
    'text/event-stream': {
      itemSchema: {
        type: 'object',
        required: ['event', 'data'],
        oneOf: [
          {
            properties: {
              event: { const: 'add' },
              data: { type: 'string', contentMediaType: 'application/json', contentSchema: row },
            },
          },
          { properties: { event: { const: 'say' }, data: { type: 'string' } } },
        ],
      },
    },
  },
  data: { 'text/event-stream': { schema: row } },
  mute: { 'text/event-stream': { schema: { type: 'string' } } },
  undescribed: { 'application/jsonl': {} },
  text: { 'application/jsonl': { schema: { type: 'string' } } },
};

const document = {
  ...streamsDocument,
  paths: Object.fromEntries(
    Object.entries(BODIES).map(([operationId, content]) => [
      `/${operationId}`,
      {
        post: {
          operationId,
          requestBody: { required: true, content },
          responses: { 204: { description: 'ok' }, 400: { description: 'wrong' } },
        },
      },
    ]),
  ),
  components: {
    schemas: { ...streamsDocument.components.schemas, Rows: { type: 'array', items: row, minItems: 2 } },
  },
};

let made:
  Promise<{ readonly serve: Serve; readonly contract: Contract; readonly seen: unknown[] }> | undefined;

/** A generated server whose handlers note what they get. */
function server(): NonNullable<typeof made> {
  made ??= (async () => {
    const files = await filesOf(document, 'sample', { server: true });
    const { createServer } = await imported(files, 'sample/server.ts');
    const seen: unknown[] = [];
    const handlers = Object.fromEntries(
      Object.keys(BODIES).map((name) => [
        name,
        ({ body }: { readonly body: unknown }) => {
          seen.push(body);
          return { status: 204 };
        },
      ]),
    );
    const serve = (createServer as (...args: readonly unknown[]) => Serve)(handlers, {
      authenticate: () => ({ id: 'ada' }),
    });
    return { serve, seen, contract: await contractOf(document) };
  })();
  return made;
}

const two = '{"n":1}\n{"n":2}\n';

test.each<[what: string, operation: keyof typeof BODIES, body: string, status: number, says?: string]>([
  ['values, each by the schema', 'each', two, 204],
  ['values of a list', 'listed', two, 204],
  ['a sequence by a named list', 'named', `\u001E{"n":1}\n\u001E{"n":2}\n`, 204],
  ['values by the schema of an item', 'item', two, 204],
  ['values beside JSON', 'either', two, 204],
  ['values that nothing describes', 'undescribed', '1\n"a"\n', 204],
  ['values of which only the text is described', 'text', '1\n"a"\n', 204],
  ['no values', 'each', '\n', 204],
  ['a wrong value', 'each', '{"n":1}\n{"n":"x"}\n', 400, 'body /1/n must be integer'],
  ['a wrong value of a list', 'listed', '{"n":1}\n{"n":2}\n[]\n', 400, 'body /2 must be object'],
  ['a wrong value of a sequence', 'named', `\u001E{"n":1}\n\u001E{}\n`, 400, 'body /1 must have'],
  ['a wrong value by the schema of an item', 'item', '7\n', 400, 'body /0 must be object'],
  ['events', 'events', 'event: say\ndata: x\n\n: a comment\n\nevent: add\ndata: {"n":1}\n\n', 204],
  ['data of events', 'data', 'data: {"n":1}\n\ndata: [DONE]\n\n', 204],
  ['an event that does not end', 'data', 'data: {"n":1}\n\ndata: 7', 204],
  ['events that nothing describes', 'mute', 'data: 7\n\n', 204],
  ['wrong data of an event', 'data', 'data: {"n":1}\n\ndata: {}\n\n', 400, 'body /1/data must have'],
  [
    'wrong data of an event with a name',
    'events',
    'event: say\ndata: {}\n\nevent: add\ndata: {"n":"x"}\n\n',
    400,
    'body /1/data/n must be integer',
  ],
  ['data that is not JSON', 'data', 'data: none\n\n', 400, 'body /0/data must be JSON'],
  [
    'an event with another name',
    'events',
    'event: sing\ndata: x\n\n',
    400,
    'body /0/event must be add or say',
  ],
  ['too few values', 'named', `\u001E{"n":1}\n`, 400, 'body must'],
  ['a list in a line', 'each', `[{"n":1}]\n`, 400, 'body /0 must be object'],
  ['a value that is not JSON', 'each', '{"n":1}\nnone\n', 400, 'an item that is not valid JSON'],
])(
  'a generated server and the mock judge each piece of a request: %s',
  async (_, operation, body, status, says) => {
    const { serve, contract, seen } = await server();
    seen.splice(0);
    const [type = ''] = Object.keys(BODIES[operation]).slice(-1);
    const request = (): Request =>
      new Request(`http://localhost/${operation}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      });
    const answer = await serve(request());
    expect(answer.status).toBe(status);
    expect(seen).toHaveLength(status === 204 ? 1 : 0);
    if (says !== undefined) expect(await answer.text()).toContain(says);
    const mock = createMock({ contracts: [contract] });
    onTestFinished(() => mock.close());
    expect((await mock.fetch(request())).status).toBe(status);
  },
);
