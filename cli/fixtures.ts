import type { Command } from 'commander';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { readFixturesFile } from './fixtures-file.ts';
import { loadJudged } from './judged-contracts.ts';

export function fixturesCommand(context: Context): Command {
  const command = makeCommand('fixtures', context.terminal)
    .description('print the file that tells `conform` what a server has to offer')
    .option('--mock', 'filled in for the mock in its first state; the default')
    .option('--template', 'empty, with an explanation of every member')
    .action(async (options: { readonly template?: true }) => {
      context.terminal.result((options.template ? await template() : await ofTheMock()).trimEnd());
    });
  command.addCommand(
    makeCommand('check', context.terminal)
      .description('validate a fixtures file and say which rules it opens')
      .argument('<file>')
      .action((file: string) => check(file, context)),
  );
  return command;
}

// --- internal ---

async function template(): Promise<string> {
  const { fixturesTemplate } = await import('../conformance/index.ts');
  return fixturesTemplate();
}

async function ofTheMock(): Promise<string> {
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
