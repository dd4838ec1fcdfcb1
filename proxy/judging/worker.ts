/** The thread of the judge. */
import { parentPort, workerData } from 'node:worker_threads';
import { runJudge } from './judge.ts';
import type { JudgeSetting } from './messages.ts';

if (parentPort !== null) await runJudge(parentPort, workerData as JudgeSetting);
