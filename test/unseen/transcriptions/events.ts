import type { Clock } from '../../../conformance/index.ts';
import type { Thing } from '../wire.ts';
import { isOpen, settle, shown, type Has, type Transcription } from './lives.ts';

/** The events of a transcription from now on, until its end. */
export async function* eventsOf(
  one: Transcription,
  clock: Clock,
  has: Has,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  if (!isOpen(one) && has('stream-of-ended-silent')) return;
  const isShared = has('second-watcher-misses');
  let own = one.log.length;
  one.told = own;
  const seen = (): number => (isShared ? one.told : own);
  const isEnded = !isOpen(one);
  yield frame('state', shown(one, has));
  if (isEnded) return;
  while (isOpen(one) || seen() < one.log.length) {
    try {
      if (seen() === one.log.length) await clock.sleep(100, signal);
    } catch {
      return;
    }
    settle(one, clock.now(), has);
    const news = one.log.slice(seen());
    own = one.log.length;
    one.told = own;
    for (const { event, data } of news) {
      yield frame(event, data);
      if ('ended_at' in data) return;
    }
  }
}

// --- internal ---

const frame = (event: string, data: Thing): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
