import { useEffect, useState } from 'preact/hooks';
import type { ControlTopic } from '../control-shape.ts';
import { read } from './control-client.ts';
import { changes, connection } from './live.ts';

/** What the control API says under a path, read again whenever one of the topics changes; `everyMs` for what moves by itself. */
export function useResource<Shape>(
  path: string,
  topics: readonly ControlTopic[],
  options: { readonly everyMs?: number } = {},
): { readonly value: Shape | undefined; readonly problem: string | undefined } {
  const [held, hold] = useState<{ value?: Shape; problem?: string }>({});
  const change = changes(topics);
  const isOpen = connection.value === 'open';
  const { everyMs } = options;
  useEffect(() => {
    let current = true;
    const load = (): void => {
      read<Shape>(path).then(
        (value) => {
          if (current) hold({ value });
        },
        (error: unknown) => {
          if (current)
            hold(({ value }) => ({
              ...(value === undefined ? {} : { value }),
              problem: error instanceof Error ? error.message : String(error),
            }));
        },
      );
    };
    // What comes in a burst is read once.
    const soon = setTimeout(load, BURST_MS);
    const again = everyMs === undefined || !isOpen ? undefined : setInterval(load, everyMs);
    return () => {
      current = false;
      clearTimeout(soon);
      clearInterval(again);
    };
  }, [path, change, everyMs, isOpen]);
  return { value: held.value, problem: held.problem };
}

// --- internal ---

const BURST_MS = 30;
