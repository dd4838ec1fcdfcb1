// @module-tag long
import { expect, test } from 'vitest';
import { bookingsContract, DOCUMENT as BOOKINGS } from '../mock/bookings.ts';
import { DOCUMENT as PAPERS, papersContract } from '../mock/papers.ts';
import { DOCUMENT as STOCK, stockContract } from '../mock/stock.ts';
import { hidden, noticesOf } from './more-with-a-sheet.ts';

/** Every so many faults, one is tried: it takes three runs of the suite. With TALLYSTICK_EVERY=1 all are. */
const EVERY = Number(process.env['TALLYSTICK_EVERY'] ?? 3);
/** What a 202 announces may come later than a suite waits. */
const LATER = 'resource.prints.created~forgotten';

test.each([
  ['bookings', bookingsContract, BOOKINGS],
  ['papers', papersContract, PAPERS],
  ['stock', stockContract, STOCK],
])(
  'no fault of %s is noticed by less with a sheet than without it',
  async (_, contractOf, document) => {
    const found = await noticesOf(await contractOf(), document, (index) => index % EVERY === 0);
    expect(found.length).toBeGreaterThan(20 / EVERY);
    expect(hidden(found)).toEqual([]);
    const unseen = found.filter(({ by: [, , full] }) => full === 0).map(({ fault }) => fault);
    expect(unseen.filter((fault) => fault !== LATER)).toEqual([]);
  },
  900_000,
);
