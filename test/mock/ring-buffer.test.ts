import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LinkedSet } from '../../mock/call/linked-set.ts';
import { RingBuffer } from '../../mock/journal/ring-buffer.ts';

test('a ring buffer contains the latest entries after any operations', () => {
  const steps = fc.array(fc.constantFrom('add', 'add', 'add', 'drop', 'take', 'put back'), {
    maxLength: 100,
  });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 9 }), (walked, capacity) => {
      const ring = new RingBuffer<string>(capacity);
      let plain: (readonly [number, string])[] = [];
      let count = 0;
      let apart: readonly (readonly [number, string])[] = [];
      for (const step of walked) {
        if (step === 'add') {
          count += 1;
          expect(ring.add(`value ${String(count)}`)).toBe(count);
          plain = [...plain, [count, `value ${String(count)}`] as const].slice(-capacity);
        } else if (step === 'drop') {
          const [oldest, ...rest] = plain;
          expect(ring.dropOldest()).toBe(oldest?.[1]);
          plain = rest;
        } else if (step === 'take') {
          apart = ring.take();
          expect(apart).toStrictEqual(plain);
          plain = [];
        } else {
          ring.putBack(apart);
          // Only what was taken last, and only where nothing is missing between it and what came after it.
          const isNext = apart.at(-1)?.[0] === count - plain.length;
          const room = capacity - plain.length;
          if (isNext && room > 0) plain = [...apart.slice(-room), ...plain];
        }
        expect([...ring]).toStrictEqual(plain);
        expect([ring.length, ring.latest]).toStrictEqual([plain.length, count]);
        const numbers = [-1, 0, 0.5, NaN, ...Array.from({ length: count + 3 }, (_, number) => number)];
        for (const number of numbers) expect(ring.get(number)).toBe(new Map(plain).get(number));
      }
    }),
    { numRuns: 100 },
  );
});

test('a linked set contains the remaining members in insertion order after any operations', () => {
  const steps = fc.array(fc.option(fc.nat({ max: 30 })), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (taken) => {
      const chain = new LinkedSet<number>();
      const takeOut: (() => void)[] = [];
      const plain = new Set<number>();
      for (const step of taken) {
        if (step === null) {
          plain.add(takeOut.length);
          takeOut.push(chain.add(takeOut.length));
        } else {
          takeOut[step]?.();
          plain.delete(step);
        }
        expect([...chain]).toStrictEqual([...plain]);
      }
    }),
    { numRuns: 100 },
  );
});
