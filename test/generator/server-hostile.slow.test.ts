// @module-tag long
// @module-tag attack
import { beforeEach, expect, test } from 'vitest';
import { contractOf, documentOf, imported } from './generated.ts';
import { generate } from '../../generator/index.ts';

type Handle = (request: Request) => Promise<Response>;
type CreateServer = (handlers: object, options: object) => Handle;

const any = { $ref: '#/components/schemas/Any' };
const document = documentOf(
  {
    Any: {},
    Tree: {
      anyOf: [
        { type: 'string' },
        { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        {
          type: 'object',
          properties: {
            unique: { type: 'array', uniqueItems: true },
            colours: { type: 'array', items: { enum: ['red', 'green'] } },
          },
          additionalProperties: { $ref: '#/components/schemas/Tree' },
        },
      ],
    },
    Colours: { type: 'object', additionalProperties: { type: 'array', items: { enum: ['red', 'green'] } } },
  },
  {
    '/trees': {
      post: {
        operationId: 'plant',
        parameters: [
          { name: 'numbers', in: 'query', schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'filter', in: 'query', content: { 'application/json': { schema: {} } } },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Tree' } },
            'application/x-www-form-urlencoded': { schema: any },
            'multipart/form-data': { schema: any },
          },
        },
        responses: { 200: { description: 'planted', content: { 'application/json': { schema: any } } } },
      },
    },
    ...Object.fromEntries(
      ['Any', 'Colours'].map((name) => [
        `/${name.toLowerCase()}`,
        {
          post: {
            operationId: `put${name}`,
            requestBody: {
              content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
            },
            responses: { 200: { description: 'put', content: { 'application/json': { schema: any } } } },
          },
        },
      ]),
    ),
  },
);

let made: Promise<CreateServer> | undefined;
let createServer: CreateServer;
beforeEach(async () => {
  made ??= contractOf(document)
    .then((contract) => generate([contract], { server: true }))
    .then((files) => imported(files, 'sample/server.ts'))
    .then((module) => module['createServer'] as CreateServer);
  createServer = await made;
});

interface Sent {
  readonly path?: string;
  readonly type?: string;
  readonly body: string;
  readonly query?: string;
  readonly options?: object;
}

/** Status and body of the answer, and what the handler got. */
async function send({
  path = '/trees',
  type = 'application/json',
  body,
  query = '',
  options = {},
}: Sent): Promise<{
  readonly status: number;
  readonly text: string;
  readonly seen: { body?: unknown; numbers?: unknown; filter?: unknown } | undefined;
  readonly faults: readonly unknown[];
}> {
  let seen: object | undefined;
  const faults: unknown[] = [];
  const handler = (input: object): object => {
    seen = input;
    return { status: 200, body: {} };
  };
  const serve = createServer(
    { plant: handler, putAny: handler, putColours: handler },
    {
      authenticate: () => ({ id: 'anybody' }),
      onFinding: (finding: { kind: string }) =>
        !['started', 'answered', 'ended'].includes(finding.kind) && faults.push(finding),
      ...options,
    },
  );
  const answer = await serve(
    new Request(`http://localhost${path}${query}`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    }),
  );
  return { status: answer.status, text: await answer.text(), seen, faults };
}

const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data; boundary=b';
const parts = (count: number): string =>
  `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(count)}--b--\r\n`;

test.each<[string, Sent]>([
  ['100,000 fields', { type: FORM, body: 'a=&'.repeat(100_000) }],
  [
    '100,000 fields of different names',
    { type: FORM, body: Array.from({ length: 100_000 }, (_, n) => `a${String(n)}=`).join('&') },
  ],
  ['1,001 fields', { type: FORM, body: `${'a=1&'.repeat(1_000)}a=1` }],
  ['50,000 parts', { type: PARTS, body: parts(50_000) }],
  [
    '50,000 parts behind a quoted boundary',
    { type: 'multipart/form-data; charset=x; boundary="b"', body: parts(50_000) },
  ],
  ['1,001 parts', { type: PARTS, body: parts(1_001) }],
])('a body of %s is refused as too large in the shape of the API, before the handler', async (_, sent) => {
  const { status, text, seen, faults } = await send(sent);
  expect(status).toBe(413);
  expect(JSON.parse(text)).toStrictEqual({
    error: 'too_large',
    message: expect.stringMatching(/^The body has more than 1000 (fields|parts)\.$/) as string,
  });
  expect([seen, faults]).toStrictEqual([undefined, []]);
});

