import { createHash } from 'node:crypto';
import { escapeHtml, visibleJson } from '../../contract/index.ts';
import type { Report, RuleResult, Verdict } from '../verdicts/report.ts';
import { verdicts } from '../verdicts/report.ts';
import { conclude } from '../verdicts/conclusion.ts';
import { brokenRules } from './broken-rules.ts';
import { htmlScript } from './html-script.ts';
import { htmlStyle } from './html-style.ts';
import { exchangeButton, prose, ruleDetails } from './html-rule.ts';
import { leftLines } from './left.ts';
import { openings } from './openings.ts';
import { duration, plural, requestCounts } from './style.ts';
import { unlistedReasons } from './unlisted-reasons.ts';
import { withinBudget } from './html-exchanges.ts';

/** The report as one self-contained page: every rule, its evidence, and every exchange. */
export function renderHtml(report: Report): string {
  const { target } = report;
  const title = `${target.baseUrl}: ${report.summary.fail} broken of ${plural(report.rules.length, 'rule')}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; style-src '${hashOf(htmlStyle)}'; script-src '${hashOf(htmlScript)}'">
<title>${escapeHtml(title)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<header>
<p class="kind">Conformance report</p>
<h1>${escapeHtml(target.baseUrl)}</h1>
<p class="lead">${escapeHtml(lead(report))}</p>
<p class="facts">${escapeHtml(facts(report))}</p>
</header>
${notices(report)}
<div class="tools" role="search">
<input id="search" type="search" placeholder="Search (press /)" aria-label="Search rules">
${chips(report)}
</div>
<main>
<p id="none" hidden>No rule matches.</p>
${causesOf(report)}
${areas(report)}
${notExercised(report)}
${observations(report)}
${notJudged(report)}
</main>
<footer>${escapeHtml(`${report.tool.name} ${report.tool.version}`)} · ${plural(report.exchanges.length, 'exchange')}, secrets masked; all of them are in report.json</footer>
<dialog aria-label="Exchange"><form method="dialog"><button class="exchange">close</button></form><div class="beside"></div></dialog>
<script type="application/json" id="exchanges">${scriptSafe(withinBudget(report))}</script>
<script>${htmlScript}</script>
</body>
</html>
`;
}

// --- internal ---

/** The summary at the top. */
function lead({ summary, rules, status }: Report): string {
  const { pass, fail, warn, error } = summary;
  const open = rules.length - pass - fail - warn - error;
  const clauses = [
    fail === 0
      ? 'No rule is broken'
      : `${plural(fail, 'rule')} of ${rules.length} ${fail === 1 ? 'is' : 'are'} broken`,
    ...(warn === 0 ? [] : [`${plural(warn, 'recommendation')} of the contract not followed`]),
    `${pass} passed`,
    ...(error === 0 ? [] : [`${error} could not be judged because of the fixtures or the suite`]),
    ...(open === 0 ? [] : [`${open} had no verdict`]),
  ];
  const cut = status === 'interrupted' ? ' The run was interrupted.' : '';
  return `${clauses.join('; ')}.${cut}`;
}

function facts(report: Report): string {
  const contracts = Object.entries(report.contract).map(([api, version]) => `${api} ${version}`);
  return [
    contracts.join(', '),
    report.target.identity,
    `${requestCounts(report)} in ${duration(report.durationMs)}`,
    `allowed: ${['reads', ...report.allowed].join(', ')}`,
    `seed ${report.seed}`,
    report.startedAt.slice(0, 16).replace('T', ' '),
    `exit ${conclude(report).exitCode}`,
  ].join(' · ');
}

/** The part about the run as a whole: the findings, and the reasons for a non-zero exit code. */
function notices(report: Report): string {
  const found = report.findings.map(
    ({ kind, says, help }) =>
      `<p class="finding ${escapeHtml(kind)}"><b>${escapeHtml(says)}</b> ${escapeHtml(help ?? '')}</p>`,
  );
  const reasons = unlistedReasons(report, conclude(report)).map(
    ({ rule, says }) =>
      `<p class="finding"><b>${rule === undefined ? '' : `${ruleLink(rule)}: `}${escapeHtml(says)}</b></p>`,
  );
  const left = leftLines(report).map((line) => `<p class="finding doubt">${escapeHtml(line)}</p>`);
  return [...found, ...reasons, ...left].join('\n');
}

/** What the broken rules have in common. */
function causesOf(report: Report): string {
  const { causes } = brokenRules(report, conclude(report).known);
  if (causes.length === 0) return '';
  const rows = causes.map((cause) => {
    const { says, verdict, help, rules, operations, exchanges } = cause;
    const explained = help === undefined ? '' : `<p>${escapeHtml(help)}</p>`;
    const list = rules.map((id) => ruleLink(id)).join(', ');
    const buttons = exchanges.map((id) => exchangeButton(id)).join('');
    return `<tr><td><span class="verdict ${verdict}">${verdict}</span></td><td><b>${escapeHtml(says)}</b>${explained}<details><summary>${plural(rules.length, 'rule')}${operations.length === 0 ? '' : ` of ${plural(operations.length, 'operation')}`}</summary>${list}</details></td><td>${buttons}</td></tr>`;
  });
  return `<h2 id="causes">Causes <small>what the broken rules have in common</small></h2>\n<table><tr><th>verdict</th><th>cause</th><th>exchanges</th></tr>${rows.join('\n')}</table>`;
}

