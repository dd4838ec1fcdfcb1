import type { Command } from 'commander';
import { typed } from '../contract/index.ts';
import type { Contract } from '../contract/index.ts';
import { requireWritable, writeBaseline } from './conform/baseline-file.ts';
import { makeCommand } from './command-line.ts';
import { compareCommand } from './conform/compare.ts';
import { addConformOptions } from './conform/options.ts';
import type { ConformOptions } from './conform/options.ts';
import { cleanupCommand } from './conform/cleanup.ts';
import { replayCommand } from './conform/replay.ts';
import { reportCommand } from './conform/report.ts';
import { prepareReports, writeReports } from './conform/report-files.ts';
import { eventLines, progress } from './conform/run-events.ts';
import { runOptions } from './conform/run-options.ts';
import { settleTarget } from './conform/target.ts';
import type { Context } from './context.ts';
import { loadJudged } from './contracts/judged-contracts.ts';
import { moduleOf } from './contracts/own-module.ts';
import { CommandFailure } from './failure.ts';
import { readFixturesFile } from './fixtures/file.ts';
import { requireCredential } from './network/given-credential.ts';

export function conformCommand(context: Context): Command {
  const command = makeCommand('conform', context.terminal)
    .description('test a live server against every rule of the contract')
    .argument(
      '[base-url]',
      'such as https://api.example.com, or a target of tallystick.config (default: baseUrl of the fixtures file)',
    );
  return addConformOptions(command)
    .action(async (target: string | undefined, _given: ConformOptions, own: Command) => {
      const baseUrl = await settleTarget(target, own, context);
      await conform(baseUrl, own.opts<ConformOptions>(), context);
    })
    .addCommand(replayCommand(context))
    .addCommand(cleanupCommand(context))
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
    UnknownOperationError,
    UnknownRuleError,
    unsearchedLine,
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
    const unsearched = unsearchedLine(planConformance(run));
    if (unsearched !== undefined) terminal.say(unsearched);
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
    if (error instanceof UnknownOperationError)
      throw new CommandFailure(2, error.message, ['nothing was sent'], { cause: error });
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
