import { abortable, makeBreather } from '../http/abortable.ts';
import { Tally, readError } from '../verdicts/outcome.ts';
import type { Outcome } from '../verdicts/outcome.ts';
import type { RunFinding } from '../verdicts/report.ts';
import { decidedBy, Hindered } from './scenario.ts';
import type { Check, Scenario } from './scenario.ts';
import { openSession } from '../sessions/session.ts';
import type { SessionHost } from '../sessions/session-host.ts';
import type { TimeLimits } from './time-limit.ts';
import type { Gap } from '../verdicts/verdict.ts';

/**
 * Runs a scenario to its end, to its time limit, or until the run stops. An exception becomes a gap or a
 * finding.
 */
export async function runScenario(
  scenario: Scenario,
  parts: {
    readonly host: SessionHost;
    readonly limits: TimeLimits;
    /** Aborts when the server is gone. */
    readonly gone: AbortSignal;
    readonly onCheck: (check: Check) => void;
    readonly report: (finding: RunFinding) => void;
  },
): Promise<Outcome> {
  const { host, limits, gone, onCheck, report } = parts;
  const { target } = host;
  const tally = new Tally();
  const posts = Object.values(scenario.requests).some(({ method }) => method === 'POST');
  const budgetMs = scenario.budgetMs + (posts ? target.deadlineMs : 0);
  const over = new AbortController();
  const limit = limits.start(budgetMs, () =>
    over.abort(new Hindered(`the scenario exceeded its time limit of ${budgetMs / 1000} s`)),
  );
  const signal = AbortSignal.any([host.signal, over.signal, gone]);
  const mayPost =
    scenario.permissions.length > 0 && scenario.permissions.every((one) => target.allowed.has(one));
  const session = openSession(host, { ...scenario, mayPost, extend: limit.extend }, signal);
  let gap: Gap | undefined;
  const items = scenario.run(session);
  const breathe = makeBreather(host.clock);
  try {
    for (;;) {
      // A probe that waits for something other than the session must not block the run.
      const next = await abortable(items.next(), signal);
      if (next.done === true) break;
      const item = next.value;
      if (item.kind === 'check' && !scenario.judges.includes(item.rule))
        throw new Error(`${scenario.id} judges ${item.rule}, which it did not declare`);
      tally.add(item);
      if (item.kind === 'check') onCheck(item);
      const turn = breathe();
      if (turn === undefined) continue;
      await turn;
      signal.throwIfAborted();
    }
  } catch (error) {
    const read = readError(signal.aborted ? signal.reason : error, scenario.id);
    ({ gap } = read);
    if (read.finding !== undefined) report(read.finding);
  } finally {
    limit.stop();
    over.abort();
    void items.return().catch(() => undefined);
  }
  const { checks, observations } = tally;
  const judged = new Set(checks.map(({ rule }) => rule));
  // An untried case may be the failing one.
  const isPart = (rule: string): boolean =>
    gap?.verdict === 'inconclusive' && scenario.severalCases.includes(rule);
  const open =
    gap === undefined ? [] : decidedBy(scenario).filter((rule) => !judged.has(rule) || isPart(rule));
  return { checks, observations, gaps: new Map(open.map((rule) => [rule, gap as Gap])) };
}
