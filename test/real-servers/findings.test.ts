import { expect, test } from 'vitest';
import type { RuleResult } from '../../conformance/index.ts';
import { classifiedFindings, findingsOf, readClassified, unsettled, type Classified } from './findings.ts';
import { servers } from './servers.ts';

const rule = (id: string, verdict: RuleResult['verdict'], observed: string): RuleResult =>
  ({ id: `document.${id}`, verdict, observed }) as RuleResult;
const entry = (more: Partial<Classified>): Classified => ({
  ...{ server: 'a-server', rules: ['getClip.answer'], cause: 'true', because: 'It is so.' },
  ...more,
});

test('a fail or a warning that nobody classified is unsettled, and so is one of ours', () => {
  const rules = [
    rule('getClip.answer', 'fail', 'no body'),
    rule('getClip.status', 'warn', '500'),
    rule('getMe.answer', 'fail', 'no body'),
    rule('listClips.answer', 'pass', ''),
  ];
  const findings = [{ kind: 'stopped', says: 'It stopped.', help: undefined, exchanges: [] }] as const;
  const classified = [
    entry({}),
    entry({ rules: ['get*.status'], cause: 'ours', because: 'We sent nonsense.' }),
  ];
  expect(unsettled(findingsOf({ rules, findings }, 'a-server', classified))).toEqual([
    'fail document.run.stopped is not classified: It stopped.',
    'warn document.getClip.status: We sent nonsense.',
    'fail document.getMe.answer is not classified: no body',
  ]);
});

test('an entry holds for its server and for what it observed', () => {
  const rules = [rule('getClip.answer', 'fail', '500 {"error":"a"}')];
  const fits = (more: Partial<Classified>): boolean =>
    findingsOf({ rules, findings: [] }, 'a-server', [entry(more)]).every(
      ({ classified }) => classified !== undefined,
    );
  expect([{}, { observed: '500' }, { observed: '404' }, { server: 'another' }].map(fits)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('the table of findings is whole, and names servers that exist', () => {
  const names = new Set(servers.map(({ name }) => name));
  const entries = classifiedFindings();
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.filter(({ server }) => !names.has(server))).toEqual([]);
  expect(() => readClassified('[{ server: a, rules: [a], cause: perhaps, because: It is so. }]')).toThrow(
    'perhaps',
  );
  expect(() => readClassified('[{ server: a, rules: [a], cause: ours, because: unclear }]')).toThrow(
    'unclear',
  );
});
