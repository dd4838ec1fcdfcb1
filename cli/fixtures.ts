import type { Command } from 'commander';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { discoverCommand } from './fixtures-discover.ts';
import { readFixturesFile } from './fixtures-file.ts';
import { loadJudged } from './judged-contracts.ts';

export function fixturesCommand(context: Context): Command {
  const command = makeCommand('fixtures', context.terminal)
    .description('print the file that tells `conform` what a server has to offer')
    .option(
      '--mock <control-url>',
      'of a running mock, by the address of its control API (default: of a fresh one)',
    )
    .option('--template', 'empty, with an explanation of every member')
    .action(async (options: { readonly template?: true; readonly mock?: string }) => {
      context.terminal.result((await fixturesText(options)).trimEnd());
    });
  command.addCommand(
    makeCommand('check', context.terminal)
      .description('validate a fixtures file and say which rules it opens')
      .argument('<file>')
      .action((file: string) => check(file, context)),
  );
  command.addCommand(discoverCommand(context));
  return command;
}

// --- internal ---

async function fixturesText(options: { readonly template?: true; readonly mock?: string }): Promise<string> {
  if (options.template === true) return template();
  return options.mock === undefined ? ofAFreshMock() : ofARunningMock(options.mock);
}

async function ofARunningMock(controlUrl: string): Promise<string> {
  const address = `${controlUrl.replace(/\/+$/, '')}/control/v1/fixtures`;
  const unreachable = (cause?: unknown): Failure =>
    new Failure(
      3,
      `${address} does not answer with fixtures`,
      ['the banner of `tallystick mock` names its control API'],
      {
        cause,
      },
    );
  const response = await fetch(address).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  if (!response.ok) throw unreachable();
  return JSON.stringify(await response.json(), undefined, 2);
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

async function check(file: string, context: Context): Promise<void> {
  const { terminal } = context;
  const { permissions, planConformance } = await import('../conformance/index.ts');
  const fixtures = await readFixturesFile(file, context);
  const plan = planConformance({
    contracts: await loadJudged(undefined),
    baseUrl: fixtures.baseUrl ?? 'http://localhost',
    fixtures,
    allow: permissions,
  });
  terminal.result(
    `${terminal.sign.good} ${file} is valid; with all permissions it opens ${plan.rulesOpen.length} rules`,
  );
  for (const { line, rules } of plan.missing) {
    if (line !== undefined) terminal.result(`  ${rules.length} more with  ${line}`);
  }
}
