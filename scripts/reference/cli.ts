import type { Command, Option } from 'commander';
import type { Context } from '../../cli/context.ts';
import { commandLine } from '../../cli/main.ts';
import { makeTerminal } from '../../cli/terminal.ts';
import { block, code, page, prose, table, writtenFrom } from './markdown.ts';

/** Every command with its arguments and options, from the commands themselves. */
export function cliPage(): string {
  const said: string[] = [];
  const program = commandLine(contextThatKeeps(said));
  return page(
    writtenFrom('the commands in `cli/`'),
    '# Command line',
    'Run the commands with `npx --no -- tallystick`, or from a script in `package.json`.',
    table(
      ['command', 'what it does'],
      program.commands.map((command) => [
        `[${code(command.name())}](#${pathOf(command).join('-')})`,
        prose(command.description()),
      ]),
    ),
    ...program.commands
      .flatMap((command) => withSubcommands(command))
      .map((command) => sectionOf(command, said)),
    '## Global options and exit codes',
    block('text', helpAfter(program, said)),
  );
}

// --- internal ---

function sectionOf(command: Command, said: string[]): string {
  const path = pathOf(command);
  return page(
    `${path.length > 2 ? '###' : '##'} ${path.join(' ')}`,
    prose(command.description()),
    block('text', `${path.join(' ')} ${command.usage()}`),
    table(
      ['argument', 'meaning'],
      command.registeredArguments.map((argument) => [code(argument.name()), prose(argument.description)]),
    ),
    table(
      ['option', 'meaning'],
      command.options
        .filter(({ hidden }) => !hidden)
        .map((option) => [code(option.flags), prose(meaningOf(option))]),
    ),
    afterText(helpAfter(command, said)),
  ).trimEnd();
}

function afterText(text: string): string {
  return text === '' ? '' : block('text', text);
}

function meaningOf({
  description,
  argChoices,
  defaultValue,
  defaultValueDescription,
  envVar,
}: Option): string {
  const notes = [
    argChoices === undefined ? '' : `choices: ${argChoices.map(code).join(', ')}`,
    defaultValue === undefined || defaultValue === false
      ? ''
      : `default: ${code(defaultValueDescription ?? String(defaultValue))}`,
    envVar === undefined ? '' : `environment: ${code(envVar)}`,
  ].filter((note) => note !== '');
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}

function withSubcommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap((each) => withSubcommands(each))];
}

function pathOf(command: Command): readonly string[] {
  return [...(command.parent === null ? [] : pathOf(command.parent)), command.name()];
}

/** The text that a command prints after its options: examples and notes. */
function helpAfter(command: Command, said: string[]): string {
  said.length = 0;
  command.outputHelp();
  const text = said.join('');
  const own = command.helpInformation().trimEnd();
  return text.startsWith(own) ? text.slice(own.length).trim() : '';
}

/** A context for commands that are never run. */
function contextThatKeeps(said: string[]): Context {
  const stream = {
    write: (text: string) => said.push(text) > 0,
    columns: 100,
  } as unknown as NodeJS.WritableStream;
  const environment = { NO_COLOR: '1' };
  return {
    terminal: makeTerminal({ stdout: stream, stderr: stream }, environment),
    cwd: '.',
    environment,
    onSignal: () => () => undefined,
    exit: () => undefined,
  };
}
