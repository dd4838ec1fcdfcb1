/** Of failures: 1 contract findings, 2 usage, configuration or our own fault, 3 target unreachable or not served. */
type ExitCode = 1 | 2 | 3;

/** A failure that ends a command, with a message for a person: what happened, and what to do next. */
export class CommandFailure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;
  /** Lines below the message: details first, the next command last. */
  readonly help: readonly string[];

  constructor(exitCode: ExitCode, message: string, help: readonly string[] = [], options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
    this.help = help;
  }
}
