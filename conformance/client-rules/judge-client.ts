import type { Contract } from '../../contract/index.ts';
import { documentsOf } from '../cited-documents.ts';
import {
  HIDDEN,
  masker,
  maskedHeaders,
  secretsIn,
  secrecyOf,
  type Mask,
  type Masker,
} from '../../contract/secrecy/index.ts';
import type { Report, RuleResult, StoredBody, StoredExchange } from '../verdicts/report.ts';
import type { ApiRule } from '../rule-set.ts';
import { MOST_FAILURES, summarise } from '../verdicts/verdict.ts';
import { judgeCalls } from './calls.ts';
import type { ClientCheck, ClientExchange } from './exchange.ts';
import { judgeJobs } from './jobs.ts';
import { judgePages } from './pages.ts';

/** The input of `judgeClient` besides the exchanges. */
export interface JudgeClientOptions {
  readonly contracts: readonly Contract[];
  /** The address of the server that recorded the exchanges. */
  readonly baseUrl: string;
  readonly toolVersion?: string;
}

/** Rules for callers that a server can observe. */
export const clientRules: readonly string[] = [
  'router.cursor.opaque',
  'router.list.limit-echo-drives-walk',
  'router.list.short-page-legal',
  'router.run.branch-on-bucket',
  'router.idem.recommended',
  'router.idem.in-flight-retry-after',
  'router.idem.consumed-409',
  'jobs.idem.per-api-differs',
  'jobs.urls.follow-not-build',
  'jobs.urls.origin-resolution',
  'jobs.sse.client-no-resume',
];

/**
 * A verdict on a client, from the exchanges that a server recorded: the same report as for a server, over the
 * rules for callers. A rule that no request of the client concerns is not exercised.
 */
export function judgeClient(recorded: readonly ClientExchange[], options: JudgeClientOptions): Report {
  const { contracts, baseUrl, toolVersion = '0.0.0' } = options;
  const exchanges = inOrder(recorded);
  const rules = clientResults(contracts, clientChecks(recorded, contracts, true));
  const hide = masker([], secrecyOf(contracts));
  const startedAt = exchanges[0]?.at ?? 0;
  return {
    schemaVersion: 1,
    tool: { name: 'tallystick', version: toolVersion },
    contract: Object.fromEntries(contracts.map(({ name, sheet }) => [name, sheet?.contract ?? ''])),
    target: { baseUrl, identity: 'the client under test' },
    status: 'judged',
    startedAt: new Date(startedAt).toISOString(),
    durationMs: (exchanges.at(-1)?.at ?? startedAt) - startedAt,
    seed: 0,
    allowed: [],
    // A client only does what it needs, not what the judge would like to see.
    gate: { minExercised: 0 },
    requests: { sent: exchanges.length, billedAtMost: 0 },
    summary: summarise(rules),
    findings: [],
    rules,
    observations: [],
    notJudged: rulesOf(contracts)
      .filter(({ id, level }) => level === 'client' && !clientRules.includes(id))
      .map(({ id, api, level, says }) => ({ id, api, level, says, why: 'not visible to a server' })),
    exchanges: exchanges.map((exchange) => stored(exchange, startedAt, hide)),
  };
}

/**
 * The verdicts of the rules for callers about the exchanges of clients.
 *
 * @param isWhole whether these are all exchanges that the clients ever had; otherwise, they may know links
 * and cursors from earlier ones
 */
export function clientChecks(
  recorded: readonly ClientExchange[],
  contracts: readonly Contract[],
  isWhole: boolean,
): readonly ClientCheck[] {
  const exchanges = inOrder(recorded);
  return contracts.flatMap((contract) => {
    const own = exchanges.filter(({ api }) => api === contract.name);
    return [
      ...judgePages(contract, own, isWhole),
      ...judgeCalls(contract, own, isWhole),
      ...judgeJobs(contract, own, isWhole, exchanges),
    ];
  });
}

