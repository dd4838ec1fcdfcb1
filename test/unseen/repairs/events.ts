import type { Clock } from '../../../conformance/index.ts';
import type { Thing } from '../wire.ts';
import { hasEnded, settle, shown, type Has, type Ticket } from './lives.ts';

/** The events of a ticket from now on, until its end; none while it is deleted. */
export async function* eventsOf(
  ticket: Ticket,
  clock: Clock,
  has: Has,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  let told = ticket.log.length;
  const isEnded = hasEnded(ticket);
  yield frame('state', shown(ticket));
  if (isEnded) return;
  for (;;) {
    if (ticket.isDeleted || told === ticket.log.length) {
      try {
        await clock.sleep(100, signal);
      } catch {
        return;
      }
    }
    settle(ticket, clock.now(), has);
    if (ticket.isDeleted) continue;
    const news = ticket.log.slice(told);
    told = ticket.log.length;
    const last = news.findLast(({ event }) => event === 'state');
    for (const { event, data } of news) {
      if (has('stream-skips-quick-states') && event === 'state' && data !== last?.data) continue;
      yield frame(event, data);
      if (event === 'state' && ['collected', 'scrapped'].includes(String(data['state']))) return;
    }
  }
}

// --- internal ---

const frame = (event: string, data: Thing): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
