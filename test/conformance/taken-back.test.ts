import { beforeAll, expect, test } from 'vitest';
import { permissions, renderReport, reportFormats, runConformance } from '../../conformance/index.ts';
import type { ConformanceOptions, Report, WireRequest } from '../../conformance/index.ts';
import type { Contract } from '../../contract/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

const thing =
  '{ type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }';
const one = `{ description: One., content: { application/json: { schema: ${thing} } } }`;
const parameter = (name: string): string =>
  `parameters: [{ name: ${name}, in: path, required: true, schema: { type: integer, example: 12 } }]`;
const body =
  'requestBody: { required: true, content: { application/json: { schema: { type: object, required: [name], properties: { name: { type: string } } }, example: { name: Ada } } } }';

/** Shelves with books; a book can be removed only if it is not lent, and no operation removes a note. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Library, version: '1' }
paths:
  /shelves:
    get: { operationId: listShelves, responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: ${thing} } } } } } }
    post: { operationId: addShelf, ${body}, responses: { '201': ${one} } }
  /shelves/{shelfId}:
    ${parameter('shelfId')}
    get: { operationId: getShelf, responses: { '200': ${one}, '404': { description: None. } } }
    put: { operationId: putShelf, ${body}, responses: { '200': ${one}, '404': { description: None. } } }
    delete: { operationId: dropShelf, responses: { '204': { description: Gone. }, '404': { description: None. } } }
  /shelves/{shelfId}/books:
    ${parameter('shelfId')}
    post: { operationId: addBook, ${body}, responses: { '201': ${one} } }
  /shelves/{shelfId}/books/{bookId}:
    parameters:
      - { name: shelfId, in: path, required: true, schema: { type: integer } }
      - { name: bookId, in: path, required: true, schema: { type: integer } }
    get: { operationId: getBook, responses: { '200': ${one}, '404': { description: None. } } }
    delete: { operationId: dropBook, responses: { '204': { description: Gone. }, '404': { description: None. } } }
`;

let contract: Contract;
beforeAll(async () => {
  contract = await own('library', DOCUMENT);
});

interface Faults {
  /** The answer to each deletion. */
  readonly refusal?: number;
  /** A creation returns what has the same name. */
  readonly isFound?: boolean;
  readonly isSilent?: boolean;
  /** A deletion is answered with success, and removes nothing. */
  readonly isKept?: boolean;
}

/** The library with shelf 12, which was there before. */
function library({ refusal, isFound = false, isKept = false }: Faults = {}): {
  readonly state: Map<string, string>;
  readonly answer: (request: WireRequest) => Scripted;
} {
  const state = new Map([['/shelves/12', 'Ada']]);
  let count = 100;
  const json = (status: number, value: unknown): Scripted => ({
    status,
    headers: { 'Content-Type': 'application/json' },
    body: value,
  });
  const shown = (path: string): unknown => ({ id: Number(path.split('/').at(-1)), name: state.get(path) });
  const answer = ({ method, target, body: bytes }: WireRequest): Scripted => {
    const path = target.split('?')[0] ?? target;
    const value = parsed(Buffer.from(bytes ?? []).toString() || '{}');
    if (value === undefined) return { status: 400 };
    if (method === 'POST') {
      if (typeof value.name !== 'string') return { status: 422 };
      const known = [...state].find(([, name]) => name === value.name)?.[0];
      if (isFound && known !== undefined) return json(200, shown(known));
      const place = `${path}/${(count += 1)}`;
      state.set(place, value.name);
      return json(201, shown(place));
    }
    if (path === '/shelves')
      return json(200, [...state.keys()].filter((key) => !key.includes('books')).map(shown));
    if (!state.has(path)) return { status: 404 };
    if (method === 'DELETE') {
      if (refusal !== undefined) return { status: refusal };
      if (isKept) return { status: 204 };
      for (const key of [...state.keys()]) if (key.startsWith(path)) state.delete(key);
      return { status: 204 };
    }
    if (method === 'PUT') {
      if (typeof value.name !== 'string') return { status: 422 };
      state.set(path, value.name);
    }
    return json(200, shown(path));
  };
  return { state, answer };
}

