import type { Form } from '../../../contract/index.ts';
import { WatchedMap } from '../../state/watched-map.ts';
import type { ModelEffect } from './scenarios.ts';

/** A model as the mock knows it. */
export interface Model {
  readonly provider: string;
  readonly model: string;
  /**
   * `unreleased`: deployed, but on no page and not runnable. `trimmed`: it was removed after its page was
   * computed, so that the page is short.
   */
  readonly state: 'listed' | 'unreleased' | 'trimmed';
  /** The billing of policy refusals in its detail. */
  readonly chargesOnPolicyRejection: string;
  /** JSON Schema of its input; without one, the permissive placeholder is served. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** The result of a run; default: an ordinary picture. */
  readonly effect?: ModelEffect;
  /** Whether its billed answers have the header that is outside the contract. */
  readonly creditsHeader?: boolean;
  /** The cost of a run, in US cents. */
  readonly cents: number;
}

/** The form of a model from outside. */
export const modelForm = {
  members: {
    provider: 'string',
    model: 'string',
    state: { oneOf: ['listed', 'unreleased', 'trimmed'] },
    chargesOnPolicyRejection: 'string',
    inputSchema: { mapOf: 'anything' },
    effect: {
      by: 'kind',
      cases: {
        output: {
          members: {
            kind: 'string',
            output: { oneOf: ['picture', 'echo', 'huge'] },
            afterMs: 'number',
            unreplayable: 'boolean',
          },
          required: ['output'],
        },
        error: {
          members: { kind: 'string', role: 'string', detail: 'string', status: 'number' },
          required: ['role', 'detail'],
        },
        'rejects-input': { members: { kind: 'string' } },
        never: { members: { kind: 'string' } },
        collectable: { members: { kind: 'string', afterSeconds: 'number' }, required: ['afterSeconds'] },
        'unknown-bucket': { members: { kind: 'string', bucket: 'string' }, required: ['bucket'] },
        cut: { members: { kind: 'string', when: { oneOf: ['before', 'midway'] } }, required: ['when'] },
      },
    },
    creditsHeader: 'boolean',
    cents: 'number',
  },
  required: ['provider', 'model', 'state', 'chargesOnPolicyRejection', 'cents'],
} as const satisfies Form;

export function modelIdOf({ provider, model }: Pick<Model, 'provider' | 'model'>): string {
  return `${provider}/${model}`;
}

/**
 * The models of the mock, by id. It can be edited between pages: a cursor identifies the position, not the
 * content.
 */
export class Catalogue {
  /** Models that were added or removed (`undefined`) since the start. */
  readonly edits = new WatchedMap<Model | undefined>();
  readonly #models = new Map<string, Model>();
  #listed: readonly Model[] | undefined;

  constructor(models: readonly Model[]) {
    for (const model of models) this.#models.set(modelIdOf(model), model);
  }

  /** A model that callers may see. */
  visible(id: string): Model | undefined {
    const model = this.#models.get(id);
    return model?.state === 'listed' ? model : undefined;
  }

  get(id: string): Model | undefined {
    return this.#models.get(id);
  }

  put(model: Model): void {
    this.#models.set(modelIdOf(model), model);
    this.#edited(modelIdOf(model), model);
  }

  remove(id: string): boolean {
    const isGone = this.#models.delete(id);
    if (isGone) this.#edited(id, undefined);
    return isGone;
  }

  /** All models in the order of the pages. */
  all(): readonly Model[] {
    return [...this.#models.values()].sort(byId);
  }

  /** The models on pages, in order: all except unreleased ones, which callers must not notice. */
  listed(): readonly Model[] {
    this.#listed ??= this.all().filter(({ state }) => state !== 'unreleased');
    return this.#listed;
  }

  /** The index in `listed` of the first model after this id, whether the id still exists or not. */
  indexAfter(id: string): number {
    const models = this.listed();
    let low = 0;
    let high = models.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (modelIdOf(models[middle] as Model) <= id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #edited(id: string, model: Model | undefined): void {
    this.#listed = undefined;
    this.edits.set(id, model);
  }
}

// --- internal ---

/** By code units, so that the order is the same on every machine. */
function byId(one: Model, other: Model): number {
  const [a, b] = [modelIdOf(one), modelIdOf(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}
