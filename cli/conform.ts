import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { ConformanceOptions, RunEvent, TokenSource } from '../conformance/index.ts';
import { suggest, typed } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import { againstBaseline, readBaseline, requireWritable, writeBaseline } from './baseline-file.ts';
import { duration, list, listOf, makeCommand, rate, wholeNumber } from './command-line.ts';
import { compareCommand } from './conform-compare.ts';
import { replayCommand, reportFolder } from './conform-replay.ts';
import { reportCommand } from './conform-report.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { bearerOption, givenCredential } from './given-credential.ts';
import { addNetworkOptions, networkOf } from './network-options.ts';
import type { NetworkOptions } from './network-options.ts';
import { readFixturesFile } from './fixtures-file.ts';
import { loadJudged } from './judged-contracts.ts';
import { carriedContracts } from './own-contracts.ts';
import { prepareReports, writeReports } from './report-files.ts';
import { tokenCommandOption, tokenFrom } from './token-command.ts';

interface ConformOptions extends NetworkOptions {
  readonly api?: readonly string[];
  readonly apiKey?: string;
  readonly bearer?: string;
  readonly anonymous?: true;
  readonly tokenCommand?: string;
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

// Repeated here so that the help does not have to load the suite; a test compares the two lists.
export const permissionNames = ['negatives', 'billed', 'publish', 'jobs', 'slow', 'long'] as const;
const levelNames = ['must', 'must-not', 'should'];

export function conformCommand(context: Context): Command {
  const most = Number.MAX_SAFE_INTEGER;
  const command = makeCommand('conform', context.terminal)
    .description('test a live server against every rule of the contract')
    .argument('[base-url]', 'such as https://api.example.com (default: baseUrl of the fixtures file)')
    .option('--api-key <key>', 'API key (safer: $TALLYSTICK_API_KEY)')
    .addOption(bearerOption())
    .addOption(new Option('--anonymous', 'send no credential').conflicts(['apiKey', 'bearer']))
    .addOption(tokenCommandOption());
  return addNetworkOptions(command)
    .option(
      '--fixtures <file>',
      'what the server offers; to make such a file, see: tallystick fixtures --help',
    )
    .option(
      '--api <names>',
      `APIs to test: ${carriedContracts().join(', ')} (default: all)`,
      listOf(carriedContracts()),
    )
    .option('--rule <globs>', "rules to test, such as 'router.list.*'", list)
    .option('--level <levels>', `levels to test: ${levelNames.join(', ')}`, listOf(levelNames))
    .option(
      '--allow <kinds>',
      `requests allowed beyond reads: ${permissionNames.join(', ')}`,
      listOf(permissionNames),
    )
    .option('--max-runs <n>', 'maximum number of POSTs with a usable credential', wholeNumber(0, most))
    .option('--plan', 'print the requests that would be sent, and send nothing')
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
    .option('--shard <i/n>', 'test one of n parts, such as 1/4', shard)
    .option(
      '--keep <bytes>',
      'bytes to keep of each body in the report (default: 4096)',
      wholeNumber(0, 64_000_000),
    )
    .option('--fail-fast', 'stop at the first broken rule')
    .option('--strict', 'count warnings as findings')
    .option('--fail-inconclusive', 'count inconclusive rules as findings')
    .option('--require <globs>', 'rules that must be exercised', list)
    .option('--min-exercised <n>', 'minimum number of exercised rules', wholeNumber(0, most))
    .option(
      '--baseline <file>',
      'known failures: only other failures, and known ones that now pass, are findings',
    )
    .option('--write-baseline <file>', 'write the failures of this run as a baseline')
    .addOption(new Option('--report <folder>', 'folder for the reports').default(reportFolder))
    .option('--json', 'print the report as one JSON document')
    .option('--events', 'print events during the run, one JSON document per line')
    .action(async (baseUrl: string | undefined, options: ConformOptions) => {
      await conform(baseUrl, options, context);
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
    exitCode,
    isUnserved,
    planConformance,
    renderPlan,
    renderReport,
    ruleMatcher,
    runConformance,
    TargetError,
  } = await import('../conformance/index.ts');
  requireAddress(baseUrl);
  const contracts = await loadJudged(options.api);
  for (const globs of [options.rule, options.require]) requireKnownRules(globs ?? [], contracts, ruleMatcher);
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
      throw new Failure(2, error.message, [`show the options: ${typed('conform --help')}`], {
        cause: error,
      });
    throw error;
  } finally {
    forget();
  }
}

/** @throws {Failure} for a first argument that is neither an address nor a command */
function requireAddress(baseUrl: string | undefined): void {
  if (baseUrl === undefined || URL.canParse(baseUrl)) return;
  const near = suggest(baseUrl, ['replay', 'report', 'compare']);
  throw new Failure(
    2,
    `"${baseUrl}" is not a base URL${near === undefined ? '' : `. Did you mean the command ${near}?`}`,
    ['expected one such as https://api.example.com'],
  );
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
  const { headers, sockets } = await networkOf(options, context);
  const { tokenCommand, plan } = options;
  // A plan sends nothing, and runs nothing.
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
    ...(options.maxWait === undefined ? {} : { longestWaitMs: options.maxWait }),
    ...(options.wait === undefined ? {} : { waitMs: options.wait }),
    ...(options.budget === undefined ? {} : { budgetMs: options.budget }),
    ...(options.keep === undefined ? {} : { keepBytes: options.keep }),
    ...(options.failFast === undefined ? {} : { failFast: options.failFast }),
  };
}

