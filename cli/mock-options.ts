import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { typed } from '../contract/index.ts';
import type { JobsOptions, RegistryOptions, ScenarioToForce, StartOptions } from '../mock/index.ts';
import { duration, list, wholeNumber } from './command-line.ts';
import type { MockSettings } from './mock-settings.ts';

export const DEFAULT_PORT = 4710;

/** What the command line of `mock` says about the mock itself. */
export interface MockFlags {
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  readonly controlToken?: string;
  readonly publicUrl?: string;
  readonly deviate?: readonly string[];
  readonly profile?: NonNullable<StartOptions['profile']>;
  readonly deadline?: number;
  readonly cors?: string;
  readonly scenario?: readonly ScenarioToForce[];
  readonly latency?: number;
  readonly clock?: ClockChoice;
  readonly surface?: SurfaceName;
  readonly staticToken?: string;
  readonly mountPrefix?: string;
  readonly links?: NonNullable<JobsOptions['links']>;
  readonly nodeClass?: readonly string[];
  readonly publisher?: readonly string[];
  readonly webhooks?: readonly string[];
  readonly data?: string;
  readonly dynamic?: true;
  readonly seed?: string;
  readonly errors?: true;
  readonly exec?: string;
}

/** How fast the clock goes: milliseconds for each that passes, 0 for one that stands still. */
export interface ClockChoice {
  readonly speed: number;
}

const surfaces = ['cloud', 'self-hosted', 'serverless', 'public-demo'] as const;
type SurfaceName = (typeof surfaces)[number];

/** Adds the options that say how the mock behaves, in the order of the help. */
export function withMockOptions(command: Command): Command {
  const port = wholeNumber(0, 65_535);
  return command
    .option(
      '--port <n>',
      `of the API, 0 for a free one (default: ${DEFAULT_PORT}; with --exec: a free one)`,
      port,
    )
    .option('--control-port <n>', 'port of the control API and the inspector (default: the next one)', port)
    .option('--host <name>', 'address to listen on (default: 127.0.0.1)')
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
    .option('--seed <text>', 'make up equal answers for equal seeds')
    .option('--errors', 'answer 500 where an answer breaks your OpenAPI document')
    .option('--scenario <wish>', 'force a scenario, such as slow or "queue-full;after=2;times=1"', wishes)
    .option('--latency <time>', 'delay every answer by this time, such as 300ms', duration)
    .option(
      '--clock <speed>',
      'real, frozen, or a factor: with x60 an hour takes a minute (default: real)',
      clockChoice,
    )
    .option('--deadline <time>', 'the deadline of a run, such as 2s', duration)
    .addOption(
      new Option('--profile <name>', 'a set of choices for what the contract leaves open').choices([
        'faithful',
        'legal-but-odd',
        'not-rolled-out',
      ]),
    )
    .option('--deviate <id>', `break one rule on purpose; to list them: ${typed('deviations')}`, list)
    .addOption(
      new Option(
        '--surface <name>',
        'where jobs run, which decides about credentials, links and logs',
      ).choices(surfaces),
    )
    .option('--static-token <token>', 'the only bearer token that a self-hosted instance accepts')
    .option('--mount-prefix <path>', 'a path before all routes of jobs, such as /deployment/d-42')
    .addOption(
      new Option('--links <form>', 'the form of the links in a job (default: host-relative)').choices([
        'host-relative',
        'absolute',
        'mixed',
      ]),
    )
    .option(
      '--node-class <names>',
      'more classes that graphs may use, besides those of the mock; any allows all',
      list,
    )
    .option(
      '--publisher <ids>',
      'more publishers, besides those of the mock; every token may publish for them',
      list,
    )
    .option(
      '--webhooks <hosts>',
      'hosts whose webhook_url is called: loopback, any, or names (default: none)',
      list,
    );
}

