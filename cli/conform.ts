import { Option } from 'commander';
import type { Command } from 'commander';
import type { ConformanceOptions, RunEvent } from '../conformance/index.ts';
import type { Contract } from '../contract/index.ts';
import { againstBaseline, readBaseline, writeBaseline } from './baseline-file.ts';
import { duration, list, listOf, makeCommand, wholeNumber } from './command-line.ts';
import { compareCommand } from './conform-compare.ts';
import { replayCommand, reportFolder } from './conform-replay.ts';
import { reportCommand } from './conform-report.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { givenCredential } from './given-credential.ts';
import { readFixturesFile } from './fixtures-file.ts';
import { loadJudged } from './judged-contracts.ts';
import { carriedContracts } from './own-contracts.ts';
import { writeReports } from './report-files.ts';

interface ConformOptions {
  readonly api?: readonly string[];
  readonly apiKey?: string;
  readonly bearer?: string;
  readonly anonymous?: true;
  readonly fixtures?: string;
  readonly allow?: readonly (typeof permissionNames)[number][];
  readonly maxRuns?: number;
  readonly rule?: readonly string[];
  readonly level?: readonly string[];
  readonly plan?: true;
  readonly seed?: number;
  readonly fuzz?: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly concurrency?: number;
  readonly rate?: number;
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

// Known here as well, so that the help does not have to load the suite; a test holds the two together.
export const permissionNames = ['negatives', 'billed', 'publish', 'jobs', 'slow', 'long'] as const;
const levelNames = ['must', 'must-not', 'should'];

export function conformCommand(context: Context): Command {
  const most = Number.MAX_SAFE_INTEGER;
  return (
    makeCommand('conform', context.terminal)
      // `--json` and `--api-key` behind a subcommand are that one's own.
      .enablePositionalOptions()
      .description('give a verdict for every documented rule of a live server')
      .argument('[base-url]', 'such as https://api.example.com; default: baseUrl of the fixtures file')
      .option('--api-key <key>', 'an API key; better in $TALLYSTICK_API_KEY')
      .option('--bearer <token>', 'a bearer token; better in $TALLYSTICK_BEARER')
      .option('--anonymous', 'send no credential')
      .option('--fixtures <file>', 'what the server has to offer; start from: tallystick fixtures --template')
      .option(
        '--api <names>',
        `of ${carriedContracts().join(', ')}; default: all that it has scenarios for`,
        listOf(carriedContracts()),
      )
      .option('--rule <globs>', "rules to judge, such as 'router.list.*'", list)
      .option('--level <levels>', `of ${levelNames.join(', ')}`, listOf(levelNames))
      .option(
        '--allow <kinds>',
        `requests beyond reading: ${permissionNames.join(', ')}`,
        listOf(permissionNames),
      )
      .option('--max-runs <n>', 'POSTs with a usable credential at most', wholeNumber(0, most))
      .option('--plan', 'print what would be sent, and send nothing')
      .option('--wait <time>', 'wait so long for the server to answer at all, such as 60s', duration)
      .option('--timeout <time>', 'for one read, such as 10s; a run has the deadline of the server', duration)
      .option('--budget <time>', 'stop after this time', duration)
      .option('--concurrency <n>', 'scenarios at the same time', wholeNumber(1, 64))
      .option('--rate <n>', 'requests per second at most', wholeNumber(1, 1_000_000))
      .option('--retries <n>', 'repeat what the environment can disturb', wholeNumber(0, 10))
      .option('--seed <n>', 'of the random choices', wholeNumber(0, most))
      .option(
        '--fuzz <n>',
        'so many random requests for each kind of request that they can break',
        wholeNumber(1, 10_000),
      )
      .option('--shard <i/n>', 'judge one of n parts', shard)
      .option('--keep <bytes>', 'of each body in the report; default 4096', wholeNumber(0, 64_000_000))
      .option('--fail-fast', 'stop at the first broken rule')
      .option('--strict', 'warnings count as findings')
      .option('--fail-inconclusive', 'what could not be decided counts as a finding')
      .option('--require <globs>', 'rules that must have been exercised', list)
      .option('--min-exercised <n>', 'so many rules must have been exercised', wholeNumber(0, most))
      .option('--baseline <file>', 'known failures: only others, and entries that pass by now, are findings')
      .option('--write-baseline <file>', 'write the failures of this run as known ones')
      .addOption(new Option('--report <folder>', 'where the reports go').default(reportFolder))
      .option('--json', 'the report as one JSON document on stdout')
      .option('--events', 'what happens as it happens, one JSON document a line on stdout')
      .action(async (baseUrl: string | undefined, options: ConformOptions) => {
        await conform(baseUrl, options, context);
      })
      .addCommand(replayCommand(context))
      .addCommand(reportCommand(context))
      .addCommand(compareCommand(context))
  );
}

// --- internal ---

async function conform(
  baseUrl: string | undefined,
  options: ConformOptions,
  context: Context,
): Promise<void> {
  const { terminal, exit } = context;
  const { exitCode, isUnserved, planConformance, renderPlan, renderReport, runConformance, TargetError } =
    await import('../conformance/index.ts');
  const contracts = await loadJudged(options.api);
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
    requireCredential(run, options);
    const known = await readBaseline(options.baseline, context);
    const onEvent = options.events === true ? eventLines(terminal) : progress(terminal);
    // Until the reports are written: a run that is interrupted still tells what it did.
    forget = context.onSignal(() => stop.abort(new Error('interrupted')));
    const report = await runConformance({ ...run, signal: stop.signal, onEvent });
    if (options.events !== true)
      terminal.result(
        options.json === true
          ? renderReport(report, 'json').trimEnd()
          : renderReport(report, 'text', {
              colour: terminal.colour.result,
              ascii: terminal.ascii,
              gate: options,
              folder: options.report,
            }).trimEnd(),
      );
    await writeReports(report, options.report, context);
    if (options.writeBaseline !== undefined) await writeBaseline(report, options.writeBaseline, context);
    const code = exitCode(report, options);
    if (report.status === 'interrupted' && stop.signal.aborted) exit(130);
    else if (code >= 2 || known === undefined) exit(code);
    else exit((await againstBaseline(report, known, context)) || (isUnserved(report) ? 3 : 0));
  } catch (error) {
    if (error instanceof TargetError)
      throw new Failure(2, error.message, ['tallystick conform --help'], { cause: error });
    throw error;
  } finally {
    forget();
  }
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
  const fixtures =
    options.fixtures === undefined ? undefined : await readFixturesFile(options.fixtures, context);
  const { ownVersion } = await import('./own-version.ts');
  return {
    contracts,
    baseUrl,
    credential,
    fixtures: options.anonymous === true ? { ...fixtures, cred: {} } : fixtures,
    allow: options.allow ?? [],
    maxRuns: options.maxRuns,
    rules: options.rule ?? [],
    levels: options.level ?? [],
    shard: options.shard,
    retries: options.retries,
    fuzz: options.fuzz,
    timeoutMs: options.timeout,
    toolVersion: ownVersion(),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.rate === undefined ? {} : { rate: options.rate }),
    ...(options.wait === undefined ? {} : { waitMs: options.wait }),
    ...(options.budget === undefined ? {} : { budgetMs: options.budget }),
    ...(options.keep === undefined ? {} : { keepBytes: options.keep }),
    ...(options.failFast === undefined ? {} : { failFast: options.failFast }),
  };
}

