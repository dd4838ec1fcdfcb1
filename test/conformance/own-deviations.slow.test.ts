// @module-tag long
import { expect, test } from 'vitest';
import { judgeOf } from '../../cli/conform/self-test.ts';
import { selfTest, selfTestCode } from '../../cli/conform/kills.ts';
import { usualRules } from '../../contract/index.ts';
import { listDeviations } from '../../mock/index.ts';
import { bookingsContract } from '../mock/bookings.ts';
import { codedRooms } from '../mock/coded-rooms.ts';
import { helpDeskContract } from '../mock/help-desk.ts';
import { papersContract } from '../mock/papers.ts';
import { stockContract } from '../mock/stock.ts';

/** One way for each habit of a server that loses or mixes up things; `conform --self-test` tries all of them. */
const TRIED = [
  ...['created~another-value', 'listed~kept-for-later', 'missing~any-thing', 'replaced~merged'],
  ...['patched~null-ignored', 'deleted~still-listed', 'apart~the-next-one-too'],
  ...['mismatch~taken-the-second-time', 'weak~taken', 'changed~one-tag-for-ever'],
  'changed~another-tag-of-a-creation',
];

test('deviations of resources and conditional writes are caught by their rules, and by no other ones', async () => {
  const contract = await bookingsContract();
  const chosen = TRIED.map((end) => listDeviations([contract]).find(({ id }) => id.endsWith(end)));
  expect(chosen).not.toContain(undefined);
  const result = await selfTest(chosen as ReturnType<typeof listDeviations>, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
  expect(selfTestCode(result)).toBe(0);
}, 300_000);

test('deviations of pages inside other members, and of deletions that succeed twice, are caught', async () => {
  const contract = await codedRooms();
  const ends = [
    ...['walk~another-total', 'walk~another-place', 'limit~not-told', 'deleted~not-again'],
    'upsert~created-again',
  ];
  const chosen = listDeviations([contract]).filter(({ id }) => ends.some((end) => id.endsWith(end)));
  expect(chosen.length).toBeGreaterThan(3);
  const result = await selfTest(chosen, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
}, 300_000);

test('deviations of deleted things, of those that come back, and of creations by PUT are caught', async () => {
  const contract = await papersContract();
  const ends = [
    ...[
      'restored~still-gone',
      'restored~another-value',
      'papers.deleted~as-if-it-never-existed',
      'sorted~the-other-way',
    ],
    ...[
      'papers.deleted~still-listed',
      'papers.listed~as-it-was-created',
      'upsert~not-kept',
      'walk~another-total',
    ],
  ];
  const chosen = listDeviations([contract]).filter(({ id }) => ends.some((end) => id.endsWith(end)));
  expect(chosen.length).toBe(ends.length);
  const result = await selfTest(chosen, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
}, 300_000);

test('deviations of things that are created together are caught', async () => {
  const contract = await stockContract();
  const chosen = listDeviations([contract]).filter(({ rule }) => rule.includes('.many'));
  expect(chosen.length).toBeGreaterThan(6);
  const result = await selfTest(chosen, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
}, 300_000);

test.each([
  ['bookings', bookingsContract],
  ['papers', papersContract],
  ['stock', stockContract],
])('each usual rule of a collection has a deviation: %s', async (_, contractOf) => {
  const contract = await contractOf();
  const broken = new Set(listDeviations([contract]).map(({ rule }) => rule));
  expect(usualRules(contract).flatMap(({ id }) => (broken.has(id) ? [] : [id]))).toEqual([]);
});

test('deviations of states that are not stored, or lost by a restoration, are caught', async () => {
  const contract = await helpDeskContract();
  const ends = ['transitions~not-stored', 'restored~in-the-first-state', 'refused~another-status'];
  const chosen = listDeviations([contract]).filter(({ id }) => ends.some((end) => id.endsWith(end)));
  expect(chosen.length).toBe(ends.length);
  const result = await selfTest(chosen, judgeOf(contract, undefined));
  expect(result.kills.filter(({ outcome, strays }) => outcome !== 'caught' || strays.length > 0)).toEqual([]);
}, 300_000);
