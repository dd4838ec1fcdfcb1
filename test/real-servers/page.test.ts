import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Report, RuleResult } from '../../conformance/index.ts';
import { needOfWrite } from '../../conformance/writes/withheld.ts';
import { classifiedFindings } from './findings.ts';
import type { Judged } from './judge.ts';
import { pageFile, renderPage } from './page.ts';
import { servers } from './servers.ts';

test('docs/real-servers.md has every server, and no finding that is not classified', () => {
  const page = readFileSync(pageFile, 'utf8');
  for (const { name, version } of servers) expect(page).toContain(`## ${name} ${version}\n`);
  const told = new Set(classifiedFindings().map(({ cause, because }) => `${cause} ${because}`));
  const rows = page.matchAll(/^\| (true|set-up|ours|not classified) +\| \d+ +\| (.*?) +\|/gm);
  const findings = [...rows].map(([, cause = '', because = '']) => `${cause} ${because}`);
  expect(findings.length).toBeGreaterThan(0);
  expect(findings.filter((one) => !told.has(one))).toEqual([]);
});

test('the page counts operations withheld, rows left and rows changed, and groups findings by what they are', () => {
  const server = { name: 'a-server', version: '1', document: 'by hand', ownWrites: [] } as const;
  const rule = (id: string, more: Partial<RuleResult>): RuleResult =>
    ({ id: `document.${id}`, ...more }) as RuleResult;
  const rules = [rule('a.answer', {}), rule('b.answer', {}), rule('c.answer', { missing: needOfWrite('c') })];
  const report = {
    rules,
    summary: { pass: 7, fail: 2, warn: 0 },
    requests: { sent: 9 },
  } as unknown as Report;
  const classified = { server: 'a-server', rules: ['*'], cause: 'true', because: 'It | is so.' } as const;
  const row = { table: 'clips', key: '1', kind: 'made', members: [], row: {} } as const;
  const judged: Judged = {
    ...{ server: { ...server, install: nothing, start: nothing }, run: 'writes', report, troubles: [] },
    findings: rules.slice(0, 2).map((one) => ({ rule: one, classified })),
    ...{ left: [row], unexplained: [row, row] },
  };
  const page = renderPage([judged]);
  expect(page).toContain('| a-server 1 | writes | 9 | 7 | 2 | 0 | 1 | 1 | 2 |');
  expect(page).toContain('| true | 2 | It \\| is so. | `a.answer`, `b.answer` |');
});

// --- internal ---

function nothing(): never {
  throw new Error('no server is started here');
}
