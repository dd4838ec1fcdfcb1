import { escapeXml } from '../../contract/index.ts';
import type { Report, RuleResult } from '../report.ts';

/** One suite per API, one case per rule. What was not decided is skipped with its reason, never passed. */
export function renderJunit(report: Report): string {
  const apis = [...new Set(report.rules.map(({ api }) => api))];
  const suites = apis.map((api) => suite(api, report));
  const all = counts(report.rules);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="tallystick conform" ${all} time="${seconds(report)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

// --- internal ---

function suite(api: string, report: Report): string {
  const rules = report.rules.filter((rule) => rule.api === api);
  const properties = [
    ['target', report.target.baseUrl],
    ['contract', report.contract[api] ?? ''],
    ['seed', String(report.seed)],
    ['allowed', ['reads', ...report.allowed].join(',')],
  ].map(([name = '', value = '']) => `      <property name="${name}" value="${escapeXml(value)}"/>`);
  return [
    `  <testsuite name="${escapeXml(api)}" ${counts(rules)} timestamp="${escapeXml(report.startedAt)}">`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...rules.map(testcase),
    '  </testsuite>',
  ].join('\n');
}

function testcase(rule: RuleResult): string {
  const open = `    <testcase classname="${escapeXml(area(rule.id))}" name="${escapeXml(rule.id)}"`;
  const inside = outcome(rule);
  return inside === '' ? `${open}/>` : `${open}>${inside}</testcase>`;
}

function outcome(rule: RuleResult): string {
  const message = escapeXml(messageOf(rule));
  switch (rule.verdict) {
    case 'pass':
      return '';
    case 'fail':
      return `<failure type="${escapeXml(rule.level)}" message="${message}">${escapeXml(details(rule))}</failure>`;
    case 'error':
      return `<error type="harness" message="${message}"/>`;
    case 'warn':
      return `<system-out>warning: ${message}\n${escapeXml(details(rule))}</system-out>`;
    case 'not-exercised':
    case 'not-applicable':
    case 'inconclusive':
      return `<skipped message="${rule.verdict}: ${message}"/>`;
  }
}

function messageOf(rule: RuleResult): string {
  if (rule.verdict === 'fail' || rule.verdict === 'warn')
    return `expected ${rule.expected ?? ''}, got ${rule.observed ?? ''}`;
  return rule.fixtureLine === undefined
    ? (rule.reason ?? '')
    : `${rule.reason ?? ''}; add ${rule.fixtureLine}`;
}

function details({ says, source, exchanges, repeat }: RuleResult): string {
  return [
    says,
    `document ${source.document}, ${source.section}, ${source.item}`,
    `exchanges ${exchanges.join(', ')}`,
    ...(repeat === undefined ? [] : [repeat.curl, repeat.replay]),
  ].join('\n');
}

function counts(rules: readonly RuleResult[]): string {
  const of = (...verdicts: readonly string[]): number =>
    rules.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return `tests="${rules.length}" failures="${of('fail')}" errors="${of('error')}" skipped="${of('not-exercised', 'not-applicable', 'inconclusive')}"`;
}

function seconds({ durationMs }: Report): string {
  return (durationMs / 1000).toFixed(3);
}

/** `router.list` of `router.list.limit-clamped`. */
function area(id: string): string {
  return id.split('.').slice(0, 2).join('.');
}
