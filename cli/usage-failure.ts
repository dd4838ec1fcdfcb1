import type { Command, CommanderError } from 'commander';
import { suggest, typed } from '../contract/index.ts';
import { CommandFailure } from './failure.ts';

/** A mistake in a command line, with the command that shows the options. */
export function usageFailure(error: CommanderError, command: Command): CommandFailure {
  // The help has been printed by then.
  if (error.code === 'commander.help')
    return new CommandFailure(2, 'Missing command', ['choose one of those above']);
  const help = `show the options: ${typed([...namesOf(command), '--help'].join(' '))}`;
  return new CommandFailure(2, messageFor(error, command), [help], { cause: error });
}

/** The message of an option parser, as the end of a sentence: `Expected a number.` becomes `expected a number`. */
export function afterColon(says: string): string {
  const text = says.replace(/^Allowed choices are /, 'expected one of ').replace(/\.$/, '');
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

// --- internal ---

function messageFor(error: CommanderError, command: Command): string {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const near = /\(Did you mean (.*)\?\)/.exec(rest.join(' '))?.[1];
  const [, name = ''] = /'([^']*)'/.exec(first) ?? [];
  const flag = name.replace(/ .*/, '');
  switch (error.code) {
    case 'commander.unknownOption':
      // What follows the name may be a secret.
      return `Unknown option ${name.split('=', 1)[0] ?? ''}${didYouMean(near)}`;
    case 'commander.unknownCommand':
      return `Unknown command ${name}${didYouMean(near)}`;
    case 'commander.missingArgument':
      return `Missing argument <${name}>`;
    case 'commander.optionMissingArgument':
      return `Missing value: ${name}`;
    case 'commander.invalidArgument': {
      const [, value = '', says = ''] =
        /(?:argument|value) '([\s\S]*)' is invalid[^.]*\. ([\s\S]*)$/.exec(error.message) ?? [];
      return `${[flag, value].join(' ').trim()}: ${afterColon(says)}`;
    }
    case 'commander.conflictingOption': {
      const flags = [...first.matchAll(/'(--[\w-]+)(?:[^'\w-][^']*)?'/g)].map(([, each = '']) => each);
      return `${flags.join(' and ')} cannot be used together`;
    }
    case 'commander.excessArguments':
      return tooMany(command);
    default:
      return `${first.charAt(0).toUpperCase()}${first.slice(1)}`;
  }
}

function tooMany({ args, commands, registeredArguments }: Command): string {
  const [word = ''] = args;
  const most = registeredArguments.length;
  if (most > 0 || commands.length === 0) return `Too many arguments: expected ${most}, got ${args.length}`;
  const near = suggest(
    word,
    commands.map((command) => command.name()),
  );
  return `Unknown command ${word}${didYouMean(near)}`;
}

function didYouMean(near: string | undefined): string {
  return near === undefined ? '' : `. Did you mean ${near}?`;
}

/** The names of a command and its parent commands, without that of the program. */
function namesOf(command: Command): string[] {
  return command.parent === null ? [] : [...namesOf(command.parent), command.name()];
}
