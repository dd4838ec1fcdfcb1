import { beforeAll, expect, test } from 'vitest';
import { makeBaseline, parseReport, renderReport, runConformance } from '../../conformance/index.ts';
import type { Report } from '../../conformance/index.ts';
import { own } from '../mock/own-document.ts';
import { scripted, type Scripted } from './servers.ts';

/** Reads whose names say how the server answers them. */
const NAMES = ['failing1', 'failing2', 'failing3', 'created1', 'created2', 'page1', 'page2', 'list', 'thing'];
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
    case 'created':
      return { status: 201, headers: json, body: { size: 1 } };
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
    ['201 in place of 200', 'warn', ['created1', 'created2']],
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
  expect(text).toMatch(/▲ 201 in place of 200 {3}2 operations/);
  for (const format of ['text', 'markdown', 'html', 'sarif'] as const) {
    const shown = renderReport(report, format);
    const places = ['failing1.answer', 'page1.answer', 'list.answer', 'created1.status'].map((rule) =>
      shown.indexOf(format === 'html' ? `id="document.${rule}"` : `document.${rule}`),
    );
    expect(places, format).toEqual(places.toSorted((a, b) => a - b));
    expect(places.every((place) => place >= 0)).toBe(true);
  }
  expect(renderReport(report, 'html')).toContain('<b>201 in place of 200</b>');
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
