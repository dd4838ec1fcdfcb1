import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { ConformanceOptions, Gate, TokenSource } from '../conformance/index.ts';
import { typed } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import { readBaseline, requireWritable, writeBaseline } from './conform/baseline-file.ts';
import { duration, list, listOf, makeCommand, rate, wholeNumber } from './command-line.ts';
import { compareCommand } from './conform/compare.ts';
import { replayCommand } from './conform/replay.ts';
import { reportCommand } from './conform/report.ts';
import { settleTarget } from './conform/target.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failure.ts';
import { bearerOption, givenCredential, requireCredential } from './network/given-credential.ts';
import { addNetworkOptions, networkOf } from './network/network-options.ts';
import type { NetworkOptions } from './network/network-options.ts';
import { readFixturesFile } from './fixtures/file.ts';
import { asTyped, loadJudged, ownDocument } from './contracts/judged-contracts.ts';
import type { OwnDocument } from './contracts/judged-contracts.ts';
import { carriedContracts } from './contracts/own-contracts.ts';
import { moduleOf, ownParts } from './contracts/own-module.ts';
import { permissionNames } from './conform/permission-names.ts';
import type { PermissionName } from './conform/permission-names.ts';
import { reportFolder } from './conform/report-file.ts';
import { prepareReports, writeReports } from './conform/report-files.ts';
import { eventLines, progress } from './conform/run-events.ts';
import { tokenCommandOption, tokenFrom } from './network/token-command.ts';

