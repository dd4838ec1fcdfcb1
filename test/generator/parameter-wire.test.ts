import { beforeEach, expect, test } from 'vitest';
import { documentOf, filesOf, imported } from './generated.ts';

// Each place, style and kind of a parameter: what a generated client sends, and what a generated server makes of it.

type Place = 'path' | 'query' | 'header' | 'cookie';
type Row = readonly [
  place: Place,
  style: string,
  explode: boolean | undefined,
  value: unknown,
  want: string,
  more?: object,
];

const LIST = ['a', 'b c'];
const OBJECT = { r: 'x y', g: 2 };
const ODD = { 'a b': 'c' };

const object = (properties: object): object => ({ type: 'object', properties });
const ROWS = object({
  rows: { type: 'array', items: object({ n: { type: 'integer' } }) },
  any: { type: 'array', items: { oneOf: [{ type: 'boolean' }, { type: 'string' }] } },
  sizes: { type: 'array', items: { type: 'integer' } },
  a: object({ b: object({ c: object({ d: { type: 'integer' } }) }) }),
});
/** A type for each position, and another for the rest. */
const TUPLE = {
  type: 'array',
  prefixItems: [{ type: 'number' }, { type: 'string' }, { type: 'boolean' }],
  items: { type: 'integer' },
};
/** Types among which a text alone does not decide. */
const MAYBE = { type: ['string', 'null'] };
const LETTERS = { type: 'array', items: { type: 'string' } };
const ANY = { anyOf: [{ type: 'boolean' }, LETTERS, { type: 'string' }] };
const PLACES = [1.5, '2', true, 7, 8];
const deep = (...pairs: readonly string[]): string =>
  `?${pairs.map((pair) => `v%5B${pair.replace('=', '%5D=').replaceAll('][', '%5D%5B')}`).join('&')}`;

