// @module-tag attack
// @module-tag long
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { loadContract, renderDiagnostics, type LoadResult } from '../../contract/index.ts';
import { filesOf } from '../generator/generated.ts';

/** An untrusted document, next to files that it must not read. */
const SECRET = 'secret-4711';
let parent: string;
let folder: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'tallystick-attack-'));
  folder = join(parent, 'project');
  mkdirSync(join(folder, 'parts'), { recursive: true });
  mkdirSync(join(parent, 'project-2'));
  // A command that reads it prints a line of it, because it is not valid YAML.
  for (const name of ['outside.yaml', 'project-2/outside.yaml'])
    writeFileSync(join(parent, name), `type: [${SECRET}\n`);
  symlinkSync(parent, join(folder, 'parts/up'));
  symlinkSync(join(parent, 'outside.yaml'), join(folder, 'parts/linked.yaml'));
  symlinkSync('linked.yaml', join(folder, 'parts/linked-twice.yaml'));
  symlinkSync('/dev/zero', join(folder, 'parts/zero.yaml'));
});
afterAll(() => {
  rmSync(parent, { recursive: true });
});

const referring = (reference: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: { '/a': { get: { responses: { 200: { description: 'a' } } } } },
    components: { schemas: { A: { $ref: reference } } },
  });

function told(result: LoadResult): { codes: readonly string[]; text: string } {
  if (result.ok) throw new Error('the document was taken');
  const text = renderDiagnostics(result.diagnostics, { colour: false, source: result.source });
  return { codes: result.diagnostics.map(({ code }) => code), text };
}

