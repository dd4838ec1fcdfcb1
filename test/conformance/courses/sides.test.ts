import { expect, test } from 'vitest';
import { makeExchange } from '../../../conformance/exchanges/exchange.ts';
import { statesAfter } from '../../../conformance/explore/orders.ts';
import { memberOf } from '../../../conformance/probes/courses/members.ts';
import { membershipOf } from '../../../conformance/probes/courses/membership.ts';
import { presenceOf } from '../../../conformance/probes/courses/presence.ts';
import { ResourceCases } from '../../../conformance/probes/courses/resource-facts.ts';
import type { CallRole, ThingCall, ThingSide } from '../../../conformance/probes/courses/thing-call.ts';
import { OwnApi } from '../../../conformance/probes/own-api.ts';
import { Facts } from '../../../conformance/probes/policies/facts.ts';
import { thingsOf } from '../../../conformance/probes/policies/things.ts';
import { Reads } from '../../../conformance/probes/document/reads.ts';
import type { Operation } from '../../../contract/model.ts';
import { deskContract } from './desk.ts';

const api = new OwnApi(await deskContract());
const policy = (api.contract.sheet?.policies ?? []).find((one) => one.kind === 'resource');
if (policy === undefined) throw new Error('the desk has tickets');
const things = thingsOf(api, policy);
const cases = new ResourceCases(new Facts({ api, reads: new Reads(api), rules: [] }, policy), things);
const schema = api.contract.schemas.find(({ name }) => name === 'Ticket')?.schema;

const OPERATIONS = { read: 'read', list: 'list', patch: 'patch', delete: 'delete' } as const;

/** A call with its answer. */
function call(role: CallRole, status: number, more: Partial<ThingCall> = {}): ThingCall {
  const own = things.operation(role in OPERATIONS ? (role as keyof typeof OPERATIONS) : 'create');
  const seen = makeExchange({
    id: 'x0001',
    api: 'desk',
    scenario: 'desk',
    request: { method: 'GET', target: '/', headers: [], body: undefined, as: 'valid' },
    answer: { status, headers: [], body: new Uint8Array(), informational: [] },
    failure: undefined,
    startedAt: 0,
    endedAt: 0,
  });
  return { role, operation: own as Operation, seen, schema, ...more };
}

/** Whether a side allows these calls, one after the other. */
function allows<State>({ specification }: ThingSide<State>, ...calls: readonly ThingCall[]): boolean {
  let states = specification.start;
  for (const one of calls) states = statesAfter(specification, states, [{ call: one }]);
  return states.length > 0;
}

const title = (value: unknown): Partial<ThingCall> => ({ shown: { id: 't-1', title: value } });

test('a thing that was deleted is gone, unless a call makes it again', () => {
  const side = { id: 't-1', mayEnd: false, endsAlone: false, isUpsert: false };
  const usual = presenceOf(cases, side);
  expect(allows(usual, call('read', 404))).toBe(false);
  expect(allows(usual, call('delete', 204), call('read', 200))).toBe(false);
  expect(allows(usual, call('delete', 204), call('read', 404))).toBe(true);
  expect(allows(usual, call('delete', 204), call('replace', 200), call('read', 200))).toBe(false);
  const upsert = presenceOf(cases, { ...side, isUpsert: true });
  expect(allows(upsert, call('delete', 204), call('replace', 201), call('read', 200))).toBe(true);
});

test('an answer that does not say whether a change was made allows both', () => {
  const usual = presenceOf(cases, { id: 't-1', mayEnd: false, endsAlone: false, isUpsert: false });
  for (const status of [202, 409, 429, 500, 503])
    for (const after of [200, 404])
      expect(allows(usual, call('delete', status), call('read', after))).toBe(true);
  expect(allows(usual, call('delete', 412), call('read', 404))).toBe(false);
});

test('what can come to its end may be gone after that, and only then', () => {
  const alone = presenceOf(cases, { id: 't-1', mayEnd: true, endsAlone: true, isUpsert: false });
  expect(allows(alone, call('read', 404))).toBe(true);
  const called = presenceOf(cases, { id: 't-1', mayEnd: true, endsAlone: false, isUpsert: false });
  expect(allows(called, call('read', 404))).toBe(false);
  expect(allows(called, call('act', 200), call('read', 404))).toBe(true);
});

test('a list has a thing from its creation until its deletion, and after a change perhaps', () => {
  const [there, missing] = [call('list', 200, title('A')), call('list', 200, { shown: null })];
  const usual = membershipOf(cases, { id: 't-1', isUpsert: false, mayMove: false });
  expect(allows(usual, missing)).toBe(false);
  expect(allows(usual, call('patch', 200), missing)).toBe(true);
  expect(allows(usual, call('patch', 200), there, missing)).toBe(false);
  expect(allows(usual, call('delete', 204), there)).toBe(false);
  const moving = membershipOf(cases, { id: 't-1', isUpsert: false, mayMove: true });
  expect(allows(moving, there, missing, there)).toBe(true);
  const upsert = membershipOf(cases, { id: 't-1', isUpsert: true, mayMove: false });
  expect(allows(upsert, call('delete', 204), call('replace', 200), there)).toBe(true);
});

test('a member has the value of the last change, and stays until then', () => {
  const side = memberOf(api, cases, 'title');
  const patch = (value: string): ThingCall => call('patch', 200, { body: { title: value } });
  expect(allows(side, call('read', 200, title('A')), call('read', 200, title('B')))).toBe(false);
  expect(allows(side, patch('B'), call('read', 200, title('A')))).toBe(false);
  expect(allows(side, patch('B'), call('read', 200, title('B')))).toBe(true);
  expect(allows(side, call('read', 200, title('A')), call('act', 200), call('read', 200, title('B')))).toBe(
    true,
  );
});

test('a number may change with another thing, and a text may not', () => {
  const weight = (value: number): ThingCall => call('read', 200, { shown: { id: 't-1', weight: value } });
  const numbers = memberOf(api, cases, 'weight');
  expect(allows(numbers, weight(1), weight(2))).toBe(false);
  expect(allows(numbers, weight(1), call('beside', 201), weight(2))).toBe(true);
  const texts = memberOf(api, cases, 'title');
  const [before, after] = [call('read', 200, title('A')), call('read', 200, title('B'))];
  expect(allows(texts, before, call('beside', 201), after)).toBe(false);
});
