import type { BucketRole } from '../contract/policies/error-buckets.ts';
import { jobScenarios, type JobEffect } from './apis/jobs/scenarios.ts';
import { registryScenarios } from './apis/registry/scenarios.ts';
import { durationInWords, wireScenarios, type Duration, type WireEffect } from './wire-scenarios.ts';

/** What a run of a model does. Buckets go by their role; their names stand in the behaviour sheet. */
export type ModelEffect =
  /** Answers 200. `echo`: the input comes back byte for byte; `huge`: past the replay cap. */
  | {
      readonly kind: 'output';
      readonly output: 'picture' | 'echo' | 'huge';
      readonly afterMs?: number;
      /** No faithful copy of the answer can be kept. */
      readonly unreplayable?: boolean;
    }
  | { readonly kind: 'error'; readonly role: BucketRole; readonly detail: string; readonly status?: number }
  /** The model itself refuses its input, field by field. */
  | { readonly kind: 'rejects-input' }
  /** The provider does not answer; the router's deadline ends the call. */
  | { readonly kind: 'never' }
  /** The provider does not answer in time, but its generation goes on and a retry with the same key collects it. */
  | { readonly kind: 'collectable'; readonly afterSeconds: number }
  /** An answer from a later version of the contract. */
  | { readonly kind: 'unknown-bucket'; readonly bucket: string }
  /** Cuts the connection: before the answer, or in the middle of its body. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'midway' };

/** What a credential does to every call that it makes. */
export type CallerEffect =
  | { readonly kind: 'refused'; readonly role: BucketRole; readonly detail: string }
  | { readonly kind: 'bounded'; readonly callsInFlight?: number; readonly cents?: number }
  /** Decided by a behaviour of its own. */
  | { readonly kind: 'named' };

/**
 * Something that the mock does on demand. An unmodified client reaches it by the model id `mock/<name>` or by the key
 * `<prefix>mock-<name>`; a request can also say `Prefer: scenario=<name>`.
 */
export interface Scenario {
  readonly name: string;
  /** What happens, for people. */
  readonly does: string;
  readonly api: 'router' | 'registry' | 'jobs' | 'any';
  /** What happens to the call on its way. */
  readonly wire?: WireEffect;
  readonly model?: ModelScenario;
  readonly caller?: CallerEffect;
  readonly job?: JobEffect;
  /** Where it can be said how long. */
  readonly ms?: Duration;
}

export interface ModelScenario {
  readonly effect: ModelEffect;
  readonly state?: 'unreleased';
  readonly chargesOnPolicyRejection?: string;
  readonly schema?: 'none';
  readonly creditsHeader?: boolean;
  readonly cents?: number;
}

/** Names that behaviours of the router look for. */
export const NOT_ROLLED_OUT = 'not-rolled-out';
export const REBUILT_CATALOGUE = 'rebuilt-catalogue';

/** How long `slow` takes, in milliseconds. */
export const SLOW_MS = 1_000;

const policyRefused = (billed: string): ModelScenario => ({
  effect: { kind: 'error', role: 'policyRefusal', detail: 'The provider refuses this content.' },
  chargesOnPolicyRejection: billed,
});

/** The one table of magic values: model ids, keys and names for `Prefer`. */
export const scenarios: readonly Scenario[] = [
  run('ok', 'answers 200', { effect: { kind: 'output', output: 'picture' } }),
  run('slow', 'answers 200 after a second', {
    effect: { kind: 'output', output: 'picture', afterMs: SLOW_MS },
    cents: 60,
  }),
  run('deadline-exceeded', 'never ends: 504 at the deadline of the router, not billed', {
    effect: { kind: 'never' },
  }),
  run('provider-timeout', '504, the provider did not answer; billed', {
    effect: { kind: 'error', role: 'providerTimeout', detail: 'The provider did not answer in time.' },
  }),
  run(
    'provider-timeout-collectable',
    '504 with Retry-After; the retry with the same key collects the result',
    {
      effect: { kind: 'collectable', afterSeconds: 2 },
    },
  ),
  run('policy-refused-billed', 'refused for its content, charged all the same', policyRefused('yes')),
  run('policy-refused-unbilled', 'refused for its content, not charged', policyRefused('no')),
  run(
    'policy-refused-unknown',
    'refused for its content; nobody knows whether it is charged',
    policyRefused('unknown'),
  ),
  run('provider-error', 'the provider reports a failure of its own', {
    effect: { kind: 'error', role: 'providerFailure', detail: 'The provider reported a failure of its own.' },
  }),
  run('unavailable', '503, which frees the key', {
    effect: { kind: 'error', role: 'unavailable', detail: 'The router cannot serve requests at the moment.' },
  }),
  run('invalid-image', '422 by the model, field by field', { effect: { kind: 'rejects-input' } }),
  run('unreplayable', '200 of which no copy is kept: 409 on a retry with the same key', {
    effect: { kind: 'output', output: 'picture', unreplayable: true },
  }),
  run('huge-output', '200 past the replay cap: 409 on a retry with the same key', {
    effect: { kind: 'output', output: 'huge' },
  }),
  run('no-schema', '200; its schema document is the stand-in that allows any object', {
    effect: { kind: 'output', output: 'picture' },
    schema: 'none',
  }),
  run('hidden', 'deployed, but not released: on no page, 404 elsewhere', {
    effect: { kind: 'output', output: 'picture' },
    state: 'unreleased',
  }),
  run('credits-header', '200 with the billing header that lies outside the contract', {
    effect: { kind: 'output', output: 'picture' },
    creditsHeader: true,
  }),
  run('too-early', '425, which frees the key', {
    effect: { kind: 'error', role: 'unavailable', status: 425, detail: 'Too early: send it again.' },
  }),
  run('drops-connection', 'the connection is cut before the answer', {
    effect: { kind: 'cut', when: 'before' },
  }),
  run('drops-midway', 'the connection is cut in the middle of the answer', {
    effect: { kind: 'cut', when: 'midway' },
  }),
  run('unknown-bucket', 'an error bucket of a later version of the contract', {
    effect: { kind: 'unknown-bucket', bucket: 'brand_new' },
  }),
  caller('no-credits', 'the workspace lacks credits', {
    kind: 'refused',
    role: 'noCredits',
    detail: 'Your workspace has not enough credits.',
  }),
  caller('forbidden', 'the credential is good, but gives no access', {
    kind: 'refused',
    role: 'noAccess',
    detail: 'This credential gives no access here.',
  }),
  caller('not-enabled', 'the service is not enabled for the workspace', {
    kind: 'refused',
    role: 'notEnabled',
    detail: 'This service is not enabled for your workspace.',
  }),
  caller('rate-limited', '429 with Retry-After, which frees the key', {
    kind: 'refused',
    role: 'rateLimit',
    detail: 'Too many requests: wait, then send it again.',
  }),
  caller('one-slot', 'one call in flight at a time', { kind: 'bounded', callsInFlight: 1 }),
  caller('spend-100', 'calls in flight may cost 100 US cents together', { kind: 'bounded', cents: 100 }),
  caller(NOT_ROLLED_OUT, 'before its rollout the router serves nothing: 404 on every route', {
    kind: 'named',
  }),
  caller(REBUILT_CATALOGUE, 'the catalogue was made anew: the cursor that is presented is none any more', {
    kind: 'named',
  }),
  ...registryScenarios,
  ...jobScenarios,
  ...wireScenarios,
];

