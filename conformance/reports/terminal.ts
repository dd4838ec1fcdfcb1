import { shellWord, typed, visible, visibleStrings } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import { isRemovable, leftLines } from './left.ts';
import { openings } from './openings.ts';
import { replayCommand, scriptPath } from '../replay/repeat.ts';
import type { FailureCause, Report, RuleResult, Verdict } from '../verdicts/report.ts';
import { verdicts } from '../verdicts/report.ts';
import { cut } from '../exchanges/sketch.ts';
import { brokenRules, extentOf } from './broken-rules.ts';
import { citation } from './citation.ts';
import { hiddenFails, unlistedReasons } from './unlisted-reasons.ts';
import { duration, makeStyle, plural, requestCounts, wrap } from './style.ts';
import type { Style } from './style.ts';

/** How a report is printed in a terminal. */
export interface TerminalReportOptions {
  readonly colour?: boolean;
  /** Only ASCII symbols, for terminals without others. */
  readonly ascii?: boolean;
  /** Characters in a line; default 120. */
  readonly width?: number;
  /** Lists every rule, including passed ones. */
  readonly verbose?: boolean;
  /** The files of the other formats: long lines are replaced by their names. */
  readonly folder?: string;
  /** The exit code of the process, if the report does not decide it. */
  readonly exitCode?: number;
}

/** The report for the terminal: broken rules in full, and missing fixtures with the line to add. */
export function renderTerminal({ exchanges, ...rest }: Report, options: TerminalReportOptions): string {
  // Text of a server must not control the terminal, and must not imitate other lines of the report.
  const report: Report = { ...visibleStrings(rest), exchanges };
  const style = makeStyle(options);
  const conclusion = conclude(report);
  const { causes, rules: broken } = brokenRules(report, conclusion.known);
  const blocks = [
    head(report, style),
    ...report.findings.map((finding) => {
      const mark =
        finding.kind === 'doubt' ? style.caution(style.symbols.warn) : style.bad(style.symbols.fail);
      const seen =
        finding.exchanges.length === 0 ? '' : style.dim(`   ${finding.exchanges.slice(0, 3).join(', ')}`);
      return [
        `${mark} ${style.bold(finding.says)}${seen}`,
        ...(finding.help === undefined ? [] : [`    ${finding.help}`]),
      ].join('\n');
    }),
    ...causeLines(causes, broken, report, style, options),
    ...broken.map((rule) => brokenRule(report, rule, style, options)),
    ...report.rules
      .filter(({ id }) => conclusion.known.has(id))
      .map(({ id }) => `${style.dim(style.symbols.note)} ${id}   known failure, listed in the baseline`),
    ...report.rules.filter(({ verdict }) => verdict === 'inconclusive').map((rule) => undecided(rule, style)),
    ...gaps(report, style, options),
    ...(options.verbose === true ? [everyRule(report, style)] : []),
    ...observations(report, style, options.folder),
    ...left(report, style, options.folder),
    ...unlistedReasons(report, conclusion).map(
      ({ rule, says }) =>
        `${style.bad(style.symbols.fail)} ${rule === undefined ? '' : `${style.bold(rule)}   `}${says}`,
    ),
    hiddenFails(conclusion),
    foot(report, style, options.exitCode ?? conclusion.exitCode),
  ];
  return `${blocks.filter((block) => block !== '').join('\n')}\n`;
}

// --- internal ---

const DEFAULT_WIDTH = 120;

function head(report: Report, style: Style): string {
  const { target, seed, allowed } = report;
  const line = `  ${style.dim('target')}  ${style.bold(target.baseUrl)}   identity: ${target.identity}   random seed ${seed}`;
  const sent = `  ${style.dim('sent')}    ${requestCounts(report)}   allowed: ${['reads', ...allowed].join(', ')}`;
  const apis = [...new Set(report.rules.map(({ api }) => api))].map((api) => {
    const counts = count(report.rules.filter((rule) => rule.api === api));
    return `${style.bold(api)}  ${counts.map(([verdict, number]) => painted(verdict, `${number} ${verdict}`, style)).join(' · ')}`;
  });
  return [line, sent, `  ${apis.join('\n  ')}`].join('\n');
}

/** What the broken rules have in common, before they are shown one by one. */
function causeLines(
  causes: readonly FailureCause[],
  broken: readonly RuleResult[],
  { exchanges }: Report,
  style: Style,
  { width = DEFAULT_WIDTH, folder }: TerminalReportOptions,
): readonly string[] {
  if (causes.length === 0) return [];
  const shown = causes.slice(0, MOST_CAUSES);
  const left = causes.length - shown.length;
  const where = folder === undefined ? '' : `: ${style.dim(`${folder}/index.html#causes`)}`;
  return [
    `  ${plural(broken.length, 'broken rule')}, ${plural(causes.length, 'cause')}:`,
    ...shown.flatMap((cause) => [
      `  ${markOf(cause, style)} ${style.bold(cause.says)}   ${wrap(extentOf(cause, exchanges), width - 6, ' '.repeat(6))}`,
      ...(cause.help === undefined ? [] : [`      ${wrap(cause.help, width - 6, ' '.repeat(6))}`]),
    ]),
    ...(left === 0 ? [] : [`    ${plural(left, 'more cause')}${where}`]),
    '',
  ];
}

const MOST_CAUSES = 20;

function markOf({ verdict }: Pick<RuleResult, 'verdict'>, style: Style): string {
  return verdict === 'fail' ? style.bad(style.symbols.fail) : style.caution(style.symbols.warn);
}

