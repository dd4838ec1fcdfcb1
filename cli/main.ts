import { type Command, CommanderError } from 'commander';
import { assumptionsCommand } from './assumptions.ts';
import { makeCommand } from './command-line.ts';
import { conformCommand } from './conform.ts';
import type { Context } from './context.ts';
import { deviationsCommand } from './deviations.ts';
import { diffCommand } from './diff.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { CommandFailure } from './failure.ts';
import { fileFailure } from './files/file-failure.ts';
import { fixturesCommand } from './fixtures.ts';
import { generateCommand } from './generate.ts';
import { hidingGiven } from './given-secrets.ts';
import { initCommand } from './init.ts';
import { mockCommand } from './mock.ts';
import { ownVersion } from './own-version.ts';
import { proxyCommand } from './proxy.ts';
import { scenariosCommand } from './scenarios.ts';
import { sheetCommand } from './sheet.ts';
import { makeTerminal } from './terminal.ts';
import type { Streams } from './terminal.ts';

export interface World extends Streams {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly onSignal: Context['onSignal'];
  readonly onKey?: Context['onKey'];
}

/** Commands in the order of the help; each loads what it needs when it runs. */
const commands = [
  initCommand,
  generateCommand,
  diffCommand,
  mockCommand,
  conformCommand,
  proxyCommand,
  fixturesCommand,
  sheetCommand,
  scenariosCommand,
  deviationsCommand,
  assumptionsCommand,
  explainCommand,
  doctorCommand,
];

const globalHelp = `
Global options:
  --no-color      disable colours (also: NO_COLOR=1)
  --debug         print the stack of an error
Exit codes: 0 success, 1 contract findings, 2 usage or configuration error, 3 server unreachable, gone or disturbed, or API
            not served, 130 interrupted`;

/** Parses the command line, runs the command and returns the exit code. It prints, but never ends the process. */
export async function main(argv: readonly string[], world: World): Promise<number> {
  const debug = argv.includes('--debug');
  const environment = argv.includes('--no-color')
    ? { ...world.environment, NO_COLOR: '1' }
    : world.environment;
  let exitCode = 0;
  const context: Context = {
    ...world,
    environment,
    terminal: makeTerminal(world, environment, hidingGiven(argv, environment)),
    exit: (code) => {
      exitCode = code;
    },
  };
  const program = commandLine(context);
  try {
    const own = argv.filter((argument) => argument !== '--debug' && argument !== '--no-color');
    await program.parseAsync(own, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return report(fileFailure(error, world.cwd) ?? error, context, debug);
  }
}

/** All commands, as the help and the reference show them. */
export function commandLine(context: Context): Command {
  const program = makeCommand('tallystick', context.terminal)
    .description(
      'Generate code from an API contract, run a mock server, and test whether a live server conforms.',
    )
    .usage('<command> [options]')
    .version(ownVersion(), '-V, --version', 'print the version')
    .addHelpText('after', globalHelp);
  for (const make of commands) program.addCommand(make(context));
  return program;
}

// --- internal ---

function report(error: unknown, { terminal }: Context, debug: boolean): number {
  const { say, sign, paint } = terminal;
  if (error instanceof CommandFailure) {
    say(`${paint('red', sign.bad, 'say')} ${error.message}`);
    for (const line of error.help) say(`   ${line}`);
    if (debug) say(stackOf(error));
    return error.exitCode;
  }
  const message = error instanceof Error ? error.message : String(error);
  say(`${paint('red', sign.bad, 'say')} Internal error: ${message}`);
  say(
    debug
      ? stackOf(error)
      : '   this is a bug in tallystick: run the same command with --debug, and report its output',
  );
  return 2;
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
