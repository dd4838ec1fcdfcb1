import type { Terminal } from './terminal.ts';

/** The signals that ask a process to end. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * Hears the first and the second signal. If it returns `ending` to the second one, the command ends by itself within seconds,
 * and only a third signal ends the process at once.
 */
export type SignalListener = (signal: EndSignal, isSecond?: boolean) => unknown;

/** The environment that a command runs in. */
export interface Context {
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Calls back when the process receives a signal to end, and again before a second signal ends it at once. The
   * returned function removes the listener.
   */
  readonly onSignal: (listener: SignalListener) => () => void;
  /**
   * Calls back for each key that is pressed on an interactive terminal. The returned function removes the listener.
   */
  readonly onKey?: ((listener: (key: string) => void) => () => void) | undefined;
  /** Sets the exit code if it is not 0. The command still has to return. */
  readonly exit: (code: number) => void;
}
