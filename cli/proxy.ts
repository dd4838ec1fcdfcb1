import { resolve } from 'node:path';
import { isIPv6 } from 'node:net';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Report } from '../conformance/index.ts';
import { typed, visible } from '../contract/index.ts';
import type { JudgedExchange, ProxyOptions, RunningProxy } from '../proxy/index.ts';
import { addressFailure } from './network/address-failure.ts';
import { list, listOf, makeCommand, wholeNumber } from './command-line.ts';
import type { Context } from './context.ts';
import { exchangeJson, exchangeLine } from './exchange-line.ts';
import { CommandFailure } from './failure.ts';
import { loadJudged, ownDocument, type OwnDocument } from './contracts/judged-contracts.ts';
import { withEnvironment } from './config/option-environment.ts';
import { carriedContracts } from './contracts/own-contracts.ts';
import { overlayOption } from './contracts/overlay-option.ts';
import { ownVersion } from './own-version.ts';
import { requireWritable } from './conform/baseline-file.ts';
import { prepareReports, writeReports, writeWhole } from './conform/report-files.ts';
import { runBeside } from './mock/run-beside.ts';
import { addSocketOptions, socketsOf, type SocketFlags } from './network/network-options.ts';

interface ProxyFlags extends SocketFlags {
  readonly api?: readonly string[];
  readonly contract?: OwnDocument;
  readonly overlay?: readonly string[];
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  /** `false` for `--no-control`. */
  readonly control: boolean;
  readonly controlPort?: number;
  readonly report?: string;
  readonly record?: string;
  readonly failOn?: readonly string[];
  readonly exec?: string;
  readonly json?: true;
  readonly quiet?: true;
}

const help = `
The proxy changes only Host and the headers of one connection, adds CDN-Loop, and sends no requests of its own. Links in answers lead to the
server: clients that follow them leave the proxy.
Exit codes: 0; with --fail-on, 1 when a rule of these levels is broken, or when no rule was judged; with --exec, the exit
code of the command if that is not 0.`;

export function proxyCommand(context: Context): Command {
  const command = makeCommand('proxy', context.terminal)
    .description('forward live traffic to a server, and judge it')
    .argument('<server>', 'the base URL of the server, such as https://api.example.com')
    .option('--api <names>', 'built-in APIs to judge by; default: all', listOf(carriedContracts()))
    .option('--contract <document,sheet>', 'judge by an OpenAPI document of your own', ownDocument)
    .addOption(overlayOption())
    .option('--port <number>', 'the port to listen on; 0 takes any free one', wholeNumber(0, 65_535), 4720)
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--allow-host <names>', 'more host names of the proxy, or of pages that may call it', hostNames)
    .option(
      '--control-port <number>',
      'the port of the inspector (default: the next one)',
      wholeNumber(0, 65_535),
    )
    .option('--no-control', 'serve no inspector');
  addSocketOptions(command)
    .option('--report <folder>', 'write the verdicts into this folder at the end, in every format')
    .option('--record <file>', 'write the exchanges into this file at the end (HAR), secrets masked')
    .addOption(
      new Option(
        '--fail-on <levels>',
        'exit with 1 if a rule of these levels is broken: must, should, client',
      ).argParser(listOf(['must', 'should', 'client'])),
    )
    .option('--exec <command>', 'run this command with $TALLYSTICK_PROXY_URL set, and end when it ends')
    .option('--json', 'print JSON lines on stdout: first the addresses, then each exchange')
    .option('--quiet', 'do not print exchanges')
    .addHelpText('after', help)
    .action(async (server: string, flags: ProxyFlags) => {
      await runProxy(urlOf(server), flags, context);
    });
  return withEnvironment(command, 'TALLYSTICK_PROXY_', context.environment);
}

// --- internal ---

async function runProxy(target: URL, flags: ProxyFlags, context: Context): Promise<void> {
  const { report: folder, record, exec } = flags;
  if (folder !== undefined) await prepareReports(folder, context);
  if (record !== undefined) requireWritable(record, context);
  const contracts = await loadJudged(flags, context);
  const sockets = await socketsOf(flags, context);
  const { startProxy } = await import('../proxy/index.ts');
  const running = await start(startProxy, flags, {
    ...{ target, contracts, port: flags.port, host: flags.host, toolVersion: ownVersion() },
    ...(flags.allowHost === undefined ? {} : { allowedHosts: flags.allowHost }),
    ...(flags.control ? {} : { controlPort: false }),
    ...(flags.controlPort === undefined ? {} : { controlPort: flags.controlPort }),
    sockets,
    ...(flags.quiet === true ? {} : { onExchange: (judged) => tell(judged, flags, context) }),
  });
  announce(running, target, flags, context);
  const { first, second, forget } = signals(context);
  try {
    const run = { ...context, onSignal: endingSignals(context) };
    const variables = { TALLYSTICK_PROXY_URL: running.url };
    const code = exec === undefined ? await first : await runBeside(exec, variables, run);
    await end(await running.stop(second), code, flags, context);
  } finally {
    forget();
  }
}

