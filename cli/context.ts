import type { Terminal } from './terminal.ts';

/** The signals that ask a process to end. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What a command knows of the world that it runs in. */
export interface Context {
  readonly terminal: Terminal;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Tells when the process is asked to end, and once more before a second signal ends it at once; the returned function
   * takes the listener away.
   */
  readonly onSignal: (listener: (signal: EndSignal, isSecond?: boolean) => void) => () => void;
  /** Tells each key that is pressed, where a person sits before it; the returned function ends that. */
  readonly onKey?: ((listener: (key: string) => void) => () => void) | undefined;
  /** The exit code, where it is another than 0. The command still has to return. */
  readonly exit: (code: number) => void;
}
