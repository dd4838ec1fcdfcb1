import { expect, test } from 'vitest';

import { readErrorCode } from '../../../contract/policies/error-codes.ts';
import { isReachable, isTerminal, nextState } from '../../../contract/policies/lifecycle.ts';
import type { LifecyclePolicy } from '../../../contract/policies/lifecycle.ts';
import { resolveLink } from '../../../contract/policies/links.ts';
import { mayCarry, showPresent } from '../../../contract/policies/presence.ts';
import type { PresencePolicy } from '../../../contract/policies/presence.ts';
import { isRefusedFormat } from '../../../contract/policies/refused-format.ts';
import { reservedIn } from '../../../contract/policies/reserved-fields.ts';

const lifecycle: LifecyclePolicy = {
  kind: 'lifecycle',
  schema: 'Job',
  property: 'status',
  states: ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'],
  initial: 'queued',
  terminal: ['succeeded', 'canceled', 'failed', 'expired'],
  transitions: [
    { from: 'queued', to: 'running', on: 'start' },
    { from: 'running', to: 'succeeded', on: 'success' },
    { from: 'running', to: 'failed', on: 'failure' },
    { from: 'running', to: 'expired', on: 'retention' },
    { from: 'running', to: 'canceling', on: 'cancel' },
    { from: 'canceling', to: 'canceled', on: 'cancelled' },
  ],
};

test('every pair of states is reachable or not as the table says (jobs.state.legal-path)', () => {
  const after: Record<string, string[]> = {
    queued: ['queued', 'running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'],
    running: ['running', 'succeeded', 'canceling', 'canceled', 'failed', 'expired'],
    canceling: ['canceling', 'canceled'],
    succeeded: ['succeeded'],
    canceled: ['canceled'],
    failed: ['failed'],
    expired: ['expired'],
  };
  for (const from of lifecycle.states) {
    expect(
      lifecycle.states.filter((to) => isReachable(lifecycle, from, to)),
      from,
    ).toStrictEqual(after[from]);
  }
});

test('terminal states end a watch, an unknown one does not (jobs.state.terminal-final)', () => {
  expect(lifecycle.states.filter((state) => isTerminal(lifecycle, state))).toStrictEqual(lifecycle.terminal);
  expect([undefined, null, 'paused', 7].some((state) => isTerminal(lifecycle, state))).toBe(false);
});

test('an event leads to another state only if the table says so', () => {
  expect(nextState(lifecycle, 'running', 'cancel')).toBe('canceling');
  expect(nextState(lifecycle, 'queued', 'cancel')).toBeUndefined();
  expect(nextState(lifecycle, 'succeeded', 'cancel')).toBeUndefined();
});

const at = 'https://api.example.com/deployment/7/api/v2/jobs/1?x=1';
test.each<[unknown, string | undefined, string?]>([
  ['/deployment/7/api/v2/jobs/1', 'https://api.example.com/deployment/7/api/v2/jobs/1'],
  ['/api/v2/jobs/1?a=b#c', 'https://api.example.com/api/v2/jobs/1?a=b#c'],
  ['/', 'https://api.example.com/'],
  ['https://other.example.com:8443/jobs/1', 'https://other.example.com:8443/jobs/1'],
  ['HTTP://other.example.com/jobs/1', 'http://other.example.com/jobs/1'],
  ['//evil.example.com/jobs/1', undefined],
  ['/\\evil.example.com/jobs/1', undefined],
  ['\\\\evil.example.com', undefined],
  ['/\t/evil.example.com', undefined],
  ['/a\n', undefined],
  ['https:///jobs/1', undefined],
  ['https:\\\\evil.example.com', undefined],
  ['https://me:secret@api.example.com/jobs/1', undefined],
  ['https://[', undefined],
  ['jobs/1', undefined],
  ['./jobs/1', undefined],
  ['?a=b', undefined],
  ['', undefined],
  ['javascript:alert(1)', undefined],
  ['data:application/json,{}', undefined],
  ['ftp://api.example.com/', undefined],
  [null, undefined],
  [7, undefined],
])('jobs.urls.form, jobs.urls.origin-resolution: the link %j leads to %s', (link, want) => {
  expect(resolveLink(link, at)).toBe(want);
});

