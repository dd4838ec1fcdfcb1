import { InvalidArgumentError } from 'commander';
import type { Command, Option } from 'commander';
import { CommandFailure } from '../failure.ts';
import { typed } from '../../contract/index.ts';
import { afterColon } from '../usage-failure.ts';

/**
 * Reads the options of a command from the environment as well, which suits containers: with the prefix
 * `TALLYSTICK_MOCK_`, `--control-port 80` is also `TALLYSTICK_MOCK_CONTROL_PORT=80`. The command line takes
 * precedence. A switch is on for any value of its variable except the empty text and 0.
 */
export function withEnvironment(
  command: Command,
  prefix: string,
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  return command
    .addHelpText(
      'after',
      `\nEvery option can also be set in the environment: ${prefix}PORT=4800 is the same as --port 4800.`,
    )
    .hook('preAction', () => {
      for (const option of command.options) {
        const variable = `${prefix}${option.name().replaceAll('-', '_').toUpperCase()}`;
        const text = environment[variable];
        const name = option.attributeName();
        if (text === undefined || text === '' || command.getOptionValueSource(name) === 'cli') continue;
        const value = valueOf(option, text, variable);
        if (value !== undefined) command.setOptionValueWithSource(name, value, 'env');
      }
    });
}

// --- internal ---

function valueOf(option: Option, text: string, variable: string): unknown {
  if (option.isBoolean()) return text === '0' ? undefined : true;
  try {
    const parse = option.parseArg as ((text: string, previous: unknown) => unknown) | undefined;
    return parse === undefined ? text : parse(text, undefined);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new CommandFailure(
      2,
      `$${variable}=${text}: ${afterColon(error.message)}`,
      [`show the options: ${typed('mock --help')}`],
      { cause: error },
    );
  }
}
