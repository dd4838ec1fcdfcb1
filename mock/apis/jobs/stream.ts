import type { Call } from '../../call/call.ts';
import type { Board } from './board.ts';
import { linksFor, type Jobs } from './context.ts';
import { FeedReader, type JobUpdate } from './feed.ts';
import { framesOf, keepAliveFrame } from './frames.ts';
import type { Job, Stage } from './job.ts';

export interface StreamParts {
  readonly board: Board;
  /** Aborts when the caller disconnects or the mock closes. */
  readonly signal: AbortSignal;
  /** Cuts the stream after this many events. */
  readonly cutAfter: number | undefined;
}

/**
 * The live events of a job: its current state, its changes, and the end after its terminal status (document
 * 3, "GET /api/v2/jobs/{id}/events"). It works only while frames are pulled: a stalled reader costs nothing,
 * does not delay others, and gets the latest state when it continues.
 *
 * @throws the reason of the signal: a stream that ends early is cut, never ended
 */
export async function* eventStream(
  jobs: Jobs,
  call: Call,
  job: Job,
  { board, signal, cutAfter }: StreamParts,
): AsyncGenerator<string> {
  const links = linksFor(jobs, call);
  const reader = new FeedReader();
  const { stage } = job.state;
  let left = cutAfter ?? Number.POSITIVE_INFINITY;
  let news = jobs.mechanisms.firstUpdates(jobs, call, job, reader);
  for (;;) {
    signal.throwIfAborted();
    for (const item of news) {
      if (left === 0) throw new Error('the stream is cut here');
      left -= 1;
      yield* framesOf(jobs.views, job, item, links);
    }
    if (news.some(isTheEnd)) return jobs.mechanisms.waitAfterEnd(jobs, call, { stage, signal });
    if (board.find(job.id) === undefined) throw new Error('the job is gone');
    news = reader.news(job);
    if (news.length > 0) continue;
    const wake = await board.watch(job).wait(signal);
    if (wake === 'still-alive') yield keepAliveFrame(jobs.views);
    news = reader.news(job);
  }
}

/** The events that a stream sends on connect. */
export function firstUpdates(_jobs: Jobs, _call: Call, job: Job, reader: FeedReader): readonly JobUpdate[] {
  return reader.snapshot(job);
}

/** What a stream waits for after the end of its job, before it ends itself: nothing. `stage`: of the job on connect. */
export function waitAfterEnd(
  _jobs: Jobs,
  _call: Call,
  _stream: { readonly stage: Stage; readonly signal: AbortSignal },
): Promise<void> | undefined {
  return undefined;
}

export function isTheEnd(item: JobUpdate): boolean {
  return item.kind === 'status' && item.state.stage === 'over';
}
