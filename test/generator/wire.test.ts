import { beforeEach, expect, test } from 'vitest';
import { filesOf, imported, textOf } from './generated.ts';
import { wireDocument } from './wire-document.ts';

// What a generated client sends, byte by byte, and what a generated server makes of these bytes.

type Module = Record<string, unknown> & {
  createSample(options?: object): Record<string, (input?: object, options?: object) => Promise<Answered>>;
};
interface Answered {
  readonly status: number;
  readonly data: unknown;
}
let client: Module;
let server: { createServer(handlers: object, options: object): (request: Request) => Promise<Response> };

// Made once, by the test that runs first.
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));
async function make(): Promise<void> {
  const files = await filesOf(wireDocument, 'sample', { server: true });
  const doors = ['index', 'validators', 'failures'].map((door) => `export * from './${door}.js';\n`);
  const all = { path: 'sample/all.ts', text: doors.join('') };
  client = (await imported([...files, all], 'sample/all.ts')) as Module;
  server = (await imported(files, 'sample/server.ts')) as unknown as typeof server;
}

interface Sent {
  readonly url: string;
  readonly type: string | null;
  readonly bytes: string;
  readonly cookie: string | null;
  /** What the handler of a generated server got. */
  readonly received: unknown;
}

/** Makes a call twice: once against what prints bytes, once against a generated server. */
async function sent(name: string, input: object | undefined, options: object = {}): Promise<Sent> {
  let url = '';
  let type: string | null = null;
  let cookie: string | null = null;
  let printed = '';
  let received: unknown;
  const serve = server.createServer(
    {
      [name]: async (given: object) => {
        received = await readable(given);
        return { status: 204 };
      },
    },
    { authenticate: () => ({ id: 'ada' }) },
  );
  const fetch = async (address: string, init: RequestInit): Promise<Response> => {
    url = address;
    const request = new Request(address, init);
    type = request.headers.get('content-type');
    cookie = request.headers.get('cookie');
    const copy = request.clone();
    printed = await copy.text();
    const boundary = /boundary=(\S+)/.exec(type ?? '')?.[1];
    if (boundary !== undefined) printed = printed.replaceAll(boundary, 'B');
    type = type?.replace(/boundary=\S+/, 'boundary=B') ?? null;
    const { pathname, search } = new URL(address);
    const path = pathname.replace(/^\/(?:v1|v2|files)(?=\/)/, '');
    return serve(
      new Request(`http://localhost${path}${search}`, {
        method: request.method,
        headers: request.headers,
        ...(request.body === null ? {} : { body: await request.arrayBuffer() }),
      }),
    );
  };
  const answer = await client.createSample({ fetch, retries: 0, ...options })[name]?.(input);
  expect(answer?.status).toBe(204);
  return { url, type, cookie, bytes: printed, received };
}

