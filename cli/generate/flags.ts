import { Option } from 'commander';
import type { Command } from 'commander';
import { list } from '../command-line.ts';
import { overlayOption } from '../contracts/overlay-option.ts';

/** Declares the options of `tallystick generate`. */
export function addGenerateOptions(command: Command): Command {
  return command
    .option(
      '--out <folder>',
      'the folder for the code; each API gets its own folder in it (default: "src/tallystick")',
    )
    .option('--only <operations>', 'generate only these operations, by id or tag', list)
    .option('--except <operations>', 'generate all operations but these, by id or tag', list)
    .option('--model <ids>', 'also type and check the input of these models', list)
    .option('--from <url>', 'fetch the schemas of models from this server; default: the ones fetched before')
    .option(
      '--sheet <file>',
      'the behaviour sheet of your OpenAPI document (default: the one beside it, such as notes.behaviour.yaml; none with --only or --except)',
    )
    .option('--name <name>', 'the name of the API of your OpenAPI document (default: from its file name)')
    .addOption(overlayOption())
    .option('--strict', 'refuse slips in your OpenAPI document that are repaired with a warning otherwise')
    .option('--allow-remote <hosts>', 'hosts that a document may load $refs from', list)
    .addOption(
      new Option('--import-extension <ext>', 'the extension in import specifiers (default: "js")').choices([
        'js',
        'ts',
      ]),
    )
    .option(
      '--templates <folder>',
      'use the templates in this folder instead of the built-in ones of the same name',
    )
    .addOption(
      new Option('--without <part>', 'leave out this part; servers and models need it').choices([
        'validators',
      ]),
    )
    .option('--types-only', 'generate only types: no client, no guards, no runtime')
    .option('--query', 'also generate keys, options and React hooks for TanStack Query')
    .option('--server', 'also generate servers')
    .option(
      '--handlers <folder>',
      'also generate servers, and add stubs for missing operations to the handlers here',
    )
    .option('--prune', 'remove the code of APIs and models that this run does not generate; default: keep it')
    .option('--check', 'write nothing; exit with 1 when the code is out of date')
    .option('--dry-run', 'write nothing; list what would be new (+), changed (~) or removed (-)')
    .option('--watch', 'generate again whenever a document, a sheet, a template or the configuration changes')
    .option('--overwrite <files>', 'replace these files even if they were edited by hand', list)
    .option('--json', 'print the result as one JSON document');
}
