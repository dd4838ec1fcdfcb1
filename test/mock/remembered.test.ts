import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Remembered } from '../../mock/call/remembered.ts';

const LIMITS = { most: 20, characters: 200, longest: 40 };

test('the cache never exceeds its limits', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 300 }), (texts) => {
      const memory = new Remembered<true>(LIMITS);
      for (const text of texts) memory.set(text, true);
      const kept = [...new Set(texts)].filter((text) => memory.get(text) === true);
      expect(kept.length).toBeLessThanOrEqual(LIMITS.most);
      expect(kept.join('').length).toBeLessThanOrEqual(LIMITS.characters);
      expect(kept.filter((text) => text.length > LIMITS.longest)).toStrictEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('the cache returns the latest value of a text, or nothing', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ max: 40, min: 0 }), fc.integer()), { maxLength: 300 });
  fc.assert(
    fc.property(pairs, (said) => {
      const memory = new Remembered<number>(LIMITS);
      const all = new Map<string, number>();
      for (const [text, value] of said) {
        memory.set(String(text), value);
        all.set(String(text), value);
        expect(memory.get(String(text))).toBe(value);
      }
      for (const [text, value] of all) expect([value, undefined]).toContain(memory.get(text));
    }),
    { numRuns: 100 },
  );
});

test('frequently used texts survive many unused ones', () => {
  const memory = new Remembered<string>(LIMITS);
  memory.set('often', 'known');
  for (let number = 0; number < 1_000; number += 1) {
    memory.set(String(number), 'once');
    expect(memory.get('often')).toBe('known');
  }
  expect(memory.get('0')).toBeUndefined();
});
