/**
 * A command of tallystick as a person can type it. The suite prints the same words as the commands of `cli/`, which it
 * must not import; a test holds the two together.
 */
export function typed(command: string): string {
  return `npx --no -- tallystick ${command}`;
}

/**
 * The command that sends one exchange of a report again. The address is part of it: whoever runs it says where the secret
 * may go.
 */
export function replayCommand(report: string, exchange: string, origin: string): string {
  return typed(`conform replay ${quoted(report)} ${exchange} --base-url ${origin}`);
}

/** A word as a POSIX shell reads it back. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
