import type { Job, JobState } from './job.ts';
import type { NodeOutput, Preview, Progress } from './work.ts';

/** An update in a stream. */
export type JobUpdate =
  | { readonly kind: 'status'; readonly state: JobState }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'preview'; readonly preview: Preview }
  | { readonly kind: 'output'; readonly output: NodeOutput };

/**
 * The updates that one reader of a job has received. There is no queue: when the reader is ready for more, it
 * gets what is new. For progress and previews that is only the latest; it gets every status, because there
 * are few.
 */
export class FeedReader {
  #heardStatus = 0;
  #heardProgress = 0;
  #heardPreview = 0;
  #heardOutputs = 0;

  /**
   * The current state of the job: status, latest progress, latest preview (document 3, "GET
   * /api/v2/jobs/{id}/events", item 1).
   */
  snapshot(job: Job): readonly JobUpdate[] {
    const { state } = job;
    this.#heardStatus = job.statuses.at(-1)?.count ?? 0;
    this.#heardProgress = job.progressCount;
    this.#heardPreview = job.previewCount;
    this.#heardOutputs = state.outputs.length;
    const status: JobUpdate = { kind: 'status', state };
    // Nothing follows a terminal status (events 2; open point A-80).
    if (state.stage === 'over') return [status];
    return [status, ...progressNews(state), ...previewNews(state)];
  }

  /** All changes since then, in an order that ends with a terminal status. */
  news(job: Job): readonly JobUpdate[] {
    const { state, statuses, progressCount, previewCount } = job;
    const unheard = statuses.filter(({ count }) => count > this.#heardStatus).map(({ state }) => state);
    const news: JobUpdate[] = unheard.filter(({ stage }) => stage !== 'over').map(statusNews);
    if (progressCount > this.#heardProgress) news.push(...progressNews(state));
    if (previewCount > this.#heardPreview) news.push(...previewNews(state));
    for (const output of state.outputs.slice(this.#heardOutputs)) news.push({ kind: 'output', output });
    news.push(...unheard.filter(({ stage }) => stage === 'over').map(statusNews));
    this.#heardStatus = statuses.at(-1)?.count ?? 0;
    this.#heardProgress = progressCount;
    this.#heardPreview = previewCount;
    this.#heardOutputs = state.outputs.length;
    return news;
  }
}

// --- internal ---

function statusNews(state: JobState): JobUpdate {
  return { kind: 'status', state };
}

function progressNews({ progress }: JobState): JobUpdate[] {
  return progress === null ? [] : [{ kind: 'progress', progress }];
}

function previewNews({ preview }: JobState): JobUpdate[] {
  return preview === null ? [] : [{ kind: 'preview', preview }];
}
