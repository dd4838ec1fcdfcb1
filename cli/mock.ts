import type { Command } from 'commander';
import { typed } from '../contract/index.ts';
import { makeCommand } from './command-line.ts';
import type { ApiConfig } from './config.ts';
import { withEnvironment } from './config/option-environment.ts';
import type { Context } from './context.ts';
import { carriedContracts } from './contracts/own-contracts.ts';
import { exchangeJson, exchangeLine } from './exchange-line.ts';
import { CommandFailure } from './failure.ts';
import { readyFile } from './files/ready-file.ts';
import { clientJudge } from './judge-client.ts';
import { servedApis } from './mock/config.ts';
import type { MockDocuments } from './mock/documents.ts';
import { addMockOptions } from './mock/flags.ts';
import type { MockCommandOptions } from './mock/flags.ts';
import { runBeside } from './mock/run-beside.ts';
import { addressesOf, announce, environmentOf, untilEnd } from './mock/session.ts';
import { mockSnapshotCommand } from './mock/snapshot.ts';
import { endingWithPackageManager } from './mock/started-by.ts';
import { certificateFile } from './mock/tls.ts';
import { checkDeviations, wantedMock } from './mock/wanted.ts';
import { watchDocuments } from './mock/watch-documents.ts';
import { addressFailure } from './network/address-failure.ts';

export function mockCommand(context: Context): Command {
  const command = makeCommand('mock', context.terminal)
    .description('run a live server that behaves as documented, with state and faults on demand')
    .argument(
      '[api...]',
      `${carriedContracts().join(', ')}, or an OpenAPI document of your own; default: all built-in APIs, on one port`,
    );
  const whole = addMockOptions(command).action(
    async (apis: readonly string[], given: MockCommandOptions, own: Command) => {
      const served = await servedApis(apis, given, own, context);
      await runMock(served, own.opts<MockCommandOptions>(), context);
    },
  );
  return withEnvironment(whole, 'TALLYSTICK_MOCK_', context.environment).addCommand(
    mockSnapshotCommand(context),
  );
}

// --- internal ---

async function runMock(
  served: readonly ApiConfig[],
  options: MockCommandOptions,
  outer: Context,
): Promise<void> {
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
    const named = served.map(({ document }) => document);
    const isUsual = named.join() === carriedContracts().join();
    const command = ['mock', ...(isUsual ? [] : named)];
    throw (await addressFailure(error, { port, host, command })) ?? error;
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
