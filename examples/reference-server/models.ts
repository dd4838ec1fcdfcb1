import { setTimeout as sleep } from 'node:timers/promises';
import { refuse, type RunModelReply } from '../../generated/router/server.ts';

/** A request to a partner, with the signal that its caller has disconnected. */
export interface PartnerCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal;
  /** An earlier call with the same key has started its generation. */
  readonly collecting: boolean;
  /** To be called before a charge for a call that has no result. */
  readonly charge: () => Promise<boolean>;
}

export interface Model {
  readonly id: string;
  readonly run: (call: PartnerCall) => RunModelReply | Promise<RunModelReply>;
  readonly released: boolean;
  readonly charges: 'yes' | 'no' | 'unknown';
  /** The schema of its input; absent if none is authored. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The expected cost of one call, in cents. */
  readonly cents: number;
}

/** The models of this server: partners with one behaviour each, so that they cover the whole contract. */
export function modelsFor(deadlineMs: number): readonly Model[] {
  const slowMs = Math.round(deadlineMs * 0.55);
  return [
    model('acme/echo-1', ({ bytes }) => ({ status: 200, raw: bytes }), { input: { type: 'object' } }),
    model('acme/picture-2.1', () => picture()),
    model('acme/patient', ({ signal }) => sleep(slowMs, undefined, { signal }).then(picture), { cents: 162 }),
    model('acme/endless', ({ signal }) => sleep(deadlineMs * 50, undefined, { signal }).then(picture)),
    model('acme/wall', () => ({ status: 200, body: { wall: 'brick '.repeat(30_000) } })),
    model('acme/metered', () => ({ ...picture(), headers: { [CREDITS]: '0.25' } }), { charges: 'yes' }),
    model('brook/untyped', () => picture(), { input: undefined }),
    model('brook/strict', ({ input }) => strictly(input)),
    model('brook/prudish', () => {
      throw refuse('content_policy_violation', 'The partner does not make this.');
    }),
    model('brook/broken', () => {
      throw refuse('provider_error', 'The partner reports a failure.', { status: 500 });
    }),
    model('brook/closed', () => {
      throw refuse('service_unavailable', 'The partner is closed.');
    }),
    model('brook/early', () => {
      throw refuse('provider_error', 'The partner is not ready yet.', { status: 425 });
    }),
    model('brook/late', async ({ signal, charge }) => {
      await sleep(Math.round(deadlineMs * 0.1), undefined, { signal });
      await charge();
      throw refuse('provider_timeout', 'The partner did not answer in time.');
    }),
    model('brook/kept', async ({ collecting, charge }) => {
      if (collecting) return picture();
      await charge();
      throw refuse('provider_timeout', 'The partner continues: send the request again with the same key.', {
        headers: { 'Retry-After': '1' },
      });
    }),
    model('cove/secret', () => picture(), { released: false }),
    ...Array.from({ length: 30 }, (_, index) => model(`dune/grain-${String(index)}`, () => picture())),
  ];
}

// --- internal ---

const CREDITS = 'X-Service-Credits-Used';

const DESCRIBED = {
  type: 'object',
  required: ['prompt'],
  properties: { prompt: { type: 'string' }, steps: { type: 'integer' } },
};

type Traits = Partial<Omit<Model, 'id' | 'run' | 'input'>> & { readonly input?: Model['input'] | undefined };

function model(id: string, run: Model['run'], traits: Traits = {}): Model {
  const { input = 'input' in traits ? undefined : DESCRIBED, ...others } = traits;
  return {
    ...{ id, run, released: true, charges: 'no', cents: 10 },
    ...others,
    ...(input === undefined ? {} : { input }),
  };
}

let made = 0;

function picture(): { readonly status: 200; readonly body: Record<string, unknown> } {
  made += 1;
  return { status: 200, body: { pictures: [{ number: made, at: Date.now() }] } };
}

/** A model that validates the content of its input itself. */
function strictly(input: PartnerCall['input']): RunModelReply {
  const { steps, layers } = input;
  const detail = [];
  if (typeof steps === 'number' && steps > 50)
    detail.push({
      loc: ['body', 'steps'],
      msg: 'too many steps',
      type: 'less_than_equal',
      ctx: { le: 50 },
      input: steps,
    });
  (Array.isArray(layers) ? (layers as unknown[]) : []).forEach((layer, index) => {
    if (layer !== 'thin')
      detail.push({ loc: ['body', 'layers', index], msg: 'too thick', type: 'layer_too_thick' });
  });
  return detail.length === 0 ? picture() : { status: 422, body: { detail }, reason: 'invalid_input' };
}
