import { beforeEach, expect, test } from 'vitest';
import { diffContracts } from '../../../contract/diff/diff.ts';
import { policyMeanings } from '../../../contract/diff/policy-facts.ts';
import { loadOwnContract } from '../../../contract/index.ts';
import type { BehaviourSheet, Contract } from '../../../contract/index.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each change knows the part of our sheets that it changes
type Sheet = Record<string, any>;

let own: Readonly<Record<'router' | 'jobs', Contract>>;
let read: Promise<void> | undefined;
beforeEach(
  () =>
    (read ??= (async () => {
      own = { router: await loadOwnContract('router'), jobs: await loadOwnContract('jobs') };
    })()),
);

/** The contract with another sheet; the places stay those of our sheet. */
function withSheet(contract: Contract, change: (sheet: Sheet) => void): Contract {
  const { locate, ...content } = contract.sheet as BehaviourSheet;
  const sheet: Sheet = structuredClone(content);
  change(sheet);
  return { ...contract, sheet: { ...sheet, locate } as unknown as BehaviourSheet };
}

const policy = (sheet: Sheet, kind: string, index = 0): Sheet =>
  (sheet['policies'] as Sheet[]).filter((each) => each['kind'] === kind)[index] ?? {};
const rule = (sheet: Sheet, id: string): Sheet =>
  (sheet['rules'] as Sheet[]).find((each) => each['id'] === id) ?? {};
const without = (sheet: Sheet, kind: string): void =>
  void (sheet['policies'] = (sheet['policies'] as Sheet[]).filter((each) => each['kind'] !== kind));

const changes: readonly (readonly [
  name: string,
  api: 'router' | 'jobs',
  change: (sheet: Sheet) => void,
  expected: readonly string[],
])[] = [
  [
    'a key is forgotten sooner',
    'router',
    (s) => (policy(s, 'idempotency')['window'] = 'PT12H'),
    ['policy-changed wire/none runModel'],
  ],
  [
    'a key is kept longer',
    'jobs',
    (s) => (policy(s, 'idempotency')['window'] = 'P2D'),
    ['policy-changed none/wire submitJob'],
  ],
  [
    'keys are sent in another header',
    'router',
    (s) => (policy(s, 'idempotency')['requestHeader'] = 'X-Key'),
    ['policy-changed wire/wire runModel'],
  ],
  [
    'a repeated key no longer has the earlier answer',
    'router',
    (s) => without(s, 'idempotency'),
    ['policy-removed wire/none runModel'],
  ],
  [
    'a reused key has another code',
    'jobs',
    (s) => (policy(s, 'idempotency')['reuse'].code = 'used'),
    ['policy-changed wire/wire submitJob'],
  ],
  [
    'a call ends earlier',
    'router',
    (s) => (policy(s, 'deadline')['default'] = 'PT5M'),
    ['policy-changed none/wire runModel'],
  ],
  [
    'a call may take longer than callers wait',
    'router',
    (s) => (policy(s, 'deadline')['default'] = 'PT20M'),
    ['policy-changed wire/none runModel'],
  ],
  [
    'a run is not sent again after one status',
    'router',
    (s) => (policy(s, 'retry', 1)['resend'] = [425, 429, '5xx']),
    ['policy-changed wire/none runModel'],
  ],
  [
    'a submission may be sent again after more',
    'jobs',
    (s) => policy(s, 'retry')['resend'].push(503),
    ['policy-changed none/wire submitJob'],
  ],
  [
    'an error bucket is gone',
    'router',
    (s) => policy(s, 'error-buckets')['buckets'].splice(2, 1),
    ['policy-changed code/wire '],
  ],
  [
    'an error bucket is new',
    'router',
    (s) => policy(s, 'error-buckets')['buckets'].push({ name: 'lost', level: 'request' }),
    ['policy-changed none/none '],
  ],
  [
    'an error is charged',
    'router',
    (s) => (policy(s, 'error-buckets')['buckets'][4].billed = 'yes'),
    ['policy-changed wire/wire '],
  ],
  ['buckets are in another order', 'router', (s) => policy(s, 'error-buckets')['buckets'].reverse(), []],
  [
    'an error code is gone',
    'jobs',
    (s) => policy(s, 'error-codes')['codes'].splice(0, 1),
    ['policy-changed code/wire '],
  ],
  [
    'pages are smaller',
    'router',
    (s) => (policy(s, 'pagination')['maximumLimit'] = 50),
    ['policy-changed wire/none listModels'],
  ],
  [
    'the cursor has another name',
    'router',
    (s) => (policy(s, 'pagination')['cursorParameter'] = 'after'),
    ['policy-changed wire/wire listModels'],
  ],
  ['lists have no pages', 'router', (s) => without(s, 'pagination'), ['policy-removed code/none listModels']],
  [
    'a job has one more state',
    'jobs',
    (s) => policy(s, 'lifecycle')['states'].push('paused'),
    ['policy-changed wire/none '],
  ],
  [
    'a state ends a job',
    'jobs',
    (s) => policy(s, 'lifecycle')['terminal'].push('running'),
    ['policy-changed wire/wire '],
  ],
  [
    'one more member is reserved',
    'jobs',
    (s) => policy(s, 'reserved-fields')['members'].push('seed'),
    ['policy-changed wire/none submitJob'],
  ],
  [
    'a limit holds for one more operation',
    'router',
    (s) => policy(s, 'capacity')['operations'].push('listModels'),
    ['policy-added wire/none listModels'],
  ],
  [
    'the request id has another header',
    'router',
    (s) => (policy(s, 'headers')['requestId'] = 'X-Id'),
    ['policy-changed wire/wire '],
  ],
  [
    'a rule is gone',
    'router',
    (s) => (s['rules'] = (s['rules'] as Sheet[]).filter(({ id }) => id !== 'router.list.limit-clamped')),
    ['rule-removed unknown/none listModels'],
  ],
  [
    'a rule is new',
    'router',
    (s) => s['rules'].push({ ...rule(s, 'router.list.limit-clamped'), id: 'router.list.new' }),
    ['rule-added none/wire listModels'],
  ],
  [
    'a rule has other words',
    'router',
    (s) => (rule(s, 'router.list.limit-clamped')['says'] = 'Anything.'),
    ['rule-changed unknown/unknown listModels'],
  ],
  [
    'a rule is only advice',
    'router',
    (s) => (rule(s, 'router.list.limit-clamped')['level'] = 'should'),
    ['rule-changed unknown/unknown listModels'],
  ],
  [
    'a rule cites another place',
    'router',
    (s) => (rule(s, 'router.list.limit-clamped')['source'] = { document: 1, section: 'x', item: 'y' }),
    ['rule-changed none/none listModels'],
  ],
  ['a point is settled', 'router', (s) => s['unspecified'].shift(), ['open-point-removed unknown/unknown ']],
  [
    'the mock makes another choice',
    'router',
    (s) => (s['unspecified'][0].mockUses = 'something else'),
    ['open-point-changed none/none '],
  ],
];

