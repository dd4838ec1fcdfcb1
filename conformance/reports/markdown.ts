import { escapeMarkdown, markdownBlock, markdownCode } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import type { FailureCause, Report, RuleResult, Verdict } from '../verdicts/report.ts';
import { verdicts } from '../verdicts/report.ts';
import { brokenRules, extentOf } from './broken-rules.ts';
import { citation } from './citation.ts';
import { leftLines } from './left.ts';
import { openings } from './openings.ts';
import { hiddenFails, unlistedReasons } from './unlisted-reasons.ts';
import { plural, requestCounts } from './style.ts';

/** The report as Markdown, short enough for the summary of a build. */
export function renderMarkdown(report: Report): string {
  const of = (...wanted: readonly Verdict[]): readonly RuleResult[] =>
    report.rules.filter(({ verdict }) => wanted.includes(verdict));
  const conclusion = conclude(report);
  const { causes, rules: broken } = brokenRules(report, conclusion.known);
  return [
    `## tallystick conform: ${markdownCode(report.target.baseUrl)}`,
    '',
    escapeMarkdown(
      `${report.target.identity}, seed ${report.seed}, ${requestCounts(report)}, allowed: ${['reads', ...report.allowed].join(', ')}, exit ${conclusion.exitCode}`,
    ),
    '',
    ...report.findings.map(
      ({ says, help }) =>
        `> **${escapeMarkdown(says)}**${help === undefined ? '' : ` ${escapeMarkdown(help)}`}\n`,
    ),
    ...unlistedReasons(report, conclusion).map(
      ({ rule, says }) =>
        `> **${rule === undefined ? '' : `${markdownCode(rule)} `}${escapeMarkdown(says)}**\n`,
    ),
    ...[hiddenFails(conclusion)].flatMap((line) => (line === '' ? [] : [`${escapeMarkdown(line.trim())}\n`])),
    ...summary(report),
    ...(causes.length === 0
      ? []
      : ['', '### Causes', '', ...causes.map((cause) => causeLine(cause, report))]),
    ...(broken.length === 0 ? [] : ['', '### Broken', '', ...broken.flatMap(brokenRule)]),
    ...section(
      'Known failures, listed in the baseline',
      report.rules.filter(({ id }) => conclusion.known.has(id)),
      ({ id, says }) => `${markdownCode(id)} ${escapeMarkdown(says)}`,
    ),
    ...section(
      'Undecided',
      of('inconclusive', 'error'),
      (rule) => `${markdownCode(rule.id)}: ${escapeMarkdown(rule.reason ?? '')}`,
    ),
    ...gaps(report),
    ...observations(report),
    ...left(report),
    '',
  ].join('\n');
}

// --- internal ---

function summary({ rules }: Report): readonly string[] {
  const shown = verdicts.filter((verdict) => rules.some((rule) => rule.verdict === verdict));
  const apis = [...new Set(rules.map(({ api }) => api))];
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const count = (api: string, verdict: Verdict): number =>
    rules.filter((rule) => rule.api === api && rule.verdict === verdict).length;
  return [
    row(['API', ...shown]),
    row(['---', ...shown.map(() => '---:')]),
    ...apis.map((api) => row([escapeMarkdown(api), ...shown.map((verdict) => count(api, verdict))])),
  ];
}

function causeLine(cause: FailureCause, { exchanges }: Report): string {
  const { says, verdict, help } = cause;
  const mark = verdict === 'fail' ? '✖' : '▲';
  const explained = help === undefined ? '' : ` ${escapeMarkdown(help)}`;
  return `- ${mark} **${escapeMarkdown(says)}**: ${escapeMarkdown(extentOf(cause, exchanges))}${explained}`;
}

function brokenRule(rule: RuleResult): readonly string[] {
  const { id, level, verdict, says, expected, observed, exchanges, repeat } = rule;
  return [
    `**${verdict === 'fail' ? '✖' : '▲'} ${markdownCode(id)}** (${escapeMarkdown(level)}) ${escapeMarkdown(says)}`,
    '',
    `- cites: ${escapeMarkdown(citation(rule))}`,
    `- expected: ${escapeMarkdown(expected ?? '')}`,
    `- got: ${markdownCode(observed ?? '')} (${escapeMarkdown(exchanges.slice(0, 3).join(', '))})`,
    ...(repeat === undefined ? [] : ['', markdownBlock(repeat.curl, 'sh')]),
    '',
  ];
}

function gaps(report: Report): readonly string[] {
  const lines = openings(report).map(({ reason, fixtureLine, rules }) => {
    const add = fixtureLine === undefined ? '' : `; add ${markdownCode(fixtureLine)}`;
    return `- ${plural(rules.length, 'rule')}: ${escapeMarkdown(reason)}${add}`;
  });
  return lines.length === 0 ? [] : ['', '### Not exercised', '', ...lines];
}

function observations({ observations: seen }: Report): readonly string[] {
  if (seen.length === 0) return [];
  const lines = seen.map(
    ({ id, about, seen: what }) =>
      `- ${markdownCode(id)} ${escapeMarkdown(about)}: ${escapeMarkdown(what.slice(0, 3).join('; '))}`,
  );
  return ['', '<details><summary>Observations without a verdict</summary>', '', ...lines, '', '</details>'];
}

function left(report: Report): readonly string[] {
  const lines = leftLines(report);
  return lines.length === 0
    ? []
    : ['', '### Left on the server', '', ...lines.map((line) => `- ${escapeMarkdown(line)}`)];
}

function section(
  title: string,
  rules: readonly RuleResult[],
  line: (rule: RuleResult) => string,
): readonly string[] {
  return rules.length === 0 ? [] : ['', `### ${title}`, '', ...rules.map((rule) => `- ${line(rule)}`)];
}
