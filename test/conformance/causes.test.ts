import { beforeAll, expect, test } from 'vitest';
import {
  conclude,
  makeBaseline,
  parseReport,
  planConformance,
  renderPlan,
  renderReport,
  runConformance,
} from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import type { Check } from '../../conformance/scenarios/scenario.ts';
import { decide } from '../../conformance/verdicts/verdict.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

/** Reads whose names say how the server answers them. */
const NAMES = ['failing1', 'failing2', 'failing3', 'moved1', 'moved2', 'page1', 'page2', 'list', 'thing'];
const THING = `{ type: object, required: [size], properties: { size: { type: integer } } }`;

function operation(name: string): string {
  const schema = name === 'list' ? `{ type: array, items: ${THING} }` : THING;
  return `  /${name}: { get: { operationId: ${name}, responses: { '200': { description: Well., content: { application/json: { schema: ${schema} } } } } } }`;
}

function answer(target: string): Scripted {
  const kind = target.slice(1).replace(/\d$/, '');
  const json = { 'Content-Type': 'application/json' };
  switch (kind) {
    case 'failing':
      return { status: 500, headers: json, body: { error: `incident ${target}` } };
    case 'moved':
      return { status: 308, headers: json, body: { size: 1 } };
    case 'page':
      return { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: '<p>Well.</p>' };
    case 'list':
      return { status: 200, headers: json, body: [{ size: 1 }, { size: 'large' }] };
    case 'thing':
      return { status: 200, headers: json, body: { size: 'small' } };
    default:
      return { status: 404 };
  }
}

const DOCUMENT = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${NAMES.map(operation).join('\n')}\n`;

let report: Report;
beforeAll(async () => {
  const paths = NAMES.map(operation).join('\n');
  const contract = await own(
    'causes',
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${paths}\n`,
  );
  const { transport } = scripted(({ target }) => answer(target));
  report = await runConformance({ contracts: [contract], baseUrl: 'http://localhost', transport });
});

test('broken rules with one cause are one group: server errors first, then what breaks a must', () => {
  const { causes = [] } = report;
  expect(causes.map(({ says, verdict, operations }) => [says, verdict, operations])).toEqual([
    ['500 for a valid request', 'fail', ['failing1', 'failing2', 'failing3']],
    ['text/html in place of application/json', 'fail', ['page1', 'page2']],
    ['a body by another schema: size must be integer', 'fail', ['list', 'thing']],
    ['308 in place of 200', 'warn', ['moved1', 'moved2']],
  ]);
  for (const { rules, exchanges } of causes) {
    expect(rules.length).toBeGreaterThanOrEqual(2);
    expect(exchanges.length).toBeGreaterThanOrEqual(2);
  }
});

test('each format shows the causes, and the single rules in the order of their causes', () => {
  const text = renderReport(report, 'text');
  expect(text).toContain('9 broken rules, 4 causes:');
  expect(text).toMatch(/✖ 500 for a valid request {3}3 operations, such as GET \/failing1 \(x\d+\), GET/);
  expect(text).toMatch(/▲ 308 in place of 200 {3}2 operations/);
  for (const format of ['text', 'markdown', 'html', 'sarif'] as const) {
    const shown = renderReport(report, format);
    const places = ['failing1.answer', 'page1.answer', 'list.answer', 'moved1.status'].map((rule) =>
      shown.indexOf(format === 'html' ? `id="document.${rule}"` : `document.${rule}`),
    );
    expect(places, format).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place >= 0)).toBe(true);
  }
  expect(renderReport(report, 'html')).toContain('<b>308 in place of 200</b>');
  expect(renderReport(report, 'markdown')).toMatch(/- ✖ \*\*500 for a valid request\*\*: 3 operations/);
  expect(renderReport(report, 'junit')).toContain('cause: 500 for a valid request');
  expect(renderReport(report, 'ndjson')).toContain('{"event":"cause","says":"500 for a valid request"');
  expect(parseReport(renderReport(report, 'json')).causes).toEqual(report.causes);
});

test('the first annotations of a build are about server errors', () => {
  const [first = ''] = renderReport(report, 'github').split('\n');
  expect(first).toContain('document.failing1.answer');
});