test.each(changes)('%s', (_, api, change, expected) => {
  const contract = own[api];
  const found = diffContracts(contract, withSheet(contract, change)).changes;
  expect(
    found.map(
      ({ kind, callers, servers, operations }) => `${kind} ${callers}/${servers} ${operations.join()}`,
    ),
  ).toStrictEqual(expected);
  for (const { before, after } of found)
    expect([before?.line, after?.line].every((line) => (line ?? 0) > 0)).toBe(true);
});

test('a new sheet adds all of its promises, and a removed sheet takes all of them back', () => {
  const bare = { ...own.router, sheet: undefined };
  const count = own.router.sheet?.rules.length;
  const rules = diffContracts(bare, own.router).changes.filter(({ kind }) => kind === 'rule-added');
  expect(rules).toHaveLength(count ?? -1);
  expect(rules.filter(({ callers }) => callers === 'wire' || callers === 'code').length).toBeLessThan(
    rules.length,
  );
  const gone = diffContracts(own.router, bare).changes.filter(({ servers }) => servers === 'wire');
  expect(gone.map(({ kind }) => kind)).not.toContain('rule-removed');
});

test('an operation that is renamed keeps its policies', () => {
  const [first, ...rest] = own.router.operations;
  if (first === undefined) throw new Error('the router has no operations');
  const renamed = withSheet({ ...own.router, operations: [{ ...first, id: 'models' }, ...rest] }, (sheet) => {
    for (const each of sheet['policies'] as Sheet[])
      each['operations'] &&= (each['operations'] as string[]).map((id) => (id === first.id ? 'models' : id));
  });
  const kinds = diffContracts(own.router, renamed).changes.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind.startsWith('policy-'))).toStrictEqual([]);
  expect(kinds).toContain('operation-renamed');
});

test('every kind of policy in our sheets has a meaning', () => {
  const kinds = new Set(
    Object.values(own).flatMap(({ sheet }) => sheet?.policies.map(({ kind }) => kind) ?? []),
  );
  expect([...kinds].filter((kind) => !(kind in policyMeanings))).toStrictEqual([]);
});
