import { exitCode } from '../../../conformance/index.ts';
import type { ExitCode, Report } from '../../../conformance/index.ts';
import { loadOwnContract } from '../../../contract/index.ts';
import { startSick } from './front.ts';
import type { Illness } from './illness.ts';
import { judgeSick } from './judge.ts';

/** What a run on a sick server came to. */
export interface SickOutcome {
  readonly report: Report;
  readonly exit: ExitCode;
  /** How much more memory than before the run the process had at most, in bytes. */
  readonly memory: number;
  readonly milliseconds: number;
}

/** Starts the server, judges it and stops it. */
export async function judgeIllness(illness: Illness): Promise<SickOutcome> {
  const server = await startSick(illness.symptom(), illness.mock);
  const before = process.memoryUsage.rss();
  let most = before;
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  const startedAt = Date.now();
  try {
    const contracts = await Promise.all(illness.apis.map((name) => loadOwnContract(name)));
    const report = await judgeSick(server, { contracts, ...illness.run });
    const milliseconds = Date.now() - startedAt;
    return { report, exit: exitCode(report), memory: most - before, milliseconds };
  } finally {
    clearInterval(sampling);
    await server.stop();
  }
}