test('known failures are in no group', () => {
  const { known } = makeBaseline({ rules: report.rules.filter(({ id }) => id.includes('failing')) });
  const shown = renderReport({ ...report, gate: { baseline: { known } } }, 'text');
  expect(shown).toContain('6 broken rules, 3 causes:');
  expect(shown).not.toContain('500 for a valid request');
});

test('a report without causes, of an older version, is read and shown', () => {
  const { causes, ...older } = report;
  expect(causes).toHaveLength(4);
  expect(renderReport(parseReport(JSON.stringify(older)), 'text')).toContain('document.failing1.answer');
});

test('of several failed checks of a rule, a server error decides, then the one with the fewest exchanges', () => {
  const failed = (got: string, exchanges: readonly string[], cause?: string): Check => ({
    ...{ kind: 'check', rule: 'a.b.c', outcome: 'fail', expected: 'this', got, exchanges },
    ...(cause === undefined ? {} : { cause }),
  });
  const many = failed('37 of them', ['x3', 'x2', 'x1']);
  const one = failed('an item of an earlier page', ['x3', 'x2']);
  const error = failed('500', ['x5', 'x4', 'x3', 'x2'], '500 for a valid request');
  const observed = (checks: readonly Check[]): unknown => decide({ level: 'must' }, checks, []).observed;
  expect(observed([many, one])).toBe('an item of an earlier page');
  expect(observed([many, one, error])).toBe('500');
});

test('a run that ends with 2 shows its fails, and says that the exit code is not about them', async () => {
  const sheet = `
api: deaf
contract: '1'
document: 1
policies: []
rules:
  - { id: deaf.songs.sung, level: must, says: The server sings., source: { document: 1, section: s, item: i }, needs: [], audience: server }
unspecified: []
`;
  const contract = await own('deaf', DOCUMENT, sheet);
  const { transport } = scripted(({ target }) => answer(target));
  const deaf = await runConformance({ contracts: [contract], baseUrl: 'http://localhost', transport });
  expect(conclude(deaf).exitCode).toBe(2);
  const told = 'the 7 findings about the server alone would be exit 1';
  for (const format of ['text', 'markdown'] as const) expect(renderReport(deaf, format)).toContain(told);
  for (const format of ['text', 'markdown', 'html', 'junit', 'github', 'sarif'] as const)
    expect(renderReport(deaf, format), format).toContain('document.failing1.answer');
  expect(renderReport(deaf, 'junit')).toMatch(/<testsuites [^>]*failures="7" errors="[1-9]/);
  expect(renderReport(report, 'text')).not.toContain('Exit 2');
});

test('nothing is said of bills where no contract says that calls cost something', async () => {
  const paths = `  /notes:\n    post: { operationId: addNote, requestBody: { content: { application/json: { schema: ${THING} } } }, responses: { '201': { description: Made. } } }\n`;
  const document = `openapi: 3.1.0\ninfo: { title: T, version: '1' }\nsecurity: [{ key: [] }]\ncomponents: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\npaths:\n${paths}${operation('thing')}\n`;
  const sheet = (policies: string): string =>
    `api: notes\ncontract: '1'\ndocument: 1\npolicies: [${policies}]\nrules: []\nunspecified: []\n`;
  const allowed = {
    baseUrl: 'http://localhost',
    credential: { header: 'X-Key', value: 'key-of-notes' },
    allow: ['writes'],
    fixtures: { writes: ['addNote'] },
  } as const;
  const shown = async (policies: string): Promise<readonly string[]> => {
    const contracts = [await own('notes', document, sheet(policies))];
    const { transport } = scripted(({ method, target }) =>
      method === 'POST' ? { status: 201 } : answer(target),
    );
    const run = await runConformance({ contracts, transport, ...allowed });
    return [renderPlan(planConformance({ contracts, ...allowed })), renderReport(run, 'text')];
  };
  for (const text of await shown('')) {
    expect(text).toContain(' of them could change something');
    expect(text).not.toContain('billed');
  }
  for (const text of await shown('{ kind: headers, credits: X-Credits }'))
    expect(text).toMatch(/ of them could be billed/);
});
