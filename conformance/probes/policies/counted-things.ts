import type { PolicyOf } from '../../../contract/index.ts';
import { at, isSuccess } from '../../exchanges/exchange.ts';
import type { Exchange } from '../../exchanges/exchange.ts';
import type { RequestPlans, Session } from '../../scenarios/scenario.ts';
import type { Values } from '../own-api.ts';
import type { OperationFacts } from './facts.ts';
import { listThings } from './listed-things.ts';
import { shownLifecycle } from './shown-lifecycle.ts';
import type { Things } from './things.ts';

/** The things of a caller that count towards a bound, as the list shows them. */
export interface CountedThings {
  readonly ids: ReadonlySet<string>;
  readonly page: Exchange;
}

/** Counts things of one caller. */
export class ThingCount {
  readonly #things: Things;
  readonly #states: readonly string[] | undefined;
  readonly #property: string | undefined;
  readonly #isWhole: boolean;

  constructor({ api, policy }: OperationFacts<PolicyOf<'capacity'>>, things: Things, isOwned: boolean) {
    this.#things = things;
    this.#states = policy.things?.states;
    this.#property = shownLifecycle(api, things.operation('read'))?.property;
    // A list of what several callers have, or below one of several parents, is not what the bound is about.
    this.#isWhole = isOwned && things.operation('list') !== undefined && !things.hasParents;
  }

  /** @param times how often the things are counted at most, by each name of the request */
  requests(times: Readonly<Record<string, number>>): RequestPlans {
    const list = this.#things.operation('list');
    if (list === undefined || !this.#isWhole) return {};
    const plans = Object.entries(times).map(([as, most]) => [
      as,
      this.#things.api.plan(list, {
        times: most * MOST_PAGES,
        ...(as === OTHERS ? { as: 'secondAccount', isOptional: true } : {}),
      }),
    ]);
    return Object.fromEntries(plans) as RequestPlans;
  }

  /** What counts now; `undefined` if no list shows all of it. */
  async now(session: Session, as = 'list'): Promise<CountedThings | undefined> {
    if (!this.#isWhole) return undefined;
    const { items, pages, isAll } = await listThings(
      this.#things,
      session,
      {},
      { as, mostPages: MOST_PAGES },
    );
    const page = pages.at(-1);
    const counted = items.map((item) => this.counts(item));
    if (!isAll || page === undefined || counted.includes(undefined)) return undefined;
    const ids = items.filter((_, index) => counted[index]).map((item) => String(this.#things.idIn(item)));
    return { ids: new Set(ids), page };
  }

  /** Whether a thing counts; `undefined` if it does not show its state. */
  counts(thing: unknown): boolean | undefined {
    if (this.#states === undefined) return true;
    const state = this.stateOf(thing);
    return typeof state === 'string' ? this.#states.includes(state) : undefined;
  }

  /** The path parameters of what a creation has made. */
  valuesOf(made: Exchange, within: Values): Values {
    return { ...within, [this.#things.roles.parameter]: this.#things.madeId(made) as Values[string] };
  }

  /** Whether a creation has made something that counts: an answer before the work is done does not say so. */
  async isThere(session: Session, made: Exchange, within: Values): Promise<boolean> {
    if (made.status !== 202) return true;
    if (this.#things.operation('read') === undefined) return false;
    const now = await this.#things.call(session, 'read', this.valuesOf(made, within));
    return isSuccess(now) && this.counts(this.#things.shownIn(now)) === true;
  }

  /** Why what creations have made may not count; `undefined` if all of it does. */
  async whyNot(session: Session, made: readonly Exchange[], within: Values): Promise<string | undefined> {
    if (this.#things.operation('read') === undefined)
      return 'no operation reads the things, so they may not exist any more';
    for (const one of made) {
      const seen = await this.#things.call(session, 'read', this.valuesOf(one, within));
      if (!isSuccess(seen)) return `a thing that was created does not exist any more: ${seen.status}`;
      const shown = this.#things.shownIn(seen);
      if (this.counts(shown) !== true)
        return `a thing is in the state ${String(this.stateOf(shown))}, which does not count`;
    }
    return undefined;
  }

  stateOf(thing: unknown): unknown {
    return this.#property === undefined ? undefined : at(thing, this.#property);
  }
}

/** The name of the list of the other caller. */
export const OTHERS = 'list as another';

// --- internal ---

const MOST_PAGES = 5;
