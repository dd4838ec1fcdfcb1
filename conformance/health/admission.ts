import { adviceFor, complaintAboutTls } from '../http/connection-failure.ts';
import { Unreadable, makeExchange } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { foreignOf, sketchForeign } from '../exchanges/foreign.ts';
import type { Fixtures } from '../target/fixtures.ts';
import { gapFor } from '../verdicts/outcome.ts';
import type { Outcome } from '../verdicts/outcome.ts';
import type { Preflight } from '../scenarios/preflight.ts';
import type { RunFinding } from '../verdicts/report.ts';
import type { RuleSet } from '../rule-set.ts';
import { preflightsOf } from '../suites.ts';
import { withCaller } from '../scenarios/gates.ts';
import { decidedBy } from '../scenarios/scenario.ts';
import type { Identity, RequestPlan, Scenario } from '../scenarios/scenario.ts';
import { openSession } from '../sessions/session.ts';
import type { SessionHost } from '../sessions/session-host.ts';
import type { Target } from '../target/target.ts';
import type { Gap } from '../verdicts/verdict.ts';

export interface AdmissionContext {
  readonly host: SessionHost;
  readonly rules: RuleSet;
  /** All APIs of the run. */
  readonly apis: readonly string[];
  /** How long to wait for the first response of a server, in milliseconds. */
  readonly waitMs: number;
  readonly whyStopped: () => Gap;
}

/** The result of the first requests to each API. */
export interface AdmittedRun {
  readonly open: Scenario[];
  readonly outcomes: readonly Outcome[];
  readonly findings: readonly RunFinding[];
  /** Exchanges with a server that is not the API: no rule is judged by them. */
  readonly strange: ReadonlySet<string>;
  readonly status: 'unreachable' | 'not-served' | undefined;
}

/**
 * Sends the first requests to each API. The answers may close all or some scenarios before they send anything:
 * one finding about an address is more useful than a failure of every rule.
 */
export async function admit(scenarios: readonly Scenario[], context: AdmissionContext): Promise<AdmittedRun> {
  const outcomes: Outcome[] = [];
  const findings: RunFinding[] = [];
  let open = [...scenarios];
  let status: AdmittedRun['status'];
  const origins = new Set<string>();
  const strange = new Set<string>();
  for (const preflight of preflightsOf(context.rules.suites, context.host.target)) {
    const affected = open.filter(({ api }) => api === preflight.api);
    const { origin } = context.host.target.baseOf(preflight.api);
    if (affected.length === 0 || (preflight.read === undefined && origins.has(origin))) continue;
    const obstacle = await ask(preflight, context);
    origins.add(origin);
    if (obstacle === undefined) continue;
    const blocked = (scenario: Scenario): boolean =>
      obstacle.reach === 'origin'
        ? context.host.target.baseOf(scenario.api).origin === origin
        : scenario.api === preflight.api &&
          (obstacle.bearing === undefined || bears(scenario, obstacle.bearing, context.host.target));
    for (const scenario of open.filter(blocked)) outcomes.push(gapFor(decidedBy(scenario), obstacle.gap));
    open = open.filter((scenario) => !blocked(scenario));
    if (obstacle.finding !== undefined) findings.push(obstacle.finding);
    if (obstacle.reach === 'origin' || obstacle.status === 'not-served')
      for (const id of obstacle.gap.exchanges ?? []) strange.add(id);
    status ??= obstacle.status;
  }
  return { open, outcomes, findings, strange, status };
}

/** The server is unreachable: the reason, and what to do. */
export function unreachable(
  baseUrl: URL,
  exchange: Pick<Exchange, 'id' | 'failure'> | undefined,
): RunFinding {
  const failure = exchange?.failure ?? 'no reason is known';
  return {
    kind: 'unreachable',
    says: `${baseUrl.origin} does not respond: ${failure}`,
    help: `Nothing was tested. ${adviceFor(failure) ?? 'To wait until the server starts, add --wait 60s.'}`,
    exchanges: exchange === undefined ? [] : [exchange.id],
  };
}

// --- internal ---

interface Obstacle {
  /** `origin`: nothing at this address can be judged; `api`: this API cannot. */
  readonly reach: 'origin' | 'api';
  /** Only requests with this identity are blocked. */
  readonly bearing?: Identity;
  readonly gap: Gap;
  readonly finding?: RunFinding;
  readonly status?: 'unreachable' | 'not-served';
  /** `true` if it may be about this operation alone: then another read is sent. */
  readonly isLocal?: boolean;
}

const WAIT_STEP_MS = 500;