/** Blobs as what they hold, so that a comparison sees it. */
async function readable(value: unknown): Promise<unknown> {
  if (value instanceof Blob)
    return { name: (value as File).name, type: value.type, text: await value.text() };
  if (Array.isArray(value)) return await Promise.all(value.map(readable));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, one]) => [name, await readable(one)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

const FORM = 'application/x-www-form-urlencoded';

test.each<[string, string, object, string, string, object?]>([
  [
    'a form',
    'sendPlain',
    { a: 'x & y', n: 7, yes: false, list: ['1', 'ü'], numbers: [1], point: { city: 'B' }, when: new Date(0) },
    FORM,
    'a=x+%26+y&n=7&yes=false&list=1&list=%C3%BC&numbers=1&point=%7B%22city%22%3A%22B%22%7D&when=1970-01-01T00%3A00%3A00.000Z',
    {
      a: 'x & y',
      n: 7,
      yes: false,
      list: ['1', 'ü'],
      numbers: [1],
      point: { city: 'B' },
      when: '1970-01-01T00:00:00.000Z',
    },
  ],
  ['a form without what is missing', 'sendPlain', { a: undefined, list: [], n: 0 }, FORM, 'n=0', { n: 0 }],
  [
    'lists with delimiters',
    'sendStyled',
    { csv: ['a', 'b,c'], ids: [1, 2], spaced: ['a', 'b'], piped: ['a', 'b'] },
    FORM,
    'csv=a,b%2Cc&ids=1,2&spaced=a%20b&piped=a%7Cb',
  ],
  [
    'a deep object',
    'sendStyled',
    { point: { city: 'B', lines: ['l1', 'l2'], floor: 3 } },
    FORM,
    'point%5Bcity%5D=B&point%5Blines%5D=l1&point%5Blines%5D=l2&point%5Bfloor%5D=3',
  ],
  ['an object that is spread', 'sendStyled', { spread: { city: 'B', floor: 3 } }, FORM, 'city=B&floor=3'],
  ['a list as JSON', 'sendStyled', { whole: [1, 2] }, FORM, 'whole=%5B1%2C2%5D'],
  ['a form that is put together of parts', 'sendJoined', { a: 'x', ids: [1, 2] }, FORM, 'a=x&ids=1,2'],
  ['reserved signs', 'sendStyled', { raw: 'a/b?c&d=e' }, FORM, 'raw=a/b?c%26d=e'],
])('%s', async (_, name, body, type, want, received = body) => {
  const seen = await sent(name, { body });
  expect([seen.type, seen.bytes]).toStrictEqual([type, want]);
  expect(seen.received).toStrictEqual({ body: received });
});

test('a form of another writer: commas that are encoded, and a list as one text of JSON', async () => {
  const bodies: unknown[] = [];
  const keep = ({ body }: { body: unknown }): object => {
    bodies.push(body);
    return { status: 204 };
  };
  const serve = server.createServer(
    { sendStyled: keep, sendPlain: keep },
    { authenticate: () => ({ id: 'ada' }) },
  );
  const post = async (path: string, body: string): Promise<number> => {
    const headers = { 'content-type': FORM };
    return (await serve(new Request(`http://localhost${path}`, { method: 'POST', headers, body }))).status;
  };
  expect([
    await post('/styled', 'csv=a%2Cb&ids=1%2C2'),
    await post('/plain', 'numbers=%5B1%2C2%5D'),
    await post('/plain', 'n=x'),
    await post('/styled', 'ids=1,x'),
  ]).toStrictEqual([204, 204, 400, 400]);
  expect(bodies).toStrictEqual([{ csv: ['a', 'b'], ids: [1, 2] }, { numbers: [1, 2] }]);
});

const part = (name: string, content: string, type?: string, filename?: string): string =>
  `--B\r\nContent-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n${content}\r\n`;

test('parts carry their media types, are files only where they hold bytes, and arrive as their types', async () => {
  const seen = await sent('sendParts', {
    body: {
      file: new Blob(['PNG']),
      files: [new File(['1'], 'a"b.txt', { type: 'text/plain' }), new Uint8Array([50])],
      meta: { message: 'm', code: 1 },
      xml: '<a/>',
      n: 1,
      tags: ['t1', '%41'],
      notes: [{ message: 'o1' }, { message: 'o2' }],
      csv: [1, 2],
    },
  });
  expect(seen.type).toBe('multipart/form-data; boundary=B');
  expect(seen.bytes).toBe(
    part('file', 'PNG', 'image/png', 'blob') +
      part('files', '1', 'text/plain', 'a%22b.txt') +
      part('files', '2', 'application/octet-stream', 'blob') +
      part('meta', '{"message":"m","code":1}', 'application/json') +
      part('xml', '<a/>', 'application/xml') +
      part('n', '1') +
      part('tags', 't1') +
      part('tags', '%41') +
      part('notes', '{"message":"o1"}', 'application/json') +
      part('notes', '{"message":"o2"}', 'application/json') +
      part('csv', '1,2') +
      '--B--\r\n',
  );
  expect(seen.received).toStrictEqual({
    body: {
      file: { name: 'blob', type: 'image/png', text: 'PNG' },
      files: [
        { name: 'a"b.txt', type: 'text/plain', text: '1' },
        { name: 'blob', type: 'application/octet-stream', text: '2' },
      ],
      meta: { message: 'm', code: 1 },
      xml: '<a/>',
      n: 1,
      tags: ['t1', '%41'],
      notes: [{ message: 'o1' }, { message: 'o2' }],
      csv: [1, 2],
    },
  });
});

test('parts carry the headers that are given for them', async () => {
  const seen = await sent('sendHeadedParts', {
    body: { doc: { message: 'm' }, pages: [new Blob(['1']), new Blob(['2'])], n: 1 },
    partHeaders: {
      doc: { 'x-doc-id': 'ä 1', 'X-Kind': undefined },
      pages: [{ 'X-Page': '1' }, { 'X-Page': '2' }],
    },
  });
  expect(seen.bytes).toBe(
    part('doc', '{"message":"m"}', 'application/json\r\nx-doc-id: ä 1') +
      part('pages', '1', 'application/octet-stream\r\nX-Page: 1', 'blob') +
      part('pages', '2', 'application/octet-stream\r\nX-Page: 2', 'blob') +
      part('n', '1') +
      '--B--\r\n',
  );
});

test.each([
  [undefined, 'the part "doc" needs the header "X-Doc-Id"'],
  [{ doc: { 'X-Doc-Id': 'a\r\nX: y' } }, 'characters not allowed in headers'],
  [{ doc: { 'X-Doc-Id': 'a', 'X: y\r\n': 'b' } }, 'characters not allowed in headers'],
])(
  'headers of parts that cannot be written are reported before anything is sent: %j',
  async (partHeaders, said) => {
    const call = sent('sendHeadedParts', { body: { doc: { message: 'm' } }, partHeaders });
    await expect(call).rejects.toThrow(said);
  },
);

test.each(['sendAnyParts', 'sendLooseParts'])(
  'a file that the document does not name stays a file: %s',
  async (name) => {
    const seen = await sent(name, { body: { scan: new File(['\u00FF'], 'a.bin') } });
    expect(seen.received).toStrictEqual({
      body: { scan: { name: 'a.bin', type: 'application/octet-stream', text: '\u00FF' } },
    });
  },
);

test.each([
  ['a number that is none', part('n', 'x')],
  ['JSON that does not fit', part('meta', '{"message":1}', 'application/json')],
  ['JSON of a file that does not fit', part('meta', '{}', 'application/json', 'blob')],
])('parts are judged: %s', async (_, body) => {
  const serve = server.createServer({}, { authenticate: () => ({ id: 'ada' }) });
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const request = new Request('http://localhost/parts', {
    method: 'POST',
    headers,
    body: `${body}--B--\r\n`,
  });
  expect((await serve(request)).status).toBe(400);
});

test('other multipart bodies than forms keep their media type, and their parts have theirs', async () => {
  let request: Request | undefined;
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    request = new Request(url, init);
    return Promise.resolve(new Response(null, { status: 204 }));
  };
  await client.createSample({ fetch })['sendRelated']?.({
    body: { meta: { message: 'm' }, file: new Blob(['x']) },
  });
  const type = request?.headers.get('content-type') ?? '';
  expect(type).toMatch(/^multipart\/mixed; boundary=\S+$/);
  expect((await request?.text())?.replaceAll(type.replace(/.*boundary=/, ''), 'B')).toBe(
    '--B\r\nContent-Type: application/json\r\n\r\n{"message":"m"}\r\n' +
      '--B\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n--B--\r\n',
  );
});

