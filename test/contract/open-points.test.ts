import { expect, test } from 'vitest';
import {
  loadOwnContract,
  overrideMisfit,
  overridesOf,
  ownContractNames,
  turnsOf,
} from '../../contract/index.ts';
import type { Unspecified } from '../../contract/index.ts';
import { typed } from '../../contract/diagnostics/typed-command.ts';
import { own } from '../mock/own-document.ts';

const contracts = await Promise.all(ownContractNames.map((name) => loadOwnContract(name)));
const points = contracts.flatMap(({ sheet }) => sheet?.unspecified ?? []);
const turns = points.flatMap(turnsOf);

const listed = `What can be changed is listed by ${typed('assumptions')}`;

test.each<[overrides: Record<string, unknown>, pointer: string, message: string]>([
  [{ 'A-999': {} }, '/A-999', `unknown open point. ${listed}`],
  [{ 'A-8': {} }, '/A-8', 'unknown open point. Did you mean A-08?'],
  [{ 'A-08': { nonsense: 3 } }, '/A-08/nonsense', `unknown member. ${listed}`],
  [{ 'A-08': { bucet: 'x' } }, '/A-08/bucet', 'unknown member. Did you mean bucket?'],
  [
    { 'A-08': { retryAfter: { consumd: 3 } } },
    '/A-08/retryAfter/consumd',
    'unknown member. Did you mean consumed?',
  ],
  [{ 'A-03': { status: 'banana' } }, '/A-03/status', 'status must be an integer, not "banana"'],
  [{ 'A-03': { status: 200 } }, '/A-03/status', 'status must be at least 400, not 200'],
  [
    { 'A-08': { bucket: 'concurrency_limit_exceeded' } },
    '/A-08/bucket',
    'bucket cannot be "concurrency_limit_exceeded"; write one of invalid_input, internal_error, not_enabled, rate_limited',
  ],
  [{ 'A-18': { compare: 'jsn' } }, '/A-18/compare', 'compare cannot be "jsn"; did you mean json?'],
  [{ 'A-23': { orderedBy: 'age' } }, '/A-23', `it is fixed. ${listed}`],
  [{ 'A-24': { unknown: 'refused' } }, '/A-24/unknown', `it is fixed. ${listed}`],
  [{ 'A-12': true }, '/A-12', 'write an object with one or more of recordRefusals'],
  [{ 'A-26': { tooLarge: null } }, '/A-26/tooLarge', 'write an object with one or more of status, bucket'],
])('an override that cannot be is refused with its place: %j', async (overrides, pointer, message) => {
  expect(await overrideMisfit(points, overrides)).toMatchObject({ pointer, message });
});

test('every other legal value that the sheets list can be set', async () => {
  for (const turn of turns) expect(await overrideMisfit(points, overridesOf([turn]))).toBeUndefined();
  expect(turns.length).toBeGreaterThan(100);
});

test.each(points.map((point): [string, Unspecified] => [point.id, point]))(
  '%s: what can be changed has another legal value, and everything else says that it is fixed',
  (_id, point) => {
    expect(point.canBe === undefined).toBe(point.fixed === true);
    const turned = new Set(turnsOf(point).map(({ path }) => path[0]));
    expect([...turned]).toEqual(Object.keys(point.canBe ?? {}));
  },
);

test('variants of one open point do not exclude those of other points', () => {
  expect(
    overridesOf([
      { point: 'A-08', path: ['retryAfter', 'consumed'], value: 5 },
      { point: 'A-08', path: ['bucket'], value: 'rate_limited' },
      { point: 'A-18', path: ['compare'], value: 'json' },
    ]),
  ).toEqual({
    'A-08': { retryAfter: { consumed: 5 }, bucket: 'rate_limited' },
    'A-18': { compare: 'json' },
  });
});

test('a sheet without rules and open points leaves nothing open', async () => {
  const contract = await own(
    'notes',
    "openapi: 3.1.0\ninfo: { title: Notes, version: '1' }\npaths:\n  /notes:\n    get: { operationId: listNotes, responses: { '200': { description: Notes. } } }\n",
    "api: notes\ncontract: '1'\ndocument: 1\npolicies: []\n",
  );
  expect(contract.sheet?.rules).toEqual([]);
  expect(contract.sheet?.unspecified).toEqual([]);
});