function requireCredential(run: RunOptions, options: ConformOptions): void {
  const declared = run.fixtures?.cred;
  const hasOne = run.credential ?? run.token ?? declared?.valid ?? declared?.apiKey ?? declared?.jwt;
  if (hasOne !== undefined || options.anonymous === true) return;
  const place = options.fixtures ?? 'a fixtures file';
  throw new Failure(2, `No credential for ${run.baseUrl ?? run.fixtures?.baseUrl ?? 'the server'}`, [
    `looked for: --api-key, --bearer, $TALLYSTICK_API_KEY, $TALLYSTICK_BEARER, cred.valid in ${place}`,
    'if the server needs none, add --anonymous',
  ]);
}

const PLANNED_TOKEN: TokenSource = { token: 'not asked for', renew: () => Promise.resolve('not asked for') };

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
    if (event.event === 'wait') {
      const { exchange, status, milliseconds } = event;
      process.stderr.write(`\r  waiting ${milliseconds / 1000} s: ${exchange} returned ${status}\u001b[K`);
    }
    if (event.event === 'finished') process.stderr.write('\r\u001b[K');
  };
}

function shard(text: string): { readonly index: number; readonly count: number } {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (Number(index) >= 1 && Number(index) <= Number(count))
    return { index: Number(index), count: Number(count) };
  throw new InvalidArgumentError('Expected i/n with i from 1 to n, such as 1/4.');
}

/** @throws {Failure} for a glob that matches no rule: a misspelt one would test nothing, or require nothing */
function requireKnownRules(
  globs: readonly string[],
  contracts: readonly Contract[],
  matcherOf: (glob: string) => (id: string) => boolean,
): void {
  const ids = contracts.flatMap(({ sheet }) => sheet?.rules ?? []).map(({ id }) => id);
  for (const glob of globs) {
    if (ids.some(matcherOf(glob))) continue;
    const near = suggest(glob, ids);
    const names = contracts.map(({ name }) => name);
    throw new Failure(2, `No rule matches ${glob}${near === undefined ? '' : `. Did you mean ${near}?`}`, [
      ...names.map((name, index) => `${index === 0 ? 'list all:' : '         '} ${typed(`explain ${name}`)}`),
    ]);
  }
}