const streamOf = (...chunks: string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

test.each<[string, string, object, string, string, unknown]>([
  [
    'a Blob with a type as anything',
    'sendAny',
    { body: new Blob(['x'], { type: 'image/gif' }) },
    'image/gif',
    'x',
    { name: undefined, type: 'image/gif', text: 'x' },
  ],
  [
    'a Blob without one',
    'sendAny',
    { body: new Blob(['x']) },
    'application/octet-stream',
    'x',
    { name: undefined, type: 'application/octet-stream', text: 'x' },
  ],
  [
    'an object as anything',
    'sendAnyJson',
    { body: { message: 'm' } },
    'application/json',
    '{"message":"m"}',
    { message: 'm' },
  ],
  [
    'a view',
    'sendOctets',
    { body: new Uint8Array([120, 121]) },
    'application/octet-stream',
    'xy',
    { name: undefined, type: 'application/octet-stream', text: 'xy' },
  ],
  [
    'a stream',
    'sendOctets',
    { body: streamOf('x', 'y') },
    'application/octet-stream',
    'xy',
    { name: undefined, type: 'application/octet-stream', text: 'xy' },
  ],
  [
    'lines',
    'sendLines',
    { body: [{ message: 'a' }, { message: 'b' }] },
    'application/x-ndjson',
    '{"message":"a"}\n{"message":"b"}\n',
    [{ message: 'a' }, { message: 'b' }],
  ],
  [
    'a sequence',
    'sendSequence',
    { body: [{ message: 'a' }] },
    'application/json-seq',
    '\u001E{"message":"a"}\n',
    [{ message: 'a' }],
  ],
])('%s', async (_, name, input, type, want, received) => {
  const seen = await sent(name, input);
  expect([seen.type, seen.bytes]).toStrictEqual([type, want]);
  expect(seen.received).toStrictEqual({ body: received });
});

test.each<[object, string, string, unknown]>([
  [{ body: { message: 'm' } }, 'application/json', '{"message":"m"}', { message: 'm' }],
  [{ contentType: 'text/plain', body: 'hello' }, 'text/plain', 'hello', 'hello'],
  [{ contentType: 'application/xml', body: '<a/>' }, 'application/xml', '<a/>', '<a/>'],
  [
    { contentType: FORM, body: { message: 'm', code: 1 } },
    FORM,
    'message=m&code=1',
    { message: 'm', code: 1 },
  ],
])('of several media types the one that is chosen is sent: %j', async (input, type, want, received) => {
  const seen = await sent('sendSeveral', input);
  expect([seen.type, seen.bytes]).toStrictEqual([type, want]);
  expect(seen.received).toStrictEqual({ body: received, contentType: type });
});

test.each([
  [new Blob(['x'], { type: 'image/jpeg' }), 'image/jpeg'],
  [new Blob(['x'], { type: 'image/gif' }), 'application/json'],
])('of several media types of bytes a Blob names its own', async (body, type) => {
  const types: (string | null)[] = [];
  const fetch = (url: string, init: RequestInit): Promise<Response> => {
    types.push(new Request(url, init).headers.get('content-type'));
    return Promise.resolve(new Response(null, { status: 204 }));
  };
  await client.createSample({ fetch })['sendPictures']?.({ body });
  expect(types).toStrictEqual([type]);
});

test.each<[string, string, object | undefined, object, RegExp, object]>([
  [
    'a path with letters that a URL escapes',
    'readSize',
    { of: 'é' },
    {},
    /\/gr%C3%B6%C3%9Fe\/%C3%A9$/,
    { of: 'é' },
  ],
  [
    'a query behind a path that ends in a fragment, and a key in a cookie as it was given',
    'readKeyed',
    { z: '1' },
    { credentials: { session: 'a=:%41/;' } },
    /\/keyed\?z=1$/,
    { z: '1', cookie: 'SID=a=:%41/%3B' },
  ],
  [
    'a header in another case, a list whose schema has no type, and no body with GET',
    'readListed',
    { xTenant: 7, ids: [1, 2], filter: { n: 3 } },
    {},
    /\/listed\?ids=1&ids=2&filter%5Bn%5D=3$/,
    { xTenant: 7, ids: [1, 2], filter: { n: 3 } },
  ],
  [
    'an object of any members beside other parameters, a list of objects and a key',
    'readLoose',
    { q: 'a', tags: ['b'], deep: { k: 'd' }, near: { x: '1' }, more: { lang: 'de', 'a b': 'c' } },
    { credentials: { asked: 'secret' } },
    /\/loose\?q=a&tags=b&deep%5Bk%5D=d&x=1&lang=de&a%20b=c&api_key=secret$/,
    { q: 'a', tags: ['b'], deep: { k: 'd' }, near: { x: '1' }, more: { lang: 'de', 'a b': 'c' } },
  ],
  [
    'an object of some known members and numbers under any other name',
    'readCounted',
    { q: 'a', counts: { word: 'w', n: 1, m: 2 } },
    {},
    /\/counted\?q=a&word=w&n=1&m=2$/,
    { q: 'a', counts: { word: 'w', n: 1, m: 2 } },
  ],
  [
    'a path that names a query',
    'startMachine',
    { id: 'a b', force: true },
    {},
    /\/machines\/a%20b\?action=start&force=true$/,
    { id: 'a b', force: true },
  ],
  [
    'the same path with another query, and a value in it',
    'stopMachine',
    { id: 'm', after: 5 },
    {},
    /\/machines\/m\?action=stop&after=5$/,
    { id: 'm', after: 5 },
  ],
  [
    'the same path without a query',
    'changeMachine',
    { id: 'm', after: '5' },
    {},
    /\/machines\/m\?after=5$/,
    { id: 'm', after: '5' },
  ],
])('%s', async (_, name, input, options, url, received) => {
  const seen = await sent(name, input, options);
  const { cookie, ...rest } = received as { cookie?: string };
  expect(new URL(seen.url).href).toMatch(url);
  expect(seen.received).toStrictEqual(rest);
  expect(seen.cookie).toBe(cookie ?? null);
});

test('JSON is asked for before what is not typed', async () => {
  const files = await filesOf(wireDocument);
  expect(textOf(files, 'sample/client.ts')).toContain("accept: 'application/json, application/xml'");
});

test('no value before the query of a path climbs out of it', async () => {
  await expect(sent('startMachine', { id: '..' })).rejects.toThrow('no path segment may be "." or ".."');
});

test('a media type that the operation does not take is refused before anything is sent', async () => {
  await expect(sent('sendSeveral', { contentType: 'text/csv', body: 'a' })).rejects.toThrow(
    'no body of the type text/csv is taken',
  );
});

test.each<[string, string, object, string]>([
  ["the document's server, its variables as usual", 'sendAny', {}, 'https://eu.example.com:8443/v2/any'],
  [
    'variables of the caller',
    'sendAny',
    { variables: { region: 'us', port: undefined } },
    'https://us.example.com:8443/v2/any',
  ],
  ['an address of the caller', 'sendAny', { baseUrl: 'http://localhost:1/x/' }, 'http://localhost:1/x/any'],
  [
    'the server of a path',
    'readElsewhere',
    { baseUrl: 'http://localhost:1' },
    'https://upload.example.com/v1/elsewhere',
  ],
  [
    'its variables',
    'readElsewhere',
    { variables: { stage: 'files' } },
    'https://upload.example.com/files/elsewhere',
  ],
  [
    'the server of an operation, relative',
    'writeElsewhere',
    {},
    'https://eu.example.com:8443/files/elsewhere',
  ],
  [
    'an address in place of that of a path',
    'readElsewhere',
    { servers: { 'https://upload.example.com/{stage}': 'http://localhost:2/files' } },
    'http://localhost:2/files/elsewhere',
  ],
])('a call goes to %s', async (_, name, options, want) => {
  const input = name === 'sendAny' ? { body: new Blob(['x']) } : undefined;
  const fetched: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    fetched.push(url);
    return Promise.resolve(new Response(null, { status: 204 }));
  };
  const call = client.createSample({ ...options, fetch })[name];
  await (input === undefined ? call?.() : call?.(input));
  expect(fetched).toStrictEqual([want]);
});

