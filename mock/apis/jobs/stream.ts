import type { Board } from './board.ts';
import { Reader, type News } from './feed.ts';
import { framesOf, stillAlive } from './frames.ts';
import type { Job } from './job.ts';
import type { LinkBase } from './links.ts';
import type { JobSwitches } from './switches.ts';
import type { ViewRules } from './view.ts';

export interface StreamParts {
  readonly board: Board;
  readonly rules: ViewRules;
  readonly links: LinkBase;
  /** Aborts when the caller goes away or the mock closes. */
  readonly signal: AbortSignal;
  readonly switches: JobSwitches;
  readonly lastEventId: string | undefined;
  /** Cuts the stream after so many events. */
  readonly cutAfter: number | undefined;
}

/**
 * The live events of a job: where it stands, what changes, and the end after its terminal status (document 3, "GET
 * /api/v2/jobs/{id}/events"). It works only while somebody takes its frames: a reader that stalls costs nothing, keeps
 * nobody else waiting, and hears the latest when it goes on.
 *
 * @throws the reason of the signal: a stream that ends early is cut, never ended
 */
export async function* eventStream(job: Job, parts: StreamParts): AsyncGenerator<string> {
  const { board, signal, switches } = parts;
  const reader = new Reader();
  const wasOver = job.state.stage === 'over';
  let left = parts.cutAfter ?? Number.POSITIVE_INFINITY;
  let news = snapshot(reader, job, parts);
  for (;;) {
    signal.throwIfAborted();
    for (const item of news) {
      if (left === 0) throw new Error('the stream is cut here');
      left -= 1;
      yield* framesOf(parts.rules, job, item, parts.links);
    }
    if (news.some(isTheEnd)) return switches.staysOpen === undefined ? undefined : await stay(wasOver, parts);
    if (board.find(job.id) === undefined) throw new Error('the job is gone');
    news = reader.news(job);
    if (news.length > 0) continue;
    const wake = await board.watch(job).wait(signal);
    if (wake === 'still-alive') yield stillAlive(parts.rules);
    news = reader.news(job);
  }
}

/** A stream without an end and without events, for deviations. */
export async function* endlessStream(signal: AbortSignal): AsyncGenerator<string> {
  yield ': nothing\n\n';
  await aborted(signal);
}

// --- internal ---

function snapshot(reader: Reader, job: Job, { switches, lastEventId }: StreamParts): readonly News[] {
  const whole = reader.snapshot(job);
  const isLeftOut = ({ kind }: News): boolean =>
    kind !== 'output' && switches.snapshotWithout?.includes(kind) === true;
  const now = whole.some(isTheEnd) ? whole : whole.filter((item) => !isLeftOut(item));
  if (switches.resumes !== true || lastEventId === undefined) return now;
  return [...job.statuses.slice(0, -1).map(({ state }): News => ({ kind: 'status', state })), ...now];
}

function isTheEnd(item: News): boolean {
  return item.kind === 'status' && item.state.stage === 'over';
}

async function stay(wasOver: boolean, { switches, signal }: StreamParts): Promise<void> {
  const stays = switches.staysOpen === 'both' || switches.staysOpen === (wasOver ? 'late' : 'watching');
  if (stays) await aborted(signal);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}
