import type { Report, RuleResult, Verdict } from '../report.ts';
import { verdicts } from '../report.ts';
import { exitCode } from '../verdict.ts';
import { plural } from './style.ts';

/** The report as Markdown, short enough for the summary of a build. */
export function renderMarkdown(report: Report): string {
  const of = (...wanted: readonly Verdict[]): readonly RuleResult[] =>
    report.rules.filter(({ verdict }) => wanted.includes(verdict));
  const broken = [...of('fail'), ...of('warn')];
  return [
    `## tallystick conform: ${code(report.target.baseUrl)}`,
    '',
    `${report.target.identity}, seed ${report.seed}, ${plural(report.requests.sent, 'request')}, allowed: ${['reads', ...report.allowed].join(', ')}, exit ${exitCode(report)}`,
    '',
    ...report.findings.map(
      ({ says, help }) => `> **${escape(says)}**${help === undefined ? '' : ` ${escape(help)}`}\n`,
    ),
    ...summary(report),
    ...(broken.length === 0 ? [] : ['', '### Broken', '', ...broken.flatMap(brokenRule)]),
    ...section(
      'Undecided',
      of('inconclusive', 'error'),
      (rule) => `${code(rule.id)}: ${escape(rule.reason ?? '')}`,
    ),
    ...gaps(of('not-exercised')),
    ...observations(report),
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
    ...apis.map((api) => row([api, ...shown.map((verdict) => count(api, verdict))])),
  ];
}

function brokenRule(rule: RuleResult): readonly string[] {
  const { id, level, verdict, says, source, expected, observed, exchanges, repeat } = rule;
  return [
    `**${verdict === 'fail' ? '✖' : '▲'} ${code(id)}** (${level}) ${escape(says)}`,
    '',
    `- cites: document ${source.document}, ${escape(`${source.section}, ${source.item}`)}`,
    `- expected: ${escape(expected ?? '')}`,
    `- got: ${code(observed ?? '')} (${exchanges.slice(0, 3).join(', ')})`,
    ...(repeat === undefined ? [] : ['', '```sh', repeat.curl, '```']),
    '',
  ];
}

function gaps(rules: readonly RuleResult[]): readonly string[] {
  const groups = new Map<string, RuleResult[]>();
  for (const rule of rules) {
    const key = rule.reason ?? '';
    groups.set(key, [...(groups.get(key) ?? []), rule]);
  }
  if (groups.size === 0) return [];
  const lines = [...groups].map(([reason, group]) => {
    const line = group[0]?.fixtureLine;
    const add = line === undefined ? '' : `; add ${code(line)}`;
    return `- ${plural(group.length, 'rule')}: ${escape(reason)}${add}`;
  });
  return ['', '### Not exercised', '', ...lines];
}

function observations({ observations: seen }: Report): readonly string[] {
  if (seen.length === 0) return [];
  const lines = seen.map(
    ({ id, about, seen: what }) => `- ${code(id)} ${escape(about)}: ${escape(what.slice(0, 3).join('; '))}`,
  );
  return ['', '<details><summary>Observations without a verdict</summary>', '', ...lines, '', '</details>'];
}

function section(
  title: string,
  rules: readonly RuleResult[],
  line: (rule: RuleResult) => string,
): readonly string[] {
  return rules.length === 0 ? [] : ['', `### ${title}`, '', ...rules.map((rule) => `- ${line(rule)}`)];
}

/** What a server said must not become markup of ours. */
function escape(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|~]/g, '\\$&').replace(/\s+/g, ' ');
}

function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ').replaceAll('|', '¦');
  const fence = '`'.repeat(Math.max(0, ...(flat.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return fence.length > 1 ? `${fence} ${flat} ${fence}` : `${fence}${flat}${fence}`;
}
