import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCommand } from './command-line.ts';
import { configNames } from './config/config-file.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failure.ts';
import { carriedContracts, unknownApi } from './contracts/own-contracts.ts';
import { typed } from '../contract/index.ts';

interface InitOptions {
  readonly out: string;
  readonly server?: true;
}

export function initCommand(context: Context): Command {
  return makeCommand('init', context.terminal)
    .description('create tallystick.config.ts')
    .argument(
      '[api...]',
      `${carriedContracts().join(', ')}, or paths of OpenAPI documents (default: all built-in APIs)`,
    )
    .option('--out <folder>', 'folder for the generated code', 'src/tallystick')
    .option('--server', 'generate servers as well')
    .action(async (apis: readonly string[], options: InitOptions) => {
      await init(apis.length > 0 ? apis : carriedContracts(), options, context);
    });
}

// --- internal ---

async function init(
  apis: readonly string[],
  options: InitOptions,
  { cwd, terminal }: Context,
): Promise<void> {
  const known = configNames.find((name) => existsSync(join(cwd, name)));
  if (known !== undefined)
    throw new CommandFailure(2, `${known} already exists`, [
      'nothing was changed: edit it, or remove it first',
    ]);
  for (const api of apis) {
    if (carriedContracts().some((name) => name === api) || existsSync(join(cwd, api))) continue;
    throw unknownApi(api, carriedContracts());
  }
  await writeFile(join(cwd, 'tallystick.config.ts'), configText(apis, options), { flag: 'wx' });
  terminal.result(`${terminal.sign.good} tallystick.config.ts`);
  const scripts = await scriptsOf(cwd);
  terminal.say(`Next   ${typed('generate')}           generates the code`);
  terminal.say(`       ${typed('generate --check')}   in CI: fails when the code is out of date`);
  if (scripts !== undefined && scripts['generate'] === undefined)
    terminal.say('       in package.json, add to the scripts: "generate": "tallystick generate"');
}

function configText(apis: readonly string[], { out, server }: InitOptions): string {
  const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;
  return [
    "import { defineConfig } from 'tallystick';",
    '',
    'export default defineConfig({',
    '  generate: {',
    `    apis: [${apis.map(text).join(', ')}],`,
    `    out: ${text(out)},`,
    ...(server === true ? ['    server: true,'] : []),
    '  },',
    '});',
    '',
  ].join('\n');
}

async function scriptsOf(cwd: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const { scripts } = JSON.parse(await readFile(join(cwd, 'package.json'), 'utf8')) as {
      scripts?: Readonly<Record<string, unknown>>;
    };
    return scripts ?? {};
  } catch {
    return undefined;
  }
}
