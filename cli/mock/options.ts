import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { typed } from '../../contract/index.ts';
import { moduleSettings } from '../../mock/apis/settings.ts';
import type { ModuleFlag, ModuleOptions } from '../../mock/apis/module-settings.ts';
import type { ScenarioToForce, StartOptions } from '../../mock/index.ts';
import { duration, list, wholeNumber } from '../command-line.ts';
import type { MockSettings } from './settings.ts';

export const DEFAULT_PORT = 4710;

/** The command-line options of `mock` about the mock itself; the options of modules by their names. */
export interface MockFlags extends Readonly<Record<string, unknown>> {
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly https?: true;
  readonly cert?: string;
  readonly key?: string;
  readonly controlToken?: string;
  readonly publicUrl?: string;
  readonly deviate?: readonly string[];
  readonly profile?: NonNullable<StartOptions['profile']>;
  readonly deadline?: number;
  readonly callsInFlight?: number;
  readonly judge?: 'prism';
  readonly cors?: string;
  readonly scenario?: readonly ScenarioToForce[];
  readonly latency?: number;
  readonly clock?: ClockChoice;
  readonly data?: string;
  readonly dynamic?: true;
  readonly seed?: string;
  readonly errors?: true;
  readonly exec?: string;
}

/** The speed of the clock: its milliseconds per real millisecond, 0 for a frozen one. */
export interface ClockChoice {
  readonly speed: number;
}

/** Adds the options for the behaviour of the mock, in the order of the help. */
export function withMockOptions(command: Command): Command {
  const port = wholeNumber(0, 65_535);
  const whole = command
    .option(
      '--port <n>',
      `port of the API; 0 takes a free one (default: ${DEFAULT_PORT}; with --exec: a free one)`,
      port,
    )
    .option('--control-port <n>', 'port of the control API and the inspector (default: the next one)', port)
    .option('--host <name>', 'address to listen on (default: 127.0.0.1)')
    .option('--https', 'serve the API over TLS, with a new self-signed certificate')
    .option('--cert <file>', 'serve the API over TLS, with this certificate (PEM)')
    .option('--key <file>', 'the private key of --cert (PEM), if that file does not contain it')
    .option(
      '--control-token <text>',
      'the token that the control port requires (default: a random one if --host is not loopback)',
    )
    .option(
      '--public-url <url>',
      'the address that clients use, for absolute links (default: the one in each request)',
    )
    .option('--cors <origin>', 'the origin whose pages may call, * or off (default: pages of this machine)')
    .option('--data <folder>', 'keep state in this folder, so that it survives kill -9 (default: in memory)')
    .option(
      '--dynamic',
      'make up answers from the schemas of your OpenAPI document, in place of its examples',
    )
    .option(
      '--seed <text>',
      'the same ids and answers in each run with this seed; the clock starts on a fixed day',
    )
    .option('--errors', 'answer 500 in place of an answer that breaks your OpenAPI document')
    .option('--scenario <wish>', 'force a scenario, such as slow or "queue-full;after=2;times=1"', wishes)
    .option('--latency <time>', 'delay every answer by this time, such as 300ms', duration)
    .option(
      '--clock <speed>',
      'real, frozen, or a factor: with x60 an hour takes a minute (default: real)',
      clockChoice,
    )
    .option('--deadline <time>', 'the deadline of a run, such as 2s', duration)
    .option(
      '--calls-in-flight <n>',
      'how many calls of one caller may run at once if your own sheet limits capacity (default: the limit of the sheet)',
      wholeNumber(1, 1_000_000),
    )
    .addOption(
      new Option('--profile <name>', 'a set of choices for what the contract leaves open').choices([
        'faithful',
        'legal-but-odd',
        'not-rolled-out',
      ]),
    )
    .addOption(
      new Option(
        '--judge <name>',
        'have Prism judge each request and answer as a whole: slower, with the same findings',
      ).choices(['prism']),
    )
    .option('--deviate <id>', `break one rule on purpose; to list them: ${typed('deviations')}`, list);
  for (const flag of moduleFlags) whole.addOption(optionOf(flag));
  return whole;
}

