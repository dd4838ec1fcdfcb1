import { expect, test } from 'vitest';
import { listDeviations } from '../../mock/index.ts';
import { isOf, reasonOf, reasons } from './kinds.ts';

const deviations = listDeviations();

test('each deviation is general or own, for a reason', () => {
  for (const deviation of deviations) expect.soft(() => reasonOf(deviation), deviation.id).not.toThrow();
});

test('each entry of the list decides about a deviation, and is there once', () => {
  const entries = reasons.flatMap((reason) => reason.of.map((entry) => ({ entry, reason })));
  const idle = entries.filter(
    ({ entry, reason }) => !deviations.some(({ id }) => isOf(entry, id) && reasonOf({ id }) === reason),
  );
  expect(idle.map(({ entry }) => entry)).toEqual([]);
  expect(new Set(entries.map(({ entry }) => entry)).size).toBe(entries.length);
});

test('an entry is about a rule or a deviation of this name, not about one that begins alike', () => {
  expect(isOf('router.detail.404', 'router.detail.404~200')).toBe(true);
  expect(isOf('router.detail.404', 'router.detail.404-bucket~of-documents')).toBe(false);
  expect(isOf('router.detail.', 'router.detail.404-bucket~of-documents')).toBe(true);
});

test('a deviation that the list does not know is refused', () => {
  expect(() => reasonOf({ id: 'shop.cart.total~doubled' })).toThrow('shop.cart.total~doubled');
});

test('at least 65 % of the deviations are general', () => {
  const general = deviations.filter((one) => reasonOf(one).is === 'general');
  expect(general.length / deviations.length).toBeGreaterThanOrEqual(0.65);
});
