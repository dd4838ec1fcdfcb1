import type { BucketRole } from '../../../contract/policies/error-buckets.ts';
import { jsonAnswer, type Answer } from '../../call/answer.ts';
import type { Answered, Behaviour, Call } from '../../call/call.ts';
import { providerFailures } from './model-input.ts';
import { type ModelEffect, routerScenario } from './scenarios.ts';
import { keyId } from '../../state/key-ledger.ts';
import { bucketAnswer, refuse, type Router } from './context.ts';
import { pictureOf } from './pictures.ts';
import { rejectedByModel } from './rejected-by-model.ts';

/**
 * Passes the input to a model and returns its output, both unchanged (document 1, "What the service does"). A model
 * has an effect; a scenario of the request replaces it.
 */
export function run(router: Router): Behaviour {
  return (call) => {
    const model = router.state.catalogue.visible(call.facts.modelId ?? '');
    if (model === undefined) throw new Error('a run follows the lookup of its model');
    const wished = routerScenario(call.facts.scenario ?? '')?.model?.effect;
    const effect = wished ?? model.effect ?? PICTURE;
    if (model.provider === 'mock') call.facts.scenario ??= model.model;
    if (effect.kind === 'error' && isRefusal(router, effect.role)) {
      call.facts.billed = false;
      return refuse(router, call, effect);
    }
    const ready = readyAt(router, call);
    if (ready === undefined) countDispatch(router, call);
    else if (wished === undefined || wished.kind === 'collectable') return collect(router, call, ready);
    return perform(router, call, effect);
  };
}

/** The output of a model for the input. */
export function output(router: Router, call: Call, kind: 'picture' | 'echo' | 'huge'): Answer {
  const body = call.request.body();
  const input = body.kind === 'json' ? body : { value: {}, text: '{}' };
  // The text of the request is the text of the answer: numbers, escapes and the order of members stay as they were.
  if (kind === 'echo') return jsonAnswer(200, input.value, { text: input.text });
  if (kind === 'huge') {
    const filler = 'x'.repeat(router.assume('A-07').replayCapBytes);
    return jsonAnswer(200, { images: [], filler });
  }
  const { seed, ...image } = pictureOf(router, call);
  return jsonAnswer(200, { images: [image], seed });
}

/** A provider refuses the input for its policy. The catalogue states whether the caller pays. */
export function policyRefusal(router: Router, call: Call, detail: string): Answer {
  const charges = router.state.catalogue.get(call.facts.modelId ?? '')?.chargesOnPolicyRejection;
  if (charges === 'yes' || charges === 'no') call.facts.billed = charges === 'yes';
  return refuse(router, call, { role: 'policyRefusal', detail });
}

// --- internal ---

const PICTURE: ModelEffect = { kind: 'output', output: 'picture' };

/**
 * Whether the router sends this answer before a call reaches its model (document 1, "Errors", tables and rule
 * 4).
 */
function isRefusal(router: Router, role: BucketRole): boolean {
  const { buckets, roles } = router.facts.buckets;
  const bucket = buckets.find(({ name }) => name === roles[role]);
  return bucket?.level === 'transport' || bucket?.billed === 'no' || bucket?.billed === 'before-model';
}

function countDispatch(router: Router, call: Call): void {
  const { dispatches } = router.state;
  const id = call.facts.modelId ?? '';
  dispatches.set(id, (dispatches.get(id) ?? 0) + 1);
  call.facts.dispatched = true;
  call.note('run', 'reached the model');
}

function perform(router: Router, call: Call, effect: ModelEffect): Answered {
  const { clock } = router;
  switch (effect.kind) {
    case 'output': {
      const made = (): Answer => {
        if (effect.unreplayable === true) call.facts.unreplayable = true;
        call.facts.billed = true;
        return output(router, call, effect.output);
      };
      return effect.afterMs === undefined ? made() : clock.sleep(effect.afterMs, call.signal).then(made);
    }
    case 'error':
      if (effect.role === 'policyRefusal')
        return router.mechanisms.policyRefusal(router, call, effect.detail);
      // The answer leaves out facts that the contract does not state for the bucket.
      if (effect.role === 'providerTimeout') call.facts.billed = true;
      return refuse(router, call, effect);
    case 'rejects-input': {
      const body = call.request.body();
      return rejectedByModel(router, call, providerFailures(body.kind === 'json' ? body.value : undefined));
    }
    case 'never':
      return clock.sleep(NEVER_MS, call.signal).then(cut);
    case 'collectable':
      return collectable(router, call, effect.afterSeconds);
    case 'unknown-bucket':
      return bucketAnswer(router, {
        status: 500,
        bucket: effect.bucket,
        detail: 'This bucket belongs to a later version of the contract.',
        headers: [],
        licence: 'router.errors.unknown-fallback',
      });
    case 'cut':
      return effect.when === 'before' ? cut() : cutMidway();
  }
}

/** Longer than any deadline. A sleep without an end would leave the clock without a next event. */
const NEVER_MS = 1_000 * 24 * 3_600_000;

/**
 * A 504 with `Retry-After`, while the generation continues (open point A-15). Without a key, the result cannot be
 * collected, so there is no such header.
 */
function collectable(router: Router, call: Call, afterSeconds: number): Answer {
  const { clock, state } = router;
  call.facts.billed = true;
  const detail = 'The provider did not answer in time.';
  if (call.facts.idempotencyKey === undefined)
    return refuse(router, call, { role: 'providerTimeout', detail });
  const id = generationId(call);
  const done = clock.now() + afterSeconds * 1_000;
  forgetUncollectable(state);
  state.generations.set(id, done);
  const marker = router.facts.idempotency.collecting?.marker;
  const headers = marker === undefined ? [] : [[marker, String(afterSeconds)] as const];
  return refuse(router, call, { role: 'providerTimeout', detail, headers, because: 'A-15' });
}

/** When the generation that this call has to collect is done, if there is one. */
function readyAt({ state }: Router, call: Call): number | undefined {
  return call.facts.collecting === true ? state.generations.get(generationId(call)) : undefined;
}

/**
 * The result of the generation that the last call with this key left running; waits for the remaining time.
 */
async function collect(router: Router, call: Call, ready: number): Promise<Answer> {
  const { clock, state } = router;
  const id = generationId(call);
  await clock.sleep(ready - clock.now(), call.signal);
  state.generations.delete(id);
  call.facts.billed = true;
  return output(router, call, 'picture');
}

function generationId({ facts }: Call): string {
  return keyId(facts.caller?.scope ?? '', facts.idempotencyKey ?? '');
}

/** Generations that were not collected in time. */
function forgetUncollectable({ generations, ledger }: Router['state']): void {
  if (generations.size % SWEEP_EVERY !== SWEEP_EVERY - 1) return;
  for (const id of generations.keys()) if (!ledger.has(id)) generations.delete(id);
}

const SWEEP_EVERY = 100;

function cut(): Answer {
  return { status: 200, headers: [], body: { kind: 'none' }, cut: true };
}

/** Headers and half a body, then nothing: the answer is incomplete. */
function cutMidway(): Answer {
  const half = Buffer.from('{"images":[{"url":"https://files.exam');
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(half);
    throw new Error('the connection is cut here');
  }
  return {
    status: 200,
    headers: [['Content-Type', 'application/json']],
    body: { kind: 'stream', chunks: chunks() },
  };
}
