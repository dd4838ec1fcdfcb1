import { visible, visibleJson, typed } from '../../contract/index.ts';
import type { Finding, Report, RuleResult } from '../report.ts';

/**
 * The broken rules for tools that show findings: SARIF 2.1.0 (OASIS), one result per broken rule, at its line in the
 * behaviour sheet. What concerns the run as a whole becomes a notification.
 */
export function renderSarif(report: Report): string {
  const broken = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
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
            executionSuccessful: report.status === 'judged' || report.status === 'not-served',
            startTimeUtc: report.startedAt,
            toolExecutionNotifications: report.findings.map(notification),
          },
        ],
        results: broken.map((rule, index) => result(rule, index, report)),
        properties: { target: report.target.baseUrl, seed: report.seed, summary: report.summary },
      },
    ],
  };
  return `${visibleJson(log, 1)}\n`;
}

// --- internal ---

function descriptor({ id, level, says, source }: RuleResult): object {
  const cites = `document ${source.document}, ${source.section}, ${source.item}`;
  return {
    id,
    shortDescription: { text: inert(says) },
    help: { text: inert(`${cites}. More: ${typed(`explain ${id}`)}`) },
    defaultConfiguration: { level: level === 'should' ? 'warning' : 'error' },
    properties: { level, tags: [id.split('.')[0] ?? id] },
  };
}

function result(rule: RuleResult, ruleIndex: number, { target }: Report): object {
  const { id, verdict, expected, observed, exchanges, sheet, repeat } = rule;
  return {
    ruleId: id,
    ruleIndex,
    level: verdict === 'fail' ? 'error' : 'warning',
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

function notification({ kind, says, help }: Finding): object {
  return {
    level: kind === 'doubt' ? 'warning' : 'error',
    message: { text: inert(help === undefined ? says : `${says}. ${help}`) },
    descriptor: { id: kind },
  };
}

/** Text of a message without the links that viewers make of brackets (SARIF 2.1.0, 3.11.6). */
function inert(text: string): string {
  return visible(text).replace(/[\\[\]]/g, '\\$&');
}
