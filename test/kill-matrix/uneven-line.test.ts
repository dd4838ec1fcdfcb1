import { expect, test } from 'vitest';
import type { Transport, WireRequest } from '../../conformance/index.ts';
import type { Clock } from '../../conformance/http/transport.ts';
import { judgeMock } from './matrix.ts';

const RULES = ['router.idem.in-flight-409', 'router.idem.in-flight-then-replay'];

/** A line that holds the nth request of its kind back for so many milliseconds. */
function holdingBack(
  inner: Transport,
  clock: Clock,
  delays: Readonly<Record<number, number>>,
): { readonly line: Transport; readonly sent: () => number } {
  let count = 0;
  return {
    line: async (request) => {
      if (isSlowRun(request)) {
        count += 1;
        await clock.sleep(delays[count] ?? 0, request.signal);
      }
      return inner(request);
    },
    sent: () => count,
  };
}

const isSlowRun = ({ method, target }: WireRequest): boolean =>
  method === 'POST' && target.endsWith('/mock/slow');

const cases: readonly [string, Readonly<Record<number, number>>][] = [
  ['comes when the first has ended', { 2: 2_500 }],
  ['overtakes the first', { 1: 400 }],
];

test.each(cases)('a server is not blamed for a line on which the second call %s', async (_, delays) => {
  let sent: (() => number) | undefined;
  const report = await judgeMock(
    {
      apis: ['router'],
      line: (inner, clock) => {
        const held = holdingBack(inner, clock, delays);
        sent = held.sent;
        return held.line;
      },
    },
    [],
    RULES,
  );
  expect(sent?.()).toBeGreaterThan(2);
  const judged = report.rules.filter(({ id }) => RULES.includes(id)).map(({ id, verdict }) => [id, verdict]);
  expect(judged).toStrictEqual(RULES.map((id) => [id, 'pass']));
});