test.each([
  '../outside.yaml',
  './../outside.yaml',
  'parts/../../outside.yaml',
  '%2e%2e/outside.yaml',
  '..%2foutside.yaml',
  '%2e%2e%2foutside.yaml#/a',
  '../project-2/outside.yaml',
  'parts/up/outside.yaml',
  'parts/linked.yaml',
  'parts/linked-twice.yaml',
  'parts/zero.yaml',
  '/etc/passwd',
  '//127.0.0.1/etc/passwd',
  '\\\\127.0.0.1\\c$\\x.yaml',
  'C:\\outside.yaml',
  'file:///etc/passwd',
  'FILE:/etc/passwd',
  'file://localhost/etc/passwd',
  'data:application/json,{}',
  'node:fs',
  'jar:file:/x!/y',
])('a reference to %s is refused and shows nothing of it', async (reference) => {
  writeFileSync(join(folder, 'openapi.json'), referring(reference));
  const { codes, text } = told(await loadContract({ document: 'openapi.json', cwd: folder }));
  expect(codes).toStrictEqual(['ref-refused']);
  expect(text).not.toMatch(new RegExp(`${SECRET}|root:`));
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

test.each([
  [301, 'http://OTHER/x.yaml'],
  [302, '//OTHER/x.yaml'],
  [303, 'http://SELF@OTHER/x.yaml'],
  [307, '\\\\OTHER\\x.yaml'],
  [308, 'http:\\\\OTHER/x.yaml'],
  [302, 'http://localhost:OTHERPORT/x.yaml'],
  [302, 'http://2130706433:OTHERPORT/x.yaml'],
  [302, 'file:///etc/passwd'],
  [302, 'data:application/json,{}'],
  [302, 'http://'],
])(
  'a redirect of an allowed host that answers %i to %s is not followed elsewhere',
  async (status, location) => {
    const visits: string[] = [];
    const other = await listening((request, response) => {
      visits.push(request.url ?? '');
      response.end('type: string');
    });
    const self = await listening((request, response) => {
      if (request.url === '/openapi.json') response.end(referring('moved.yaml'));
      else
        response
          .writeHead(status, {
            Location: location
              .replace('SELF', self)
              .replace('OTHERPORT', other.split(':')[1] ?? '')
              .replace('OTHER', other),
          })
          .end();
    });
    const result = await loadContract({ document: `http://${self}/openapi.json`, allowRemote: [self] });
    expect(told(result).codes).toStrictEqual(['file-unreachable']);
    expect(visits).toStrictEqual([]);
  },
);

test.each([
  'http://OTHER/x.yaml',
  '//OTHER/x.yaml',
  'http://SELF@OTHER/x.yaml',
  'http://OTHER\\@SELF/x.yaml',
  'file:///etc/passwd',
])('a document of an allowed host that refers to %s causes no request', async (reference) => {
  const visits: string[] = [];
  const other = await listening((request, response) => {
    visits.push(request.url ?? '');
    response.end('type: string');
  });
  const self: string = await listening((_request, response) => {
    response.end(referring(reference.replace('SELF', self).replace('OTHER', other)));
  });
  const result = await loadContract({ document: `http://${self}/openapi.json`, allowRemote: [self] });
  expect(['ref-remote', 'ref-refused']).toContain(told(result).codes[0]);
  expect(visits).toStrictEqual([]);
});

const bomb = (levels: number, width: number): string =>
  Array.from({ length: levels }, (_, level) =>
    level === 0
      ? `a0: &a0 [x]`
      : `a${String(level)}: &a${String(level)} [${Array(width)
          .fill(`*a${String(level - 1)}`)
          .join(', ')}]`,
  ).join('\n');

test.each([
  ['aliases of aliases', `x-bomb:\n${bomb(40, 10).replace(/^/gm, '  ')}`],
  [
    'one long list by many aliases',
    `x-list: &list [${'x, '.repeat(20_000)}x]\nx-bomb: [${'*list, '.repeat(20_000)}*list]`,
  ],
  ['an alias of itself', 'x-bomb: &a [*a]'],
  [
    'merges of merges',
    `x-bomb:\n${bomb(40, 4)
      .replace(/\[x\]/, '{ x: 1 }')
      .replace(/\[(.*)\]/g, '{ <<: [$1] }')
      .replace(/^/gm, '  ')}`,
  ],
])('a bomb of %s is refused', async (_what, text) => {
  writeFileSync(
    join(folder, 'bomb.yaml'),
    `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths: {}\n${text}\n`,
  );
  const result = await loadContract({ document: 'bomb.yaml', cwd: folder });
  expect(result.ok).toBe(false);
});

const LEVELS = 40;
const doubled = (next: (ref: object) => object): object =>
  Object.fromEntries(
    Array.from({ length: LEVELS }, (_, level) => [
      `Level${String(level)}`,
      level === 0
        ? { type: 'object', properties: { end: { type: 'string' } } }
        : next({ $ref: `#/components/schemas/Level${String(level - 1)}` }),
    ]),
  );

test.each([
  ['members', (ref: object) => ({ type: 'object', properties: { a: ref, b: ref } })],
  ['all of', (ref: object) => ({ allOf: [ref, ref] })],
  ['one of', (ref: object) => ({ oneOf: [ref, { type: 'array', items: ref }] })],
])('schemas that double forty times by %s become code of a size that can be read', async (_what, next) => {
  const files = await filesOf({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/a': {
        get: {
          responses: {
            200: {
              description: 'a',
              content: {
                'application/json': { schema: { $ref: `#/components/schemas/Level${String(LEVELS - 1)}` } },
              },
            },
          },
        },
      },
    },
    components: { schemas: doubled(next) },
  });
  const size = files
    .filter(({ path }) => path.startsWith('sample/'))
    .reduce((sum, { text }) => sum + text.length, 0);
  expect(size).toBeLessThan(1_000_000);
});

/** Text that reads otherwise than it is compiled. */
const turned = 'x\u202e\u2066 } /* y \u2069\u2066';
test('generated code has no character that changes the direction of text', async () => {
  const files = await filesOf(
    {
      openapi: '3.1.0',
      info: { title: turned, version: turned, description: turned },
      tags: [{ name: turned, description: turned }],
      paths: {
        [`/a${turned.replace(/[{}]/g, '')}`]: {
          get: {
            operationId: turned,
            summary: turned,
            description: turned,
            parameters: [
              {
                name: turned,
                in: 'query',
                description: turned,
                schema: { type: 'string', enum: [turned], default: turned },
              },
            ],
            responses: {
              200: {
                description: turned,
                content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
              },
            },
          },
        },
      },
      components: {
        schemas: {
          A: {
            description: turned,
            type: 'object',
            required: [turned],
            properties: { [turned]: { const: turned, description: turned } },
          },
        },
      },
    },
    'sample',
    { server: true },
  );
  const lines = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        /[\u202a-\u202e\u2066-\u2069]/.test(line)
          ? [`${path}:${String(index + 1)} ${JSON.stringify(line.slice(0, 120))}`]
          : [],
      ),
  );
  expect(lines).toStrictEqual([]);
});