/** One operation can be stale: an API is not served only if none of several reads is. */
async function ask(preflight: Preflight, context: AdmissionContext): Promise<Obstacle | undefined> {
  const { acceptance, target } = context.host;
  const obstacles: Obstacle[] = [];
  for (const [name, plan] of Object.entries(preflight.requests)) {
    const { as } = withCaller(target, plan, false);
    if (as !== 'none' && target.credentials[as] === undefined) continue;
    const obstacle = await askOnce(preflight, [name, plan], context);
    if (obstacle?.isLocal !== true) {
      if (obstacle === undefined) acceptance?.opened.set(preflight.api, plan);
      return obstacle;
    }
    obstacles.push(obstacle);
  }
  const [first, ...others] = obstacles;
  if (first?.finding === undefined || others.length === 0) return first;
  const exchanges = obstacles.flatMap(({ gap }) => gap.exchanges ?? []);
  const { says } = first.finding;
  const also = `. ${others.length === 1 ? 'Another read was' : `${others.length} other reads were`} not answered better`;
  return {
    ...first,
    gap: { ...first.gap, exchanges },
    finding: { ...first.finding, says: `${says}${also}`, exchanges },
  };
}

async function askOnce(
  preflight: Preflight,
  [name, asked]: readonly [string, RequestPlan],
  context: AdmissionContext,
): Promise<Obstacle | undefined> {
  const { target, signal } = context.host;
  const exchange = await firstAnswer(preflight, name, context);
  const exchanges = [exchange.id];
  if (exchange.answer === undefined) {
    if (signal.aborted) return { reach: 'origin', gap: context.whyStopped() };
    return {
      reach: 'origin',
      gap: { verdict: 'not-exercised', reason: 'the server does not respond' },
      finding: unreachable(target.baseOf(preflight.api), exchange),
      status: 'unreachable',
    };
  }
  const elsewhere = notAnApi(exchange, target.baseOf(preflight.api));
  if (elsewhere !== undefined) {
    return {
      reach: 'origin',
      gap: { verdict: 'not-exercised', reason: elsewhere.reason, exchanges },
      finding: { kind: 'not-served', says: elsewhere.says, help: elsewhere.help, exchanges },
      status: 'not-served',
      isLocal: elsewhere.isLocal === true,
    };
  }
  if (exchange.status === 429) {
    return {
      reach: 'api',
      gap: { verdict: 'inconclusive', reason: 'the server limits the rate of requests', exchanges },
      finding: rateLimited(preflight.api, exchange),
    };
  }
  const { served, says, help } = readPreflight(preflight, exchange, target.fixtures);
  if (served === 'served') return undefined;
  if (served === 'not-served') {
    const others = context.apis.filter((api) => api !== preflight.api);
    const next = others.length === 0 ? [] : [`To test only the others, add --api ${others.join(',')}`];
    const told = [...(help === undefined ? [] : [help]), ...next].join(' ');
    return {
      reach: 'api',
      gap: { verdict: 'not-exercised', reason: `the ${preflight.api} API is not served`, exchanges },
      finding: { kind: 'not-served', says, help: told === '' ? undefined : told, exchanges },
      status: 'not-served',
      isLocal: true,
    };
  }
  // One operation that refuses even the credential, although the document requires none, says nothing about the others.
  const known = withCaller(target, asked, true);
  if (exchange.request.as === 'none' && known.as !== 'none') return undefined;
  return {
    reach: 'api',
    bearing: known.as,
    gap: { verdict: 'error', reason: 'the credential was refused', missing: 'cred.valid', exchanges },
    finding: { kind: 'credential', says, help, exchanges },
  };
}

/** It is unknown whether the API is served. */
function rateLimited(api: string, { id, request, header }: Exchange): RunFinding {
  const asked = header('retry-after');
  return {
    kind: 'not-served',
    says:
      `The ${api} API was not tested, because the server limits the rate of requests: ` +
      `${request.method} ${request.target} returned 429 each time${asked === undefined ? '' : ` (Retry-After: ${asked})`}`,
    help: 'Wait until the limit is over, or ask for a higher one. Then send fewer requests: --rate 30/m, --concurrency 1.',
    exchanges: [id],
  };
}

