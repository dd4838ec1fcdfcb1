/** A verdict for every documented rule of a live server, with evidence. */
export type { ClientExchange, ClientMessage } from './client-rules/exchange.ts';
export { clientRules, judgeClient, type JudgeClientOptions } from './client-rules/judge-client.ts';
export { makeBaseline, parseBaseline } from './baseline.ts';
export type { TokenSource } from './bearer-token.ts';
export { adviceFor } from './connection-failure.ts';
export { ShapeError } from './checked-json.ts';
export { compareReports, type ChangedRule, type Comparison } from './compare.ts';
export { conclude, exitCode, type Conclusion, type ExitCode, type Reason } from './conclusion.ts';
export type { Baseline, Gate } from './gate.ts';
export { curlScripts } from './curl-scripts.ts';
export { discoverFixtures, type DiscoverOptions, type Discovery } from './apis/router/discover.ts';
export { fixtureLine } from './fixtures-shape.ts';
export { fixturesTemplate } from './fixtures-template.ts';
export { ownFixturesTemplate, slowBodies } from './probes/own-fixtures.ts';
export type { Fixtures } from './fixtures.ts';
export { hasFixture, readFixtures, type FixturesResult } from './read-fixtures.ts';
export { whyRefused, type GivenHeader } from './given-headers.ts';
export { planConformance, type PlannedRequest, type PlanOptions, type ProbePlan } from './plan.ts';
export {
  renderComparison,
  renderPlan,
  renderReport,
  reportFormats,
  type TerminalReportOptions,
  type ReportFormat,
} from './reports/index.ts';
export {
  verdicts,
  type RunFinding,
  type NotJudged,
  type FailedCheck,
  type ObservationResult,
  type Report,
  type RuleResult,
  type StoredExchange,
  type Verdict,
} from './report.ts';
export { parseReport } from './report-shape.ts';
export { defineProbe, type Probe, type ProbeInput, type ProbeRequest, type ProbeTools } from './probe.ts';
export { originOf, replayCommand } from './repeat.ts';
export { repeatRule, type RuleReplay } from './replay-rule.ts';
export {
  exchangeIn,
  replayExchange,
  ReplayError,
  secretsFor,
  type Replay,
  type ReplayOptions,
  type Secrets,
} from './replay.ts';
export { requireKnownRules, UnknownRuleError, whyNotJudged } from './rule-set.ts';
export { runConformance } from './run.ts';
export type { ConformanceOptions, RunEvent } from './run-options.ts';
export { permissions, type Identity, type Permission, type Watched } from './scenario.ts';
export type { Exchange } from './exchange.ts';
export type { StreamEvent } from './event-stream.ts';
export { socketTransport } from './socket-transport.ts';
export type { SocketOptions, TlsOptions } from './connection.ts';
export { TargetError, type Credential } from './target.ts';
export { systemClock, type Clock, type Transport, type WireRequest, type WireResponse } from './transport.ts';
export { ruleMatcher } from './verdict.ts';
