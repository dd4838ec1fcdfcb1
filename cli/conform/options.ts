import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { duration, list, listOf, rate, wholeNumber } from '../command-line.ts';
import { ownDocument } from '../contracts/judged-contracts.ts';
import type { OwnDocument } from '../contracts/judged-contracts.ts';
import { carriedContracts } from '../contracts/own-contracts.ts';
import { overlayOption } from '../contracts/overlay-option.ts';
import { bearerOption } from '../network/given-credential.ts';
import { addNetworkOptions } from '../network/network-options.ts';
import type { NetworkOptions } from '../network/network-options.ts';
import { tokenCommandOption } from '../network/token-command.ts';
import { permissionNames } from './permission-names.ts';
import type { PermissionName } from './permission-names.ts';
import { reportFolder } from './report-file.ts';

/** The options of `tallystick conform`, as parsed. */
export interface ConformOptions extends NetworkOptions {
  readonly api?: readonly string[];
  readonly contract?: OwnDocument;
  readonly overlay?: readonly string[];
  readonly apiKey?: string;
  readonly bearer?: string;
  readonly anonymous?: true;
  readonly tokenCommand?: string;
  readonly fixtures?: string;
  readonly allow?: readonly PermissionName[];
  readonly maxRuns?: number;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly rule?: readonly string[];
  readonly level?: readonly string[];
  readonly plan?: true;
  readonly selfTest?: true;
  readonly seed?: number;
  readonly fuzz?: number;
  readonly explore?: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly concurrency?: number;
  readonly rate?: number;
  readonly maxWait?: number;
  readonly retries?: number;
  readonly wait?: number;
  readonly budget?: number;
  readonly timeout?: number;
  readonly failFast?: true;
  readonly keep?: number;
  readonly strict?: true;
  readonly failInconclusive?: true;
  readonly require?: readonly string[];
  readonly minExercised?: number;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly report: string;
  readonly json?: true;
  readonly events?: true;
}

/** Declares the options of a run. */
export function addConformOptions(command: Command): Command {
  const most = Number.MAX_SAFE_INTEGER;
  command
    .option('--api-key <key>', 'API key (safer: $TALLYSTICK_API_KEY)')
    .addOption(bearerOption())
    .addOption(new Option('--anonymous', 'send no credential').conflicts(['apiKey', 'bearer']))
    .addOption(tokenCommandOption());
  return addNetworkOptions(command)
    .option(
      '--fixtures <file>',
      'the fixtures of the server; to make such a file, see: tallystick fixtures --help',
    )
    .option(
      '--api <names>',
      `APIs to test: ${carriedContracts().join(', ')} (default: all)`,
      listOf(carriedContracts()),
    )
    .addOption(
      new Option(
        '--contract <document[,sheet]>',
        'test your own API against its OpenAPI document and its behaviour sheet (default: the sheet beside it)',
      )
        .argParser(ownDocument)
        .conflicts('api'),
    )
    .addOption(overlayOption().conflicts('api'))
    .addOption(
      new Option('--only <operations>', 'call only these operations, by id or tag')
        .argParser(list)
        .conflicts('selfTest'),
    )
    .addOption(
      new Option('--except <operations>', 'call all operations but these, by id or tag')
        .argParser(list)
        .conflicts('selfTest'),
    )
    .option('--rule <globs>', "rules to test, such as 'router.list.*'", patterns)
    .option('--level <levels>', `levels to test: ${levelNames.join(', ')}`, listOf(levelNames))
    .option(
      '--allow <kinds>',
      `requests allowed beyond reads: ${permissionNames.join(', ')}`,
      listOf(permissionNames),
    )
    .option('--max-runs <n>', 'maximum number of POSTs with a usable credential', wholeNumber(0, most))
    .option('--plan', 'print the requests that would be sent, and send nothing')
    .addOption(
      new Option(
        '--self-test',
        'with --contract: test the suite itself against the mock of the contract: first unchanged, then with each rule of its policies broken',
      ).conflicts(['plan', 'baseline', 'writeBaseline']),
    )
    .option('--wait <time>', 'how long to wait for the server to start, such as 60s', duration)
    .option(
      '--timeout <time>',
      'time limit for a read, such as 10s (for a run: the deadline of the server)',
      duration,
    )
    .option('--budget <time>', 'time limit for the whole test run', duration)
    .option('--concurrency <n>', 'number of concurrent scenarios', wholeNumber(1, 64))
    .option('--rate <rate>', 'maximum rate of requests, such as 5/s, 30/m or 100/h', rate)
    .option('--max-wait <time>', 'longest Retry-After of the server to wait for (default: 2m)', duration)
    .option(
      '--retries <n>',
      'how often to repeat a failed scenario that the environment may have disturbed',
      wholeNumber(0, 10),
    )
    .option('--seed <n>', 'seed of the random choices', wholeNumber(0, most))
    .option(
      '--fuzz <n>',
      'number of random requests for each kind of request that takes input',
      wholeNumber(1, 10_000),
    )
    .option(
      '--explore <n>',
      'maximum number of requests of each random search for sequences of calls that break a rule (default: 100; with --rule or --level: 0)',
      wholeNumber(0, 10_000),
    )
    .option('--shard <i/n>', 'test one of n parts, such as 1/4', shard)
    .option(
      '--keep <bytes>',
      'bytes to keep of each body in the report (default: 4096)',
      wholeNumber(0, 64_000_000),
    )
    .option('--fail-fast', 'stop at the first broken rule')
    .option('--strict', 'count warnings as findings')
    .option('--fail-inconclusive', 'count inconclusive rules as findings')
    .option('--require <globs>', 'rules that must be exercised', patterns)
    .option('--min-exercised <n>', 'minimum number of exercised rules', wholeNumber(0, most))
    .option(
      '--baseline <file>',
      'known failures: only other failures, and known ones that now pass, are findings',
    )
    .option('--write-baseline <file>', 'write the failures of this run as a baseline')
    .addOption(new Option('--report <folder>', 'folder for the reports').default(reportFolder))
    .option('--json', 'print the report as one JSON document')
    .option('--events', 'print events during the run, one JSON document per line');
}

// --- internal ---

const levelNames = ['must', 'must-not', 'should'];

/** Option parser: names or globs; a variable that was empty in a script must not select everything. */
function patterns(text: string, previous: readonly string[] | undefined): readonly string[] {
  const items = list(text, previous);
  if (items.length > 0) return items;
  throw new InvalidArgumentError('Expected at least one name.');
}

function shard(text: string): { readonly index: number; readonly count: number } {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (Number(index) >= 1 && Number(index) <= Number(count))
    return { index: Number(index), count: Number(count) };
  throw new InvalidArgumentError('Expected i/n with i from 1 to n, such as 1/4.');
}
