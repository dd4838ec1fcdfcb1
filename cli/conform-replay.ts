import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Report, StoredExchange } from '../conformance/index.ts';
import { isRecord, visible, shellWord, typed } from '../contract/index.ts';
import { baseUrlOf } from './base-url.ts';
import { readBounded } from './bounded-file.ts';
import { makeCommand } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { addNetworkOptions, networkOf } from './network-options.ts';
import type { NetworkOptions } from './network-options.ts';
import { tokenCommandOption, tokenFrom } from './token-command.ts';
import { parseUserJson } from './user-file.ts';

/** Where `conform` writes its reports by default. */
export const reportFolder = 'tallystick-report';

interface ReplayCommandOptions extends NetworkOptions {
  readonly tokenCommand?: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly trustReport?: true;
  readonly freshKey?: true;
}

export function replayCommand(context: Context): Command {
  const command = makeCommand('replay', context.terminal)
    .description('send one exchange of a report again and compare the responses')
    .argument('<report>', `a report.json or its folder; also searched for in ${reportFolder}/`)
    .argument('<exchange>', 'the id of the exchange, such as x0018')
    .option('--api-key <key>', 'value of $API_KEY (safer: in the environment)')
    .addOption(tokenCommandOption())
    .option('--base-url <url>', 'send to this server, with its secret')
    .option('--trust-report', 'send to the server that the report names')
    .option('--fresh-key', 'use a new idempotency key');
  return addNetworkOptions(command).action(
    async (file: string, exchange: string, options: ReplayCommandOptions) => {
      await replay(file, exchange, options, context);
    },
  );
}

/**
 * Reads a report that `conform` wrote, named by its file or its folder.
 *
 * @throws {Failure} when the report does not exist, or this version cannot read it
 */
export async function readReport(named: string, { cwd }: Context): Promise<Report> {
  const { parseReport, ShapeError } = await import('../conformance/index.ts');
  const places = [named, join(named, 'report.json'), join(reportFolder, named)];
  const place = places.find((each) => isFile(resolve(cwd, each)));
  if (place === undefined)
    throw new Failure(2, `There is no report ${named}`, [
      `searched for: ${places.join(', ')}`,
      `to make one: ${typed('conform BASE_URL')}`,
    ]);
  const text = await readBounded(resolve(cwd, place), place, MOST_BYTES);
  const help = ['expected the report.json of a run of conform'];
  const value = await parseUserJson(place, text, help);
  const version = isRecord(value) ? value['schemaVersion'] : undefined;
  if (version !== undefined && version !== 1)
    throw new Failure(2, `${place} has version ${JSON.stringify(version)} of the report format`, [
      'this version of tallystick reads version 1: use the version that wrote it',
    ]);
  try {
    return parseReport(text);
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause;
    throw new Failure(2, `${place} is not a report of tallystick conform: ${cause.message}`, help, { cause });
  }
}

// --- internal ---

async function replay(
  file: string,
  id: string,
  options: ReplayCommandOptions,
  context: Context,
): Promise<void> {
  const { ReplayError, exchangeIn, originOf, replayExchange, secretsFor, socketTransport, whyRefused } =
    await import('../conformance/index.ts');
  const { sign } = context.terminal;
  const report = await readReport(file, context);
  const key =
    options.apiKey ??
    (context.environment['TALLYSTICK_API_KEY'] ||
      (options.tokenCommand === undefined ? context.environment['TALLYSTICK_BEARER'] : undefined) ||
      undefined);
  const token =
    options.tokenCommand === undefined ? undefined : await tokenFrom(options.tokenCommand, context);
  const secrets = {
    ...secretsFor(undefined, context.environment),
    ...(token === undefined ? {} : { $API_KEY: token.token, $JWT: token.token }),
    ...(key === undefined ? {} : { $API_KEY: key }),
  };
  const { headers, sockets } = await networkOf(options, context);
  for (const header of headers) {
    const why = whyRefused(header, new Set());
    if (why !== undefined) throw new Failure(2, `--header: ${why}`);
  }
  const stop = new AbortController();
  const forget = context.onSignal(() => stop.abort(new Error('interrupted')));
  try {
    const recorded = originOf(exchangeIn(report, id), report.target);
    const address = baseUrlOf(options.baseUrl ?? trusted(recorded, file, id, options));
    const transport = socketTransport(address, sockets);
    const { before, now, same } = await replayExchange(report, id, {
      transport,
      secrets,
      headers,
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
          : `${sign.warning} the response differs from the report`,
      ].join('\n'),
    );
    if (stop.signal.aborted) context.exit(130);
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    throw new Failure(2, error.message, [`show the options: ${typed('conform replay --help')}`], {
      cause: error,
    });
  } finally {
    forget();
  }
}

/** The address that a report names: it may come from anybody, and so the user has to name it or to trust the report. */
function trusted(recorded: string, file: string, id: string, { trustReport }: ReplayCommandOptions): string {
  if (trustReport === true) return recorded;
  throw new Failure(
    2,
    `${id} was sent to ${recorded}. Name the server that may receive it, and with it the secret`,
    [
      `to send it there: ${typed(`conform replay ${shellWord(file)} ${id} --base-url ${recorded}`)}`,
      'to send it to whatever server the report names: add --trust-report',
    ],
  );
}

function told({ answer, failure }: StoredExchange): string {
  if (answer === undefined) return `no response: ${visible(failure ?? 'unknown')}`;
  const text = visible(answer.body?.text ?? '').replace(/ +/g, ' ');
  const unread = answer.unreadable === undefined ? '' : `  (${visible(answer.unreadable)})`;
  return `${answer.status}  ${text.length > 200 ? `${text.slice(0, 200)}…` : text}${unread}`;
}

function isFile(path: string): boolean {
  return existsSync(path) && !statSync(path).isDirectory();
}

/** A report that this version writes stays below. */
const MOST_BYTES = 256 * 1024 * 1024;
