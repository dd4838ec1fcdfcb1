import type { Command } from 'commander';
import { makeCommand } from './command-line.ts';
import { baseUrlOf } from './network/base-url.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failure.ts';
import { discoverCommand } from './fixtures/discover.ts';
import { readFixturesFile } from './fixtures/file.ts';
import { loadJudged, ownDocument, ownOf } from './contracts/judged-contracts.ts';
import type { JudgedFlags } from './contracts/judged-contracts.ts';
import { overlayOption } from './contracts/overlay-option.ts';
import { moduleOf, suiteParts } from './contracts/own-module.ts';

export function fixturesCommand(context: Context): Command {
  const command = makeCommand('fixtures', context.terminal)
    .description('print a fixtures file, which declares for conform what a server offers')
    .option('--mock <control-url>', 'the control API of a running mock (default: a new mock)')
    .option('--template', 'print an empty file with an explanation of every property')
    .option(
      '--contract <document[,sheet]>',
      'print such an empty file for an API of your own: its OpenAPI document',
      ownDocument,
    )
    .addOption(overlayOption())
    .action(async (options: FixturesOptions) => {
      context.terminal.result((await fixturesText(options, context)).trimEnd());
    });
  command.addCommand(
    makeCommand('check', context.terminal)
      .description('validate a fixtures file and count the rules that it lets conform test')
      .argument('<file>', 'a fixtures file, JSON or YAML')
      .option('--contract <document[,sheet]>', 'for an API of your own: its OpenAPI document', ownDocument)
      .addOption(overlayOption())
      .action((file: string, options: JudgedFlags) => check(file, options, context)),
  );
  command.addCommand(discoverCommand(context));
  return command;
}

// --- internal ---

interface FixturesOptions extends JudgedFlags {
  readonly template?: true;
  readonly mock?: string;
}

async function fixturesText(options: FixturesOptions, context: Context): Promise<string> {
  if (ownOf(options) !== undefined) {
    const [contract] = await loadJudged(options, context);
    const { ownFixturesTemplate } = await import('../conformance/index.ts');
    if (contract !== undefined) return ownFixturesTemplate(contract);
  }
  if (options.template === true) return template();
  return options.mock === undefined ? ofAFreshMock() : ofARunningMock(options.mock);
}

async function ofARunningMock(controlUrl: string): Promise<string> {
  const address = `${baseUrlOf(controlUrl).href.replace(/(?<!\/)\/+$/, '')}/control/v1/fixtures`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return JSON.stringify(await response.json(), undefined, 2);
  } catch (cause) {
    const help = 'give the address of the control API, which the mock prints as Inspector when it starts';
    throw new CommandFailure(3, `${address} does not return fixtures: ${reasonOf(cause)}`, [help], { cause });
  }
}

/** How long a mock may take to respond, in milliseconds. */
const PATIENCE_MS = 10_000;

/** The reason of a failed request, without the wrapping of `fetch`. */
function reasonOf(error: unknown): string {
  const { cause } = error as { readonly cause?: unknown };
  if (cause instanceof Error) return cause.message;
  return error instanceof SyntaxError ? 'the response is not JSON' : (error as Error).message;
}

async function template(): Promise<string> {
  const { fixturesTemplate } = await import('../conformance/index.ts');
  return fixturesTemplate();
}

async function ofAFreshMock(): Promise<string> {
  const { createMock } = await import('../mock/index.ts');
  const mock = createMock();
  try {
    await mock.ready();
    return JSON.stringify(mock.fixtures(), undefined, 2);
  } finally {
    mock.close();
  }
}

async function check(file: string, flags: JudgedFlags, context: Context): Promise<void> {
  const { terminal } = context;
  const { permissions, planConformance } = await import('../conformance/index.ts');
  const fixtures = await readFixturesFile(file, context);
  const plan = planConformance({
    contracts: await loadJudged(flags, context),
    baseUrl: fixtures.baseUrl ?? 'http://localhost',
    ...suiteParts(await moduleOf(flags.contract?.document, context), fixtures),
    allow: permissions,
  });
  terminal.result(
    `${terminal.sign.good} ${file} is valid: with all permissions, conform can test ${plan.rulesOpen.length} rules`,
  );
  for (const { line, rules } of plan.missing) {
    if (line !== undefined) terminal.result(`  ${rules.length} more rules with  ${line}`);
  }
}