/** A verdict for each rule for callers that these contracts have. */
export function clientResults(
  contracts: readonly Contract[],
  checks: readonly ClientCheck[],
  masks: readonly Mask[] = [],
): readonly RuleResult[] {
  const documents = documentsOf(contracts);
  const secrecy = secrecyOf(contracts);
  // What was got quotes the exchanges.
  const masked = (check: ClientCheck): ClientCheck => {
    const secrets = check.exchanges.flatMap(({ target, request, response }) => [
      ...secretsIn({ target, ...request }, secrecy),
      ...secretsIn(response, secrecy),
    ]);
    const own = secrets.map((secret): Mask => ({ secret, placeholder: HIDDEN }));
    const hide = masker([...masks, ...own], secrecy);
    return { ...check, expected: hide(check.expected), got: hide(check.got) };
  };
  return rulesOf(contracts)
    .filter(({ id }) => clientRules.includes(id))
    .map((rule) =>
      resultOf(
        { ...rule, source: { ...rule.source, ...documents.get(rule.source.document) } },
        checks.filter((check) => check.rule === rule.id),
        masked,
      ),
    );
}

// --- internal ---

function inOrder(recorded: readonly ClientExchange[]): readonly ClientExchange[] {
  return [...recorded].sort((a, b) => a.at - b.at || a.number - b.number);
}

function rulesOf(contracts: readonly Contract[]): readonly ApiRule[] {
  return contracts.flatMap(({ sheet }) =>
    (sheet?.rules ?? []).map((rule): ApiRule => ({ ...rule, api: sheet?.api ?? '' })),
  );
}

const MOST_EXCHANGES = 20;
const KEEP = 4096;

function resultOf(
  rule: ApiRule,
  checks: readonly ClientCheck[],
  masked: (check: ClientCheck) => ClientCheck,
): RuleResult {
  const broken = checks.filter(({ holds }) => !holds);
  const first = broken[0] ?? checks[0];
  const deciding = first === undefined ? undefined : masked(first);
  const { id, api, level, says, source } = rule;
  const seen = [...broken, ...checks.filter(({ holds }) => holds)].flatMap((check) => check.exchanges);
  return {
    id,
    api,
    level,
    says,
    source,
    verdict: deciding === undefined ? 'not-exercised' : broken.length > 0 ? 'fail' : 'pass',
    reason: deciding === undefined ? 'no request of the client exercised it' : undefined,
    missing: undefined,
    fixtureLine: undefined,
    expected: deciding?.expected,
    observed: deciding?.got,
    exchanges: [...new Set(seen.map(idOf))].slice(0, MOST_EXCHANGES),
    checks: checks.length,
    failed: broken.length,
    ...(broken.length === 0
      ? {}
      : {
          failures: broken
            .slice(0, MOST_FAILURES)
            .map(masked)
            .map(({ expected, got, exchanges: shown }) => ({
              expected,
              observed: got,
              exchanges: shown.map(idOf),
            })),
        }),
    repeat: undefined,
  };
}

function idOf({ number }: ClientExchange): string {
  return `x${String(number).padStart(4, '0')}`;
}

function stored(exchange: ClientExchange, start: number, hide: Masker): StoredExchange {
  const { api, operation, at, durationMs, method, target, status, caller, request, response } = exchange;
  return {
    id: idOf(exchange),
    api,
    scenario: operation ?? 'no route',
    startedAtMs: at - start,
    durationMs,
    request: {
      method,
      target: hide(target),
      as: caller ?? 'nobody',
      headers: maskedHeaders(request.headers, hide),
      body: bodyOf(request.body, hide),
    },
    answer:
      status === 0
        ? undefined
        : { status, headers: maskedHeaders(response.headers, hide), body: bodyOf(response.body, hide) },
    failure: status === 0 ? 'the connection was closed before any response' : undefined,
  };
}

function bodyOf(text: string, hide: Masker): StoredBody | undefined {
  if (text === '') return undefined;
  const masked = hide(text);
  return {
    bytes: Buffer.byteLength(text),
    text: masked.slice(0, KEEP),
    encoding: 'text',
    cut: masked.length > KEEP,
  };
}
