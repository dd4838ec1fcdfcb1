import type { BucketRole } from '../../../contract/policies/error-buckets.ts';
import type { CallerEffect, MockScenario } from '../../scenarios/scenario.ts';

/** The result of a run of a model. Buckets are named by role; their wire names are in the behaviour sheet. */
export type ModelEffect =
  /** Answers 200. `echo`: returns the input byte for byte; `huge`: exceeds the limit for replays. */
  | {
      readonly kind: 'output';
      readonly output: 'picture' | 'echo' | 'huge';
      readonly afterMs?: number;
      /** No exact copy of the answer can be stored. */
      readonly unreplayable?: boolean;
    }
  | { readonly kind: 'error'; readonly role: BucketRole; readonly detail: string; readonly status?: number }
  /** The model itself refuses its input, field by field. */
  | { readonly kind: 'rejects-input' }
  /** The provider does not answer; the router's deadline ends the call. */
  | { readonly kind: 'never' }
  /**
   * The provider does not answer in time, but its generation continues, and a retry with the same key collects it.
   */
  | { readonly kind: 'collectable'; readonly afterSeconds: number }
  /** An answer from a later version of the contract. */
  | { readonly kind: 'unknown-bucket'; readonly bucket: string }
  /** Cuts the connection: before the answer, or in the middle of its body. */
  | { readonly kind: 'cut'; readonly when: 'before' | 'midway' };

/** A scenario of the router: chosen by a model, or by a credential. */
export interface RouterScenario extends MockScenario {
  readonly model?: ModelScenario;
}

export interface ModelScenario {
  readonly effect: ModelEffect;
  readonly state?: 'unreleased';
  readonly chargesOnPolicyRejection?: string;
  readonly schema?: 'none';
  readonly creditsHeader?: boolean;
  readonly cents?: number;
}

/** Names of scenarios that behaviours of the router refer to. */
export const NOT_ROLLED_OUT = 'not-rolled-out';
export const REBUILT_CATALOGUE = 'rebuilt-catalogue';

/** The duration of `slow`, in milliseconds. */
export const SLOW_MS = 1_000;

const policyRefused = (billed: string): ModelScenario => ({
  effect: { kind: 'error', role: 'policyRefusal', detail: 'The provider refuses this content.' },
  chargesOnPolicyRejection: billed,
});

/** Magic values of the router: model ids, keys and names for `Prefer`. */
export const routerScenarios: readonly RouterScenario[] = [
  run('ok', 'answers 200', { effect: { kind: 'output', output: 'picture' } }),
  {
    ...run('slow', 'a run answers 200 after a second; so does any other operation', {
      effect: { kind: 'output', output: 'picture', afterMs: SLOW_MS },
      cents: 60,
    }),
    work: { kind: 'slow', ms: SLOW_MS },
  },
  run('deadline-exceeded', 'runs past the deadline of the router: 504, not billed', {
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
  run('policy-refused-billed', 'refused for its content, and charged', policyRefused('yes')),
  run('policy-refused-unbilled', 'refused for its content, not charged', policyRefused('no')),
  run(
    'policy-refused-unknown',
    'refused for its content; it is unknown whether it is charged',
    policyRefused('unknown'),
  ),
  run('provider-error', 'the provider itself fails', {
    effect: { kind: 'error', role: 'providerFailure', detail: 'The provider itself failed.' },
  }),
  {
    ...run('unavailable', '503, which frees the key; also of other operations that declare it', {
      effect: {
        kind: 'error',
        role: 'unavailable',
        detail: 'The router cannot serve requests at the moment.',
      },
    }),
    work: { kind: 'status', status: 503, because: 'A-06' },
  },
  run('invalid-image', '422 by the model, field by field', { effect: { kind: 'rejects-input' } }),
  run('unreplayable', '200 without a stored copy: 409 on a retry with the same key', {
    effect: { kind: 'output', output: 'picture', unreplayable: true },
  }),
  run('huge-output', '200 past the replay cap: 409 on a retry with the same key', {
    effect: { kind: 'output', output: 'huge' },
  }),
  run('no-schema', '200; its schema document is the placeholder that allows any object', {
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
  caller('forbidden', 'the credential is valid, but gives no access', {
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
  caller(REBUILT_CATALOGUE, 'the catalogue was rebuilt: the presented cursor is no longer valid', {
    kind: 'named',
  }),
];

export function routerScenario(name: string): RouterScenario | undefined {
  return byName.get(name);
}

// --- internal ---

const byName = new Map(routerScenarios.map((scenario) => [scenario.name, scenario]));

function run(name: string, does: string, model: ModelScenario): RouterScenario {
  return { name, does, api: 'router', model, modelId: `mock/${name}` };
}

function caller(name: string, does: string, effect: CallerEffect): RouterScenario {
  return { name, does, api: 'router', caller: effect };
}
