import type { Command } from 'commander';
import type { Replay, Report, StoredExchange } from '../../conformance/index.ts';
import { typed } from '../../contract/index.ts';
import { baseUrlOf } from '../network/base-url.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { bearerOption } from '../network/given-credential.ts';
import type { CredentialOptions } from '../network/given-credential.ts';
import { networkOf } from '../network/network-options.ts';
import type { NetworkOptions } from '../network/network-options.ts';
import { tokenCommandOption, tokenFrom } from '../network/token-command.ts';

/** Where the requests of a report are sent again, and with which secrets. */
export interface RecordedOptions extends CredentialOptions, NetworkOptions {
  readonly baseUrl?: string;
  readonly trustReport?: true;
}

/** Adds the options for the server and the secrets of requests that are sent again. */
export function addRecordedOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'send to this server, with its secret')
    .option('--trust-report', 'send to the server that the report names')
    .option('--api-key <key>', 'API key (safer: in the environment)')
    .addOption(bearerOption())
    .addOption(tokenCommandOption());
}

/** Sends requests of a report again. */
export interface RecordedRequests {
  /** Where the requests of an exchange's API went in the run, and where they go now. */
  readonly addressOf: (exchange: StoredExchange) => { readonly recorded: string; readonly now: URL };
  readonly send: (exchange: StoredExchange, freshKey?: string) => Promise<Replay>;
}

/**
 * Prepares to send requests of a report, runs `work`, and closes the connections.
 *
 * @param command the rest of the command line after `conform`, for a message about the address
 * @throws {CommandFailure} with exit code 2 when a part of a request is not known; 130 is the exit code of an interruption
 */
export async function withRecorded(
  report: Report,
  { command, about }: { readonly command: string; readonly about: string },
  options: RecordedOptions,
  context: Context,
  work: (requests: RecordedRequests) => Promise<void>,
): Promise<void> {
  const { ReplayError, originOf, replayExchange, secretsFor, socketTransport, whyRefused } =
    await import('../../conformance/index.ts');
  const key =
    options.apiKey ??
    options.bearer ??
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
    if (why !== undefined) throw new CommandFailure(2, `--header: ${why}`);
  }
  const stop = new AbortController();
  const forget = context.onSignal(() => stop.abort(new Error('interrupted')));
  const addressOf: RecordedRequests['addressOf'] = (exchange) => {
    const recorded = originOf(exchange, report.target);
    const again = typed(`conform ${command} --base-url ${recorded}`);
    return { recorded, now: baseUrlOf(options.baseUrl ?? trusted(recorded, about, again, options)) };
  };
  const send: RecordedRequests['send'] = async (exchange, freshKey) => {
    const { now: address } = addressOf(exchange);
    const transport = socketTransport(address, sockets);
    // The others say what is secret.
    const exchanges = [exchange, ...report.exchanges];
    return replayExchange({ ...report, exchanges }, exchange.id, {
      ...{ transport, secrets, headers, host: address.host, signal: stop.signal },
      ...(freshKey === undefined ? {} : { freshKey }),
    }).finally(() => transport.close?.());
  };
  try {
    await work({ addressOf, send });
    if (stop.signal.aborted) context.exit(130);
  } catch (error) {
    if (!(error instanceof ReplayError)) throw error;
    const [name = ''] = command.split(' ');
    const help = [`show the options: ${typed(`conform ${name} --help`)}`];
    throw new CommandFailure(2, error.message, help, { cause: error });
  } finally {
    forget();
  }
}

/**
 * The address that a report names. The report may be from another author, so the user has to name the address
 * or trust the report.
 */
export function trusted(
  recorded: string,
  what: string,
  command: string,
  { trustReport }: Pick<RecordedOptions, 'trustReport'>,
): string {
  if (trustReport === true) return recorded;
  throw new CommandFailure(
    2,
    `${what} was sent to ${recorded}. Name the server that may receive it together with the secret`,
    [`to send it there: ${command}`, 'to send it to the server that the report names: add --trust-report'],
  );
}
