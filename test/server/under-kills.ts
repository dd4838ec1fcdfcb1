import {
  permissions,
  readFixtures,
  runConformance,
  socketTransport,
  type Report,
  type Verdict,
} from '../../conformance/index.ts';
import { loadOwnContract } from '../../contract/index.ts';
import type { Cluster } from '../../examples/reference-server/cluster.ts';
import { type Accounts, Ledger } from './ledger.ts';
import { pause } from '../until.ts';

export interface UnderKillsOptions {
  /** Rules to judge; default: all of router and jobs that need no day. */
  readonly rules?: readonly string[];
  /** So often the whole is judged; then only what has no verdict yet. */
  readonly wholeRounds: number;
  readonly mostRounds: number;
  /** The whole is judged until so many replicas have been killed meanwhile; default 1. */
  readonly leastKills?: number;
  readonly replicas: number;
  /** How they end: `SIGKILL` is a crash, `SIGTERM` lets them finish; default a crash. */
  readonly signal?: 'SIGTERM' | 'SIGKILL';
  /** Between the start of a replica and the end of the next one. */
  readonly pauseMs: number;
  readonly told?: (line: string) => void;
}

export interface UnderKills {
  readonly rounds: number;
  readonly killed: number;
  /** Rules that passed, at least once and never otherwise. */
  readonly passed: readonly string[];
  /** Judgements over all rounds. */
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Rules that failed in any round: with what was seen. */
  readonly failed: readonly string[];
  /** Rules that never came to a verdict, with the last reason. */
  readonly open: readonly string[];
  readonly accounts: Accounts;
}

/**
 * The suite on replicas of which one after the other is killed. A call whose replica dies under it has no answer: what
 * the suite says of its rules then is that nothing was decided, and they are judged again, until each has a verdict from
 * calls that were answered. One failure in any round is a failure.
 */
export async function judgeUnderKills(cluster: Cluster, options: UnderKillsOptions): Promise<UnderKills> {
  const read = readFixtures(JSON.stringify(cluster.fixtures), {});
  if (!read.ok) throw new Error(read.diagnostics.map(({ message }) => message).join('\n'));
  const contracts = [await loadOwnContract('router'), await loadOwnContract('jobs')];
  const ledger = new Ledger();
  const line = socketTransport(new URL(cluster.url));
  const passed = new Set<string>();
  const failed: string[] = [];
  const open = new Map<string, string>();
  const verdicts: Partial<Record<Verdict, number>> = {};
  const round = (number: number): Promise<Report> =>
    runConformance({
      ...{ contracts, baseUrl: cluster.url, fixtures: read.fixtures, seed: number },
      transport: ledger.over(line),
      // Rules that need a day are left to the server in one process, whose clock can be moved.
      allow: permissions.filter((permission) => permission !== 'long'),
      ...(number > options.wholeRounds && open.size > 0
        ? { rules: [...open.keys()] }
        : options.rules === undefined
          ? {}
          : { rules: options.rules }),
    });
  let rounds = 0;
  const { leastKills = 1 } = options;
  const { killed } = await whileReplacing(cluster, { signal: 'SIGKILL', ...options }, async (killed) => {
    const isEnough = (): boolean =>
      rounds >= options.mostRounds ||
      (rounds >= options.wholeRounds && open.size === 0 && killed() >= leastKills);
    while (!isEnough()) {
      rounds += 1;
      const { rules, summary, durationMs } = await round(rounds);
      for (const { id, verdict, observed, reason } of rules) {
        verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
        if (verdict === 'pass') passed.add(id);
        if (verdict === 'fail' || verdict === 'warn')
          failed.push(`${id} in round ${String(rounds)}: ${observed ?? ''}`);
        if (verdict === 'inconclusive' || verdict === 'error') {
          if (!passed.has(id)) open.set(id, reason ?? '');
        } else open.delete(id);
      }
      options.told?.(
        `round ${String(rounds)}, ${String(Math.round(durationMs / 1_000))} s: ${JSON.stringify(summary)}`,
      );
    }
  });
  const accounts = await ledger.settle(line, cluster.dispatchLog);
  line.close?.();
  const bad = new Set(failed.map((one) => one.split(' ')[0]));
  return {
    ...{ rounds, killed, failed, accounts },
    verdicts: verdicts as Record<Verdict, number>,
    passed: [...passed].filter((id) => !bad.has(id)),
    open: [...open].map(([id, why]) => `${id}: ${why}`),
  };
}

/** Replicas are ended and started again, one after the other, until the work is done. */
export async function whileReplacing<Result>(
  cluster: Cluster,
  options: {
    readonly signal: 'SIGTERM' | 'SIGKILL';
    readonly replicas: number;
    readonly pauseMs: number;
  },
  work: (killed: () => number) => Promise<Result>,
): Promise<{ readonly result: Result; readonly killed: number }> {
  const done = new AbortController();
  let killed = 0;
  const replacing = (async () => {
    while (!done.signal.aborted) {
      await pause(options.pauseMs);
      if (done.signal.aborted) break;
      await cluster.replace(killed % options.replicas, options.signal);
      killed += 1;
    }
  })();
  // A replica that does not start again is told at the end: meanwhile nobody waits for it.
  replacing.catch(() => undefined);
  const result = await work(() => killed).finally(() => {
    done.abort();
  });
  await replacing;
  return { result, killed };
}
