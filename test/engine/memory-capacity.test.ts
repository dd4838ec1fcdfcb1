import { expect, test } from 'vitest';
import { memoryCapacity } from '../../engine/memory-capacity.ts';

test('3,000 callers keep what they hold, also across the sweeps of expired tickets', () => {
  let now = 0;
  const capacity = memoryCapacity(() => now);
  const enter = (scope: string): string => {
    const entry = capacity.enter(scope, 5, { calls: 1 }, 10);
    if (!entry.admitted) throw new Error(`${scope} is full`);
    return entry.ticket;
  };
  const tickets = Array.from({ length: 3_000 }, (_, index) => enter(`caller ${String(index)}`));
  expect([...capacity.held()]).toHaveLength(3_000);
  expect(capacity.enter('caller 999', 5, { calls: 1 }, 10)).toMatchObject({ admitted: false });
  for (const ticket of tickets.slice(0, 2_000)) capacity.leave(ticket);
  expect([...capacity.held()]).toHaveLength(1_000);
  now = 10;
  expect(capacity.stay(tickets.at(-1) ?? '', 10)).toBe(false);
  for (let index = 0; index < 3_000; index += 1) enter(`another ${String(index)}`);
  expect([...capacity.held()]).toHaveLength(3_000);
});
