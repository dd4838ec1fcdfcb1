import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDocument, stringify } from 'yaml';
import type { ToStringOptions } from 'yaml';
import { parseText } from '../../contract/text/parse.ts';

const value = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }).map(asJson);
const style: fc.Arbitrary<ToStringOptions> = fc.record({
  collectionStyle: fc.constantFrom('any', 'block', 'flow'),
  defaultStringType: fc.constantFrom(
    'PLAIN',
    'BLOCK_LITERAL',
    'BLOCK_FOLDED',
    'QUOTE_DOUBLE',
    'QUOTE_SINGLE',
  ),
  indent: fc.constantFrom(2, 4),
  lineWidth: fc.constantFrom(0, 20, 80),
});

test('a value is read back from every way to write it, and each part has its place', () => {
  fc.assert(
    fc.property(value, style, (written, options) => {
      const text = stringify(written, options);
      // A fault of the writer: where it folds a line next to an escape, it writes this.
      fc.pre(!text.includes('undefined'));
      const parsed = parseText('f.yaml', text);
      expect(parsed).toMatchObject({ ok: true });
      if (!parsed.ok) return;
      expect(parsed.value).toStrictEqual(written);
      const document = parseDocument(text);
      for (const path of scalarsOf(written)) {
        const node = document.getIn(path, true) as { readonly range?: readonly number[] } | undefined;
        expect(parsed.offsetOf(path.map(String)), JSON.stringify(path)).toBe(node?.range?.[0]);
      }
    }),
    { numRuns: 300 },
  );
});

const plain: readonly (readonly [text: string, want: unknown])[] = [
  ['[~, null, Null, NULL, nULL]', [null, null, null, null, 'nULL']],
  ['[true, True, TRUE, yes, on, tRUE]', [true, true, true, 'yes', 'on', 'tRUE']],
  ['[0x1F, 0o17, 017, +12, -0x1, 1_000, 0b11]', [31, 15, 17, 12, '-0x1', '1_000', '0b11']],
  ['[1e3, .5, 1., -1.5E-2, 1.2.3, 2020-01-01]', [1000, 0.5, 1, -0.015, '1.2.3', '2020-01-01']],
  ['{200: a, 1.0: b, True: c, ~: d, : e}', { 200: 'a', '1.0': 'b', True: 'c', '~': 'd', '': 'e' }],
  ['[!!str 12, !!int "12", !!null "", ! 5]', ['12', 12, null, '5']],
  [
    'a: &x { b: 1 }\nc: { <<: *x, d: 2 }\ne: { <<: [*x, { f: 3 }], b: 4 }\n"<<": 5',
    {
      a: { b: 1 },
      c: { b: 1, d: 2 },
      e: { b: 4, f: 3 },
      '<<': 5,
    },
  ],
  // YAML forbids these, and people write them.
  ['a:\n  b: [\n    1,\n  ]\n  c: {\n    d: 2\n  }\n', { a: { b: [1], c: { d: 2 } } }],
  ['a: "\u0092"', { a: '\u0092' }],
  ['a: [\n]\nb: &x !!str 1\nc: *x\nd: |\n  e\nf: ', { a: [], b: '1', c: '1', d: 'e\n', f: null }],
];

test.each(plain)('%j is read as YAML 1.2 says, or as its author meant', (text, want) => {
  expect(parseText('f.yaml', text)).toMatchObject({ ok: true, value: want });
});

test.each(['', 'bad: [\n]\n'])('places lead through aliases and merge keys, also after %j', (start) => {
  const text = `${start}a: &x\n  - b: 1\nc: *x\nd:\n  <<: [{ e: 2 }, { e: 3, f: 4 }]\n`;
  const parsed = parseText('f.yaml', text);
  const at = (...path: readonly string[]): string =>
    parsed.ok ? text.slice(parsed.offsetOf(path)).slice(0, 4) : '';
  expect(parsed).toMatchObject({ ok: true });
  expect([at('a', '0', 'b'), at('c', '0', 'b'), at('c'), at('d', 'e'), at('d', 'f')]).toStrictEqual([
    '1\nc:',
    '1\nc:',
    'c: *',
    '2 },',
    '4 }]',
  ]);
  expect(parsed.ok && parsed.offsetOf(['a', '1'])).toBeUndefined();
});

/** -0 is no JSON value of its own. */
function asJson(given: unknown): unknown {
  return JSON.parse(JSON.stringify(given)) as unknown;
}

function scalarsOf(given: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (Array.isArray(given)) return given.flatMap((item, index) => scalarsOf(item, [...path, index]));
  if (typeof given === 'object' && given !== null)
    return Object.entries(given).flatMap(([key, member]) => scalarsOf(member, [...path, key]));
  return given === null ? [] : [[...path]];
}
