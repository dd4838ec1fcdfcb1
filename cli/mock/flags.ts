import { Option } from 'commander';
import type { Command } from 'commander';
import { list, listOf } from '../command-line.ts';
import { carriedContracts } from '../contracts/own-contracts.ts';
import { overlayOption } from '../contracts/overlay-option.ts';
import { ownCopies } from './documents.ts';
import type { OwnCopy } from './documents.ts';
import { withMockOptions } from './options.ts';
import type { MockFlags } from './options.ts';

/** The options of `tallystick mock`, as parsed. */
export interface MockCommandOptions extends MockFlags {
  readonly without?: readonly string[];
  readonly settings?: string;
  readonly contract?: readonly OwnCopy[];
  readonly sheet?: string;
  readonly overlay?: readonly string[];
  readonly strict?: true;
  readonly check?: true;
  readonly allowRemote?: readonly string[];
  readonly judgeClient?: true;
  readonly report: string;
  readonly readyFile?: string;
  readonly keepRunning?: true;
  readonly printUrl?: true;
  readonly json?: true;
  readonly quiet?: true;
}

/** Declares the options of `tallystick mock`, those of its subcommands included. */
export function addMockOptions(command: Command): Command {
  command.option(
    '--without <apis>',
    'leave out a built-in API; its routes answer 404',
    listOf(carriedContracts()),
  );
  return withMockOptions(command)
    .option(
      '--settings <file>',
      'JSON or YAML: models, node classes, assets, publishers, tokens, assumptions',
    )
    .option(
      '--contract <api=document,sheet>',
      'serve your copy of a built-in API; default for the sheet: the one beside it, or the built-in one',
      ownCopies,
    )
    .option(
      '--sheet <file>',
      'the behaviour sheet of your OpenAPI document (default: the one beside it, such as notes.behaviour.yaml)',
    )
    .addOption(overlayOption())
    .option('--strict', 'refuse slips in your OpenAPI document that are repaired with a warning otherwise')
    .option(
      '--check',
      'start no server: read the documents, compile every schema, and exit with 1 if one cannot be used',
    )
    .option('--allow-remote <hosts>', 'hosts that a document may load $refs from', list)
    .option('--exec <command>', 'run this command with $TALLYSTICK_MOCK_URL set, and exit with its exit code')
    .option('--judge-client', 'with --exec: judge the calls of the command by the rules for clients')
    .addOption(
      new Option('--report <folder>', 'the folder for the verdict on the client').default(
        'tallystick-client-report',
      ),
    )
    .option('--ready-file <file>', 'write the addresses into this file as JSON when the mock is ready')
    .option('--keep-running', 'keep running when the npx or npm that started the mock ends')
    .option('--print-url', 'print only the address on stdout')
    .option('--json', 'print JSON lines on stdout: first the addresses, then each exchange')
    .option('--quiet', 'do not print exchanges');
}