test('a link in an answer without an address is not resolved', () => {
  expect(resolveLink('/a', '/relative')).toBeUndefined();
});

const logs: PresencePolicy = {
  kind: 'presence',
  schema: 'Job',
  property: 'logs',
  operations: ['getJob'],
  surfaces: ['serverless'],
  onlyWhenTerminal: true,
};
test.each<[string, string, string, boolean, boolean]>([
  ['a finished job that is read', 'getJob', 'serverless', true, true],
  ['jobs.logs.get-only-post', 'submitJob', 'serverless', true, false],
  ['jobs.logs.get-only-cancel', 'cancelJob', 'serverless', true, false],
  ['jobs.logs.get-only-stream', 'streamJobEvents', 'serverless', true, false],
  ['jobs.logs.surface: the cloud', 'getJob', 'cloud', true, false],
  ['jobs.logs.surface: self-hosted', 'getJob', 'self-hosted', true, false],
  ['jobs.logs.demo-withheld', 'getJob', 'demo', true, false],
  ['jobs.logs.not-before-finish', 'getJob', 'serverless', false, false],
])('presence: %s', (_, operation, surface, terminal, want) => {
  const place = { operation, surface, terminal };
  expect(mayCarry(logs, place)).toBe(want);
  expect(Object.hasOwn(showPresent(logs, place, { id: '1', logs: { text: 'x' } }), 'logs')).toBe(want);
});

test('an empty member is left out, never null (jobs.logs.absent-not-null)', () => {
  const place = { operation: 'getJob', surface: 'serverless', terminal: true };
  expect(showPresent(logs, place, { id: '1', logs: null })).toStrictEqual({ id: '1' });
  expect(showPresent(logs, place, { id: '1', logs: undefined })).toStrictEqual({ id: '1' });
  expect(showPresent(logs, place, { id: '1' })).toStrictEqual({ id: '1' });
});

test.each<[string, unknown, string[]]>([
  ['jobs.submit.webhook-url-rejected', { '1': {}, webhook_url: 'https://x.example' }, ['webhook_url']],
  ['jobs.submit.inputs-rejected', { inputs: {} }, ['inputs']],
  ['jobs.submit.reserved-null', { inputs: null, webhook_url: null }, ['webhook_url', 'inputs']],
  ['a node may have inputs', { '1': { inputs: {} } }, []],
  ['no object', 'inputs', []],
  ['null', null, []],
])('reserved: %s', (_, body, want) => {
  const policy = {
    kind: 'reserved-fields',
    operations: ['submitJob'],
    members: ['webhook_url', 'inputs'],
  } as const;
  expect(reservedIn(policy, body)).toStrictEqual(want);
});

test.each<[string, unknown, boolean]>([
  ['an export', { nodes: [], links: [{}], version: 1 }, true],
  ['nodes alone', { nodes: [] }, false],
  ['nodes of a graph with these names', { nodes: {}, links: {} }, false],
  ['a list', [], false],
  ['null', null, false],
  ['inherited members', Object.create({ nodes: [], links: [] }), false],
])('jobs.submit.ui-format: %s', (_, body, want) => {
  expect(isRefusedFormat({ arrays: ['nodes', 'links'] }, body)).toBe(want);
});

test.each<[unknown, string | undefined]>([
  [{ error: { code: 'brand_new', message: 'x' } }, 'brand_new'],
  [{ error: { code: 7 } }, undefined],
  [{ error: 'x' }, undefined],
  [{ error: null }, undefined],
  ['text', undefined],
  [undefined, undefined],
])('jobs.errors.codes-open: the code of %j is %s', (body, want) => {
  expect(readErrorCode({ code: 'error.code' }, body)).toBe(want);
});

test('a member that every object inherits is not a code', () => {
  expect(readErrorCode({ code: 'constructor.name' }, {})).toBeUndefined();
});
