import { expect, test } from 'vitest';
import { listDeviations } from '../../mock/index.ts';
import { sampled } from './trials.ts';

const all = listDeviations();

test('a sample has as many deviations as wanted, the same ones each time, in the order of the list', () => {
  const sample = sampled(all, 20);
  expect(sample).toHaveLength(20);
  expect(sampled(all.toReversed(), 20).toReversed()).toEqual(sample);
  expect(all.filter((one) => sample.includes(one))).toEqual(sample);
});

test('a new deviation displaces at most one of a sample', () => {
  const before = sampled(all.slice(1), 20);
  expect(before.filter((one) => !sampled(all, 20).includes(one)).length).toBeLessThanOrEqual(1);
});

test('without a number, all deviations are tried', () => {
  expect(sampled(all, undefined)).toEqual(all);
});
