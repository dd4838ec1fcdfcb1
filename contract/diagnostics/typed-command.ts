import { shellWord } from '../plain-text.ts';

/**
 * A command of tallystick as a person can type it, such as `npx --no -- tallystick mock --port 0`. Every
 * message that offers a command prints it like this; usage lines and sentences that only name a command do
 * not.
 *
 * The prefix is always included. It finds the bin in any folder of a project that has tallystick installed,
 * which the bare name does not. `--no` prevents npx from downloading a package of that name, and without the
 * `--` npx would take the next word as the value of `--no`.
 */
export function typed(command: string): string {
  return `npx --no -- tallystick ${command}`.trimEnd();
}

/** The command with these words, each quoted if a shell requires it. */
export function shellLine(...words: readonly string[]): string {
  return typed(words.map((word) => shellWord(word)).join(' '));
}
