import { MessageChannel, Worker } from 'node:worker_threads';
import type { FromJudge, JudgeLine, JudgeSetting } from './messages.ts';

/** Hears a judge. */
export interface JudgeListener {
  readonly onMessage: (message: FromJudge) => void;
  /** Called when the thread has ended without being told to. */
  readonly onGone: (error: unknown) => void;
}

/**
 * Starts a judge in a thread of its own, so that no caller waits for it.
 *
 * @param thread the module of the thread
 */
export function openLine(
  setting: JudgeSetting,
  { onMessage, onGone }: JudgeListener,
  thread: URL | undefined = THREAD,
): JudgeLine {
  if (thread === undefined) return lineWithin(setting, onMessage);
  const worker = new Worker(thread, { workerData: setting, resourceLimits: LIMITS });
  let isEnded = false;
  const gone = (error: unknown): void => {
    if (!isEnded) onGone(error);
    isEnded = true;
  };
  worker.on('message', onMessage).once('error', gone).once('exit', gone);
  return {
    send: (message, transferred = []) => worker.postMessage(message, transferred),
    end: () => {
      isEnded = true;
      void worker.terminate();
    },
  };
}

// --- internal ---

/** Built code has a file for the thread. Sources do not: a thread would need the loader of TypeScript once more. */
const THREAD = import.meta.url.endsWith('.ts')
  ? undefined
  : new URL('../proxy/judging/worker.js', import.meta.url);

/** Megabytes. A small space for new objects keeps garbage from growing while large bodies are judged. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 1024 };

/** The same in this thread, with copies of everything as between threads. */
function lineWithin(setting: JudgeSetting, onMessage: (message: FromJudge) => void): JudgeLine {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onMessage);
  void import('./judge.ts').then(({ runJudge }) => runJudge(port2, structuredClone(setting)));
  return {
    send: (message, transferred = []) => port1.postMessage(message, transferred),
    end: () => port1.close(),
  };
}
