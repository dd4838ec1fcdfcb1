import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { GivenHeader, SocketOptions } from '../../conformance/index.ts';
import { typed } from '../../contract/index.ts';
import type { Context } from '../context.ts';
import { CommandFailure } from '../failure.ts';
import { proxiesOf } from './proxies.ts';
import { readTlsFiles } from '../files/tls-files.ts';

/** The options of `addNetworkOptions`. */
export interface NetworkOptions extends SocketFlags {
  readonly header?: readonly string[];
}

/** The options of `addSocketOptions`. */
export interface SocketFlags {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
  /** `false` for `--no-proxy`. */
  readonly proxy?: URL | false;
}

/** Adds the options of every command that sends requests to a server under test. */
export function addNetworkOptions(command: Command): Command {
  return addSocketOptions(
    command.option(
      '--header <line>',
      "header to send with every request, such as 'X-Tenant: acme' or 'X-Gateway-Key: $NAME' (repeatable)",
      (line: string, previous: readonly string[] | undefined) => [...(previous ?? []), line],
    ),
  );
}

/** Adds the options of every command that connects to a server. */
export function addSocketOptions(command: Command): Command {
  return command
    .option('--cert <file>', 'client certificate (PEM)')
    .option('--key <file>', 'its private key (PEM); passphrase: $TALLYSTICK_KEY_PASSPHRASE')
    .option('--ca <file>', 'certificates to trust as well (PEM)')
    .addOption(
      new Option('--proxy <url>', 'send through this proxy (default: $HTTPS_PROXY, $HTTP_PROXY)').argParser(
        proxyAddress,
      ),
    )
    .option('--no-proxy', 'use no proxy, even if the environment names one');
}

/**
 * The headers and the sockets for the options.
 *
 * @throws {CommandFailure} for a malformed header, and for a file that is missing or has the wrong content
 */
export async function networkOf(
  options: NetworkOptions,
  context: Pick<Context, 'cwd' | 'environment' | 'terminal'>,
): Promise<{ readonly headers: readonly GivenHeader[]; readonly sockets: SocketOptions }> {
  const headers = (options.header ?? []).map((line) => headerIn(line, context.environment));
  return { headers, sockets: await socketsOf(options, context) };
}

/**
 * The sockets for the options.
 *
 * @throws {CommandFailure} for a file that is missing or has the wrong content
 */
export async function socketsOf(
  flags: SocketFlags,
  context: Pick<Context, 'cwd' | 'environment' | 'terminal'>,
): Promise<SocketOptions> {
  return {
    proxyFor: proxiesOf(flags.proxy, context.environment),
    tls: await readTlsFiles(flags, context),
  };
}

// --- internal ---

/** The line is not repeated in messages: its value may be a secret. */
function headerIn(line: string, environment: Context['environment']): GivenHeader {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  // A line break is kept, and refused later, because it would add a second header.
  const text = line
    .slice(colon + 1)
    .replace(/^[ \t]+/, '')
    .trimEnd();
  const help = `show the options: ${typed('conform --help')}`;
  if (name === '' || /\s/.test(name))
    throw new CommandFailure(2, "--header: expected a name and a value, such as 'X-Tenant: acme'", [help]);
  const variable = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1];
  if (variable === undefined) return [name, text];
  const value = environment[variable];
  if (value === undefined || value === '')
    throw new CommandFailure(2, `--header: ${name} reads $${variable}, which is not set`, [
      `set it: export ${variable}=…`,
    ]);
  return [name, value];
}

function proxyAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.hostname !== '') return url;
  // A Failure and not an InvalidArgumentError, whose message repeats the text: it may contain a password.
  if (text.includes('@'))
    throw new CommandFailure(2, '--proxy: expected an address such as http://proxy.example.com:3128', []);
  throw new InvalidArgumentError('Expected an address such as http://proxy.example.com:3128.');
}
