import { Option } from 'commander';
import type { Command } from 'commander';
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findPolicy, suggest } from '../contract/index.ts';
import type { RunningMock, StartOptions } from '../mock/index.ts';
import { addressFailure } from './address-failure.ts';
import { duration, list, makeCommand, wholeNumber } from './command-line.ts';
import type { Context } from './context.ts';
import { exchangeJson, exchangeLine } from './exchange-line.ts';
import { Failure } from './failure.ts';
import { carriedContracts, loadCarried, loadNamed } from './own-contracts.ts';
import { ownVersion } from './own-version.ts';
import { runBeside } from './run-beside.ts';

const DEFAULT_PORT = 4710;

interface MockOptions {
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly deviate?: readonly string[];
  readonly profile?: NonNullable<StartOptions['profile']>;
  readonly deadline?: number;
  readonly cors?: string;
  readonly allowRemote?: readonly string[];
  readonly exec?: string;
  readonly readyFile?: string;
  readonly printUrl?: true;
  readonly json?: true;
  readonly quiet?: true;
}

export function mockCommand(context: Context): Command {
  const port = wholeNumber(0, 65_535);
  return makeCommand('mock', context.terminal)
    .description('run a live server that behaves as documented, with state and faults on demand')
    .argument(
      '[api...]',
      `${carriedContracts().join(', ')}, or an OpenAPI document of yours; default: all of ours`,
    )
    .option(
      '--port <n>',
      `of the API, 0 for a free one (default: ${DEFAULT_PORT}; with --exec: a free one)`,
      port,
    )
    .option('--control-port <n>', 'of the control API (default: the next one)', port)
    .option('--host <name>', 'address to listen on (default: 127.0.0.1)')
    .option('--deviate <id>', 'break one rule on purpose; see: tallystick deviations', list)
    .addOption(
      new Option('--profile <name>', 'what the contract leaves open, chosen so').choices([
        'faithful',
        'legal-but-odd',
        'not-rolled-out',
      ]),
    )
    .option('--deadline <time>', 'of a run, such as 2s', duration)
    .option('--allow-remote <hosts>', 'hosts that a document may take $refs from', list)
    .option('--cors <origin>', 'pages that may call: an origin, * or off (default: those of this machine)')
    .option(
      '--exec <command>',
      'run it beside the mock with $TALLYSTICK_MOCK_URL set, end with its exit code',
    )
    .option('--ready-file <file>', 'write the addresses into this file as JSON once the mock answers')
    .option('--print-url', 'print the address alone on stdout')
    .option('--json', 'one JSON document a line on stdout: first the addresses, then each exchange')
    .option('--quiet', 'say nothing about exchanges')
    .action(async (apis: readonly string[], options: MockOptions) => {
      await runMock(apis, options, context);
    });
}

// --- internal ---

async function runMock(apis: readonly string[], options: MockOptions, context: Context): Promise<void> {
  const started = performance.now();
  const { listDeviations, startMock } = await import('../mock/index.ts');
  checkDeviations(
    options.deviate ?? [],
    listDeviations().map(({ id }) => id),
  );
  const running = await startMock(await startOptions(apis, options, context)).catch(
    async (error: unknown) => {
      throw (await addressFailure(error)) ?? error;
    },
  );
  try {
    await announce(running, Math.round(performance.now() - started), options, context);
    if (options.quiet !== true) {
      running.journal.watch((entry) => {
        if (options.json === true) context.terminal.result(exchangeJson(entry));
        else context.terminal.say(exchangeLine(entry, context.terminal));
      });
    }
    if (options.exec === undefined) await untilSignal(context);
    else context.exit(await runBeside(options.exec, environmentOf(running), context));
  } finally {
    await running.stop();
  }
}

async function startOptions(
  apis: readonly string[],
  options: MockOptions,
  context: Context,
): Promise<StartOptions> {
  const { ours, foreign } = await loadNamed(
    apis,
    carriedContracts(),
    options.allowRemote === undefined ? {} : { allowRemote: options.allowRemote },
    context,
  );
  return {
    port: options.port ?? (options.exec === undefined ? DEFAULT_PORT : 0),
    ...(apis.length === 0 ? {} : { apis: ours, contracts: foreign }),
    ...(options.host === undefined ? {} : { host: options.host }),
    ...(options.controlPort === undefined ? {} : { controlPort: options.controlPort }),
    ...(options.deviate === undefined ? {} : { deviations: options.deviate }),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.deadline === undefined ? {} : { deadlineMs: options.deadline }),
    ...(options.cors === undefined ? {} : { cors: options.cors }),
  };
}

function checkDeviations(wanted: readonly string[], known: readonly string[]): void {
  for (const id of wanted) {
    if (known.includes(id)) continue;
    const near = suggest(id, known) ?? known.find((candidate) => candidate.startsWith(`${id}~`));
    throw new Failure(
      2,
      `There is no deviation ${id}${near === undefined ? '' : `. Did you mean ${near}?`}`,
      ['all of them: tallystick deviations'],
    );
  }
}

async function announce(
  running: RunningMock,
  milliseconds: number,
  options: MockOptions,
  context: Context,
): Promise<void> {
  const { terminal } = context;
  const addresses = { url: running.url, controlUrl: running.controlUrl, pid: process.pid };
  if (options.json === true)
    terminal.result(JSON.stringify({ schemaVersion: 1, event: 'ready', ...addresses }));
  else if (options.printUrl === true) terminal.result(running.url);
  else await banner(running, milliseconds, options, terminal);
  if (options.readyFile !== undefined) {
    const file = resolve(context.cwd, options.readyFile);
    // Whoever waits for the file must never read half of it.
    await writeFile(`${file}.partial`, `${JSON.stringify(addresses)}\n`);
    await rename(`${file}.partial`, file);
  }
}

async function banner(
  running: RunningMock,
  milliseconds: number,
  options: MockOptions,
  { say, paint, sign }: Context['terminal'],
): Promise<void> {
  const [contract] = await loadCarried(['router']);
  const credentials = contract === undefined ? undefined : findPolicy(contract, 'credentials');
  const key = `${credentials?.keyPrefix ?? ''}mock-ok`;
  say(`  tallystick mock ${ownVersion()}   ready in ${milliseconds} ms`);
  say(`  ${sign.arrow}  API      ${paint('cyan', running.url, 'say')}`);
  if (running.controlUrl !== undefined)
    say(`  ${sign.arrow}  Control  ${paint('cyan', running.controlUrl, 'say')}/control/v1/`);
  say(`     Key      ${key}   (outcomes on demand: tallystick scenarios)`);
  say('     State    in memory, lost on exit');
  for (const id of options.deviate ?? []) say(`  ${sign.warning}  Breaks   ${id}`);
  say(
    `     Try      curl ${running.url}/v1/models -H '${credentials?.keyHeader ?? 'Authorization'}: ${key}'`,
  );
}

function environmentOf(running: RunningMock): Record<string, string> {
  const control = running.controlUrl === undefined ? {} : { TALLYSTICK_MOCK_CONTROL_URL: running.controlUrl };
  return { TALLYSTICK_MOCK_URL: running.url, ...control };
}

function untilSignal({ onSignal, exit }: Context): Promise<void> {
  return new Promise((resolvePromise) => {
    const forget = onSignal((signal) => {
      forget();
      if (signal === 'SIGINT') exit(130);
      resolvePromise();
    });
  });
}
