/** Reads something again and again: whenever it may have changed. */
export interface Poller {
  /** It may have changed. */
  want(): void;
  stop(): void;
}

/**
 * One reading at a time, and one more when something changed meanwhile. What was read is shown even so: where changes
 * never end, a reader that waited for the last of them would wait for ever. What comes in a burst is read once.
 */
export function readerOf(read: () => Promise<unknown>, soon: (run: () => void) => void): Poller {
  let doing: 'nothing' | 'waiting' | 'reading' | 'stopped' = 'nothing';
  let again = false;
  const turn = (): void => {
    if (doing === 'stopped') return;
    doing = 'reading';
    again = false;
    const done = (): void => {
      if (doing === 'stopped') return;
      doing = 'nothing';
      if (again) want();
    };
    read().then(done, done);
  };
  const want = (): void => {
    again = true;
    if (doing !== 'nothing') return;
    doing = 'waiting';
    soon(turn);
  };
  return {
    want,
    stop: () => {
      doing = 'stopped';
    },
  };
}
