import { readEvents } from '../../../event-stream.ts';
import type { Exchange } from '../../../exchange.ts';
import { isWholeJob, jobIn } from './job.ts';
import type { JobPlace } from './place.ts';

/** Terminal statuses have no place in it: what leads to some of them is open. */
const ORDER = ['queued', 'running', 'canceling'];

/** Whether no way of the states leads from the one to the other. */
export function isBack(from: string, to: string): boolean {
  const [rank, next] = [ORDER.indexOf(from), ORDER.indexOf(to)];
  return rank >= 0 && next >= 0 && next < rank;
}

/** The jobs that an answer shows, those of a stream in its order. */
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
