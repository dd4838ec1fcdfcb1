import { escapeXml } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import type { Conclusion, Reason } from '../verdicts/conclusion.ts';
import type { Report, RuleResult } from '../verdicts/report.ts';
import { leftLines } from './left.ts';
import { citation } from './citation.ts';

/**
 * One suite per API, one case per rule, and a case for each finding about the whole run. An undecided rule is
 * skipped with its reason, never passed. There are failures and errors exactly when the exit code is not 0.
 */
export function renderJunit(report: Report): string {
  const conclusion = conclude(report);
  const apis = [...new Set(report.rules.map(({ api }) => api))];
  const suites: readonly Suite[] = [
    ...apis.map((api) => ({
      name: api,
      cases: report.rules.filter((rule) => rule.api === api).map((rule) => caseOf(rule, conclusion)),
    })),
    { name: 'run', cases: conclusion.reasons.filter(({ rule }) => rule === undefined).map(caseOfRun) },
  ].filter(({ cases }) => cases.length > 0);
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="tallystick conform" ${counts(all)} time="${seconds(report)}">`,
    ...suites.map((suite) => suiteText(suite, report)),
    '</testsuites>',
    '',
  ].join('\n');
}

// --- internal ---

interface Case {
  readonly area: string;
  readonly name: string;
  readonly kind: 'passed' | 'failure' | 'error' | 'skipped';
  /** XML inside the element. */
  readonly inside: string;
}

interface Suite {
  readonly name: string;
  readonly cases: readonly Case[];
}

function suiteText({ name, cases }: Suite, report: Report): string {
  const properties = [
    ['target', report.target.baseUrl],
    ['contract', report.contract[name] ?? ''],
    ['seed', String(report.seed)],
    ['allowed', ['reads', ...report.allowed].join(',')],
    ['exitCode', String(conclude(report).exitCode)],
  ].map(([property = '', value = '']) => `      <property name="${property}" value="${escapeXml(value)}"/>`);
  return [
    `  <testsuite name="${escapeXml(name)}" ${counts(cases)} timestamp="${escapeXml(report.startedAt)}">`,
    '    <properties>',
    ...properties,
    '    </properties>',
    ...cases.map(caseText),
    ...left(name, report),
    '  </testsuite>',
  ].join('\n');
}

/** What the run left of one API: at the end of its suite, as the format requires. */
function left(api: string, report: Report): readonly string[] {
  const lines = leftLines({ left: (report.left ?? []).filter((thing) => thing.api === api) });
  return lines.length === 0 ? [] : [`    <system-out>${escapeXml(lines.join('\n'))}</system-out>`];
}

function caseText({ area, name, inside }: Case): string {
  const open = `    <testcase classname="${escapeXml(area)}" name="${escapeXml(name)}"`;
  return inside === '' ? `${open}/>` : `${open}>${inside}</testcase>`;
}

function caseOfRun({ code, says }: Reason): Case {
  const kind = code === 1 ? 'failure' : 'error';
  return { area: 'run', name: says, kind, inside: `<${kind} type="run" message="${escapeXml(says)}"/>` };
}

function caseOf(rule: RuleResult, { reasons, known }: Conclusion): Case {
  const { id, level, verdict } = rule;
  const own = reasons.filter((reason) => reason.rule === id);
  const says = escapeXml(own.map((reason) => reason.says).join('; '));
  const message = escapeXml(messageOf(rule));
  const made = (kind: Case['kind'], inside: string): Case => ({ area: areaOf(id), name: id, kind, inside });
  if (own.some(({ code }) => code !== 1)) return made('error', `<error type="harness" message="${says}"/>`);
  if (own.length > 0)
    return made(
      'failure',
      `<failure type="${escapeXml(level)}" message="${says}">${escapeXml(details(rule))}</failure>`,
    );
  if (known.has(id))
    return made('skipped', `<skipped message="known failure, listed in the baseline: ${message}"/>`);
  switch (verdict) {
    case 'pass':
      return made('passed', '');
    case 'warn':
      return made('passed', `<system-out>warning: ${message}\n${escapeXml(details(rule))}</system-out>`);
    default:
      return made('skipped', `<skipped message="${escapeXml(verdict)}: ${message}"/>`);
  }
}

function messageOf(rule: RuleResult): string {
  if (rule.verdict === 'fail' || rule.verdict === 'warn')
    return `expected ${rule.expected ?? ''}, got ${rule.observed ?? ''}`;
  return rule.fixtureLine === undefined
    ? (rule.reason ?? '')
    : `${rule.reason ?? ''}; add ${rule.fixtureLine}`;
}

function details(rule: RuleResult): string {
  const { says, exchanges, repeat, failures = [] } = rule;
  const causes = [...new Set(failures.flatMap(({ cause = [] }) => cause))];
  return [
    says,
    citation(rule),
    ...causes.map((cause) => `cause: ${cause}`),
    `exchanges ${exchanges.join(', ')}`,
    ...(repeat === undefined ? [] : [repeat.replay, repeat.curl]),
  ].join('\n');
}

function counts(cases: readonly Case[]): string {
  const of = (wanted: Case['kind']): number => cases.filter(({ kind }) => kind === wanted).length;
  return `tests="${cases.length}" failures="${of('failure')}" errors="${of('error')}" skipped="${of('skipped')}"`;
}

function seconds({ durationMs }: Report): string {
  return (durationMs / 1000).toFixed(3);
}

/** `router.list` of `router.list.limit-clamped`. */
function areaOf(id: string): string {
  return id.split('.').slice(0, 2).join('.');
}
