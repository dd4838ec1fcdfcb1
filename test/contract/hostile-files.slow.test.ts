// @module-tag attack
// @module-tag long
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadContract, type LoadResult } from '../../contract/index.ts';

/** A hundred thousand: deeper, longer or more than any reader that recurses or compares all with all can bear. */
const MANY = 100_000;

const paths = { '/orders': { get: { responses: { 200: { description: 'ok' } } } } };
const minimal = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths };

function withSchemas(schemas: Record<string, unknown>): string {
  return JSON.stringify({ ...minimal, components: { schemas } });
}

function schemasNamed(count: number, schema: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`Schema${index}`, schema(index)]));
}

const cases: readonly (readonly [string, { given: string; file?: string; want: readonly string[] }])[] = [
  [
    'JSON nested 100,000 deep',
    { given: `{"openapi":${'['.repeat(MANY)}${']'.repeat(MANY)}}`, file: 'x.json', want: ['too-deep 1:211'] },
  ],
  [
    'JSON that opens 100,000 lists and closes none',
    { given: `{"openapi":${'['.repeat(MANY)}`, file: 'x.json', want: ['too-deep 1:211'] },
  ],
  [
    'YAML flow collections nested 100,000 deep',
    { given: `openapi: ${'['.repeat(MANY)}${']'.repeat(MANY)}`, want: ['too-deep 1:209'] },
  ],
  [
    'YAML mappings that open 100,000 deep',
    { given: `openapi: ${'{a: '.repeat(MANY)}`, want: ['too-deep 1:806'] },
  ],
  [
    'YAML lists nested 100,000 deep in a line',
    { given: `x:\n  ${'- '.repeat(MANY)}1`, want: ['too-deep 2:401'] },
  ],
  ['YAML keys nested 100,000 deep', { given: '? '.repeat(MANY), want: ['too-deep 1:401'] }],
  ['100,000 comments', { given: '# a # b # c\n'.repeat(MANY), want: ['file-empty 1:1'] }],
  ['ten million blanks', { given: ' '.repeat(1e7), want: ['file-empty 1:1'] }],
  [
    'a text of a million escapes that never ends',
    { given: `{"a":"${'\\"'.repeat(1e6)}`, file: 'x.json', want: ['syntax 1:6'] },
  ],
  ['two million YAML values', { given: `x: [${'1,'.repeat(2e6)}]`, want: ['file-too-large 1:1'] }],
  [
    'a chain of 100,000 references',
    {
      given: withSchemas(
        schemasNamed(MANY, (n) => (n === 0 ? {} : { $ref: `#/components/schemas/Schema${n - 1}` })),
      ),
      want: ['ref-chain 1:5369'],
    },
  ],
  [
    'a loop of 20,000 references',
    {
      given: withSchemas(
        schemasNamed(20_000, (n) => ({ $ref: `#/components/schemas/Schema${(n + 1) % 20_000}` })),
      ),
      want: ['ref-loop 1:172'],
    },
  ],
  [
    '20,000 references that lead nowhere',
    {
      given: withSchemas(schemasNamed(20_000, (n) => ({ $ref: `#/components/schemas/Shcema${n}` }))),
      want: ['ref-dangling', 'too-many-problems'],
    },
  ],
  [
    'schemas that are each all of all of them',
    {
      given: withSchemas(
        schemasNamed(50, () => ({
          allOf: Array.from({ length: 50 }, (_, n) => ({ $ref: `#/components/schemas/Schema${n}` })),
        })),
      ),
      want: ['ref-loop'],
    },
  ],
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test.each(cases)('%s: refused with a located message', async (_, { given, file = 'x.yaml', want }) => {
  writeFileSync(join(folder, file), given);
  const result = await loadContract({ document: file, cwd: folder, name: 'shop' });
  const brief = result.ok
    ? []
    : result.diagnostics.map(
        ({ code, location }) =>
          `${code} ${location === undefined ? 'nowhere' : `${location.line}:${location.column}`}`,
      );
  // Where there are many alike, the codes say enough.
  const places = want.some((text) => text.includes(' '));
  expect(places ? brief : [...new Set(brief.map((text) => text.replace(/ .*/, '')))]).toStrictEqual(want);
});

test('an enumeration of a million values is read', async () => {
  const values = Array.from({ length: 1e6 }, (_, index) => index);
  writeFileSync(join(folder, 'enum.json'), withSchemas({ Large: { enum: values } }));
  const result = await loadContract({ document: 'enum.json', cwd: folder });
  expect(result.ok && result.warnings).toStrictEqual([]);
});

test('members called __proto__ and constructor stay members, in JSON and in YAML', async () => {
  const members = `"__proto__":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}},"constructor":{"type":"boolean"},"A":{"$ref":"#/components/schemas/__proto__"}`;
  const text = `{"openapi":"3.1.0","info":{"title":"Shop","version":"1"},"paths":{},"x-a":{"__proto__":{"polluted":true}},"components":{"schemas":{${members}}}}`;
  for (const file of ['proto.json', 'proto.yaml']) {
    // A comment keeps the second one from being read as JSON.
    writeFileSync(join(folder, file), file.endsWith('.json') ? text : `# YAML\n${text}`);
    const result = await loadContract({ document: file, cwd: folder });
    const contract = contractOf(result);
    expect(contract.schemas.map(({ name }) => name)).toStrictEqual(['__proto__', 'constructor', 'A']);
    expect(JSON.stringify(contract.document.root)).toBe(text);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  }
});

test('inherited names such as constructor are not targets of references', async () => {
  writeFileSync(
    join(folder, 'inherited.json'),
    withSchemas({ A: { $ref: '#/components/schemas/toString' }, B: { $ref: '#/components/__proto__/x' } }),
  );
  const result = await loadContract({ document: 'inherited.json', cwd: folder });
  expect(codesOf(result)).toStrictEqual(['ref-dangling', 'ref-dangling']);
});

test('a file beyond the limit is refused before it is read', async () => {
  writeFileSync(join(folder, 'huge.yaml'), '');
  truncateSync(join(folder, 'huge.yaml'), 100 * 1024 * 1024);
  const result = await loadContract({ document: 'huge.yaml', cwd: folder });
  expect(result.ok || result.diagnostics).toMatchObject([
    {
      code: 'file-too-large',
      message: 'huge.yaml is too large: 100 MiB, the limit is 64 MiB',
      location: { line: 1, column: 1 },
    },
  ]);
});

test.each([
  ['missing.yaml', 'file-missing', 'check the path'],
  ['openapi.yml', 'file-missing', 'did you mean openapi.yaml?'],
  ['folder', 'file-unreadable', 'give the path of a file inside it'],
  ['/dev/null', 'file-unreadable', 'copy its content to a file first'],
])('%s is refused as %s', async (document, code, help) => {
  mkdirSync(join(folder, 'folder'), { recursive: true });
  writeFileSync(join(folder, 'openapi.yaml'), 'openapi: 3.1.0');
  const result = await loadContract({ document, cwd: folder, name: 'shop' });
  expect(result.ok || result.diagnostics).toMatchObject([
    { code, help, location: { file: document, line: 1 } },
  ]);
});

test('a byte order mark and Windows line ends change nothing', async () => {
  const text = `openapi: 3.1.0\ninfo:\n  titel: Shop\n  version: '1'\npaths: {}\n`;
  writeFileSync(join(folder, 'bom.yaml'), `\uFEFF${text.replaceAll('\n', '\r\n')}`);
  const result = await loadContract({ document: 'bom.yaml', cwd: folder });
  expect(result.ok || result.diagnostics[0]).toMatchObject({ location: { line: 3, column: 3 } });
});

test('a link that leads out of the folder is refused like a path that does', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'tallystick-outside-'));
  writeFileSync(join(outside, 'secret.yaml'), 'type: string');
  symlinkSync(join(outside, 'secret.yaml'), join(folder, 'inside.yaml'));
  writeFileSync(join(folder, 'links.json'), withSchemas({ A: { $ref: 'inside.yaml' } }));
  const result = await loadContract({ document: 'links.json', cwd: folder });
  rmSync(outside, { recursive: true });
  expect(codesOf(result)).toStrictEqual(['ref-refused']);
});

