import { visible, visibleJson, typed } from '../../contract/index.ts';
import { conclude } from '../verdicts/conclusion.ts';
import type { Conclusion, Reason } from '../verdicts/conclusion.ts';
import type { RunFinding, Report, RuleResult } from '../verdicts/report.ts';
import { brokenRules } from './broken-rules.ts';
import { citation } from './citation.ts';
import { leftLines } from './left.ts';
import { unlistedReasons } from './unlisted-reasons.ts';

/**
 * The broken rules for tools that show findings: SARIF 2.1.0 (OASIS), one result per broken rule, at its line
 * in the behaviour sheet. A finding about the whole run becomes a notification. Failures in a baseline are
 * suppressed.
 */
export function renderSarif(report: Report): string {
  const conclusion = conclude(report);
  const broken = brokenRules(report, new Set()).rules;
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            semanticVersion: report.tool.version,
            rules: broken.map(descriptor),
          },
        },
        invocations: [
          {
            executionSuccessful: conclusion.exitCode <= 1,
            exitCode: conclusion.exitCode,
            startTimeUtc: report.startedAt,
            toolExecutionNotifications: [
              ...report.findings.map((finding) => notification(finding, conclusion)),
              ...unlistedReasons(report, conclusion, ['fail', 'warn']).map(notificationOf),
              ...leftLines(report).map((line) => ({ level: 'note', message: { text: inert(line) } })),
            ],
          },
        ],
        results: broken.map((rule, index) => result(rule, index, report, conclusion)),
        properties: { target: report.target.baseUrl, seed: report.seed, summary: report.summary },
      },
    ],
  };
  return `${visibleJson(log, 1)}\n`;
}

// --- internal ---

function descriptor(rule: RuleResult): object {
  const { id, level, says } = rule;
  return {
    id,
    shortDescription: { text: inert(says) },
    help: { text: inert(`${citation(rule)}. More: ${typed(`explain ${id}`)}`) },
    defaultConfiguration: { level: level === 'should' ? 'warning' : 'error' },
    properties: { level, tags: [id.split('.')[0] ?? id] },
  };
}

function result(
  rule: RuleResult,
  ruleIndex: number,
  { target, gate }: Report,
  { reasons, known }: Conclusion,
): object {
  const { id, expected, observed, exchanges, sheet, repeat } = rule;
  return {
    ruleId: id,
    ruleIndex,
    level: rule.verdict === 'fail' || reasons.some((reason) => reason.rule === id) ? 'error' : 'warning',
    ...(gate?.baseline === undefined ? {} : { baselineState: known.has(id) ? 'unchanged' : 'new' }),
    ...(known.has(id)
      ? { suppressions: [{ kind: 'external', justification: 'a known failure of the baseline' }] }
      : {}),
    message: {
      text: inert(`${target.baseUrl}: expected ${expected ?? 'otherwise'}; got ${observed ?? 'nothing'}`),
    },
    locations: [
      {
        ...(sheet === undefined
          ? {}
          : {
              physicalLocation: {
                artifactLocation: { uri: sheet.file },
                region: { startLine: sheet.line },
              },
            }),
        logicalLocations: [{ fullyQualifiedName: id, kind: 'member' }],
      },
    ],
    partialFingerprints: { 'rule/v1': id },
    properties: { exchanges, ...(repeat === undefined ? {} : { replay: repeat.replay, curl: repeat.curl }) },
  };
}

function notification({ kind, says, help }: RunFinding, { reasons }: Conclusion): object {
  return {
    level: reasons.some((reason) => reason.says === says) ? 'error' : 'warning',
    message: { text: inert(help === undefined ? says : `${says}. ${help}`) },
    descriptor: { id: kind },
  };
}

function notificationOf({ rule, says }: Reason): object {
  return { level: 'error', message: { text: inert(rule === undefined ? says : `${rule}: ${says}`) } };
}

/** Text of a message without the links that viewers make of brackets (SARIF 2.1.0, 3.11.6). */
function inert(text: string): string {
  return visible(text).replace(/[\\[\]]/g, '\\$&');
}