test('a stream is sent once: it cannot be read again', async () => {
  let count = 0;
  const fetch = (): Promise<Response> => {
    count += 1;
    return Promise.resolve(new Response(null, { status: 503 }));
  };
  const call = client.createSample({ fetch, retries: 2 })['sendOctets']?.({ body: streamOf('x') });
  await expect(call).rejects.toMatchObject({ status: 503 });
  expect(count).toBe(1);
});

const answered = async (name: string, response: Response): Promise<Answered | undefined> =>
  await client.createSample({ fetch: () => Promise.resolve(response), retries: 0 })[name]?.();

test.each<[string, string, () => Response, unknown]>([
  ['an accepted call without a body', 'beginLater', () => new Response(null, { status: 202 }), undefined],
  [
    'one that says JSON and has none',
    'beginLater',
    () => new Response('', { status: 202, headers: { 'content-type': 'application/json' } }),
    undefined,
  ],
  ['JSON beside it', 'beginLater', () => Response.json({ message: 'm' }), { message: 'm' }],
  ['a redirect that the document has', 'readMoved', () => new Response(null, { status: 302 }), undefined],
  ['JSON where a stream could come', 'chat', () => Response.json({ message: 'm' }), { message: 'm' }],
])('%s is a result', async (_, name, response, want) => {
  expect((await answered(name, response()))?.data).toStrictEqual(want);
});