function parsed(text: string): { readonly name?: unknown } | undefined {
  try {
    return Object(JSON.parse(text)) as { name?: unknown };
  } catch {
    return undefined;
  }
}

async function judge(
  { answer }: Pick<ReturnType<typeof library>, 'answer'>,
  options: Partial<ConformanceOptions> = {},
): Promise<{ readonly report: Report; readonly requests: readonly WireRequest[] }> {
  const { transport, requests } = scripted(answer);
  const report = await runConformance({
    ...{ contracts: [contract], baseUrl: 'http://library.localhost/api', allow: permissions, fuzz: 10 },
    transport: (request) => transport({ ...request, target: request.target.replace('/api', '') }),
    ...options,
  });
  return { report, requests };
}

test('what a run makes is taken back, and what was there before is as it was', async () => {
  const server = library();
  const { report, requests } = await judge(server);
  expect([...server.state]).toEqual([['/shelves/12', 'Ada']]);
  expect(requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(5);
  expect(report.left).toBeUndefined();
  expect(report.findings).toEqual([]);
});

test('what a server calls removed and still shows is listed', async () => {
  const server = library({ isKept: true });
  const { report } = await judge(server);
  const made = [...server.state.keys()].filter((place) => place !== '/shelves/12');
  expect(made.length).toBeGreaterThan(5);
  expect((report.left ?? []).map(({ address }) => address).toSorted()).toEqual(made.toSorted());
  for (const { why } of report.left ?? []) expect(why).toMatch(/answered 204, and GET still shows it$/);
});

test('an id of the fixtures for all operations is read, and never changed', async () => {
  const server = library();
  const { report, requests } = await judge(server, { fixtures: { parameters: { shelfId: 12 } } });
  const at = requests.filter(({ target }) => target === '/shelves/12').map(({ method }) => method);
  expect(at).toContain('GET');
  expect(at.filter((method) => method !== 'GET')).toEqual([]);
  expect(server.state.get('/shelves/12')).toBe('Ada');
  // Books are made below it, because the fixtures say so, and taken back.
  expect(requests.some(({ method, target }) => method === 'POST' && target === '/shelves/12/books')).toBe(
    true,
  );
  expect([...server.state.keys()]).toEqual(['/shelves/12']);
  expect(report.rules.find(({ id }) => id === 'document.putShelf.answer')?.verdict).toBe('pass');
});

test('an id of the fixtures for one operation may be changed by it', async () => {
  const server = library();
  const { requests } = await judge(server, { fixtures: { parameters: { 'putShelf.shelfId': 12 } } });
  expect(requests.some(({ method, target }) => method === 'PUT' && target === '/shelves/12')).toBe(true);
});

test('a creation that returns what it finds made nothing: it is neither changed nor removed', async () => {
  const server = library({ isFound: true });
  const { requests } = await judge(server);
  const at = requests.filter(({ target }) => target === '/shelves/12').map(({ method }) => method);
  expect(at.filter((method) => method !== 'GET')).toEqual([]);
  expect(server.state.get('/shelves/12')).toBe('Ada');
});

test('what cannot be taken back is listed with its address in every format', async () => {
  const server = library({ refusal: 409 });
  const { report } = await judge(server, { rules: ['document.addShelf.answer'] });
  const [, address = ''] = [...server.state.keys()];
  expect(report.left?.[0]).toMatchObject({
    ...{ api: 'library', operation: 'addShelf', address },
    why: `DELETE /api${address} answered 409`,
    removal: { method: 'DELETE', target: `/api${address}` },
  });
  expect(report.left).toHaveLength(server.state.size - 1);
  for (const format of reportFormats) {
    if (format === 'badge' || format === 'har') continue;
    const text = renderReport(report, format, { folder: 'report' });
    expect(text, format).toContain(address);
    expect(text, format).toContain('answered 409');
  }
});

test('an interrupted run takes nothing back, and lists what it made', async () => {
  const server = library();
  const stop = new AbortController();
  const answer = (request: WireRequest): Scripted => {
    if (request.method !== 'POST' && server.state.size > 1) stop.abort();
    return server.answer(request);
  };
  const { report } = await judge({ answer }, { signal: stop.signal });
  expect(report.status).toBe('interrupted');
  const made = [...server.state.keys()].slice(1);
  expect(made.length).toBeGreaterThan(0);
  expect(report.left?.map(({ address }) => address)).toEqual(made);
  expect(report.left?.map(({ why }) => why)).toEqual(
    made.map(() => 'the run ended before it was taken back'),
  );
});

test('a deletion that the user leaves out is never sent', async () => {
  const server = library();
  const { report, requests } = await judge(server, { except: ['dropShelf', 'dropBook'] });
  expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect(report.left).toHaveLength(server.state.size - 1);
  expect(report.left?.[0]?.why).toContain('left out by --except dropShelf');
});

const TAGS = DOCUMENT.replaceAll("'201'", "'200'").replace('name: Ada', 'name: Red');

test('a creation with 200 whose id was shown by another collection is taken back', async () => {
  const contracts = [await own('library', TAGS)];
  const server = library();
  server.state.set('/shelves/12/books/101', 'Emma');
  server.state.set('/shelves/12/books/102', 'Emma');
  const answer = (request: WireRequest): Scripted => {
    const seen = server.answer(request);
    return seen.status === 201 ? { ...seen, status: 200 } : seen;
  };
  const before = [...server.state];
  const { report } = await judge(
    { answer },
    { contracts, fixtures: { parameters: { bookId: 101, shelfId: 12 } } },
  );
  expect([...server.state]).toEqual(before);
  expect(report.left).toBeUndefined();
});

test('a creation with 200 that may have found something is listed, and not touched', async () => {
  const contracts = [await own('library', TAGS)];
  const server = library();
  const answer = (request: WireRequest): Scripted => {
    if (request.method !== 'POST' || request.target !== '/shelves') return server.answer(request);
    return server.answer({ method: 'GET', target: '/shelves/12', headers: [] });
  };
  const { report, requests } = await judge({ answer }, { contracts, except: ['listShelves', 'getShelf'] });
  expect(requests.filter(({ method, target }) => /^\/shelves\/12/.test(target) && method !== 'GET')).toEqual(
    [],
  );
  expect(report.left).toMatchObject([{ address: '/shelves/12', why: 'it may have been there before' }]);
  expect(report.left?.[0]?.removal).toBeUndefined();
});

test('a creation has a name that nothing has, so that a server does not find something by it', async () => {
  const server = library({ isFound: true });
  server.state.set('/shelves/13', 'Text');
  const { requests } = await judge(server);
  const names = requests
    .filter(({ method }) => method === 'POST')
    .flatMap(({ body: bytes }) => /"name":"([^"]*)"/.exec(Buffer.from(bytes ?? []).toString())?.[1] ?? []);
  expect(names.length).toBeGreaterThan(3);
  expect(names).not.toContain('Ada');
});

test('what an answer made that cannot be read is listed by its exchange, and its status is judged', async () => {
  const server = library();
  // Deeper than the suite reads.
  const deep = '['.repeat(5_000) + ']'.repeat(5_000);
  const answer = (request: WireRequest): Scripted => {
    const seen = server.answer(request);
    return request.method === 'POST' && seen.status === 201 ? { ...seen, body: deep } : seen;
  };
  const { report } = await judge({ answer }, { rules: ['document.addShelf.*'] });
  const made = [...server.state.keys()].slice(1);
  expect(made.length).toBeGreaterThan(0);
  expect(report.left).toHaveLength(made.length);
  expect(report.left?.[0]).toMatchObject({ operation: 'addShelf', why: 'its answer cannot be read' });
});
