import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { renderDiagnostics } from '../contract/index.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { loadContracts } from './own-contracts.ts';

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
    return JSON.stringify(await mock.fixtures(), undefined, 2);
  } finally {
    await mock.close();
  }
}

async function check(file: string, { terminal, cwd, environment }: Context): Promise<void> {
  const { permissions, planConformance, readFixtures } = await import('../conformance/index.ts');
  const text = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => {
    throw new Failure(
      2,
      `The fixtures file ${file} cannot be read`,
      ['start from: tallystick fixtures --template'],
      { cause },
    );
  });
  const read = readFixtures(text, environment, file);
  if (!read.ok) {
    const source = (): string => text;
    terminal.say(
      renderDiagnostics(read.diagnostics, { colour: terminal.colour.say, ascii: terminal.ascii, source }),
    );
    throw new Failure(2, `${file} cannot be used as a fixtures file`);
  }
  const plan = planConformance({
    contracts: await loadContracts(),
    baseUrl: read.fixtures.baseUrl ?? 'http://localhost',
    fixtures: read.fixtures,
    allow: permissions,
  });
  terminal.result(
    `${terminal.sign.good} ${file} is valid; with all permissions it opens ${plan.rulesOpen.length} rules`,
  );
  for (const { line, rules } of plan.missing) {
    if (line !== undefined) terminal.result(`  ${rules.length} more with  ${line}`);
  }
}
