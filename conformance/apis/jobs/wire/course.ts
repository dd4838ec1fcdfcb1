import { readEvents } from '../../../http/event-stream.ts';
import type { StreamEvent } from '../../../http/event-stream.ts';
import type { Exchange } from '../../../exchanges/exchange.ts';
import { isWholeJob, jobIn } from './job.ts';
import type { JobPlace } from './place.ts';

/** Without terminal statuses, because some transitions to them are open. */
const ORDER = ['queued', 'running', 'canceling'];

/** Whether no sequence of transitions leads from one state to the other. */
export function isBack(from: string, to: string): boolean {
  const [rank, next] = [ORDER.indexOf(from), ORDER.indexOf(to)];
  return rank >= 0 && next >= 0 && next < rank;
}

/** Whether no transition leads there: back, or from canceling to success. */
export function isNoWay(from: string, to: string): boolean {
  return isBack(from, to) || (from === 'canceling' && to === 'succeeded');
}

/** The jobs in an answer; those of a stream in order. */
export function* jobsIn(exchange: Exchange, { is }: JobPlace): Generator<Readonly<Record<string, unknown>>> {
  if (is !== 'stream') {
    if (isWholeJob(exchange.json)) yield exchange.json;
    return;
  }
  for (const event of readEvents(new TextDecoder().decode(exchange.bytes), 0)) {
    const job = jobIn(event);
    if (isWholeJob(job)) yield job;
  }
}

/**
 * Document 3, GET …/events, items 1 and 2: the events after the terminal status. A stream that is opened after
 * the end begins with its snapshot. The order of the snapshot is open, so its progress and its preview may
 * follow the status.
 *
 * @param end the event with the terminal status
 */
export function behindTheEnd(events: readonly StreamEvent[], end: StreamEvent): readonly StreamEvent[] {
  const index = events.indexOf(end);
  const behind = events.slice(index + 1);
  const isSnapshot = new Set(events.map(({ name }) => name)).size === events.length;
  return isSnapshot && behind.length <= SNAPSHOT_BESIDE_STATUS ? [] : behind;
}

// --- internal ---

/** The latest progress, and the most recent preview. */
const SNAPSHOT_BESIDE_STATUS = 2;
