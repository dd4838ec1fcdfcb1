import { useEffect, useState } from 'preact/hooks';
import type { ControlTopic } from '../control/shape.ts';
import { read } from './control-client.ts';
import { changes, connection } from './live.ts';
import { readerOf, type Poller } from './reader.ts';

/**
 * The content of a path of the control API. Read again after a change on one of the topics, and every `everyMs` if
 * given.
 */
export function useResource<Shape>(
  path: string,
  topics: readonly ControlTopic[],
  options: { readonly everyMs?: number } = {},
): { readonly value: Shape | undefined; readonly problem: string | undefined } {
  const [held, hold] = useState<{ value?: Shape; problem?: string }>({});
  const [reader, setReader] = useState<Poller>();
  const change = changes(topics);
  const isOpen = connection.value === 'open';
  const { everyMs } = options;
  useEffect(() => {
    let current = true;
    const load = (): Promise<void> =>
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
    const made = readerOf(load, (run) => setTimeout(run, BURST_MS));
    setReader(made);
    return () => {
      current = false;
      made.stop();
    };
  }, [path]);
  useEffect(() => {
    reader?.want();
  }, [reader, change, isOpen]);
  useEffect(() => {
    if (everyMs === undefined || !isOpen) return undefined;
    const again = setInterval(() => reader?.want(), everyMs);
    return () => {
      clearInterval(again);
    };
  }, [reader, everyMs, isOpen]);
  return { value: held.value, problem: held.problem };
}

// --- internal ---

const BURST_MS = 30;
