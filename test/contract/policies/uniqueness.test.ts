import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uniquenessClaim } from '../../../contract/policies/uniqueness.ts';

const policy = { member: 'thing.version', within: ['owner', 'thing'] };
const claim = (body: unknown, path: Readonly<Record<string, string>>): ReturnType<typeof uniquenessClaim> =>
  uniquenessClaim(policy, body, (name) => path[name] ?? '');
const body = (version: unknown): unknown => ({ thing: { version } });
const path = { owner: 'a', thing: 'b' };

test.each<[what: string, one: [unknown, typeof path], other: [unknown, typeof path], same: boolean]>([
  ['the same value at the same place', [body('1'), path], [body('1'), path], true],
  ['another value', [body('1'), path], [body('2'), path], false],
  ['another place', [body('1'), path], [body('1'), { ...path, thing: 'c' }], false],
  ['a number that looks like the text', [body('1'), path], [body(1), path], false],
  [
    'parameters that only together look alike',
    [body('1'), { owner: 'a","b', thing: '' }],
    [body('1'), path],
    false,
  ],
  ['no value and no body', [body(undefined), path], [undefined, path], true],
  [
    'a member of every object',
    [{ thing: {} }, path],
    [{ thing: Object.create({ version: '1' }) as object }, path],
    true,
  ],
])('registry.publish.version-unique: %s', (_what, one, other, same) => {
  expect(claim(...one).within === claim(...other).within).toBe(same);
});

test('two claims are equal exactly when value and place are', () => {
  const place = fc.record({ owner: fc.string(), thing: fc.string() });
  fc.assert(
    fc.property(fc.string(), place, fc.string(), place, (one, here, other, there) => {
      const same = one === other && here.owner === there.owner && here.thing === there.thing;
      expect(claim(body(one), here).within === claim(body(other), there).within).toBe(same);
      expect(claim(body(one), here).everywhere === claim(body(other), there).everywhere).toBe(one === other);
    }),
  );
});