const arriving = (type: string, ...chunks: string[]): Response =>
  new Response(streamOf(...chunks), { headers: { 'content-type': type } });

test.each<[string, string, Response, unknown[]]>([
  [
    'events by request',
    'chat',
    arriving(
      'text/event-stream',
      'data: {"mess',
      'age":"a"}\n\n',
      'event: x\ndata: {"message":"b"}\n\ndata: [DONE]\n\n',
    ),
    [
      { event: 'message', data: { message: 'a' } },
      { event: 'x', data: { message: 'b' } },
    ],
  ],
  [
    'events',
    'readEvents',
    arriving('text/event-stream', 'data: {"message":"a"}\n\n'),
    [{ event: 'message', data: { message: 'a' } }],
  ],
  [
    'lines',
    'readRows',
    arriving('application/jsonl', '{"message":"a"}\n\n{"mess', 'age":"b"}'),
    [{ message: 'a' }, { message: 'b' }],
  ],
  [
    'a sequence',
    'readRecords',
    arriving('application/json-seq', '\u001E{"message":\n"a"}\n\u001E{"message":"b"}\n'),
    [{ message: 'a' }, { message: 'b' }],
  ],
])('%s arrive item by item', async (_, name, response, want) => {
  const items: unknown[] = [];
  for await (const item of (await answered(name, response))?.data as AsyncIterable<unknown>) items.push(item);
  expect(items).toStrictEqual(want);
});