/** What the mock is started with: flags win over the settings file. */
export function startOptionsOf(flags: MockFlags, settings: MockSettings = {}): StartOptions {
  const { port, exec, deadline, deviate, scenario = [], latency, ...rest } = flags;
  const forced = [...scenario, ...(latency === undefined ? [] : [always({ name: 'latency', ms: latency })])];
  const jobs = jobsOf(flags, settings.jobs);
  const registry = registryOf(flags, settings.registry);
  return {
    ...definedOf(settings),
    port: port ?? (exec === undefined ? DEFAULT_PORT : 0),
    ...definedOf({
      host: rest.host,
      controlPort: rest.controlPort,
      controlToken: rest.controlToken,
      publicUrl: rest.publicUrl ?? settings.publicUrl,
      profile: rest.profile ?? settings.profile,
      cors: rest.cors ?? settings.cors,
      deviations: deviate,
      data: rest.data,
      answers: answersOf(flags),
      deadlineMs: deadline ?? settings.deadlineMs,
      // The first that meets a call decides.
      scenarios: forced.length === 0 ? settings.scenarios : [...forced, ...(settings.scenarios ?? [])],
      jobs,
      registry,
    }),
  };
}

/** Option parser: `NAME[;after=N][;times=N][;ms=N]`, all uses together. Without `times` it works on every call. */
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
export function clockChoice(text: string): ClockChoice {
  const factor = /^x(\d{1,6}(?:\.\d{1,3})?)$/.exec(text)?.[1];
  if (text === 'real') return { speed: 1 };
  if (text === 'frozen') return { speed: 0 };
  if (factor !== undefined) return { speed: Number(factor) };
  throw new InvalidArgumentError(
    `Expected real, frozen or a factor such as x60.${/^\d+x?$/.test(text) ? ` Did you mean x${text.replace('x', '')}?` : ''}`,
  );
}

// --- internal ---

function answersOf({ dynamic, seed, errors }: MockFlags): StartOptions['answers'] {
  if (dynamic === undefined && seed === undefined && errors === undefined) return undefined;
  return { defaults: definedOf({ dynamic, seed }), strict: errors === true };
}

function always(wish: ScenarioToForce): ScenarioToForce {
  return { times: null, ...wish };
}

function jobsOf(flags: MockFlags, settings: JobsOptions | undefined): JobsOptions | undefined {
  const { surface, staticToken, mountPrefix, links, nodeClass } = flags;
  const own = settings?.nodeClasses === 'any' ? [] : (settings?.nodeClasses ?? []);
  const isAny = nodeClass?.includes('any') === true || settings?.nodeClasses === 'any';
  const merged = {
    ...settings,
    ...definedOf({
      surface: surface === 'public-demo' ? ('demo' as const) : surface,
      staticToken,
      mountPrefix,
      links,
      nodeClasses:
        nodeClass === undefined
          ? undefined
          : isAny
            ? ('any' as const)
            : [...own, ...nodeClass.map((name) => ({ name }))],
    }),
  };
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function registryOf(flags: MockFlags, settings: RegistryOptions | undefined): RegistryOptions | undefined {
  const { publisher, webhooks } = flags;
  const merged = {
    ...settings,
    ...definedOf({
      publishers:
        publisher === undefined
          ? undefined
          : [...(settings?.publishers ?? []), ...publisher.map((id) => ({ id }))],
      webhooks: webhooks === undefined ? undefined : webhooksOf(webhooks),
    }),
  };
  return Object.keys(merged).length === 0 ? undefined : merged;
}

function webhooksOf(hosts: readonly string[]): RegistryOptions['webhooks'] {
  if (hosts.includes('any')) return { deliver: true, hosts: 'any' };
  return hosts.includes('loopback') ? { deliver: true } : { deliver: true, hosts };
}

/** The members that have a value: left out and `undefined` are two things to whoever reads them. */
function definedOf<Shape extends object>(
  value: Shape,
): { [Member in keyof Shape]?: Exclude<Shape[Member], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Member in keyof Shape]?: Exclude<Shape[Member], undefined>;
  };
}