const rows: readonly Row[] = [
  ['path', 'simple', false, 'a b/ü', '/a%20b%2F%C3%BC'],
  ['path', 'simple', false, LIST, '/a,b%20c'],
  ['path', 'simple', false, OBJECT, '/r,x%20y,g,2'],
  ['path', 'simple', true, 'a', '/a'],
  ['path', 'simple', true, LIST, '/a,b%20c'],
  ['path', 'simple', true, OBJECT, '/r=x%20y,g=2'],
  ['path', 'label', false, 'a b', '/.a%20b'],
  ['path', 'label', false, LIST, '/.a,b%20c'],
  ['path', 'label', false, OBJECT, '/.r,x%20y,g,2'],
  ['path', 'label', true, 'a', '/.a'],
  ['path', 'label', true, LIST, '/.a.b%20c'],
  ['path', 'label', true, OBJECT, '/.r=x%20y.g=2'],
  ['path', 'matrix', false, 'a b', '/;v=a%20b'],
  ['path', 'matrix', false, LIST, '/;v=a,b%20c'],
  ['path', 'matrix', false, OBJECT, '/;v=r,x%20y,g,2'],
  ['path', 'matrix', true, 'a', '/;v=a'],
  ['path', 'matrix', true, LIST, '/;v=a;v=b%20c'],
  ['path', 'matrix', true, OBJECT, '/;r=x%20y;g=2'],
  ['query', 'form', false, 'a&b=ü', '?v=a%26b%3D%C3%BC'],
  ['query', 'form', false, ['a', 'b,c'], '?v=a,b%2Cc'],
  ['query', 'form', false, OBJECT, '?v=r,x%20y,g,2'],
  ['query', 'form', true, '', '?v='],
  ['query', 'form', true, LIST, '?v=a&v=b%20c'],
  ['query', 'form', true, OBJECT, '?r=x%20y&g=2'],
  ['query', 'spaceDelimited', false, LIST.slice(0, 1).concat('b'), '?v=a%20b'],
  ['query', 'pipeDelimited', false, LIST, '?v=a%7Cb%20c'],
  ['query', 'spaceDelimited', false, { r: 'x', g: 2 }, '?v=r%20x%20g%202'],
  ['query', 'pipeDelimited', false, OBJECT, '?v=r%7Cx%20y%7Cg%7C2'],
  ['query', 'spaceDelimited', true, LIST, '?v=a&v=b%20c'],
  ['query', 'pipeDelimited', true, LIST, '?v=a&v=b%20c'],
  ['query', 'deepObject', true, OBJECT, '?v%5Br%5D=x%20y&v%5Bg%5D=2'],
  ['query', 'form', true, 'a/b?c&d', '?v=a/b?c%26d', { allowReserved: true }],
  ['query', 'form', false, ['a/b', 'c:d'], '?v=a/b,c:d', { allowReserved: true }],
  ['path', 'simple', false, ODD, '/a%20b,c'],
  ['path', 'label', true, ODD, '/.a%20b=c'],
  ['path', 'matrix', true, ODD, '/;a%20b=c'],
  ['query', 'form', false, ODD, '?v=a%20b,c'],
  ['query', 'form', true, ODD, '?a%20b=c'],
  ['query', 'deepObject', true, ODD, '?v%5Ba%20b%5D=c'],
  ['header', 'simple', false, 'a, b', 'a, b'],
  ['header', 'simple', false, ['a', 'b'], 'a,b'],
  ['header', 'simple', false, { r: 'x', g: 2 }, 'r,x,g,2'],
  ['header', 'simple', true, ['a', 'b'], 'a,b'],
  ['header', 'simple', true, { r: 'x', g: 2 }, 'r=x,g=2'],
  ['cookie', 'form', true, 'a;b ü', 'v=a%3Bb%20%C3%BC'],
  ['cookie', 'form', false, ['a', 'b'], 'v=a,b'],
  ['cookie', 'form', false, { r: 'x', g: 2 }, 'v=r,x,g,2'],
  ['cookie', 'form', true, ['a', 'b&c'], 'v=a; v=b%26c'],
  ['cookie', 'form', true, { r: 'x;y', g: 2 }, 'r=x%3By; g=2'],
  ['header', 'content', false, { r: 'é 漢' }, '{"r":"\\u00e9 \\u6f22"}'],
  [
    'query',
    'deepObject',
    true,
    { rows: [{ n: 1 }, { n: 2 }] },
    deep('rows][0][n=1', 'rows][1][n=2'),
    { schema: ROWS },
  ],
  ['query', 'deepObject', true, { any: ['x', true] }, deep('any=x', 'any=true'), { schema: ROWS }],
  ['query', 'deepObject', true, { a: { b: { c: { d: 1 } } } }, deep('a][b][c][d=1'), { schema: ROWS }],
  ['query', 'form', true, { any: ['x', true] }, '?any=x&any=true', { schema: ROWS }],
  ['query', 'form', true, { any: ['x'] }, '?any=x', { schema: ROWS }],
  [
    'query',
    'form',
    true,
    { sizes: [1], a: { b: {} } },
    '?sizes=1&a=%7B%22b%22%3A%7B%7D%7D',
    { schema: ROWS },
  ],
  ['path', 'matrix', true, { sizes: [1, 2] }, '/;sizes=1;sizes=2', { schema: ROWS }],
  ['path', 'content', false, OBJECT, '/%7B%22r%22%3A%22x%20y%22%2C%22g%22%3A2%7D'],
  ['query', 'content', false, OBJECT, '?v=%7B%22r%22%3A%22x%20y%22%2C%22g%22%3A2%7D'],
  ['header', 'content', false, OBJECT, '{"r":"x y","g":2}'],
  ['cookie', 'content', false, ['a'], 'v=%5B%22a%22%5D'],
  ['path', 'simple', false, PLACES, '/1.5,2,true,7,8', { schema: TUPLE }],
  ['path', 'matrix', true, PLACES, '/;v=1.5;v=2;v=true;v=7;v=8', { schema: TUPLE }],
  ['query', 'form', false, PLACES, '?v=1.5,2,true,7,8', { schema: TUPLE }],
  ['query', 'form', true, PLACES, '?v=1.5&v=2&v=true&v=7&v=8', { schema: { allOf: [TUPLE] } }],
  ['query', 'pipeDelimited', false, PLACES, '?v=1.5%7C2%7Ctrue%7C7%7C8', { schema: TUPLE }],
  [
    'query',
    'deepObject',
    true,
    { t: PLACES },
    deep('t=1.5', 't=2', 't=true', 't=7', 't=8'),
    { schema: object({ t: TUPLE }) },
  ],
  ['query', 'form', true, { t: PLACES }, '?t=1.5&t=2&t=true&t=7&t=8', { schema: object({ t: TUPLE }) }],
  ['header', 'simple', false, PLACES, '1.5,2,true,7,8', { schema: TUPLE }],
  ['path', 'matrix', false, '', '/;v'],
  ['path', 'matrix', true, '', '/;v'],
  ['path', 'matrix', true, { r: '', g: 2 }, '/;r;g=2'],
  ['query', 'form', true, '', '?v=', { schema: MAYBE }],
  ['query', 'form', true, 'null', '?v=null', { schema: MAYBE }],
  ['query', 'form', true, 'a', '?v=a', { schema: ANY }],
  ['query', 'form', true, false, '?v=false', { schema: ANY }],
  ['query', 'form', true, ['a', 'true'], '?v=a&v=true', { schema: ANY }],
  ['query', 'form', false, 'a', '?v=a', { schema: ANY }],
  ['query', 'form', false, ['a', 'b'], '?v=a,b', { schema: ANY }],
  ['query', 'form', true, ['x'], '?v=x', { schema: { anyOf: [{ const: 'y' }, LETTERS] } }],
  ['query', 'urlencoded', false, { r: 'x & y', g: 2 }, '?v=r%3Dx%2B%2526%2By%26g%3D2'],
  ['query', 'urlencoded', false, { r: 'é', g: 0 }, '?v=r%3D%25C3%25A9%26g%3D0'],
  ['cookie', 'urlencoded', false, { r: 'x;y' }, 'v=r%3Dx%253By'],
  ['header', 'urlencoded', false, { r: 'x y', g: 2 }, 'r=x+y&g=2'],
  ['cookie', 'form', true, PLACES, 'v=1.5; v=2; v=true; v=7; v=8', { schema: TUPLE }],
  // RFC 6570, sections 3.2.5 and 3.2.7: an empty text has its dot, and an empty list has none.
  ['path', 'label', false, '', '.'],
  ['path', 'label', true, '', '.'],
  ['path', 'label', false, [], ''],
  ['path', 'label', true, [], ''],
  ['path', 'label', false, [''], '.'],
  ['path', 'label', true, ['', ''], '..'],
  ['path', 'label', true, ['a', ''], '/.a.'],
  ['path', 'label', true, {}, ''],
  ['path', 'matrix', true, [], ''],
  ['path', 'matrix', true, [''], ';v'],
  ['path', 'matrix', false, [''], ';v'],
  ['path', 'matrix', true, {}, ''],
  ['path', 'simple', false, [], ''],
  ['path', 'simple', false, '', ''],
  // OpenAPI 3.2, "Style Values": nothing in such a cookie is percent-encoded.
  ['cookie', 'cookie', true, 'a%20b=&c', 'v=a%20b=&c'],
  ['cookie', 'cookie', false, ['a&b', 'c'], 'v=a&b,c'],
  ['cookie', 'cookie', true, ['a&b', 'c%2C'], 'v=a&b; v=c%2C'],
  ['cookie', 'cookie', true, { r: 'x/y', g: 2 }, 'r=x/y; g=2'],
  ['cookie', 'cookie', false, { r: 'x%41', g: 2 }, 'v=r,x%41,g,2'],
  ['cookie', 'cookie', undefined, ['a', 'b'], 'v=a; v=b'],
];

