/**
 * A command of tallystick as a person can type it, such as `npx --no -- tallystick mock --port 0`. Every message that
 * offers a command prints it like this; usage lines and sentences that only name a command do not.
 *
 * The prefix is always there. It finds the bin in any folder of a project that has tallystick installed, which the bare
 * name does not; `--no` keeps npx from downloading a package of that name where there is none, and without the `--` npx
 * would take the next word as the value of `--no`.
 */
export function typed(command: string): string {
  return `npx --no -- tallystick ${command}`.trimEnd();
}

/** A word as a POSIX shell reads it back: in single quotes unless every character of it is harmless. */
export function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
