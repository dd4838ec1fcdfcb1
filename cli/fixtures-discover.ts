import type { Command } from 'commander';
import type { Discovery, TokenSource } from '../conformance/index.ts';
import { baseUrlOf } from './base-url.ts';
import { duration, makeCommand, rate, wholeNumber } from './command-line.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failure.ts';
import { bearerOption, givenCredential } from './given-credential.ts';
import { addNetworkOptions, networkOf } from './network-options.ts';
import type { NetworkOptions } from './network-options.ts';
import { loadCarried } from './own-contracts.ts';
import { tokenCommandOption, tokenFrom } from './token-command.ts';
import { typed } from '../contract/index.ts';

interface DiscoverOptions extends NetworkOptions {
  readonly apiKey?: string;
  readonly bearer?: string;
  readonly tokenCommand?: string;
  readonly models?: number;
  readonly rate?: number;
  readonly maxWait?: number;
}

export function discoverCommand(context: Context): Command {
  const command = makeCommand('discover', context.terminal)
    .description(
      'fill in a fixtures file from the catalogue and the schemas of a live server; sends only GET requests',
    )
    .argument('<base-url>', 'such as https://api.example.com')
    .option('--api-key <key>', 'API key (safer: $TALLYSTICK_API_KEY)')
    .addOption(bearerOption())
    .addOption(tokenCommandOption());
  return addNetworkOptions(command)
    .option('--models <n>', 'number of models to read (default: 20)', wholeNumber(1, 1000))
    .option('--rate <rate>', 'maximum rate of requests, such as 5/s, 30/m or 100/h', rate)
    .option('--max-wait <time>', 'longest Retry-After of the server to wait for (default: 2m)', duration)
    .action((baseUrl: string, options: DiscoverOptions) => discover(baseUrl, options, context));
}

// --- internal ---

async function discover(baseUrl: string, options: DiscoverOptions, context: Context): Promise<void> {
  const { terminal } = context;
  const { adviceFor, discoverFixtures, fixturesTemplate, socketTransport, TargetError } =
    await import('../conformance/index.ts');
  const contracts = await loadCarried();
  const token =
    options.tokenCommand === undefined ? undefined : await tokenFrom(options.tokenCommand, context);
  const given = givenCredential(contracts, options, context) ?? bearerOf(token);
  if (given === undefined) {
    throw new CommandFailure(2, `No credential for ${baseUrl}: the catalogue cannot be read without one`, [
      'set $TALLYSTICK_API_KEY or $TALLYSTICK_BEARER, or add --api-key or --bearer',
    ]);
  }
  const stop = new AbortController();
  const forget = context.onSignal(() => stop.abort(new Error('interrupted')));
  const { headers, sockets } = await networkOf(options, context);
  const transport = socketTransport(baseUrlOf(baseUrl), sockets);
  try {
    const discovery = await discoverFixtures({
      contracts,
      baseUrl,
      credential: given.credential,
      token,
      headers,
      transport,
      signal: stop.signal,
      rate: options.rate,
      longestWaitMs: options.maxWait,
      ...(options.models === undefined ? {} : { most: options.models }),
    });
    if (!discovery.ok) throw failureOf(discovery, baseUrl, adviceFor(discovery.says));
    const found = {
      baseUrl,
      // The secret itself is never written to a file.
      ...(given.isKey
        ? { 'cred.apiKey': given.variable, 'cred.valid': { ...given.credential, value: given.variable } }
        : { 'cred.jwt': given.variable }),
      ...discovery.found,
    };
    terminal.result(fixturesTemplate(found).trimEnd());
    for (const note of discovery.notes) terminal.say(`${terminal.sign.info} ${note}`);
    terminal.say(`  save this as a file, fill in the rest, then: ${typed('fixtures check FILE')}`);
  } catch (error) {
    if (stop.signal.aborted) return context.exit(130);
    if (error instanceof TargetError) throw new CommandFailure(2, error.message, [], { cause: error });
    throw error;
  } finally {
    forget();
    transport.close?.();
  }
}

function bearerOf(token: TokenSource | undefined): ReturnType<typeof givenCredential> {
  if (token === undefined) return undefined;
  const credential = { header: 'Authorization', value: `Bearer ${token.token}` };
  return { credential, variable: '$TALLYSTICK_BEARER', isKey: false };
}

function failureOf(
  { why, says }: Extract<Discovery, { ok: false }>,
  baseUrl: string,
  advice: string | undefined,
): CommandFailure {
  switch (why) {
    case 'unreachable':
      return new CommandFailure(3, `${baseUrl} does not respond: ${says.replace(/^no response: /, '')}`, [
        advice ?? 'check the address, and that the server is running',
      ]);
    case 'busy':
      return new CommandFailure(3, `${baseUrl} refuses the requests: ${says}`, [
        'wait until it accepts requests again; to send fewer, add --rate 30/m; to wait longer, add --max-wait 10m',
      ]);
    case 'not-served':
      return new CommandFailure(3, `The catalogue is not served here: authenticated ${says}`, [
        `without a catalogue, start from a template: ${typed('fixtures --template')}`,
      ]);
    case 'credential':
      return new CommandFailure(2, `The credential was refused: ${says}`, [
        'use a credential that may read the catalogue',
      ]);
    case 'unreadable':
      return new CommandFailure(3, `${baseUrl} does not serve the catalogue: ${says}`, [
        'check that this is the address of the API, not of a website',
      ]);
  }
}
