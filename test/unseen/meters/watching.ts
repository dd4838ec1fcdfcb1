import type { Alarm, Has } from './things.ts';

/** Tells those who watch an alarm that it has changed. */
export function wake(alarm: Alarm): void {
  for (const watcher of alarm.watchers) watcher();
  alarm.watchers.clear();
}

/** The events of an alarm until it is resolved, removed, or its watcher leaves. */
export async function* eventsOf(
  alarm: Alarm,
  options: { readonly has: Has; readonly isThere: () => boolean; readonly signal: AbortSignal | undefined },
): AsyncGenerator<string> {
  const { has, isThere, signal } = options;
  let sent = 0;
  let wasAcknowledged = false;
  while (signal?.aborted !== true) {
    if (alarm.version !== sent) {
      sent = alarm.version;
      const { facts } = alarm;
      if (facts['state'] === 'resolved' && wasAcknowledged && has('stream-loses-end')) return;
      yield `event: alarm\ndata: ${JSON.stringify(facts)}\n\n`;
      if (facts['state'] === 'resolved') return;
      wasAcknowledged = facts['state'] === 'acknowledged';
      continue;
    }
    if (!isThere()) return;
    await new Promise<void>((resolve) => {
      alarm.watchers.add(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