/** The options that the mock is started with: flags take precedence over the settings file. */
export function startOptionsOf(flags: MockFlags, settings: MockSettings = {}): StartOptions {
  const { port, exec, deadline, deviate, scenario = [], latency, ...rest } = flags;
  const forced = [...scenario, ...(latency === undefined ? [] : [always({ name: 'latency', ms: latency })])];
  return {
    ...definedOf(settings),
    ...moduleOptionsOf(flags, settings),
    port: port ?? (exec === undefined ? DEFAULT_PORT : 0),
    ...definedOf({
      host: rest.host,
      https: rest.https,
      controlPort: rest.controlPort,
      controlToken: rest.controlToken,
      publicUrl: rest.publicUrl ?? settings.publicUrl,
      profile: rest.profile ?? settings.profile,
      cors: rest.cors ?? settings.cors,
      deviations: deviate,
      data: rest.data,
      answers: answersOf(flags),
      seed: rest.seed,
      judge: rest.judge,
      deadlineMs: deadline ?? settings.deadlineMs,
      callsInFlight: rest.callsInFlight ?? settings.callsInFlight,
      // The first one that matches a call decides.
      scenarios: forced.length === 0 ? settings.scenarios : [...forced, ...(settings.scenarios ?? [])],
    }),
  };
}

/**
 * Option parser: `NAME[;after=N][;times=N][;ms=N]`, all uses together. Without `times` it applies to every
 * call.
 */
export function wishes(
  text: string,
  previous: readonly ScenarioToForce[] | undefined,
): readonly ScenarioToForce[] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim());
  const counts: { after?: number; times?: number; ms?: number } = {};
  for (const parameter of parameters) {
    const [, key, value] = /^(after|times|ms)=(\d{1,9})$/.exec(parameter) ?? [];
    if (key !== 'after' && key !== 'times' && key !== 'ms')
      throw new InvalidArgumentError(`Expected NAME;after=N;times=N;ms=N, got ${parameter}.`);
    counts[key] = Number(value);
  }
  return [...(previous ?? []), always({ name, ...counts })];
}

/** Option parser: `real`, `frozen` or a factor such as `x60`. */
function clockChoice(text: string): ClockChoice {
  const factor = /^x(\d{1,6}(?:\.\d{1,3})?)$/.exec(text)?.[1];
  if (text === 'real') return { speed: 1 };
  if (text === 'frozen') return { speed: 0 };
  if (factor !== undefined) return { speed: Number(factor) };
  throw new InvalidArgumentError(
    `Expected real, frozen or a factor such as x60.${/^\d+x?$/.test(text) ? ` Did you mean x${text.replace('x', '')}?` : ''}`,
  );
}

// --- internal ---

function answersOf({ dynamic, errors }: MockFlags): StartOptions['answers'] {
  if (dynamic === undefined && errors === undefined) return undefined;
  return { defaults: definedOf({ dynamic }), strict: errors === true };
}

function always(wish: ScenarioToForce): ScenarioToForce {
  return { times: null, ...wish };
}

const moduleFlags = moduleSettings.flatMap(({ flags }) => flags);

function optionOf(flag: ModuleFlag): Option {
  const option = new Option(flag.flags, flag.description);
  if (flag.isList === true) return option.argParser(list);
  return flag.choices === undefined ? option : option.choices(flag.choices);
}

/** The settings file's options for modules, overridden by the command line. */
function moduleOptionsOf(flags: MockFlags, settings: ModuleOptions): ModuleOptions {
  return moduleFlags.reduce((before: ModuleOptions, flag) => {
    const value = flags[optionOf(flag).attributeName()];
    if (value === undefined) return before;
    return flag.isList === true
      ? flag.put(value as readonly string[], before)
      : flag.put(String(value), before);
  }, pickModules(settings));
}

function pickModules(settings: ModuleOptions): ModuleOptions {
  const names = moduleSettings.flatMap(({ members }) => Object.keys(members));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name)));
}

/** The members that have a value: readers distinguish a missing member from `undefined`. */
function definedOf<Shape extends object>(
  value: Shape,
): { [Member in keyof Shape]?: Exclude<Shape[Member], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Member in keyof Shape]?: Exclude<Shape[Member], undefined>;
  };
}
