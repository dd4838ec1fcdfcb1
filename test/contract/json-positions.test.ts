import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineTable } from '../../contract/text/locate.ts';
import { parseJson } from '../../contract/text/parse-json.ts';

const LIMITS = { depth: 200 };
/** Objects and arrays with it are stepped over at once. */
const LONG = '}]"'.repeat(2_000);

/** Everything in a value, with its path. */
function partsIn(value: unknown, path: readonly string[] = []): (readonly [readonly string[], unknown])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[path, value], ...inner.flatMap(([name, each]) => partsIn(each, [...path, name]))];
}

test('a place in JSON is where the value begins, or the name of the member', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), fc.boolean(), (inner, space, isLong) => {
      const given = isLong ? { before: [inner, { long: LONG, inner }], after: inner } : inner;
      const text = ` ${JSON.stringify(given, undefined, space)}\n`;
      const parsed = parseJson(text, lineTable('a.json', text), LIMITS);
      if (!parsed.ok) throw new Error('it is JSON');
      for (const [path, value] of partsIn(parsed.value)) {
        const name = JSON.stringify(path.at(-1));
        const own = JSON.stringify(value, undefined, space).split('\n')[0] ?? '';
        const isLarge = typeof value === 'object' && value !== null;
        const [at, atName] = [parsed.offsetOf(path) ?? -1, parsed.offsetOf(path, 'name') ?? -1];
        const isMember = text.startsWith(`${name}:`, atName);
        expect(isMember || text.startsWith(own, atName)).toBe(true);
        expect(isLarge && isMember ? at === atName : text.startsWith(own, at)).toBe(true);
      }
      expect(parsed.offsetOf(['nowhere'])).toBe(undefined);
      expect(parsed.offsetOf(['0', 'nowhere'])).toBe(undefined);
    }),
    { numRuns: 100 },
  );
});

test('duplicate members are found, in any spelling and at any place', () => {
  const text = '{ "a": [{ "b:{": "}\\"", "\\u0062:{": 1 }], "__proto__": 2 }';
  const parsed = parseJson(text, lineTable('a.json', text), LIMITS);
  expect(
    parsed.ok ? [] : parsed.diagnostics.map(({ code, location }) => [code, location?.column]),
  ).toStrictEqual([['duplicate-key', 25]]);
});

test('jsonc-parser sees a mistake in every text that the engine refuses', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"a"',
    ':',
    ',',
    '1',
    '01',
    'x',
    '\\',
    '"',
    '\n',
    '//',
    "'",
    '\u0001',
    'true',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      const parsed = parseJson(text, lineTable('a.json', text), LIMITS);
      if (parsed.ok) expect(parsed.value).toStrictEqual(JSON.parse(text));
      else expect(parsed.diagnostics[0]?.message).not.toBe('this is not JSON');
    }),
    { numRuns: 500 },
  );
});