test.each<[string, string, (count: number) => string]>([
  ['fields', FORM, (count) => Array.from({ length: count }, () => 'a=x').join('&')],
  ['parts', PARTS, parts],
])('as many %s as the bound allows become one list', async (_, type, bodyOf) => {
  const few = await send({ type, body: bodyOf(1_000) });
  expect([few.status, few.text]).toStrictEqual([200, '{}']);
  expect(few.seen?.body).toStrictEqual({ a: Array.from({ length: 1_000 }, () => 'x') });
  const many = await send({ type, body: bodyOf(100_000), options: { formFields: 100_000 } });
  expect(many.status).toBe(200);
  expect((many.seen?.body as { a: string[] }).a).toHaveLength(100_000);
});

test.each(['/trees', '/any'])('JSON for %s that is nested too deeply is refused in words', async (path) => {
  for (const body of [
    '['.repeat(500_000) + ']'.repeat(500_000),
    '{"a":'.repeat(201) + '1' + '}'.repeat(201),
    '['.repeat(1_000_000),
  ]) {
    const { status, text, seen, faults } = await send({ path, body });
    expect(status).toBe(400);
    expect(text).toContain('nested more than 200 levels deep');
    expect([seen, faults]).toStrictEqual([undefined, []]);
  }
});

test('brackets in texts are no levels, and the bound on levels is an option', async () => {
  const texts = JSON.stringify(['[{"\\"[{'.repeat(1_000), '\\']);
  expect((await send({ body: texts })).seen?.body).toStrictEqual(JSON.parse(texts));
  const deep = '['.repeat(300) + ']'.repeat(300);
  expect((await send({ path: '/any', body: deep })).status).toBe(400);
  const taken = await send({ path: '/any', body: deep, options: { jsonDepth: 300 } });
  expect(taken.status).toBe(200);
});

test('of half a million misfits, the first ones are reported', async () => {
  const { status, text, faults } = await send({ body: `{"colours":[${'1,'.repeat(500_000)}1]}` });
  expect(status).toBe(400);
  expect(text).toMatch(/body \/colours\/0 must be one of the allowed values; .* and 499\d{3} more/);
  expect(text.length).toBeLessThan(400);
  expect(faults).toStrictEqual([]);
});

test('misfits below a long name are reported with a shortened name', async () => {
  const name = '~'.repeat(300_000);
  const { status, text } = await send({
    path: '/colours',
    body: `{"${name}":[${'1,'.repeat(200_000)}1]}`,
  });
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(1_000);
});

test('lists whose items have to differ are read once, however many objects they hold', async () => {
  const items = Array.from({ length: 60_000 }, (_, n) => `{"n":${String(n)},"list":[1,{"a":null}]}`);
  expect((await send({ body: `{"unique":[${items.join()}]}` })).status).toBe(200);
  const twice = [...items, '{"list":[1,{"a":null}],"n":7}'];
  expect((await send({ body: `{"unique":[${twice.join()}]}` })).text).toContain('must have no item twice');
});

test('a query with a hundred thousand values is read or refused in words', async () => {
  const query = (value: string): string =>
    `?${Array.from({ length: 200_000 }, () => `numbers=${value}`).join('&')}`;
  const good = await send({ body: '"x"', query: query('1') });
  expect(good.status).toBe(200);
  expect(good.seen?.numbers).toHaveLength(200_000);
  const bad = await send({ body: '"x"', query: query('y') });
  expect([bad.status, bad.faults]).toStrictEqual([400, []]);
  expect(bad.text).toContain('and 199997 more');
  const deep = await send({ body: '"x"', query: `?filter=${'['.repeat(100_000)}` });
  expect([deep.status, deep.faults]).toStrictEqual([200, []]);
  expect(typeof deep.seen?.filter).toBe('string');
});