test('a document in more than five thousand files is refused', async () => {
  mkdirSync(join(folder, 'parts'), { recursive: true });
  const names = Array.from({ length: 5002 }, (_, index) => `parts/${index}.json`);
  for (const name of names) writeFileSync(join(folder, name), '{"type":"string"}');
  writeFileSync(
    join(folder, 'spread.json'),
    withSchemas(Object.fromEntries(names.map(($ref, index) => [`S${index}`, { $ref }]))),
  );
  const result = await loadContract({ document: 'spread.json', cwd: folder });
  expect(codesOf(result)).toStrictEqual(['too-many-files']);
});

test.each([
  ['my-api', true],
  ['con', false],
  ['../escape', false],
  ['Upper', false],
  ['', false],
  ['a'.repeat(65), false],
])('the name %j is accepted: %s', async (name, accepted) => {
  writeFileSync(join(folder, 'named.json'), JSON.stringify(minimal));
  const result = await loadContract({ document: 'named.json', cwd: folder, name });
  expect(result.ok ? [] : codesOf(result)).toStrictEqual(accepted ? [] : ['contract-name']);
});

function contractOf(result: LoadResult) {
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.contract;
}

function codesOf(result: LoadResult): string[] {
  return (result.ok ? result.warnings : result.diagnostics).map(({ code }) => code);
}
