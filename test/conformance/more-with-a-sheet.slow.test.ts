// @module-tag long
import { expect, test } from 'vitest';
import { bookingsContract, DOCUMENT as BOOKINGS } from '../mock/bookings.ts';
import { DOCUMENT as PAPERS, papersContract } from '../mock/papers.ts';
import { DOCUMENT as STOCK, stockContract } from '../mock/stock.ts';
import { hidden, noticesOf } from './more-with-a-sheet.ts';

test.each([
  ['bookings', bookingsContract, BOOKINGS],
  ['papers', papersContract, PAPERS],
  ['stock', stockContract, STOCK],
])(
  'no fault of %s is noticed by less with a sheet than without it',
  async (_, contractOf, document) => {
    const found = await noticesOf(await contractOf(), document, () => true);
    expect(found.length).toBeGreaterThan(20);
    expect(hidden(found)).toEqual([]);
    expect(found.filter(({ by: [, , full] }) => full === 0)).toEqual([]);
  },
  900_000,
);
