import type { Command } from 'commander';
import type { Discovery } from '../conformance/index.ts';
import { makeCommand, wholeNumber } from './command-line.ts';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { givenCredential } from './given-credential.ts';
import { loadCarried } from './own-contracts.ts';

interface DiscoverOptions {
  readonly apiKey?: string;
  readonly bearer?: string;
  readonly models?: number;
}

export function discoverCommand(context: Context): Command {
  return makeCommand('discover', context.terminal)
    .description('fill in what the catalogue and the schema documents of a live server tell; sends GETs only')
    .argument('<base-url>', 'such as https://api.example.com')
    .option('--api-key <key>', 'an API key; better in $TALLYSTICK_API_KEY')
    .option('--bearer <token>', 'a bearer token; better in $TALLYSTICK_BEARER')
    .option('--models <n>', 'models to look at; default 20', wholeNumber(1, 1000))
    .action((baseUrl: string, options: DiscoverOptions) => discover(baseUrl, options, context));
}

// --- internal ---

async function discover(baseUrl: string, options: DiscoverOptions, context: Context): Promise<void> {
  const { terminal } = context;
  const { discoverFixtures, fixturesTemplate, socketTransport, TargetError } =
    await import('../conformance/index.ts');
  const contracts = await loadCarried();
  const given = givenCredential(contracts, options, context);
  if (given === undefined) {
    throw new Failure(2, `No credential for ${baseUrl}: the catalogue is not shown without one`, [
      'looked at: --api-key, --bearer, $TALLYSTICK_API_KEY, $TALLYSTICK_BEARER',
    ]);
  }
  const stop = new AbortController();
  const forget = context.onSignal(() => stop.abort(new Error('interrupted')));
  const transport = socketTransport(addressOf(baseUrl));
  try {
    const discovery = await discoverFixtures({
      contracts,
      baseUrl,
      credential: given.credential,
      transport,
      signal: stop.signal,
      ...(options.models === undefined ? {} : { most: options.models }),
    });
    if (!discovery.ok) throw failureOf(discovery, baseUrl);
    const { header } = given.credential;
    const found = {
      baseUrl,
      // The secret itself stands in no file.
      ...(given.isKey
        ? { 'cred.apiKey': given.variable, 'cred.valid': { header, value: given.variable } }
        : { 'cred.jwt': given.variable }),
      ...discovery.found,
    };
    terminal.result(fixturesTemplate(found).trimEnd());
    for (const note of discovery.notes) terminal.say(`${terminal.sign.info} ${note}`);
    terminal.say('  the rest is yours to fill in; then: tallystick fixtures check FILE');
  } catch (error) {
    if (stop.signal.aborted) return context.exit(130);
    if (error instanceof TargetError) throw new Failure(2, error.message, [], { cause: error });
    throw error;
  } finally {
    forget();
    transport.close?.();
  }
}

function addressOf(text: string): URL {
  if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text);
  throw new Failure(2, `"${text}" is no base URL. It looks like https://api.example.com`);
}

function failureOf({ why, says }: Extract<Discovery, { ok: false }>, baseUrl: string): Failure {
  switch (why) {
    case 'unreachable':
      return new Failure(3, `${baseUrl} does not answer: ${says}`, ['nothing was discovered']);
    case 'not-served':
      return new Failure(3, `The router is not served here: authenticated ${says}`, [
        'there is no catalogue to read; start from: tallystick fixtures --template',
      ]);
    case 'credential':
      return new Failure(2, `The credential was refused: ${says}`, [
        'give one that may read the catalogue: $TALLYSTICK_API_KEY',
      ]);
    case 'unreadable':
      return new Failure(3, `${baseUrl} does not serve the router: ${says}`, [
        'is this the address of the API, and not that of a website?',
      ]);
  }
}