interface ConformOptions extends NetworkOptions {
  readonly api?: readonly string[];
  readonly contract?: OwnDocument;
  readonly apiKey?: string;
  readonly bearer?: string;
  readonly anonymous?: true;
  readonly tokenCommand?: string;
  readonly fixtures?: string;
  readonly allow?: readonly PermissionName[];
  readonly maxRuns?: number;
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

const levelNames = ['must', 'must-not', 'should'];

export function conformCommand(context: Context): Command {
  const most = Number.MAX_SAFE_INTEGER;
  const command = makeCommand('conform', context.terminal)
    .description('test a live server against every rule of the contract')
    .argument(
      '[base-url]',
      'such as https://api.example.com, or a target of tallystick.config (default: baseUrl of the fixtures file)',
    )
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
    .option('--events', 'print events during the run, one JSON document per line')
    .action(async (target: string | undefined, _given: ConformOptions, own: Command) => {
      const baseUrl = await settleTarget(target, own, context);
      await conform(baseUrl, own.opts<ConformOptions>(), context);
    })
    .addCommand(replayCommand(context))
    .addCommand(reportCommand(context))
    .addCommand(compareCommand(context));
}

// --- internal ---

async function conform(
  baseUrl: string | undefined,
  options: ConformOptions,
  context: Context,
): Promise<void> {
  const { terminal, exit } = context;
  const {
    conclude,
    planConformance,
    renderPlan,
    renderReport,
    runConformance,
    TargetError,
    UnknownRuleError,
  } = await import('../conformance/index.ts');
  const contracts = await loadJudged(options, context);
  if (options.selfTest === true) return tryItself(contracts, options, context);
  const run = await runOptions(baseUrl, contracts, options, context);
  const stop = new AbortController();
  let forget = (): void => undefined;
  try {
    if (options.plan === true) {
      const plan = planConformance(run);
      if (options.json) terminal.result(JSON.stringify({ schemaVersion: 1, ...plan }, undefined, 2));
      else terminal.result(renderPlan(plan, { colour: terminal.colour.result }).trimEnd());
      return;
    }
    planConformance(run);
    requireCredential(run, options);
    await prepareReports(options.report, context);
    if (options.writeBaseline !== undefined) requireWritable(options.writeBaseline, context);
    const onEvent = options.events === true ? eventLines(terminal, conclude) : progress(terminal);
    // Held until the reports are written, because an interrupted run also reports its results.
    forget = context.onSignal(() => stop.abort(new Error('interrupted')));
    const report = await runConformance({ ...run, signal: stop.signal, onEvent });
    let lost: unknown;
    const written = await writeReports(report, options.report, context).catch((error: unknown) => {
      lost = error;
      return '';
    });
    const code = lost === undefined ? conclude(report).exitCode : 2;
    if (options.events !== true) {
      const shown = {
        colour: terminal.colour.result,
        ascii: terminal.ascii,
        exitCode: code,
        ...(lost === undefined ? { folder: options.report } : {}),
      };
      terminal.result(renderReport(report, options.json === true ? 'json' : 'text', shown).trimEnd());
    }
    if (lost !== undefined) throw lost;
    terminal.say(written);
    // Programs that read stdout receive only the requested format.
    if (context.environment['GITHUB_ACTIONS'] === 'true' && options.json !== true && options.events !== true)
      terminal.command(renderReport(report, 'github').trimEnd());
    if (options.writeBaseline !== undefined) await writeBaseline(report, options.writeBaseline, context);
    exit(code);
  } catch (error) {
    if (error instanceof UnknownRuleError)
      throw new CommandFailure(
        2,
        error.message,
        options.contract === undefined
          ? contracts.map(
              ({ name }, index) => `${index === 0 ? 'list all:' : '         '} ${typed(`explain ${name}`)}`,
            )
          : ['the rules of a document have ids such as document.<operationId>.answer: --plan shows them'],
        { cause: error },
      );
    if (error instanceof TargetError)
      throw new CommandFailure(2, error.message, [`show the options: ${typed('conform --help')}`], {
        cause: error,
      });
    throw error;
  } finally {
    forget();
  }
}

/** @throws {CommandFailure} without a contract of the user: the built-in ones have the kill matrix */
async function tryItself(
  contracts: readonly Contract[],
  options: ConformOptions,
  context: Context,
): Promise<void> {
  const [contract] = contracts;
  if (options.contract === undefined || contract === undefined)
    throw new CommandFailure(2, '--self-test needs a contract of your own', [
      `such as: ${typed('conform --self-test --contract my.yaml,my.behaviour.yaml')}`,
    ]);
  const { conformSelfTest } = await import('./conform/self-test.ts');
  const { fixtures: file, json = false } = options;
  const fixtures = file === undefined ? undefined : await readFixturesFile(file, context);
  const module = await moduleOf(options.contract.document, context);
  await conformSelfTest(contract, { fixtures, module, json }, context);
}

type RunOptions = ConformanceOptions & { readonly contracts: readonly Contract[] };

async function runOptions(
  baseUrl: string | undefined,
  contracts: readonly Contract[],
  options: ConformOptions,
  context: Context,
): Promise<RunOptions> {
  const credential =
    options.anonymous === true ? undefined : givenCredential(contracts, options, context)?.credential;
  const parts = await ownParts(options, context);
  const { headers, sockets } = await networkOf(options, context);
  const { tokenCommand, plan } = options;
  // A plan neither sends requests nor runs commands.
  const token =
    tokenCommand === undefined ? undefined : plan ? PLANNED_TOKEN : await tokenFrom(tokenCommand, context);
  const { ownVersion } = await import('./own-version.ts');
  return {
    contracts,
    baseUrl,
    credential,
    token,
    headers,
    sockets,
    ...parts,
    allow: options.allow ?? [],
    maxRuns: options.maxRuns,
    rules: options.rule ?? [],
    levels: options.level ?? [],
    shard: options.shard,
    retries: options.retries,
    fuzz: options.fuzz,
    explore: options.explore,
    timeoutMs: options.timeout,
    toolVersion: ownVersion(),
    gate: await gateOf(options, context),
    paths: {
      folder: options.report,
      ...(options.fixtures === undefined ? {} : { fixturesFile: options.fixtures }),
      ...(options.contract === undefined ? {} : { contract: asTyped(options.contract) }),
    },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.maxWait === undefined ? {} : { longestWaitMs: options.maxWait }),
    ...(options.wait === undefined ? {} : { waitMs: options.wait }),
    ...(options.budget === undefined ? {} : { budgetMs: options.budget }),
    ...(options.keep === undefined ? {} : { keepBytes: options.keep }),
    ...(options.failFast === undefined ? {} : { failFast: options.failFast }),
  };
}

async function gateOf(options: ConformOptions, context: Context): Promise<Gate> {
  const baseline = await readBaseline(options.baseline, context);
  return {
    ...(options.strict === undefined ? {} : { strict: options.strict }),
    ...(options.failInconclusive === undefined ? {} : { failInconclusive: options.failInconclusive }),
    ...(options.require === undefined ? {} : { require: options.require }),
    // 0 is the same as no limit: a run that judged nothing still fails.
    ...((options.minExercised ?? 0) === 0 ? {} : { minExercised: options.minExercised }),
    ...(baseline === undefined ? {} : { baseline }),
  };
}

const PLANNED_TOKEN: TokenSource = { token: 'not asked for', renew: () => Promise.resolve('not asked for') };

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
