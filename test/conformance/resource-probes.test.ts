import { afterAll, beforeAll, expect, test } from 'vitest';
import { isBroken } from '../../cli/conform/kills.ts';
import { runConformance } from '../../conformance/index.ts';
import { type SteerableMock, createMock } from '../../mock/index.ts';
import { inProcess } from '../kill-matrix/in-process.ts';
import { bookingsContract } from '../mock/bookings.ts';

const contract = await bookingsContract();
let mock: SteerableMock;
beforeAll(async () => {
  mock = createMock({ contracts: [contract] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

const CASES = [
  ...['created', 'listed', 'missing', 'replaced', 'patched', 'deleted', 'apart'],
  ...['current', 'mismatch', 'weak', 'list', 'any', 'required', 'changed'],
];

test('the mock of a collection keeps every rule of its resource and of its conditional writes', async () => {
  const report = await runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    allow: ['writes', 'negatives'],
    rules: ['resource.*', 'conditional-write.*'],
    transport: inProcess(mock.handle),
  });
  expect(report.findings).toEqual([]);
  expect(report.rules.filter(isBroken).map(({ id, observed }) => [id, observed])).toEqual([]);
  expect(report.rules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(new Set(report.rules.map(({ id }) => id.split('.').at(-1)))).toEqual(new Set(CASES));
});
