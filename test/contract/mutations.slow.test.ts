// @module-tag attack
// @module-tag long
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type LoadResult, loadContract, packageRoot, renderDiagnostics } from '../../contract/index.ts';

const read = (file: string): string => readFileSync(join(packageRoot(), 'specs', file), 'utf8');
const documentText = read('router.openapi.yaml');
const sheetText = read('router.behaviour.yaml');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-'));
  writeFileSync(join(folder, 'router.yaml'), documentText);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Values that stand where others are expected. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e300, '', 'x', '#/components/schemas/RouterModelId', [], {}, [
    [],
  ]),
  fc.constantFrom<unknown>(
    { $ref: '#' },
    { $ref: '#/nowhere' },
    { $ref: '../x.yaml' },
    { $ref: 7 },
    { type: 'nope' },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const oddName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  '$ref',
  'x-',
  '',
  '{}',
  '/',
  'properties',
  'type',
);

interface Mutation {
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'rename' | 'add' | 'move';
  readonly value: unknown;
  readonly name: string;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(100_000),
  kind: fc.constantFrom('replace', 'remove', 'rename', 'add', 'move'),
  value: oddValue,
  name: oddName,
});

interface Slot {
  readonly parent: Record<string, unknown>;
  readonly key: string;
}

function slotsOf(root: unknown): Slot[] {
  const slots: Slot[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    for (const key of Object.keys(next)) {
      const parent = next as Record<string, unknown>;
      slots.push({ parent, key });
      waiting.push(parent[key]);
    }
  }
  return slots;
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

function mutate(text: string, mutations: readonly Mutation[]): string {
  const root: unknown = parse(text);
  for (const { at, kind, value, name } of mutations) {
    const slots = slotsOf(root);
    const slot = slots[at % slots.length];
    if (slot === undefined) break;
    const { parent, key } = slot;
    const other = slots[(at * 7 + 3) % slots.length];
    // A copy, so that no value is put into itself.
    if (kind === 'replace') define(parent, key, structuredClone(value));
    if (kind === 'add') define(parent, name, structuredClone(value));
    if (kind === 'move' && other !== undefined) define(parent, key, structuredClone(other.parent[other.key]));
    if (kind === 'rename' && !Array.isArray(parent)) define(parent, name, parent[key]);
    if ((kind === 'remove' || kind === 'rename') && !Array.isArray(parent))
      Reflect.deleteProperty(parent, key);
  }
  return JSON.stringify(root, null, 1);
}

/** Either it is read, or every problem has a code, a place in a file that was read, and words. */
function expectOrderly(result: LoadResult): void {
  const diagnostics = result.ok ? result.warnings : result.diagnostics;
  if (!result.ok) expect(diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  for (const { code, message, location, help } of diagnostics) {
    expect(message, code).not.toMatch(/^\s*$|undefined|\[object|\bat .*:\d+:\d+/);
    expect(help ?? 'none', code).not.toMatch(/^\s*$|undefined|\[object/);
    if (code === 'too-many-problems') continue;
    expect(location, `${code}: ${message}`).toBeDefined();
    expect(location?.line).toBeGreaterThan(0);
    expect(location?.column).toBeGreaterThan(0);
    const lines = result.source(location?.file ?? '')?.split(/\r\n|\n|\r/) ?? [''];
    expect(location?.line).toBeLessThanOrEqual(lines.length);
  }
  expect(renderDiagnostics(diagnostics, { colour: false, source: result.source })).not.toContain('undefined');
  expect(Object.keys(Object.prototype)).toStrictEqual([]);
}

const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });

test('a document changed at random is read, or refused with located problems; nothing is thrown', async () => {
  await fc.assert(
    fc.asyncProperty(mutations, async (changes) => {
      writeFileSync(join(folder, 'changed.json'), mutate(documentText, changes));
      expectOrderly(await loadContract({ document: 'changed.json', cwd: folder }));
    }),
    { numRuns: 60 },
  );
});

test.each(['__proto__', 'constructor', 'toString'])(
  'an unknown property in an object called %s is reported, although every object inherits that name',
  async (name) => {
    const scheme = `"${name}":{"type":"apiKey","in":"header","name":"X-Key","colour":"red"}`;
    const text = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"securitySchemes":{${scheme}}}}`;
    writeFileSync(join(folder, 'named.json'), text);
    const result = await loadContract({ document: 'named.json', cwd: folder, strict: true });
    expectOrderly(result);
    expect(result.ok || result.diagnostics.map(({ message, help }) => [message, help])).toContainEqual([
      `unknown property "colour" in ${name}`,
      'remove it',
    ]);
  },
);

test('a sheet changed at random is read, or refused with located problems; nothing is thrown', async () => {
  await fc.assert(
    fc.asyncProperty(mutations, async (changes) => {
      writeFileSync(join(folder, 'sheet.json'), mutate(sheetText, changes));
      expectOrderly(await loadContract({ document: 'router.yaml', sheet: 'sheet.json', cwd: folder }));
    }),
    { numRuns: 60 },
  );
});

test('text that was cut, doubled or scribbled over is read, or refused with located problems', async () => {
  const scribble = fc.record({
    from: fc.nat(documentText.length),
    length: fc.nat(40),
    text: fc.oneof(
      fc.string(),
      fc.constantFrom(
        '\t',
        '{',
        '[',
        '"',
        "'",
        ': ',
        '- ',
        '&a ',
        '*a',
        '!!x ',
        '\n',
        '\u0000',
        '%',
        '---\n',
      ),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(scribble, { minLength: 1, maxLength: 3 }), async (scribbles) => {
      let text = documentText;
      for (const { from, length, text: put } of scribbles)
        text = text.slice(0, from) + put + text.slice(from + length);
      writeFileSync(join(folder, 'scribbled.yaml'), text);
      expectOrderly(await loadContract({ document: 'scribbled.yaml', cwd: folder }));
    }),
    { numRuns: 60 },
  );
});
