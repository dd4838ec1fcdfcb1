import { beforeEach, expect, test } from 'vitest';
import type { GeneratedFile } from '../../generator/index.ts';
import { compilerErrors, documentOf, filesOf, imported } from './generated.ts';

type Handle = (request: Request) => Promise<Response>;

const header = (schema: object, more: object = {}): object => ({ schema, ...more });

/** One operation with headers of every kind, and one without any. */
const document = documentOf(
  { Level: { type: 'string', enum: ['low', 'high'] } },
  {
    '/things': {
      get: {
        operationId: 'listThings',
        responses: {
          200: {
            description: 'some',
            headers: {
              'X-Total': header({ type: 'integer', minimum: 0 }, { required: true }),
              Level: header({ $ref: '#/components/schemas/Level' }, { required: true }),
              Link: header({ type: 'string' }),
              'X-Sizes': header({ type: 'array', items: { type: 'integer' } }),
              'Content-Length': header({ type: 'integer' }, { required: true }),
              'X-Facts': {
                required: false,
                content: { 'application/json': { schema: { type: 'object', required: ['a'] } } },
              },
            },
            content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
          },
          '4XX': {
            description: 'no',
            headers: { 'X-Why': header({ type: 'string' }, { required: true }) },
          },
        },
      },
      head: { operationId: 'askThings', responses: { 204: { description: 'there are some' } } },
    },
    '/news': {
      get: {
        operationId: 'followNews',
        responses: {
          200: {
            description: 'events',
            headers: { 'X-From': header({ type: 'string' }, { required: true }) },
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
  },
);

let files: readonly GeneratedFile[] = [];
let createServer: (handlers: object, options: object) => Handle;
let made: Promise<void> | undefined;
beforeEach(() => (made ??= make()));

async function make(): Promise<void> {
  files = await filesOf(document, 'things', { server: true });
  createServer = (await imported(files, 'things/server.ts'))['createServer'] as typeof createServer;
}

const HEADERS = "'X-Total': '3', Level: 'low'";
const events = '(async function* () { yield { comment: "" }; })()';

test('a handler has to give the headers that every answer has, may give others, and is held to closed lists', () => {
  const handlers: [verdict: 'fits' | 'misfit', operation: string, text: string][] = [
    ['fits', 'listThings', `() => ({ status: 200, headers: { ${HEADERS} }, body: [] })`],
    ['fits', 'listThings', `() => ({ status: 200, headers: { ${HEADERS}, Link: 'x' }, raw: '[]' })`],
    ['fits', 'listThings', `() => ({ status: 200, headers: { ${HEADERS}, 'X-Else': 'x' }, body: [] })`],
    ['fits', 'listThings', "() => ({ status: 404, headers: { 'X-Why': 'gone' } })"],
    ['fits', 'askThings', '() => ({ status: 204 })'],
    ['fits', 'askThings', "() => ({ status: 204, headers: { 'X-Else': 'x' } })"],
    ['fits', 'followNews', `() => ({ status: 200, headers: { 'X-From': 'here' }, events: ${events} })`],
    ['misfit', 'listThings', '() => ({ status: 200, body: [] })'],
    ['misfit', 'listThings', "() => ({ status: 200, headers: { 'X-Total': '3' }, body: [] })"],
    ['misfit', 'listThings', "() => ({ status: 200, headers: { 'X-Total': '3', Level: 'no' }, body: [] })"],
    ['misfit', 'listThings', `() => ({ status: 200, headers: { ${HEADERS}, Link: 3 }, body: [] })`],
    ['misfit', 'listThings', '() => ({ status: 404 })'],
    ['misfit', 'followNews', `() => ({ status: 200, events: ${events} })`],
  ];
  const uses = handlers.map(([verdict, operation, text], index) => ({
    path: `${verdict}-${String(index)}.ts`,
    text: `import type { ThingsHandlers } from './things/server.js';\nexport const handler: ThingsHandlers[${JSON.stringify(operation)}] = ${text};\n`,
  }));
  const faulty = compilerErrors([...files, ...uses]).map((error) => error.split(':')[0]);
  expect(new Set(faulty)).toStrictEqual(
    new Set(uses.map(({ path }) => path).filter((path) => path.startsWith('misfit'))),
  );
});

test.each([
  ['all that is declared', { 'X-Total': '3', Level: 'low', 'X-Sizes': '1,2', 'X-Facts': '{"a":1}' }, []],
  ['others beside them', { 'X-Total': '0', Level: 'high', 'X-Else': 'x' }, []],
  ['names in other letters', { 'x-total': '3', LEVEL: 'low' }, []],
  ['nothing', undefined, ['the header X-Total is missing', 'the header Level is missing']],
  ['a number below its bound', { 'X-Total': '-1', Level: 'low' }, [/^the header X-Total must be at least 0/]],
  ['text for a number', { 'X-Total': 'x', Level: 'low' }, [/^the header X-Total must be integer/]],
  ['a value that is not in the list', { 'X-Total': '1', Level: 'no' }, [/^the header Level must be/]],
  [
    'a list with a wrong item',
    { 'X-Total': '1', Level: 'low', 'X-Sizes': '1,x' },
    [/^the header X-Sizes at \/1 must be integer/],
  ],
  [
    'JSON without its member',
    { 'X-Total': '1', Level: 'low', 'X-Facts': '{}' },
    [/^the header X-Facts must have/],
  ],
] as const)('in development, %s as headers is judged by the document', async (_name, headers, misfits) => {
  const findings: { kind: string; misfits?: readonly string[] }[] = [];
  const serve = createServer(
    { listThings: () => ({ status: 200, headers, body: [] }) },
    {
      authenticate: () => ({ id: 'x' }),
      checkResponses: true,
      onFinding: (finding: (typeof findings)[number]) => findings.push(finding),
    },
  );
  const answer = await serve(new Request('http://localhost/things'));
  expect(answer.status).toBe(200);
  const told = findings.filter(({ kind }) => kind === 'response').flatMap((finding) => finding.misfits ?? []);
  expect(told).toHaveLength(misfits.length);
  misfits.forEach((misfit, index) => expect(told[index]).toMatch(misfit));
});

test('streams are held to their headers as well', async () => {
  const misfits: unknown[] = [];
  const serve = createServer(
    { followNews: () => ({ status: 200, events: (async function* () {})() }) },
    {
      authenticate: () => ({ id: 'x' }),
      checkResponses: true,
      onFinding: (finding: { misfits?: unknown }) => finding.misfits && misfits.push(finding.misfits),
    },
  );
  await (await serve(new Request('http://localhost/news'))).text();
  expect(misfits).toStrictEqual([['the header X-From is missing']]);
});