function brokenRule(report: Report, rule: RuleResult, style: Style, options: TerminalReportOptions): string {
  const mark = markOf(rule, style);
  const [first] = rule.exchanges;
  const exchange = report.exchanges.find(({ id }) => id === first);
  const room = (options.width ?? DEFAULT_WIDTH) - 14;
  const line = (label: string, text: string): string => `    ${style.dim(label.padEnd(10))}${text}`;
  const observed = rule.observed ?? '';
  const lines = [
    `${mark} ${style.bold(rule.id)}   ${rule.level}`,
    line('rule', wrap(rule.says, room, ' '.repeat(14))),
    line('cites', citation(rule)),
  ];
  if (exchange !== undefined) {
    const { method, target, body } = exchange.request;
    const sent = body === undefined ? '' : `  ${cut(visible(body.text.slice(0, 160)), 80)}`;
    lines.push(line('sent', cut(`${visible(`${method} ${target}`)}${sent}`, room * 2)));
  }
  const seen = first === undefined ? '' : `   ${style.dim(`exchange ${first}`)}`;
  lines.push(line('got', `${wrap(observed, room, ' '.repeat(14))}${seen}`));
  lines.push(line('expected', wrap(rule.expected ?? '', room, ' '.repeat(14))));
  if (rule.failed > 1)
    lines.push(line('', style.dim(`${rule.failed} of ${plural(rule.checks, 'check')} failed`)));
  if (rule.repeat !== undefined) {
    const { folder } = options;
    lines.push(
      line('repeat', folder === undefined ? rule.repeat.replay : replayCommand(folder, rule, report)),
    );
    const script = folder === undefined ? undefined : scriptPath(folder, rule.id);
    lines.push(line('', style.dim(script ?? cut(rule.repeat.curl, 400))));
  }
  return lines.join('\n');
}

function undecided(rule: RuleResult, style: Style): string {
  const seen = rule.exchanges[0] === undefined ? '' : style.dim(`   exchange ${rule.exchanges[0]}`);
  return `${style.caution(style.symbols.warn)} ${rule.id}   ${rule.level}   inconclusive: ${rule.reason ?? ''}${seen}`;
}

/**
 * Rules that were not exercised, by the missing fixture or permission: those that would enable most rules
 * first.
 */
function gaps(report: Report, style: Style, options: TerminalReportOptions): readonly string[] {
  const all = openings(report);
  const note = style.dim(style.symbols.note);
  const shown = options.verbose === true ? all : all.slice(0, MOST_OPENINGS);
  const lines = shown.map(({ reason, fixtureLine, rules }) => {
    const title = `${note} ${plural(rules.length, 'rule')} not exercised: ${style.bold(reason)}`;
    return fixtureLine === undefined ? title : `${title}   in the fixtures file:\n    ${fixtureLine}`;
  });
  const rest = all.slice(shown.length).flatMap(({ rules }) => rules).length;
  if (rest === 0) return lines;
  const where =
    options.folder === undefined ? '' : `: ${style.dim(`${options.folder}/index.html#not-exercised`)}`;
  return [
    ...lines,
    `${note} ${plural(rest, 'more rule')} not exercised, for ${plural(all.length - shown.length, 'other reason')}${where}`,
  ];
}

const MOST_OPENINGS = 10;

function everyRule(report: Report, style: Style): string {
  return report.rules
    .map(({ id, level, verdict, checks, exchanges }) => {
      const evidence = checks === 0 ? '' : style.dim(`   ${plural(checks, 'check')}, ${exchanges[0] ?? ''}`);
      return `  ${painted(verdict, verdict.padEnd(13), style)} ${id}   ${style.dim(level)}${evidence}`;
    })
    .join('\n');
}

function observations(report: Report, style: Style, folder: string | undefined): readonly string[] {
  if (report.observations.length === 0) return [];
  const ids = report.observations.slice(0, 3).map(({ id }) => id);
  const more = report.observations.length > ids.length ? ', …' : '';
  const what = plural(report.observations.length, 'observation');
  const where = folder === undefined ? `${ids.join(', ')}${more}` : `${folder}/index.html#observations`;
  return [`${style.dim(style.symbols.note)} ${what} without a verdict: ${style.dim(where)}`];
}

function left(report: Report, style: Style, folder: string | undefined): readonly string[] {
  const lines = leftLines(report).map(
    (line) => `${style.caution(style.symbols.warn)} ${cut(line, MOST_LEFT)}`,
  );
  return isRemovable(report) && folder !== undefined
    ? [
        ...lines,
        `    to take them back: ${typed(`conform cleanup ${shellWord(folder)} --base-url ${shellWord(report.target.baseUrl)}`)}`,
      ]
    : lines;
}

/** Characters of a line about what is left; the other formats have all of it. */
const MOST_LEFT = 600;

function foot(report: Report, style: Style, code: number): string {
  const counts = count(report.rules).map(([verdict, number]) =>
    painted(verdict, `${number} ${verdict}`, style),
  );
  const exit = `exit ${code}`;
  return `  ${plural(report.rules.length, 'rule')}: ${counts.join(' · ')}     ${duration(report.durationMs)}     ${code === 0 ? style.good(exit) : style.bad(exit)}`;
}

function count(rules: readonly RuleResult[]): readonly (readonly [Verdict, number])[] {
  return verdicts
    .map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).length] as const)
    .filter(([, number]) => number > 0);
}

function painted(verdict: Verdict, text: string, style: Style): string {
  switch (verdict) {
    case 'pass':
      return style.good(text);
    case 'fail':
    case 'error':
      return style.bad(text);
    case 'warn':
    case 'inconclusive':
      return style.caution(text);
    case 'not-exercised':
    case 'not-applicable':
      return style.dim(text);
  }
}