function requireCredential(run: RunOptions, options: ConformOptions): void {
  const declared = run.fixtures?.cred;
  const hasOne = run.credential ?? declared?.valid ?? declared?.apiKey ?? declared?.jwt;
  if (hasOne !== undefined || options.anonymous === true) return;
  const place = options.fixtures ?? 'a fixtures file';
  throw new Failure(2, `No credential for ${run.baseUrl ?? run.fixtures?.baseUrl ?? 'the server'}`, [
    `looked at: --api-key, --bearer, $TALLYSTICK_API_KEY, $TALLYSTICK_BEARER, cred.valid in ${place}`,
    'a server that asks for none: add --anonymous',
  ]);
}

/** For programs that follow a run: the plan in numbers, each judgement, and the sum at the end. */
function eventLines({ result }: Context['terminal']): (event: RunEvent) => void {
  return (event) => {
    if (event.event === 'planned') {
      const { baseUrl, identity, requestsAtMost, billedAtMost, rulesOpen, rulesClosed } = event.plan;
      const plan = { baseUrl, identity, requestsAtMost, billedAtMost };
      const rules = { open: rulesOpen.length, closed: rulesClosed.length };
      result(JSON.stringify({ schemaVersion: 1, event: 'planned', ...plan, rules }));
    } else if (event.event === 'finished') {
      const { status, summary, findings, durationMs } = event.report;
      result(JSON.stringify({ event: 'finished', status, summary, findings, durationMs }));
    } else result(JSON.stringify(event));
  };
}

/** One line that moves on a terminal; silence elsewhere. */
function progress(terminal: Context['terminal']): (event: RunEvent) => void {
  if (!terminal.interactive) return () => undefined;
  return (event) => {
    if (event.event === 'scenario') process.stderr.write(`\r  ${event.done}/${event.of} ${event.id}\u001b[K`);
    if (event.event === 'finished') process.stderr.write('\r\u001b[K');
  };
}

function shard(text: string): { readonly index: number; readonly count: number } {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (Number(index) >= 1 && Number(index) <= Number(count))
    return { index: Number(index), count: Number(count) };
  throw new Failure(2, `--shard ${text}: expected i/n, such as 1/4`, ['tallystick conform --help']);
}
