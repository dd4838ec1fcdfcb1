/** Reads something again whenever it may have changed. */
export interface Poller {
  /** Call this after a possible change. */
  want(): void;
  stop(): void;
}

/**
 * Runs one read at a time, and another one if something changed meanwhile. The first result is shown nevertheless,
 * because changes may never stop. Several changes in a row cause one read.
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
