import { expect, test } from 'vitest';
import { isAfter } from '../../conformance/exchanges/exchange.ts';
import { isSameStored } from '../../conformance/probes/policies/lifecycle-members.ts';
import { exchangeOf } from './exchanges.ts';

type Times = { readonly startedAt: number; readonly endedAt: number };
const sent = (id: string, times: Times, during: readonly string[] = [], scenario = 'scenario') => ({
  ...exchangeOf({ id, status: 200, ...times }),
  during,
  scenario,
});
const change = (during: readonly string[]) => sent('x0002', { startedAt: 5, endedAt: 5 }, during);

test.each([
  ['a read that was sent later', sent('x0003', { startedAt: 6, endedAt: 6 }), change([]), true],
  [
    'a read that was sent within the same moment',
    sent('x0003', { startedAt: 5, endedAt: 5 }),
    change([]),
    true,
  ],
  [
    'a stream that was opened before the change',
    sent('x0001', { startedAt: 4, endedAt: 9 }),
    change(['x0001']),
    false,
  ],
  [
    'a stream that was opened in the same moment',
    sent('x0001', { startedAt: 5, endedAt: 9 }),
    change(['x0001']),
    false,
  ],
  ['a read beside the change', sent('x0003', { startedAt: 5, endedAt: 5 }, ['x0002']), change([]), false],
  ['a read of another scenario', sent('x0003', { startedAt: 5, endedAt: 5 }, [], 'other'), change([]), false],
])('whether %s was sent after the change had ended', (_, seen, earlier, expected) => {
  expect(isAfter(seen, earlier)).toBe(expected);
});

test('an exchange is not after itself', () => {
  const [one] = [change([])];
  expect(isAfter(one, one)).toBe(false);
});

test.each([
  ['2026-01-01T10:00:00.345Z', '2026-01-01T10:00:00.345Z', true],
  ['2026-01-01T10:00:00.345Z', '2026-01-01T10:00:00.351Z', false],
  ['2026-01-01T10:00:00.345Z', '2026-01-01T10:00:00.347Z', true],
  ['2026-01-01T10:00:00.345Z', '2026-01-01T10:00:00Z', true],
  ['2026-01-01T10:00:00.345678Z', '2026-01-01T10:00:00.000Z', true],
  ['2026-01-01T10:00:00Z', '2026-01-01T10:00:02Z', false],
  ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00+02:00', true],
  [1_767_261_600, 1_767_261_601, true],
  [1_767_261_600_123, 1_767_261_600_223, false],
])('whether %s and %s are one stored time', (one, other, expected) => {
  expect(isSameStored(one, other)).toBe(expected);
});
