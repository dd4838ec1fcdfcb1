import fc from 'fast-check';
import { expect, test } from 'vitest';
import { form, simple, singlePair, singleText } from '../../../generator/runtime/parameters.ts';

test('plain values are written in the style `simple`', () => {
  const single = fc.oneof(fc.string({ unit: 'grapheme' }), fc.double(), fc.boolean());
  fc.assert(
    fc.property(
      fc.string(),
      single,
      fc.boolean(),
      fc.constantFrom(String, encodeURIComponent),
      (...given) => {
        expect(singlePair(...given)).toBe(form(...given));
        expect(singleText(...given)).toBe(simple(...given));
      },
    ),
  );
});
