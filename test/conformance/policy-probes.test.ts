import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCode, runConformance } from '../../conformance/index.ts';
import type { Report, Transport } from '../../conformance/index.ts';
import { ruleSet } from '../../conformance/rule-set.ts';
import { loadOwnContract, ownContractNames } from '../../contract/index.ts';
import type { BehaviourSheet, Contract, Rule } from '../../contract/index.ts';
import { createMock, type SteerableMock } from '../../mock/index.ts';
import { notesContract, SHEET } from '../engine/notes.ts';
import { inProcess } from '../kill-matrix/in-process.ts';

let notes: Contract;
let mock: SteerableMock;
beforeAll(async () => {
  notes = await notesContract();
  mock = createMock({ contracts: [notes] });
  await mock.ready();
});
afterAll(() => {
  mock.close();
});

const judge = (contract: Contract, transport = inProcess(mock.handle)): Promise<Report> =>
  runConformance({
    contracts: [contract],
    baseUrl: 'http://localhost',
    credential: { header: 'Authorization', value: 'Bearer somebody' },
    allow: ['writes', 'negatives'],
    transport,
  });

const withRules = (...rules: readonly Rule[]): Contract => ({
  ...notes,
  sheet: { ...(notes.sheet as BehaviourSheet), rules },
});

const rule = (id: string, more: Partial<Rule>): Rule => ({
  id,
  level: 'must',
  says: 'A rule of the sheet.',
  source: { document: 1, section: 's', item: 'i' },
  needs: [],
  audience: 'server',
  ...more,
});

test('a sheet without rules is judged by the usual ones of its policies, and its mock keeps them', async () => {
  const report = await judge(notes);
  // Whether two calls meet in the mock depends on how busy the machine is.
  const RACE = 'idempotency.addNote.in-flight';
  expect(['pass', 'not-exercised']).toContain(report.rules.find(({ id }) => id === RACE)?.verdict);
  const judged = report.rules.filter(({ id }) => !id.startsWith('document.') && id !== RACE);
  expect(judged.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'pagination.listNotes.limit-default pass',
    'pagination.listNotes.limit pass',
    'pagination.listNotes.limit-clamped pass',
    'pagination.listNotes.more pass',
    'pagination.listNotes.walk pass',
    'pagination.listNotes.no-such-page pass',
    'idempotency.addNote.first-use pass',
    'idempotency.addNote.replayed pass',
    'idempotency.addNote.mismatch pass',
    'idempotency.addNote.consumed not-exercised',
    // No call of the mock fails, and the other one takes a day.
    'idempotency.addNote.released not-exercised',
    'idempotency.addNote.window not-exercised',
    'conditional-get.getNote.current pass',
    'conditional-get.getNote.weak pass',
    'conditional-get.getNote.list pass',
    'conditional-get.getNote.any pass',
    'conditional-get.getNote.changed pass',
    'conditional-get.getNote.kept-headers pass',
  ]);
  expect(exitCode(report)).toBe(0);
});

test('a rule of the sheet replaces the usual one for its case, and states its expectation', async () => {
  const about = { policy: 'idempotency', case: 'mismatch', operation: 'addNote' };
  const report = await judge(
    withRules(
      rule('notes.keys.other-body', about),
      rule('notes.keys.elsewhere', { ...about, expect: { status: 409 } }),
    ),
  );
  const verdicts = new Map(report.rules.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts.has('idempotency.addNote.mismatch')).toBe(false);
  expect([verdicts.get('notes.keys.other-body'), verdicts.get('notes.keys.elsewhere')]).toEqual([
    'pass',
    'fail',
  ]);
});

/** The headers of an answer, by its status and its number. */
type Headers = (status: number, count: number) => Readonly<Record<string, string>>;

const KEPT_HEADERS = SHEET.replace('keptHeaders: [ETag]', 'keptHeaders: [ETag, Request-Id, Date, Vary]');

test.each<[string, Headers, string]>([
  ['has another id and a later date', () => ({}), 'pass'],
  ['has no id', (status): ReturnType<Headers> => (status === 304 ? { 'Request-Id': '' } : {}), 'fail'],
  ['always varies by more', (status) => (status === 304 ? { Vary: 'Accept' } : {}), 'fail'],
  ['has another tag', (status, count) => (status === 304 ? { ETag: `"${count}"` } : {}), 'fail'],
])('kept headers: an answer without a body that %s', async (_, changes, verdict) => {
  let count = 0;
  const inner = inProcess(mock.handle);
  const line: Transport = async (request) => {
    const answer = await inner(request);
    count += 1;
    const date = new Date(count * 1000).toUTCString();
    const own = { 'Request-Id': `r${count}`, Date: date, Vary: 'Origin', ...changes(answer.status, count) };
    const replaced = Object.keys(own).map((name) => name.toLowerCase());
    return {
      ...answer,
      headers: [
        ...answer.headers.filter(([name]) => !replaced.includes(name.toLowerCase())),
        ...Object.entries(own).filter(([, value]) => value !== ''),
      ],
    };
  };
  const report = await judge(await notesContract(KEPT_HEADERS), line);
  const found = report.rules.find(({ id }) => id === 'conditional-get.getNote.kept-headers');
  expect(found?.verdict).toBe(verdict);
});

test.each<[string, Partial<Rule>]>([
  ['an unknown case', { policy: 'idempotency', case: 'sung' }],
  ['a policy that the sheet does not have', { policy: 'capacity', case: 'calls' }],
  ['no policy', {}],
])('a rule about %s cannot be judged: exit code 2', async (_, about) => {
  const report = await judge(withRules(rule('notes.made.up', about)));
  expect(report.rules.find(({ id }) => id === 'notes.made.up')?.verdict).toBe('error');
  expect(exitCode(report)).toBe(2);
});

test('a rule that names no case has no verdict of its neighbours, until the line of the report is added to it', async () => {
  const about = { policy: 'idempotency', operation: 'addNote', says: 'A key with another body is refused.' };
  const found = async (more: Partial<Rule>): Promise<Report['rules'][number] | undefined> =>
    (await judge(withRules(rule('notes.keys.other-body', { ...about, ...more })))).rules.find(
      ({ id }) => id === 'notes.keys.other-body',
    );
  const unnamed = await found({});
  expect(unnamed).toMatchObject({
    verdict: 'not-exercised',
    reason:
      'the rule names no case of idempotency; in the sheet, add the line `case: mismatch`, or another case: released, first-use, replayed, in-flight, consumed, window',
  });
  const named = parse(/`(.*)`/.exec(unnamed?.reason ?? '')?.[1] ?? '') as Partial<Rule>;
  expect((await found(named))?.verdict).toBe('pass');
  const told = await judge(withRules(rule('notes.keys.other-body', about)));
  expect(exitCode(told)).toBe(0);
  expect(told.rules.map(({ id }) => id)).toContain('idempotency.addNote.mismatch');
});

test.each(ownContractNames)('every usual rule of the policies of %s has a template', async (name) => {
  const { sheet, ...others } = await loadOwnContract(name);
  const contract: Contract = {
    ...others,
    name: `own-${name}`,
    sheet: { ...(sheet as BehaviourSheet), rules: [] },
  };
  const { judged, unjudgeable } = ruleSet([contract]);
  expect(judged.length).toBeGreaterThan(10);
  expect([...unjudgeable]).toEqual([]);
});