export function scenarioNamed(name: string): Scenario | undefined {
  return byName.get(name);
}

/**
 * The scenario of a key, and how long where the key says that: `latency-1500` asks for `latency` with 1500 milliseconds.
 */
export function scenarioOfKey(
  name: string,
): { readonly scenario: Scenario; readonly ms?: number } | undefined {
  const known = scenarioNamed(name);
  if (known !== undefined) return { scenario: known };
  const [, base = '', digits] = /^([a-z-]+)-(\d{1,9})$/.exec(name) ?? [];
  const scenario = scenarioNamed(base);
  return scenario?.ms === undefined || durationProblem(scenario, Number(digits)) !== undefined
    ? undefined
    : { scenario, ms: Number(digits) };
}

/** Why a scenario cannot take so long, for people; `undefined` where it can. */
export function durationProblem({ name, ms }: Scenario, wanted: unknown): string | undefined {
  if (ms === undefined) {
    const able = scenarios.filter((scenario) => scenario.ms !== undefined).map((scenario) => scenario.name);
    return `"ms" says how long, which ${name} does not take. It is for ${able.join(', ')}.`;
  }
  const isGood = Number.isInteger(wanted) && Number(wanted) >= ms.least && Number(wanted) <= ms.most;
  return isGood ? undefined : `"ms" of ${name} is ${durationInWords(ms)}, not ${String(wanted)}.`;
}

/** What `Prefer: scenario=NAME[;after=N][;times=N][;ms=N]` asks for. */
export interface ScenarioWish {
  readonly name: string;
  /** How many calls pass before it works. */
  readonly after: number;
  /** For how many calls it works then. */
  readonly times: number;
  /** How long, where that can be said, in milliseconds. */
  readonly ms?: number;
  /** What could not be read and is left out, for people. */
  readonly problems: readonly string[];
}

/** Reads the wish out of a `Prefer` header; other preferences are not ours. */
export function readWish(prefer: string | undefined): ScenarioWish | undefined {
  if (prefer === undefined) return undefined;
  for (const preference of prefer.split(',')) {
    const [first = '', ...parameters] = preference.split(';').map((part) => part.trim());
    const name = /^scenario="?([a-z0-9-]{1,64})"?$/i.exec(first)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    const counts: { after?: number; times?: number; ms?: number } = {};
    const problems: string[] = [];
    for (const parameter of parameters) {
      const [, key, text = ''] = /^(after|times|ms)="?([^"]*)"?$/i.exec(parameter) ?? [];
      const count = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
      const scenario = scenarioNamed(name);
      const problem =
        key?.toLowerCase() === 'ms' && scenario !== undefined
          ? durationProblem(scenario, count ?? text.slice(0, 40))
          : undefined;
      if (problem !== undefined) problems.push(problem);
      else if (key === undefined || count === undefined)
        problems.push(`${parameter.slice(0, 40)} is none of after=N, times=N and ms=N.`);
      else counts[key.toLowerCase() as keyof typeof counts] = count;
    }
    const { after = 0, times = Infinity, ms } = counts;
    return { name, after, times, ...(ms === undefined ? {} : { ms }), problems };
  }
  return undefined;
}

// --- internal ---

const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));

function run(name: string, does: string, model: ModelScenario): Scenario {
  return { name, does, api: 'router', model };
}

function caller(name: string, does: string, effect: CallerEffect): Scenario {
  return { name, does, api: 'router', caller: effect };
}
