import { Command, InvalidArgumentError } from 'commander';
import type { CommanderError } from 'commander';
import { Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** A command whose faults in usage are `Failure`s with a sentence, and that never ends the process itself. */
export function makeCommand(name: string, terminal: Terminal): Command {
  const command = new Command(name);
  return (
    command
      .exitOverride((error) => {
        throw asFailure(error, command);
      })
      .configureOutput({
        writeOut: (text) => terminal.result(text.trimEnd()),
        writeErr: (text) => terminal.say(text.trimEnd()),
        outputError: () => undefined,
        getOutHasColors: () => terminal.colour.result,
        getErrHasColors: () => terminal.colour.say,
      })
      .helpOption('-h, --help', 'show this help')
      .helpCommand(false)
      // What stands behind a subcommand is its own, also where the command above has an option of that name.
      .enablePositionalOptions()
  );
}

/** Option parser: a whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

const unitMilliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Option parser: a duration such as `500ms`, `60s`, `10m` or `24h`, in milliseconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/.exec(text) ?? [];
  const factor = unitMilliseconds[unit ?? ''];
  if (factor !== undefined) return Number(amount) * factor;
  throw new InvalidArgumentError(
    `Expected a duration such as 60s or 10m.${/^\d+$/.test(text) ? ` Did you mean ${text}s?` : ''}`,
  );
}

/** Option parser: values separated by commas, from all uses of the option together. */
export function list(text: string, previous: readonly string[] | undefined): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...(previous ?? []), ...items.filter((item) => item !== '')];
}

/** Option parser: a list whose members are known. */
export function listOf(known: readonly string[]): typeof list {
  return (text, previous) => {
    const items = list(text, previous);
    const unknown = items.find((item) => !known.includes(item));
    if (unknown === undefined) return items;
    throw new InvalidArgumentError(`${unknown} is none of ${known.join(', ')}.`);
  };
}

// --- internal ---

function asFailure(error: CommanderError, command: Command): Error {
  if (error.exitCode === 0) return error;
  // Called without a command: the help has been shown already.
  if (error.code === 'commander.help') return new Failure(2, 'Which command? One of those above.');
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const near = /\(Did you mean (.*)\?\)/.exec(rest.join(' '))?.[1];
  const message = first.replace(/'([^']*)'/g, '$1').replace(/^./, (letter) => letter.toUpperCase());
  return new Failure(
    2,
    near === undefined ? message : `${message.replace(/\.$/, '')}. Did you mean ${near}?`,
    [`${pathOf(command)} --help`],
  );
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
