/** A verdict for every documented rule of a live server, with evidence. */
export type { ClientExchange, ClientMessage } from './client-rules/exchange.ts';
export { clientRules, judgeClient, type JudgeClientOptions } from './client-rules/judge-client.ts';
export { makeBaseline, parseBaseline } from './verdicts/baseline.ts';
export type { TokenSource } from './target/bearer-token.ts';
export { adviceFor } from './http/connection-failure.ts';
export { ShapeError } from './schemas/checked-json.ts';
export { compareReports, type ChangedRule, type Comparison } from './verdicts/compare.ts';
export { conclude, exitCode, type Conclusion, type ExitCode, type Reason } from './verdicts/conclusion.ts';
export type { Baseline, Gate } from './scenarios/gate.ts';
export { curlScripts } from './replay/curl-scripts.ts';
export { discoverFixtures, type DiscoverOptions, type Discovery } from './apis/router/discover.ts';
export { fixtureLine } from './target/fixtures-shape.ts';
export { fixturesTemplate } from './target/fixtures-template.ts';
export { ownFixturesTemplate, slowBodies } from './probes/own-fixtures.ts';
export type { Fixtures } from './target/fixtures.ts';
export { hasFixture, readFixtures, type FixturesResult } from './target/read-fixtures.ts';
export { whyRefused, type GivenHeader } from './target/given-headers.ts';
export { mayTakeBack } from './suites.ts';
export { planConformance, type PlannedRequest, type PlanOptions, type ProbePlan } from './plan.ts';
export {
  renderComparison,
  renderPlan,
  renderReport,
  reportFormats,
  unsearchedLine,
  type TerminalReportOptions,
  type ReportFormat,
} from './reports/index.ts';
export {
  verdicts,
  type RunFinding,
  type NotJudged,
  type FailureCause,
  type FailedCheck,
  type ObservationResult,
  type Report,
  type RuleResult,
  type StoredExchange,
  type Verdict,
} from './verdicts/report.ts';
export { parseReport } from './verdicts/report-shape.ts';
export {
  defineProbe,
  type Probe,
  type ProbeInput,
  type ProbeRequest,
  type ProbeTools,
} from './scenarios/probe.ts';
export { costWords } from './reports/style.ts';
export { originOf, replayCommand } from './replay/repeat.ts';
export { repeatRule, type RuleReplay } from './replay/replay-rule.ts';
export {
  exchangeIn,
  replayExchange,
  ReplayError,
  secretsFor,
  type Replay,
  type ReplayOptions,
  type Secrets,
} from './replay/replay.ts';
export { UnknownOperationError } from '../contract/index.ts';
export { requireKnownRules, UnknownRuleError, whyNotJudged } from './rule-set.ts';
export { runConformance } from './run.ts';
export type { ConformanceOptions, RunEvent } from './run-options.ts';
export { permissions, type Identity, type Permission, type Watched } from './scenarios/scenario.ts';
export type { Exchange } from './exchanges/exchange.ts';
export type { StreamEvent } from './http/event-stream.ts';
export { socketTransport } from './http/socket-transport.ts';
export type { SocketOptions, TlsOptions } from './http/connection.ts';
export { TargetError, type Credential } from './target/target.ts';
export {
  systemClock,
  type Clock,
  type Transport,
  type WireRequest,
  type WireResponse,
} from './http/transport.ts';
export { ruleMatcher } from './verdicts/verdict.ts';
