import { expect, test } from 'vitest';
import { runConformance } from '../../conformance/index.ts';
import type { Report, WireRequest } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

/** Parameters that are easily taken for each other: in the path and the query, and behind a fragment. */
const DOCUMENT = `
openapi: 3.1.0
info: { title: Pages, version: '1' }
paths:
  /books/{id}/pages:
    get:
      operationId: readPage
      parameters:
        - { name: id, in: path, required: true, schema: { type: string, enum: [moby] } }
        - { name: id, in: query, required: true, schema: { type: integer, enum: [7] } }
        - { name: Accept-Encoding, in: header, schema: { type: string, enum: [gzip] } }
      responses:
        '200': { description: A page., content: { application/json: { schema: { type: integer } } } }
        '400': { description: A bad number. }
        '404': { description: No such book. }
  /books/{book}:
    get:
      operationId: readBook
      parameters: [{ name: book, in: path, required: true, schema: { type: string, enum: [moby] } }]
      responses:
        '200': { description: A book., content: { text/plain: { schema: { type: string } } } }
        '404': { description: No such book. }
  /books/{book}#owner:
    get:
      operationId: readOwner
      parameters:
        - { name: book, in: path, required: true, schema: { type: string, enum: [moby] } }
        - { name: owner, in: query, required: true, schema: { type: boolean } }
      responses:
        '200': { description: Its owner., content: { application/json: { schema: { type: integer } } } }
        '400': { description: No boolean. }
        '404': { description: No such book. }
`;

const json = (body: unknown): Scripted => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body,
});

function serve({ target }: WireRequest): Scripted {
  const [path = '', query] = target.split('?');
  const asked = new URLSearchParams(query);
  if (path === '/books/moby/pages')
    return asked.get('id') === '7' && asked.getAll('id').length === 1 ? json(7) : { status: 400 };
  if (path !== '/books/moby') return { status: 404 };
  const owner = asked.get('owner');
  if (owner === null) return { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'Call me.' };
  return owner === 'true' || owner === 'false' ? json(1) : { status: 400 };
}

async function judge(answer: (request: WireRequest) => Scripted): Promise<Report> {
  const contract = await own('pages', DOCUMENT);
  const { transport } = scripted(answer);
  return runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    credential: undefined,
    allow: ['negatives'],
    transport,
  } as Parameters<typeof runConformance>[0]);
}

const verdicts = ({ rules }: Report): Record<string, string> =>
  Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));

test('an honest server passes: each of two parameters with one name has its own value', async () => {
  const report = await judge(serve);
  expect(verdicts(report)).toStrictEqual({
    'document.readPage.answer': 'pass',
    'document.readPage.status': 'pass',
    'document.readPage.bad-parameter': 'pass',
    'document.readBook.answer': 'pass',
    'document.readBook.status': 'pass',
    // What one of two operations at an address refuses, the other can allow.
    'document.readOwner.answer': 'pass',
    'document.readOwner.status': 'pass',
  });
});

test('a wrong number beside a right book is a fault of its own', async () => {
  const lenient = (request: WireRequest): Scripted =>
    request.target.startsWith('/books/moby/pages') ? json(7) : serve(request);
  expect(verdicts(await judge(lenient))).toMatchObject({
    'document.readPage.bad-parameter': 'fail',
    'document.readPage.answer': 'pass',
  });
});

test('cookies are sent as their style says: a list repeats its name, and nothing is encoded in the style cookie', async () => {
  const contract = await own(
    'pages',
    `
openapi: 3.2.0
info: { title: Pages, version: '1' }
paths:
  /pages:
    get:
      operationId: listPages
      parameters:
        - { name: open, in: cookie, required: true, schema: { type: array, items: { type: string } }, example: [a b, c] }
        - { $ref: '#/components/parameters/Last' }
      responses: { '204': { description: Nothing. } }
components:
  parameters:
    Last: { name: last, in: cookie, style: cookie, required: true, schema: { type: string }, example: a%20b=& }
`,
  );
  const seen: string[] = [];
  const { transport } = scripted(({ headers }) => {
    seen.push(...headers.filter(([name]) => name === 'Cookie').map(([, value]) => value));
    return { status: 204 };
  });
  await runConformance({ contracts: [contract], baseUrl: 'http://localhost', transport } as Parameters<
    typeof runConformance
  >[0]);
  expect(seen[0]).toBe('open=a%20b; open=c; last=a%20b=&');
});
