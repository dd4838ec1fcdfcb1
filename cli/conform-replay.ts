import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Report, StoredExchange } from '../conformance/index.ts';
import { shellWord, visible } from '../contract/index.ts';
import { readBounded } from './bounded-file.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';

/** Where `conform` leaves its reports unless it is told otherwise. */
export const reportFolder = 'tallystick-report';

interface ReplayCommandOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly trustReport?: true;
  readonly freshKey?: true;
}

export function replayCommand(context: Context): Command {
  return makeCommand('replay', context.terminal)
    .description('send one exchange of a report again, and compare the answers')
    .argument('<report>', `a report.json, or the folder that it is in; also looked for in ${reportFolder}/`)
    .argument('<exchange>', 'its id, such as x0018')
    .option('--api-key <key>', 'stands for $API_KEY; better in the environment')
    .option('--base-url <url>', 'the server that it goes to; its secret goes there too')
    .option('--trust-report', 'send it to the server that the report names')
    .option('--fresh-key', 'with an idempotency key that was never used')
    .action(async (file: string, exchange: string, options: ReplayCommandOptions) => {
      await replay(file, exchange, options, context);
    });
}

/** Reads a report that `conform` wrote, named by its file or its folder. */
export async function readReport(named: string, { cwd }: Context): Promise<Report> {
  const { parseReport, ShapeError } = await import('../conformance/index.ts');
  const places = [named, join(named, 'report.json'), join(reportFolder, named)].map((place) =>
    resolve(cwd, place),
  );
  for (const place of places) {
    const text = await readBounded(place, named, MOST_BYTES).catch((error: unknown) => {
      if (error instanceof Failure) throw error;
    });
    if (text === undefined) continue;
    try {
      return parseReport(text);
    } catch (cause) {
      if (!(cause instanceof ShapeError)) throw cause;
      const help = ['expected the report.json of a run'];
      throw new Failure(2, `${named} is no report of tallystick conform: ${cause.message}`, help, { cause });
    }
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
  const { ReplayError, exchangeIn, originOf, replayExchange, secretsFor, socketTransport } =
    await import('../conformance/index.ts');
  const { sign } = context.terminal;
  const report = await readReport(file, context);
  const key = options.apiKey ?? context.environment['TALLYSTICK_API_KEY'];
  const secrets = {
    ...secretsFor(undefined, context.environment),
    ...(key === undefined ? {} : { $API_KEY: key }),
  };
  const stop = new AbortController();
  const forget = context.onSignal(() => stop.abort(new Error('interrupted')));
  try {
    const recorded = originOf(exchangeIn(report, id), report.target);
    const address = addressOf(options.baseUrl ?? trusted(recorded, file, id, options));
    const transport = socketTransport(address);
    const { before, now, same } = await replayExchange(report, id, {
      transport,
      secrets,
      host: address.host,
      signal: stop.signal,
      ...(options.freshKey === undefined ? {} : { freshKey: crypto.randomUUID() }),
    }).finally(() => transport.close?.());
    const { method, target, as } = now.request;
    const other = recorded === address.origin ? '' : `, in the report ${recorded}`;
    context.terminal.result(
      [
        `  sent  ${visible(`${method} ${target}`)}`,
        `  to    ${address.origin}${other}, caller: ${visible(as)}`,
        `  then  ${told(before)}`,
        `  now   ${told(now)}`,
        same
          ? `${sign.good} the same status and body as in the report`
          : `${sign.warning} not what the report has`,
      ].join('\n'),
    );
    if (stop.signal.aborted) context.exit(130);
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    throw new Failure(2, error.message, ['tallystick conform replay --help'], { cause: error });
  } finally {
    forget();
  }
}

/** The address that a report names: it may come from anybody, and so this takes a word of the user. */
function trusted(recorded: string, file: string, id: string, { trustReport }: ReplayCommandOptions): string {
  if (trustReport === true) return recorded;
  throw new Failure(
    2,
    `${id} was sent to ${recorded}. Say which server it may go to: its secret goes there too.`,
    [
      `that one: tallystick conform replay ${shellWord(file)} ${id} --base-url ${recorded}`,
      'the one that the report names, whatever it is: --trust-report',
    ],
  );
}

function addressOf(text: string): URL {
  if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text);
  throw new Failure(2, `${text} is no address of a server`, ['expected one such as https://api.example.com']);
}

function told({ answer, failure }: StoredExchange): string {
  if (answer === undefined) return `no answer: ${visible(failure ?? 'unknown')}`;
  const text = visible(answer.body?.text ?? '').replace(/ +/g, ' ');
  const unread = answer.unreadable === undefined ? '' : `  (${visible(answer.unreadable)})`;
  return `${answer.status}  ${text.length > 200 ? `${text.slice(0, 200)}…` : text}${unread}`;
}

/** A report that this version writes stays below. */
const MOST_BYTES = 256 * 1024 * 1024;
