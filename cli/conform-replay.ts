import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Report, StoredExchange } from '../conformance/index.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** Where `conform` leaves its reports unless it is told otherwise. */
export const reportFolder = 'tallystick-report';

interface ReplayCommandOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly freshKey?: true;
}

export function replayCommand(context: Context): Command {
  return makeCommand('replay', context.terminal)
    .description('send one exchange of a report again, and compare the answers')
    .argument('<report>', `a report.json, or the folder that it is in; also looked for in ${reportFolder}/`)
    .argument('<exchange>', 'its id, such as x0018')
    .option('--api-key <key>', 'stands for $API_KEY; better in the environment')
    .option('--base-url <url>', 'another server than that of the report')
    .option('--fresh-key', 'with an idempotency key that was never used')
    .action(async (file: string, exchange: string, options: ReplayCommandOptions) => {
      await replay(file, exchange, options, context);
    });
}

/** Reads a report that `conform` wrote, named by its file or its folder. */
export async function readReport(named: string, { cwd }: Context): Promise<Report> {
  const places = [named, join(named, 'report.json'), join(reportFolder, named)].map((place) =>
    resolve(cwd, place),
  );
  for (const place of places) {
    const text = await readFile(place, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const report = parseReport(text);
    if (report !== undefined) return report;
    throw new Failure(2, `${named} is no report of tallystick conform`, [
      'expected the report.json of a run',
    ]);
  }
  throw new Failure(2, `There is no report ${named}`, ['make one: tallystick conform <base-url>']);
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
  const key = options.apiKey ?? context.environment['TALLYSTICK_API_KEY'];
  const secrets = {
    ...secretsFor(undefined, context.environment),
    ...(key === undefined ? {} : { $API_KEY: key }),
  };
  const { api } = report.exchanges.find((exchange) => exchange.id === id) ?? {};
  const recorded = report.target.origins?.[api ?? ''] ?? report.target.baseUrl;
  const address = addressOf(options.baseUrl ?? recorded);
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
          : `${sign.warning} not what the report has`,
      ].join('\n'),
    );
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    throw new Failure(2, error.message, ['tallystick conform replay --help'], { cause: error });
  } finally {
    transport.close?.();
  }
}

function addressOf(text: string): URL {
  if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text);
  throw new Failure(2, `${text} is no address of a server`, ['expected one such as https://api.example.com']);
}

function told({ answer, failure }: StoredExchange): string {
  if (answer === undefined) return `no answer: ${failure ?? 'unknown'}`;
  // Bodies come from a server that nobody here controls: no control character of theirs reaches the terminal.
  const text = (answer.body?.text ?? '').replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ');
  return `${answer.status}  ${text.length > 200 ? `${text.slice(0, 200)}…` : text}`;
}

function parseReport(text: string): Report | undefined {
  try {
    const value = JSON.parse(text) as Partial<Report> | null;
    const isReport =
      Array.isArray(value?.rules) && Array.isArray(value.exchanges) && value.target !== undefined;
    return isReport ? (value as Report) : undefined;
  } catch {
    return undefined;
  }
}
