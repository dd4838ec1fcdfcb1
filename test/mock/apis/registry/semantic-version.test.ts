import fc from 'fast-check';
import semver from 'semver';
import { expect, test } from 'vitest';
import { compareVersions, readVersion } from '../../../../mock/apis/registry/semantic-version.ts';

test.each([
  ['0.0.0', true],
  ['1.2.3-rc.1+b5', true],
  ['1.0.0--', true],
  ['1.0.0-0a.b-c.-', true],
  ['1.0.0+001.-', true],
  ['99999999999999999999.0.0', true],
  ['', false],
  ['1', false],
  ['1.2', false],
  ['v1.2.3', false],
  ['=1.2.3', false],
  [' 1.2.3', false],
  ['1.2.3\n', false],
  ['1.2.3.4', false],
  ['01.2.3', false],
  ['1.2.3-01', false],
  ['1.2.3-', false],
  ['1.2.3+', false],
  ['1.2.3-a..b', false],
  ['1.2.3+a+b', false],
  ['1.2.3-ä', false],
  ['１.2.3', false],
  ['latest', false],
  [`1.2.3-${'a'.repeat(300)}`, false],
])('registry.publish.semver: %j is a version: %s', (text, isVersion) => {
  expect(readVersion(text) !== undefined).toBe(isVersion);
});

const number = fc.oneof(fc.nat({ max: 3 }), fc.maxSafeNat()).map(String);
const word = fc.stringMatching(/^[0-9A-Za-z-]{1,6}$/);
const preRelease = fc.oneof(
  number,
  word.filter((text) => !/^0\d+$/.test(text)),
);
const joined = (parts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(parts, { minLength: 1, maxLength: 4 }).map((texts) => texts.join('.'));
const version = fc
  .tuple(
    fc.tuple(number, number, number).map((parts) => parts.join('.')),
    fc.option(joined(preRelease), { nil: undefined }),
    fc.option(joined(word), { nil: undefined }),
  )
  .map(
    ([core, pre, build]) =>
      `${core}${pre === undefined ? '' : `-${pre}`}${build === undefined ? '' : `+${build}`}`,
  );

/** One change to a version, which may make it something else. */
const almost = fc
  .tuple(version, fc.nat(), fc.constantFrom('', '.', '-', '+', '0', '01', 'v', ' ', '\n', 'é', '_'))
  .map(([text, at, piece]) => {
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + piece + text.slice(cut + (at % 2));
  });

test('registry.publish.semver-forms: every version of the grammar is read, and npm reads it too', () => {
  fc.assert(
    fc.property(version, (text) => {
      expect(readVersion(text)).toBeDefined();
      expect(semver.parse(text)).not.toBeNull();
    }),
  );
});

test('registry.publish.semver: what is almost a version is judged as npm judges it', () => {
  fc.assert(
    fc.property(almost, (text) => {
      // npm forgives spaces and prefixes, and bounds numbers; the grammar does neither.
      fc.pre(text === text.trim() && !/^[v=]/.test(text) && !/\d{16}/.test(text));
      expect(readVersion(text) !== undefined).toBe(semver.parse(text) !== null);
    }),
  );
});

test('versions are ordered as npm orders them', () => {
  fc.assert(
    fc.property(version, version, (one, other) => {
      fc.pre(!/\d{16}/.test(one + other));
      const [a, b] = [readVersion(one), readVersion(other)];
      if (a === undefined || b === undefined) throw new Error('not a version');
      expect(Math.sign(compareVersions(a, b))).toBe(semver.compare(one, other));
    }),
  );
});

test('a long text that is almost a version is refused at once', () => {
  const text = `1.0.0-${'0'.repeat(5_000_000)}!`;
  expect(readVersion(text)).toBeUndefined();
});
