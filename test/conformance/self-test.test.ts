import { expect, test } from 'vitest';
import { selfTest, selfTestCode } from '../../cli/conform/kills.ts';
import type { Report, Verdict } from '../../conformance/index.ts';
import { listDeviations } from '../../mock/index.ts';
import { notesContract } from '../engine/notes.ts';

type Verdicts = Readonly<Record<string, Verdict>>;

const report = (verdicts: Verdicts): Report =>
  ({ rules: Object.entries(verdicts).map(([id, verdict]) => ({ id, verdict })) }) as unknown as Report;
const deviation = (rule: string, ...alsoFails: readonly string[]) => ({
  id: `${rule}~x`,
  rule,
  alsoFails: alsoFails.map((one) => ({ rule: one, why: 'it does' })),
});

test.each<[string, Verdicts, Verdicts, string, readonly string[], number]>([
  ['its rule breaks', { a: 'pass', b: 'pass' }, { a: 'fail', b: 'pass' }, 'caught', [], 0],
  ['its rule warns', { a: 'pass' }, { a: 'warn' }, 'caught', [], 0],
  [
    'a rule that it names breaks as well',
    { a: 'pass', named: 'pass' },
    { a: 'fail', named: 'fail' },
    'caught',
    [],
    0,
  ],
  ['another rule breaks as well', { a: 'pass', b: 'pass' }, { a: 'fail', b: 'fail' }, 'caught', ['b'], 1],
  ['its rule passes', { a: 'pass' }, { a: 'pass' }, 'survived', [], 1],
  ['its rule is not exercised any more', { a: 'pass' }, { a: 'not-exercised' }, 'survived', [], 1],
  ['the faithful mock does not exercise its rule', { a: 'not-exercised' }, { a: 'fail' }, 'open', [], 2],
  ['a rule cannot be judged at all', { a: 'pass', b: 'error' }, { a: 'fail', b: 'error' }, 'caught', [], 2],
  [
    'another rule breaks on the faithful mock',
    { a: 'pass', b: 'fail' },
    { a: 'fail', b: 'fail' },
    'caught',
    [],
    1,
  ],
])('where %s', async (_, clean, deviant, outcome, strays, code) => {
  const result = await selfTest([deviation('a', 'named')], (ids) =>
    Promise.resolve(report(ids.length === 0 ? clean : deviant)),
  );
  expect(result.kills).toMatchObject([{ outcome, strays }]);
  expect(selfTestCode(result)).toBe(code);
});

test('a self-test without deviations has tried nothing', async () => {
  expect(selfTestCode(await selfTest([], () => Promise.resolve(report({ a: 'pass' }))))).toBe(2);
});

test('each policy of a sheet has deviations, with ids of their own', async () => {
  const deviations = listDeviations([await notesContract()]);
  const ids = deviations.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.split('.')[0]))).toEqual(
    new Set(['pagination', 'idempotency', 'conditional-get']),
  );
});