/** Prints and writes what passed, and decides the exit code. */
async function end(report: Report, code: number, flags: ProxyFlags, context: Context): Promise<void> {
  const broken = report.rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  await conclude(report, broken, flags, context);
  const isUnjudged = report.rules.every(({ verdict }) => !['pass', 'fail', 'warn'].includes(verdict));
  if (code !== 0) context.exit(code);
  else if (flags.failOn !== undefined && isUnjudged)
    throw new CommandFailure(1, 'no rule was judged, so --fail-on has nothing to pass', [
      'check that the clients call the proxy, and that the server can be reached',
    ]);
  else if (broken.some(({ level }) => flags.failOn?.includes(level))) context.exit(1);
}

async function start(
  startProxy: (options: ProxyOptions) => Promise<RunningProxy>,
  { port, host }: ProxyFlags,
  options: ProxyOptions,
): Promise<RunningProxy> {
  try {
    return await startProxy(options);
  } catch (error) {
    if (error instanceof RangeError)
      throw new CommandFailure(2, error.message, [`to see all options: ${typed('proxy --help')}`], {
        cause: error,
      });
    const command = ['proxy', options.target.href];
    throw (await addressFailure(error, { port, host, command })) ?? error;
  }
}

function announce(
  { url, controlUrl }: RunningProxy,
  target: URL,
  { json }: ProxyFlags,
  { terminal }: Context,
): void {
  if (json === true) {
    const addresses = { url, controlUrl, target: target.href, pid: process.pid };
    terminal.result(JSON.stringify({ schemaVersion: 1, event: 'ready', ...addresses }));
    return;
  }
  const row = (name: string, value: string): string =>
    `  ${terminal.sign.arrow}  ${name.padEnd(9)}  ${terminal.paint('cyan', value, 'say')}`;
  terminal.say(`  tallystick proxy ${ownVersion()}   to ${visible(target.href)}`);
  terminal.say(row('Call', url));
  if (controlUrl !== undefined) terminal.say(row('Inspector', controlUrl));
}

function tell({ entry, breaches }: JudgedExchange, { json }: ProxyFlags, { terminal }: Context): void {
  if (json === true) {
    terminal.result(exchangeJson(entry, { breaches }));
    return;
  }
  terminal.say(exchangeLine(entry, terminal));
  for (const { rule, expected, observed } of breaches)
    terminal.say(
      `          ${terminal.paint('red', terminal.sign.bad, 'say')} ${rule}: expected ${visible(expected)}; got ${visible(observed)}`,
    );
}

/** Prints the broken rules, and writes the requested files. */
async function conclude(
  report: Report,
  broken: Report['rules'],
  flags: ProxyFlags,
  context: Context,
): Promise<void> {
  const { terminal } = context;
  const { sent } = report.requests;
  const kept = report.rules.filter(({ verdict }) => verdict === 'pass').length;
  const exchanges = sent === 1 ? '1 exchange' : `${sent} exchanges`;
  terminal.say(`  ${exchanges} passed: ${kept} rules kept, ${broken.length} broken`);
  for (const { id, level, expected, observed, failed } of broken)
    terminal.say(
      `  ${terminal.paint('red', terminal.sign.bad, 'say')} ${id} (${level}, ${failed ?? 1}x): expected ${visible(expected ?? '')}; got ${visible(observed ?? '')}`,
    );
  for (const { says } of report.findings) terminal.say(`  ${terminal.sign.warning} ${visible(says)}`);
  if (broken.length > 0)
    terminal.say(`     the meaning of a rule: ${typed(`explain ${broken[0]?.id ?? ''}`)}`);
  if (flags.report !== undefined) terminal.say(await writeReports(report, flags.report, context));
  if (flags.record === undefined) return;
  const { renderReport } = await import('../conformance/index.ts');
  await writeWhole(resolve(context.cwd, flags.record), renderReport(report, 'har'));
  terminal.say(`  ${flags.record}  (secrets masked)`);
}

interface Signals {
  /** Resolves with 0. */
  readonly first: Promise<number>;
  readonly second: AbortSignal;
  readonly forget: () => void;
}

/** The first signal ends the proxy. The second one ends what is waited for, but not the process. */
function signals(context: Context): Signals {
  const second = new AbortController();
  let forget = (): void => undefined;
  const first = new Promise<number>((resolve) => {
    forget = endingSignals(context)((_, isSecond) => {
      if (isSecond === true) second.abort();
      resolve(0);
    });
  });
  return { first, second: second.signal, forget };
}

/** The signals of a command whose end is near after the second one, because what passed has yet to be written. */
function endingSignals({ onSignal }: Context): Context['onSignal'] {
  return (listener) =>
    onSignal((signal, isSecond) => {
      listener(signal, isSecond);
      return 'ending';
    });
}

/** Option parser: names of hosts, without ports. */
function hostNames(text: string, previous: readonly string[] | undefined): readonly string[] {
  const names = list(text, previous);
  if (names.every((name) => /^[\w.-]+$/.test(name) || isIPv6(name))) return names;
  throw new InvalidArgumentError('Expected host names without a port, such as proxy,app.example.test.');
}

/** @throws {CommandFailure} for a text that is not the address of a server */
function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '')
    return url;
  throw new CommandFailure(2, `"${text}" is not the base URL of a server`, [
    'expected one such as https://api.example.com, without a user and without a query',
  ]);
}
