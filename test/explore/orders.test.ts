import { expect, test } from 'vitest';
import { statesAfter, unexplained } from '../../conformance/explore/orders.ts';
import type { Specification } from '../../conformance/explore/orders.ts';

/** A call of a counter: it adds one and answers with the sum, or it reads. */
interface Call {
  readonly does: 'add' | 'read';
  readonly got: number;
}

const counter: Specification<number, Call> = {
  start: [0],
  after: (sum, { does, got }) => {
    const next = does === 'add' ? sum + 1 : sum;
    return next === got ? [next] : [];
  },
  anyway: (sum, { does }) => (does === 'add' ? [sum, sum + 1] : [sum]),
};

const add = (got: number): Call => ({ does: 'add', got });
const read = (got: number): Call => ({ does: 'read', got });
const placed = (...calls: readonly Call[]): readonly { readonly call: Call }[] =>
  calls.map((call) => ({ call }));

test('calls at once have the states of every order that explains their answers', () => {
  expect(statesAfter(counter, [0], placed(add(2), add(1), read(1)))).toEqual([2]);
  expect(statesAfter(counter, [0, 5], placed(add(1)))).toEqual([1]);
  expect(statesAfter(counter, [0], placed(add(1), add(1)))).toEqual([]);
  expect(statesAfter(counter, [0], [])).toEqual([0]);
});

test('a call that comes behind another one has no place before it', () => {
  const [one, other] = [add(1), read(0)];
  expect(statesAfter(counter, [0], [{ call: one }, { call: other }])).toEqual([1]);
  expect(statesAfter(counter, [0], [{ call: one }, { call: other, behind: 0 }])).toEqual([]);
});

test('the evidence is the calls that no order explains, without those that can be left out', () => {
  const [first, lost, late] = [add(1), add(2), read(1)];
  expect(unexplained(counter, [placed(read(0)), placed(first, lost), placed(late)])).toEqual([lost, late]);
  expect(unexplained(counter, [placed(first, lost), placed(read(2))])).toBeUndefined();
});

test('more calls than have an order in time are refused', () => {
  const many = Array.from({ length: 11 }, () => read(0));
  expect(() => statesAfter(counter, [0], placed(...many))).toThrow(/11 calls/);
});
