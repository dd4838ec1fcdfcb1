import fc from 'fast-check';
import { expect, test } from 'vitest';
import { windowOf } from '../../mock/inspector/window.ts';
import { placed } from '../../mock/inspector/state-machine.ts';
import { duration } from '../../mock/inspector/clock-time.ts';
import { callerName } from '../../mock/inspector/caller-name.ts';
import { loadOwnContract, findPolicy } from '../../contract/index.ts';

test('a long table draws little more than its visible rows and keeps its height', () => {
  const sizes = {
    rows: fc.nat(2_000),
    scrollTop: fc.integer({ min: -100, max: 80_000 }),
    height: fc.nat(2_000),
  };
  fc.assert(
    fc.property(fc.record(sizes), ({ rows, scrollTop, height }) => {
      const rowHeight = 34;
      const { first, end, above, below } = windowOf({ rows, rowHeight, scrollTop, height });
      expect(above + (end - first) * rowHeight + below).toBe(rows * rowHeight);
      expect(end - first).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 26);
      const top = Math.min(Math.max(0, scrollTop), Math.max(0, rows * rowHeight - height));
      const lastSeen = Math.min(rows * rowHeight, top + height);
      expect(first * rowHeight).toBeLessThanOrEqual(top);
      expect(end * rowHeight).toBeGreaterThanOrEqual(lastSeen);
    }),
  );
});

test('jobs.state.legal-path: the picture of the states goes from left to right, each column from the top', async () => {
  const policy = findPolicy(await loadOwnContract('jobs'), 'lifecycle');
  if (policy === undefined) throw new Error('no lifecycle');
  const states = policy.states.map((name) => ({ name, terminal: policy.terminal.includes(name) }));
  const picture = placed(states, policy.transitions);
  expect(picture.map(({ name, column, row }) => [name, column, row])).toStrictEqual([
    ['queued', 0, 0],
    ['running', 1, 0],
    ['succeeded', 2, 0],
    ['canceling', 2, 1],
    ['canceled', 3, 0],
    ['failed', 2, 2],
    ['expired', 2, 3],
  ]);
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [-5, '0 ms'],
  [61_000, '1 min 1 s'],
  [86_399_000, '23 h 59 min'],
  [86_400_000, '1 d'],
  [3_605_000, '1 h'],
])('%d milliseconds are %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});

test.each([
  ['key ok+', 'ok'],
  ['key ok+alice', 'ok+alice'],
  ['jwt', 'jwt'],
  [undefined, '–'],
])('the caller %s is called %s', (scope, name) => {
  expect(callerName(scope)).toBe(name);
});
