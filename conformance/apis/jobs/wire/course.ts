import { readEvents } from '../../../event-stream.ts';
import type { Exchange } from '../../../exchange.ts';
import { isWholeJob, jobIn } from './job.ts';
import type { JobPlace } from './place.ts';

/** Without terminal statuses, because some transitions to them are open. */
const ORDER = ['queued', 'running', 'canceling'];

/** Whether no sequence of transitions leads from one state to the other. */
export function isBack(from: string, to: string): boolean {
  const [rank, next] = [ORDER.indexOf(from), ORDER.indexOf(to)];
  return rank >= 0 && next >= 0 && next < rank;
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
