import { Option } from 'commander';
import type { Command } from 'commander';
import { constants } from 'node:os';
import { suggest, typed } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import type { OwnMockModule, OwnMockModules, RunningMock, StartOptions } from '../mock/index.ts';
import { clientJudge } from './judge-client.ts';
import { addressFailure } from './network/address-failure.ts';
import { eachUse, list, listOf, makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { printDiagnostics } from './diagnostics.ts';
import { exchangeJson, exchangeLine } from './exchange-line.ts';
import { CommandFailure } from './failure.ts';
import type { ApiConfig } from './config.ts';
import { mockBanner } from './mock/banner.ts';
import { servedApis } from './mock/config.ts';
import { watchDocuments } from './mock/watch-documents.ts';
import { ownCopies, readDocuments } from './mock/documents.ts';
import type { MockDocuments, OwnCopy, ReadDocuments } from './mock/documents.ts';
import { pressKey } from './mock/keys.ts';
import { mockSnapshotCommand } from './mock/snapshot.ts';
import { startOptionsOf, withMockOptions, type ClockChoice, type MockFlags } from './mock/options.ts';
import { certificateFile, tlsOf } from './mock/tls.ts';
import { readMockSettings } from './mock/settings.ts';
import { withEnvironment } from './config/option-environment.ts';
import { carriedContracts, requireDocument } from './contracts/own-contracts.ts';
import { moduleOf } from './contracts/own-module.ts';
import { readyFile } from './files/ready-file.ts';
import { runBeside } from './mock/run-beside.ts';
import { endingWithPackageManager } from './mock/started-by.ts';

interface MockOptions extends MockFlags {
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

export function mockCommand(context: Context): Command {
  const command = makeCommand('mock', context.terminal)
    .description('run a live server that behaves as documented, with state and faults on demand')
    .argument(
      '[api...]',
      `${carriedContracts().join(', ')}, or an OpenAPI document of your own; default: all built-in APIs, on one port`,
    )
    .option(
      '--without <apis>',
      'leave out a built-in API; its routes answer 404',
      listOf(carriedContracts()),
    );
  const whole = withMockOptions(command)
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
    .option(
      '--overlay <file>',
      'an OpenAPI Overlay 1.0 that corrects your OpenAPI document; may be used several times',
      eachUse,
    )
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
    .option('--quiet', 'do not print exchanges')
    .action(async (apis: readonly string[], given: MockOptions, own: Command) => {
      const served = await servedApis(apis, given, own, context);
      await runMock(served, own.opts<MockOptions>(), context);
    });
  return withEnvironment(whole, 'TALLYSTICK_MOCK_', context.environment).addCommand(
    mockSnapshotCommand(context),
  );
}

// --- internal ---

async function runMock(served: readonly ApiConfig[], options: MockOptions, outer: Context): Promise<void> {
  const started = performance.now();
  const context = options.keepRunning === true ? outer : endingWithPackageManager(outer);
  if (options.judgeClient === true && options.exec === undefined)
    throw new CommandFailure(2, '--judge-client needs --exec: it judges the calls of that command', [
      typed("mock --exec 'npm test' --judge-client"),
    ]);
  const { listDeviations, startMock } = await import('../mock/index.ts');
  const since = Date.now();
  const documents: MockDocuments = {
    foreign: served.filter(({ document }) => !carriedContracts().some((carried) => carried === document)),
    strict: options.strict,
    copies: options.contract ?? [],
    allowRemote: options.allowRemote,
  };
  const { wanted, files } = await wantedMock(
    served.map(({ document }) => document),
    documents,
    options,
    context,
  );
  checkDeviations(
    options.deviate ?? [],
    [...listDeviations(), ...listDeviations(wanted.contracts ?? [], wanted.modules)],
    served.map(({ document }) => document),
  );
  if (options.check === true) {
    const contracts = [...(wanted.contracts ?? []), ...(wanted.ownContracts ?? [])];
    if (contracts.length === 0)
      throw new CommandFailure(2, '--check needs an OpenAPI document of your own', [
        'give its path as the argument',
      ]);
    const { checkSchemas } = await import('./mock/check.ts');
    context.exit(await checkSchemas(contracts, context));
    return;
  }
  const ready = options.readyFile === undefined ? undefined : await readyFile(options.readyFile, context);
  const running = await startMock(wanted).catch(async (error: unknown) => {
    if (error instanceof RangeError)
      throw new CommandFailure(2, error.message, [`to see all options: ${typed('mock --help')}`], {
        cause: error,
      });
    const { port = 0, host = '127.0.0.1' } = wanted;
    throw (await addressFailure(error, { port, host })) ?? error;
  });
  let endWatch: (() => Promise<void>) | undefined;
  try {
    endWatch = await watchDocuments(documents, { files, since }, running, context);
    const milliseconds = Math.round(performance.now() - started);
    announce(running, milliseconds, options, context);
    await ready?.write(addressesOf(running));
    if (options.quiet !== true) {
      running.journal.watch((entry) => {
        if (options.json === true) context.terminal.result(exchangeJson(entry));
        else context.terminal.say(exchangeLine(entry, context.terminal));
      });
    }
    if (options.json === true)
      running.reloads.watch((reload) => {
        context.terminal.result(JSON.stringify({ schemaVersion: 1, event: 'reload', ...reload }));
      });
    const judge = options.judgeClient === true ? clientJudge(running, options.report, context) : undefined;
    if (options.exec === undefined) await untilEnd(running, options, context);
    else {
      const trusted = await certificateFile(running);
      const environment = { ...environmentOf(running), ...trusted.environment };
      const code = await runBeside(options.exec, environment, context).finally(trusted.remove);
      context.exit((await judge?.(code)) ?? code);
    }
  } finally {
    await Promise.all([endWatch?.(), running.stop()]);
  }
}

async function wantedMock(
  apis: readonly string[],
  documents: MockDocuments,
  options: MockOptions,
  context: Context,
): Promise<{ readonly wanted: StartOptions; readonly files: readonly string[] }> {
  const { without = [], settings, clock } = options;
  for (const { document } of documents.foreign) requireDocument(document, carriedContracts(), context);
  const { foreign, own, files } = await firstReading(documents, context);
  const ours = carriedContracts().filter(
    (name) => apis.includes(name) || own.some((copy) => copy.name === name),
  );
  const served = (apis.length === 0 ? carriedContracts() : ours).filter((name) => !without.includes(name));
  if (served.length + foreign.length === 0)
    throw new CommandFailure(2, '--without leaves nothing to serve', ['name fewer APIs with --without']);
  const wanted = startOptionsOf(
    options,
    settings === undefined ? {} : await readMockSettings(settings, context),
  );
  return {
    files,
    wanted: {
      ...wanted,
      ...(apis.length === 0 && without.length === 0 ? {} : { apis: served, contracts: foreign }),
      ...(own.length === 0 ? {} : { ownContracts: own }),
      modules: await modulesOf(foreign, documents, context),
      ...(await tlsOf(options, context)),
      ...(clock === undefined ? {} : { clock: await clockOf(clock, wanted.seed) }),
    },
  };
}

/** The modules of a configuration file for the documents, by contract. */
async function modulesOf(
  contracts: readonly Contract[],
  { foreign }: MockDocuments,
  context: Context,
): Promise<OwnMockModules> {
  const modules: Record<string, OwnMockModule> = {};
  for (const [index, { name }] of contracts.entries()) {
    const module = await moduleOf(foreign[index]?.document, context);
    if (module !== undefined) modules[name] = module;
  }
  return modules;
}

/** @throws {CommandFailure} when one of them cannot be used; the problem has been reported by then */
async function firstReading(
  documents: MockDocuments,
  context: Context,
): Promise<Extract<ReadDocuments, { ok: true }>> {
  const read = await readDocuments(documents, context);
  printDiagnostics(read.diagnostics, context);
  if (read.ok) return read;
  const errors = read.diagnostics.filter(({ severity }) => severity === 'error').length;
  throw new CommandFailure(
    2,
    `${read.broken.join(', ')} cannot be used: ${errors} ${errors === 1 ? 'error' : 'errors'}`,
  );
}

async function clockOf(
  { speed }: ClockChoice,
  seed: string | undefined,
): Promise<NonNullable<StartOptions['clock']>> {
  const { realClock, startOfSeeded } = await import('../mock/index.ts');
  return realClock(seed === undefined ? undefined : startOfSeeded, speed);
}

/** @param documents the contracts that the command serves */
function checkDeviations(
  wanted: readonly string[],
  listed: readonly { readonly id: string }[],
  documents: readonly string[],
): void {
  const known = listed.map(({ id }) => id);
  for (const id of wanted) {
    if (known.includes(id)) continue;
    const near = suggest(id, known) ?? known.find((candidate) => candidate.startsWith(`${id}~`));
    throw new CommandFailure(
      2,
      `There is no deviation ${id}${near === undefined ? '' : `. Did you mean ${near}?`}`,
      [`to list them: ${typed(['deviations', ...documents].join(' '))}`],
    );
  }
}

function announce(running: RunningMock, milliseconds: number, options: MockOptions, context: Context): void {
  const { terminal } = context;
  if (options.json === true)
    terminal.result(JSON.stringify({ schemaVersion: 1, event: 'ready', ...addressesOf(running) }));
  else if (options.printUrl === true) terminal.result(running.url);
  else {
    const facts = {
      milliseconds,
      data: options.data,
      deviations: options.deviate ?? [],
      keys: listensToKeys(options, context),
    };
    for (const line of mockBanner(running, facts, terminal)) terminal.say(line);
  }
}

function addressesOf({ url, controlUrl, certificate }: RunningMock): object {
  return { url, controlUrl, certificate, pid: process.pid };
}

function environmentOf(running: RunningMock): Record<string, string> {
  const control = running.controlUrl === undefined ? {} : { TALLYSTICK_MOCK_CONTROL_URL: running.controlUrl };
  return { TALLYSTICK_MOCK_URL: running.url, ...control };
}

/** Ends on a signal, or on the key for that. */
function untilEnd(running: RunningMock, options: MockOptions, context: Context): Promise<void> {
  const { onSignal, exit, terminal } = context;
  return new Promise((resolvePromise) => {
    const end = (code?: number): void => {
      forgetSignals();
      forgetKeys?.();
      if (code !== undefined) exit(code);
      resolvePromise();
    };
    const forgetSignals = onSignal((signal) => {
      end(signal === 'SIGTERM' ? undefined : 128 + constants.signals[signal]);
    });
    const forgetKeys = listensToKeys(options, context)
      ? context.onKey?.((key) => {
          pressKey(key, running, { terminal, quit: end }).catch((error: unknown) => {
            terminal.say(error instanceof Error ? error.message : String(error));
          });
        })
      : undefined;
  });
}

function listensToKeys({ json, printUrl, exec }: MockOptions, { onKey, terminal }: Context): boolean {
  return (
    onKey !== undefined && terminal.interactive && json !== true && printUrl !== true && exec === undefined
  );
}