/** Alone in its segment, an empty value would change the path. */
const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && Object.values(value ?? {}).every((one) => one === ''));

function schemaOf(value: unknown): object {
  if (typeof value === 'string') return { type: 'string' };
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' } };
  return {
    type: 'object',
    properties: { r: { type: 'string' }, g: { type: 'integer' }, 'a b': { type: 'string' } },
  };
}

/** For parameters that the document describes by a media type. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  content: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
};

const idOf = (index: number): string => `op${String(index)}`;

const paths = Object.fromEntries(
  rows.map(([place, style, explode, value, want, more], index) => {
    const schema = schemaOf(value);
    const type = MEDIA_TYPES[style];
    const how = type === undefined ? { style, explode, schema } : { content: { [type]: { schema } } };
    const parameter = { name: 'v', in: place, required: place === 'path', ...how, ...more };
    const operation = {
      operationId: idOf(index),
      parameters: [parameter],
      responses: { '204': { description: '' } },
    };
    const isBeside = isEmpty(value) && !want.startsWith('/');
    return [`/${idOf(index)}${place !== 'path' ? '' : isBeside ? '-{v}' : '/{v}'}`, { get: operation }];
  }),
);

type Client = Record<string, (input: object) => Promise<{ readonly status: number }>>;
let client: { createSample(options: object): Client };
let server: { createServer(handlers: object, options: object): (request: Request) => Promise<Response> };

// Made once, by the test that runs first.
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));
async function make(): Promise<void> {
  const document = { ...documentOf({}, paths), openapi: '3.2.0' };
  const files = await filesOf(document, 'sample', { server: true });
  client = (await imported(files, 'sample/index.ts')) as unknown as typeof client;
  server = (await imported(files, 'sample/server.ts')) as unknown as typeof server;
}

test.each(rows.map((row, index) => [...row.slice(0, 4), index] as const))(
  '%s, %s, explode %s: %j is sent as the style says and arrives as it was',
  async (...given) => {
    const index = given[4] as number;
    const [place, , , value, want] = rows[index] as Row;
    let bytes = '';
    let received: unknown;
    const serve = server.createServer(
      {
        [idOf(index)]: (input: unknown) => {
          received = input;
          return { status: 204 };
        },
      },
      { authenticate: () => ({ id: 'ada' }) },
    );
    const fetch = (address: string, init: RequestInit): Promise<Response> => {
      const headers = new Headers(init.headers);
      const rest = address.replace(`http://localhost/${idOf(index)}`, '').replace(/^-/, '');
      bytes =
        place === 'header'
          ? (headers.get('v') ?? '')
          : place === 'cookie'
            ? (headers.get('cookie') ?? '')
            : rest;
      return serve(new Request(address, { ...init, headers }));
    };
    const call = client.createSample({ baseUrl: 'http://localhost', fetch, retries: 0 })[idOf(index)];
    const answer = await call?.({ v: value });
    expect(bytes).toBe(want);
    expect([answer?.status, received]).toStrictEqual([204, { v: value }]);
  },
);
