import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineTable } from '../../contract/locate.ts';
import { parseJson } from '../../contract/parse-json.ts';

const LIMITS = { depth: 200 };

/** The paths of everything in a value. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

test('a place in JSON is the same, whether few places are asked for or many', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = ` ${JSON.stringify(value, undefined, space)}\n`;
      const positions = () => {
        const parsed = parseJson(text, lineTable('a.json', text), LIMITS);
        if (!parsed.ok) throw new Error('it is JSON');
        return parsed.offsetOf;
      };
      const many = positions();
      for (let count = 0; count < 100; count += 1) many(['nowhere']);
      for (const path of [...pathsIn(value), ['nowhere'], ['0', 'nowhere']]) {
        const few = positions();
        expect([few(path), few(path, 'name')]).toStrictEqual([many(path), many(path, 'name')]);
      }
    }),
    { numRuns: 100 },
  );
});

test('two members of one name are found, however they are written and wherever they stand', () => {
  const text = '{ "a": [{ "b:{": "}\\"", "\\u0062:{": 1 }], "__proto__": 2 }';
  const parsed = parseJson(text, lineTable('a.json', text), LIMITS);
  expect(
    parsed.ok ? [] : parsed.diagnostics.map(({ code, location }) => [code, location?.column]),
  ).toStrictEqual([['duplicate-key', 25]]);
});
