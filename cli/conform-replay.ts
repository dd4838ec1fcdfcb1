import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Report, StoredExchange } from '../conformance/index.ts';
import { isRecord } from '../contract/index.ts';
import { baseUrlOf } from './base-url.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { typed } from './typed-command.ts';
import { readUserJson } from './user-file.ts';

/** Where `conform` writes its reports by default. */
export const reportFolder = 'tallystick-report';

interface ReplayCommandOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly freshKey?: true;
}

export function replayCommand(context: Context): Command {
  return makeCommand('replay', context.terminal)
    .description('send one exchange of a report again and compare the responses')
    .argument('<report>', `a report.json or its folder; also searched for in ${reportFolder}/`)
    .argument('<exchange>', 'the id of the exchange, such as x0018')
    .option('--api-key <key>', 'value of $API_KEY (safer: in the environment)')
    .option('--base-url <url>', 'send to this server instead of that of the report')
    .option('--fresh-key', 'use a new idempotency key')
    .action(async (file: string, exchange: string, options: ReplayCommandOptions) => {
      await replay(file, exchange, options, context);
    });
}

/**
 * Reads a report that `conform` wrote, named by its file or its folder.
 *
 * @throws {Failure} when there is none, or when it is not a report that this version can read
 */
export async function readReport(named: string, context: Context): Promise<Report> {
  const places = [named, join(named, 'report.json'), join(reportFolder, named)];
  const place = places.find((each) => isFile(resolve(context.cwd, each)));
  if (place === undefined)
    throw new Failure(2, `There is no report ${named}`, [
      `searched for: ${places.join(', ')}`,
      `to make one: ${typed('conform BASE_URL')}`,
    ]);
  const value = await readUserJson(place, context, [EXPECTED]);
  if (!isRecord(value) || !Array.isArray(value['rules']) || !Array.isArray(value['exchanges']))
    throw new Failure(2, `${place} is not a report of tallystick conform`, [EXPECTED]);
  if (value['schemaVersion'] !== 1)
    throw new Failure(
      2,
      `${place} has version ${JSON.stringify(value['schemaVersion'])} of the report format`,
      ['this version of tallystick reads version 1: use the version that wrote it'],
    );
  return value as unknown as Report;
}

// --- internal ---

async function replay(
  file: string,
  id: string,
  options: ReplayCommandOptions,
  context: Context,
): Promise<void> {
  const { ReplayError, replayExchange, secretsFor, socketTransport } =
    await import('../conformance/index.ts');
  const { sign } = context.terminal;
  const report = await readReport(file, context);
  const key =
    options.apiKey ??
    (context.environment['TALLYSTICK_API_KEY'] || context.environment['TALLYSTICK_BEARER'] || undefined);
  const secrets = {
    ...secretsFor(undefined, context.environment),
    ...(key === undefined ? {} : { $API_KEY: key }),
  };
  const { api } = report.exchanges.find((exchange) => exchange.id === id) ?? {};
  const recorded = report.target.origins?.[api ?? ''] ?? report.target.baseUrl;
  const address = baseUrlOf(options.baseUrl ?? recorded);
  const transport = socketTransport(address);
  try {
    const { before, now, same } = await replayExchange(report, id, {
      transport,
      secrets,
      host: address.host,
      ...(options.freshKey === undefined ? {} : { freshKey: crypto.randomUUID() }),
    });
    context.terminal.result(
      [
        `  sent  ${now.request.method} ${now.request.target}`,
        `  then  ${told(before)}`,
        `  now   ${told(now)}`,
        same
          ? `${sign.good} the same status and body as in the report`
          : `${sign.warning} the response differs from the report`,
      ].join('\n'),
    );
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    throw new Failure(2, error.message, [`show the options: ${typed('conform replay --help')}`], {
      cause: error,
    });
  } finally {
    transport.close?.();
  }
}

function told({ answer, failure }: StoredExchange): string {
  if (answer === undefined) return `no response: ${failure ?? 'unknown'}`;
  // Bodies come from the server: their control characters must not reach the terminal.
  const text = (answer.body?.text ?? '').replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return `${answer.status}  ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`;
}

const EXPECTED = 'expected the report.json of a run of conform';

function isFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isDirectory();
}
