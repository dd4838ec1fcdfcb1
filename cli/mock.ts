import { Option } from 'commander';
import type { Command } from 'commander';
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findPolicy, suggest } from '../contract/index.ts';
import type { RunningMock, StartOptions } from '../mock/index.ts';
import { duration, list, makeCommand, wholeNumber } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { loadContracts } from './own-contracts.ts';
import { ownVersion } from './own-version.ts';
import { runBeside } from './run-beside.ts';

const DEFAULT_PORT = 4710;

interface MockOptions {
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly deviate?: readonly string[];
  readonly profile?: 'faithful' | 'legal-but-odd' | 'not-rolled-out';
  readonly deadline?: number;
  readonly exec?: string;
  readonly readyFile?: string;
  readonly printUrl?: true;
  readonly quiet?: true;
}

export function mockCommand(context: Context): Command {
  return makeCommand('mock', context.terminal)
    .description('run a live server that behaves as documented, with state and faults on demand')
    .option(
      '--port <n>',
      `of the API; 0 takes a free one (default: ${DEFAULT_PORT}, with --exec a free one)`,
      wholeNumber(0, 65_535),
    )
    .option('--control-port <n>', 'of the control API (default: the next one)', wholeNumber(0, 65_535))
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
    .option(
      '--exec <command>',
      'run a command beside the mock with $TALLYSTICK_MOCK_URL set, end with its exit code',
    )
    .option('--ready-file <file>', 'write the addresses into this file as JSON once the mock answers')
    .option('--print-url', 'print the address alone on stdout')
    .option('--quiet', 'do not report requests')
    .action(async (options: MockOptions) => {
      await runMock(options, context);
    });
}

// --- internal ---

async function runMock(options: MockOptions, context: Context): Promise<void> {
  const started = performance.now();
  const { terminal } = context;
  const mocks = await import('../mock/index.ts');
  checkDeviations(
    options.deviate ?? [],
    mocks.listDeviations().map(({ id }) => id),
  );
  const port = options.port ?? (options.exec === undefined ? DEFAULT_PORT : 0);
  const running = await start(mocks.startMock, port, options);
  try {
    if (options.printUrl === true) terminal.result(running.url);
    else await banner(running, Math.round(performance.now() - started), context);
    if (options.readyFile !== undefined)
      await writeReadyFile(resolve(context.cwd, options.readyFile), running);
    if (options.exec === undefined) await untilSignal(context);
    else context.exit(await runBeside(options.exec, environmentOf(running), context));
  } finally {
    await running.stop();
  }
}

type Start = (options: StartOptions) => Promise<RunningMock>;

async function start(startMock: Start, port: number, options: MockOptions): Promise<RunningMock> {
  try {
    return await startMock({
      port,
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(options.controlPort === undefined ? {} : { controlPort: options.controlPort }),
      ...(options.deviate === undefined ? {} : { deviations: options.deviate }),
      ...(options.profile === undefined ? {} : { profile: options.profile }),
      ...(options.deadline === undefined ? {} : { deadlineMs: options.deadline }),
    });
  } catch (error) {
    throw addressFailure(error) ?? error;
  }
}

function addressFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code, port, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  const options = { cause: error };
  switch (code) {
    case 'EADDRINUSE':
      return new Failure(
        2,
        `Port ${port ?? '?'} is in use`,
        [
          `if it is a mock of yours: http://localhost:${port ?? '?'}    or take a free port: tallystick mock --port 0`,
        ],
        options,
      );
    case 'EACCES':
      return new Failure(
        2,
        `Port ${port ?? '?'} needs more rights`,
        ['take one above 1023: tallystick mock --port 4710'],
        options,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Failure(
        2,
        `${address ?? 'The host'} is no address of this machine`,
        ['tallystick mock --host 127.0.0.1'],
        options,
      );
    default:
      return undefined;
  }
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

async function banner(running: RunningMock, milliseconds: number, { terminal }: Context): Promise<void> {
  const { say, paint } = terminal;
  const contracts = await loadContracts();
  const credentials = contracts
    .map((contract) => findPolicy(contract, 'credentials'))
    .find((policy) => policy !== undefined);
  const key = `${credentials?.keyPrefix ?? ''}mock-ok`;
  const names = contracts.map(({ name }) => name).join(' · ');
  say(`  tallystick mock ${ownVersion()}   ${names}   ready in ${milliseconds} ms`);
  say(`  ${terminal.ascii ? '->' : '➜'}  API      ${paint('cyan', running.url, 'say')}`);
  say(
    `  ${terminal.ascii ? '->' : '➜'}  Control  ${paint('cyan', `${running.controlUrl}/control/v1/`, 'say')}`,
  );
  say(`     Key      ${key}   (outcomes on demand: tallystick scenarios)`);
  say('     State    in memory, lost on exit');
  say(`     Try      curl ${running.url}/v1/models -H '${credentials?.keyHeader ?? ''}: ${key}'`);
}

async function writeReadyFile(file: string, running: RunningMock): Promise<void> {
  const text = `${JSON.stringify({ url: running.url, controlUrl: running.controlUrl, pid: process.pid })}\n`;
  // Whoever waits for the file must never read half of it.
  await writeFile(`${file}.partial`, text);
  await rename(`${file}.partial`, file);
}

function environmentOf(running: RunningMock): Record<string, string> {
  return { TALLYSTICK_MOCK_URL: running.url, TALLYSTICK_MOCK_CONTROL_URL: running.controlUrl };
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