/** The fixtures and permissions that would enable further rules, those for most rules first. */
function notExercised(report: Report): string {
  const all = openings(report);
  if (all.length === 0) return '';
  const count = all.flatMap(({ rules }) => rules).length;
  const rows = all.map(({ reason, fixtureLine, rules }) => {
    const add = fixtureLine === undefined ? '' : `<pre>${escapeHtml(fixtureLine)}</pre>`;
    const list = rules.map(({ id }) => ruleLink(id)).join(', ');
    return `<tr><td>${plural(rules.length, 'rule')}</td><td>${escapeHtml(reason)}${add}<details><summary>which</summary>${list}</details></td></tr>`;
  });
  return `<h2 id="not-exercised">What would open more rules <small>${plural(count, 'rule')} not exercised</small></h2>\n<table><tr><th>opens</th><th>add</th></tr>${rows.join('\n')}</table>`;
}

function ruleLink(id: string): string {
  return `<a href="#${escapeHtml(encodeURIComponent(id))}">${escapeHtml(id)}</a>`;
}

function chips(report: Report): string {
  return verdicts
    .filter((verdict) => report.summary[verdict] > 0)
    .map(
      (verdict) =>
        `<button class="chip" type="button" data-verdict="${verdict}" aria-pressed="true" title="${meaning[verdict]}"><b class="${verdict}">${escapeHtml(String(report.summary[verdict]))}</b>${verdict}</button>`,
    )
    .join('\n');
}

const meaning: Readonly<Record<Verdict, string>> = {
  pass: 'exercised, and all expectations met',
  fail: 'a rule is broken',
  warn: 'a recommendation of the contract is not followed',
  'not-exercised': 'a fixture, a permission or an opportunity was missing',
  'not-applicable': 'the rule does not apply to this server',
  inconclusive: 'exercised, but not decided',
  error: 'the suite, its configuration or a fixture is wrong',
};

const weight: Readonly<Record<Verdict, number>> = {
  fail: 0,
  error: 1,
  warn: 2,
  inconclusive: 3,
  pass: 4,
  'not-exercised': 5,
  'not-applicable': 6,
};

/** First the rules that need attention, then all others by area. */
function areas(report: Report): string {
  const { known } = conclude(report);
  const order = new Map(brokenRules(report, new Set()).rules.map(({ id }, index) => [id, index]));
  const groups = new Map<string, RuleResult[]>([[ATTENTION, []]]);
  for (const rule of report.rules) {
    const area = weight[rule.verdict] < weight.pass ? ATTENTION : rule.id.split('.').slice(0, 2).join('.');
    const group = groups.get(area);
    if (group === undefined) groups.set(area, [rule]);
    else group.push(rule);
  }
  return [...groups]
    .filter(([, rules]) => rules.length > 0)
    .map(([area, rules]) => {
      const sorted = [...rules].sort(
        (a, b) => weight[a.verdict] - weight[b.verdict] || (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0),
      );
      return `<section class="area"><h2>${escapeHtml(area)} <small>${plural(rules.length, 'rule')}</small></h2>\n${sorted.map((rule) => ruleDetails(rule, known.has(rule.id), report.settings?.folder)).join('\n')}</section>`;
    })
    .join('\n');
}

const ATTENTION = 'Broken or undecided';

function observations(report: Report): string {
  if (report.observations.length === 0) return '';
  const rows = report.observations.map(
    ({ id, about, seen, exchanges }) =>
      `<tr><td><code>${escapeHtml(id)}</code></td><td>${prose(about)}</td><td>${escapeHtml(seen.slice(0, 6).join('; '))}</td><td>${exchanges
        .slice(0, 3)
        .map((seen) => exchangeButton(seen))
        .join('')}</td></tr>`,
  );
  return `<h2 id="observations">Observations without a verdict <small>${plural(report.observations.length, 'observation')}</small></h2>\n<table><tr><th>id</th><th>about</th><th>seen</th><th>exchanges</th></tr>${rows.join('\n')}</table>`;
}

function notJudged(report: Report): string {
  if (report.notJudged.length === 0) return '';
  const rows = report.notJudged.map(
    ({ id, says, why }) =>
      `<tr><td><code>${escapeHtml(id)}</code></td><td>${prose(says)}</td><td>${escapeHtml(why)}</td></tr>`,
  );
  return `<h2 id="not-judged">Rules that are not tested on a live server <small>${plural(report.notJudged.length, 'rule')}</small></h2>\n<table><tr><th>id</th><th>rule</th><th>why</th></tr>${rows.join('\n')}</table>`;
}

/** JSON that cannot end the script element that contains it. */
function scriptSafe(value: unknown): string {
  return visibleJson(value).replaceAll('<', '\\u003c');
}

/** The hash of an element's text in a content security policy. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