test('an item that is not JSON is an unreadable answer', async () => {
  const { data } = (await answered(
    'readRows',
    arriving('application/jsonl', '{"message":"a"}\n{oops\n'),
  )) as {
    data: AsyncIterable<unknown>;
  };
  const read = async (): Promise<void> => {
    for await (const item of data) expect(item).toStrictEqual({ message: 'a' });
  };
  await expect(read()).rejects.toMatchObject({ name: 'ResponseError', status: 200 });
});

test('a binary body of any media type is a Blob', async () => {
  const answer = await answered(
    'readPicture',
    new Response('x', { headers: { 'content-type': 'image/png' } }),
  );
  expect(answer?.data).toBeInstanceOf(Blob);
});

test('members that the server alone gives are not sent, and those that are only sent are not answered', async () => {
  const pets: unknown[] = [];
  const serve = server.createServer(
    {
      addPet: ({ body }: { body: unknown }) => {
        pets.push(body);
        return { status: 200, body: { pets: [{ id: '1', name: 'Rex' }], since: 'now' } };
      },
    },
    { authenticate: () => ({ id: 'ada' }), checkResponses: true },
  );
  const post = async (body: object): Promise<number> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await serve(new Request('http://localhost/pets', init))).status;
  };
  const sentBack = { id: '1', name: 'Rex', secret: 's', owner: { since: 'then' } };
  expect([
    await post({ name: 'Rex', secret: 's' }),
    await post(sentBack),
    await post({ id: '1', name: 'Rex' }),
  ]).toStrictEqual([200, 200, 400]);
  expect(pets).toStrictEqual([{ name: 'Rex', secret: 's' }, sentBack]);
  const guards = client as unknown as Record<string, (value: unknown) => boolean>;
  const answered = { id: '1', name: 'Rex' };
  const values = [answered, { name: 'Rex', secret: 's' }];
  expect([
    values.map((value) => guards['isPet']?.(value)),
    values.map((value) => guards['isPetInput']?.(value)),
  ]).toStrictEqual([
    [true, false],
    [false, true],
  ]);
});

test('what extends a schema with a discriminator has its own tags, and those of what extends it', () => {
  const guards = client as unknown as Record<string, (value: unknown) => boolean>;
  const kinds = ['round', 'flat', 'cube', 'Line', 'other'];
  const passing = (guard: string): string[] => kinds.filter((kind) => guards[guard]?.({ kind }));
  expect(['isShape', 'isCircle', 'isSquare', 'isCube', 'isLine'].map(passing)).toStrictEqual([
    kinds,
    ['round'],
    ['flat', 'cube'],
    ['cube'],
    ['Line'],
  ]);
});

test.each<[number, object, string | number, boolean]>([
  [404, { pets: [] }, 404, true],
  [404, { message: 'm' }, '4XX', false],
  [409, { message: 'm' }, '4XX', true],
  [409, { kind: 'round' }, '4XX', false],
  [503, { kind: 'round' }, 'default', true],
  [409, { kind: 'round' }, 'default', false],
])('an answer %i %j is the error described for %s: %s', async (status, body, place, isIt) => {
  const call = answered('readFailing', Response.json(body, { status }));
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const failure = client['readFailingFailure'] as (error: unknown, place: string | number) => unknown;
  expect(failure(error, place)).toBe(isIt ? error : undefined);
});

test('without validators nothing of the code checks values, and all calls are there', async () => {
  const files = await filesOf(wireDocument, 'sample', { withoutValidators: true });
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => /validators|failures/.test(path))).toStrictEqual([]);
  for (const { path, text } of files.filter((file) => file.path.startsWith('sample/')))
    expect(text, path).not.toMatch(/validators|\bcheck…|\bis[A-Z]\w*\(/);
  const { createSample } = await imported(files, 'sample/index.ts');
  expect(createSample).toBeTypeOf('function');
});