/** Another server answers instead of the API, for example with a redirect or an HTML page. */
function notAnApi(
  exchange: Exchange,
  base: URL,
):
  | { readonly reason: string; readonly says: string; readonly help: string; readonly isLocal?: true }
  | undefined {
  const { status } = exchange;
  const first = `${exchange.request.method} ${exchange.request.target}`;
  const foreign = foreignOf(exchange);
  if (foreign !== undefined) {
    return {
      reason: `something before the API answers: ${sketchForeign(exchange)}`,
      says: `Something before the API at ${base.origin} answers: ${first} returned ${sketchForeign(exchange)}, however often it was sent`,
      help:
        foreign === 'limiter'
          ? 'Nothing was tested. A rate limit refuses the requests: wait, and send fewer requests at once (--rate).'
          : 'Nothing was tested. A gateway or a load balancer does not reach the API. To wait until it does, add --wait 60s.',
    };
  }
  if (status >= 300 && status < 400 && status !== 304) {
    const to = exchange.header('location') ?? 'nowhere';
    return {
      reason: `the server redirects: ${status}`,
      says: `${base.origin} redirects: ${first} returned ${status} to ${to}`,
      help: 'Nothing was tested: redirects are not followed. If the API is at the new address, use that address.',
      isLocal: true,
    };
  }
  const complaint = status === 400 ? complaintAboutTls(textOf(exchange)) : undefined;
  if (complaint !== undefined) {
    return {
      reason: 'the server needs other TLS settings',
      says: `${base.origin} returned 400: ${complaint}`,
      help: `Nothing was tested. ${adviceFor(complaint) ?? ''}`.trim(),
    };
  }
  const isPage = /^text\/html\b/i.test(exchange.header('content-type') ?? '') && !isJson(exchange);
  if (isPage && status >= 200 && status < 300) {
    return {
      reason: 'the server returns HTML',
      says: `${base.origin} returns HTML: ${first} returned ${status} text/html`,
      help: 'Nothing was tested. This looks like a website, a login page or a proxy, not like the API.',
      isLocal: true,
    };
  }
  return undefined;
}

/** The beginning of a body. */
function textOf({ answer }: Exchange): string {
  return new TextDecoder().decode(answer?.body.subarray(0, 4096));
}

function isJson(exchange: Exchange): boolean {
  try {
    return exchange.json !== undefined;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** An unreadable answer does not block an API: only the rules that need it are inconclusive. */
function readPreflight(
  { read }: Preflight,
  exchange: Exchange,
  fixtures: Fixtures,
): ReturnType<NonNullable<Preflight['read']>> {
  const served = { served: 'served', says: '' } as const;
  try {
    return read?.(exchange, fixtures) ?? served;
  } catch (error) {
    if (error instanceof Unreadable) return served;
    throw error;
  }
}

async function firstAnswer(preflight: Preflight, name: string, context: AdmissionContext): Promise<Exchange> {
  const { host, waitMs } = context;
  const { clock, signal } = host;
  const until = clock.now() + waitMs;
  for (;;) {
    let last: Exchange | undefined;
    const keep = (exchange: Exchange): void => {
      last = exchange;
      host.keep(exchange);
    };
    const owner = { id: preflight.id, api: preflight.api, requests: preflight.requests, mayPost: false };
    // The behaviour of a server during its start does not count for its health.
    const health = waitMs === 0 ? host.health : undefined;
    const session = openSession({ ...host, keep, health }, owner, signal);
    try {
      return await session.send(name);
    } catch (error) {
      const seen = last as Exchange | undefined;
      if (seen?.answer !== undefined && foreignOf(seen) === undefined) return seen;
      if (clock.now() >= until || signal.aborted) return seen ?? unsent(preflight, error);
      await clock.sleep(WAIT_STEP_MS, signal).catch(() => undefined);
    }
  }
}

/** Whether a scenario sends the secret of an identity, possibly under another name. */
function bears(scenario: Scenario, identity: Identity, { credentials }: Target): boolean {
  const secretOf = (as: Identity): string | undefined => credentials[as]?.value.replace(/^bearer +/i, '');
  const refused = secretOf(identity);
  const plans = [scenario.requests, ...scenario.uses.map(({ requests }) => requests)];
  return plans.some((requests) =>
    Object.values(requests).some(
      (plan) =>
        withCaller({ credentials }, plan, false).as === identity ||
        (refused !== undefined && secretOf(withCaller({ credentials }, plan, false).as) === refused),
    ),
  );
}

function unsent(preflight: Preflight, error: unknown): Exchange {
  return makeExchange({
    id: 'x0000',
    api: preflight.api,
    scenario: preflight.id,
    request: { method: 'GET', target: '', headers: [], body: undefined, as: 'none' },
    answer: undefined,
    failure: error instanceof Error ? error.message : String(error),
    startedAt: 0,
    endedAt: 0,
  });
}
