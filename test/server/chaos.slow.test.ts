// @module-tag long
import { expect, test } from 'vitest';
import { chaos } from './chaos.ts';
import { adapters } from './served-by.ts';

/** `npm run soak -- chaos` makes 100,000 calls of it. */
test.each(adapters)(
  '%s: 500 calls with throwing observers, dying streams, half uploads and slow readers, and a shutdown under them',
  { timeout: 120_000 },
  async (_name, listen) => {
    const { answered, unanswered, unhandled, open, left, kinds } = await chaos(listen, 500);
    expect({ unanswered, unhandled, open, left }).toStrictEqual({
      unanswered: [],
      unhandled: [],
      open: 0,
      left: 0,
    });
    for (const status of [200, 404, 500]) expect(answered.get(status)).toBeGreaterThan(40);
    // A model that is broken, and streams that die.
    expect(kinds.get('handler')).toBeGreaterThan(40);
    expect(kinds.get('stream')).toBeGreaterThan(40);
    expect(kinds.get('ended')).toBe(kinds.get('started'));
  },
);
