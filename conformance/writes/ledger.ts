import { isSuccess } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { NotExercised } from '../scenarios/scenario.ts';
import type { RequestPlan } from '../scenarios/scenario.ts';
import type { Fixtures } from '../target/fixtures.ts';
import { isBeyondGuessing, textsIn } from './known-ids.ts';
import { thingAddress, isOfOneThing } from './made-thing.ts';
import type { ApiWrites, Fill, MadeThing } from './made-thing.ts';
import { isNamedWrite } from './withheld.ts';

/** The fixtures that name what a run may change. */
type Named = Pick<Fixtures, 'writes' | 'bodies' | 'parameters'>;

/** A thing that the run made, and why it is still there. */
export interface MadeEntry {
  readonly thing: MadeThing;
  readonly scenario: string;
  why: string;
}

/**
 * What a run has made on the server, and what of it is still there. Each request that changes a thing of an API of a user's own is
 * checked against it, so that a run changes only what it made.
 */
export class WriteLedger {
  readonly #writes: ReadonlyMap<string, ApiWrites>;
  readonly #fixtures: Named;
  readonly #entries = new Set<MadeEntry>();
  /** By API and address; one thing can have several. */
  readonly #at = new Map<string, MadeEntry>();
  /** Addresses at which nothing is, as answers showed. */
  readonly #absent = new Set<string>();
  /** Texts and numbers in answers: each may name a thing that was there before. */
  readonly #seen: Set<string>;

  constructor(writes: ReadonlyMap<string, ApiWrites>, fixtures: Named) {
    this.#writes = writes;
    this.#fixtures = fixtures;
    this.#seen = new Set(textsIn(fixtures.parameters));
  }

  /** @throws {NotExercised} when the thing that a request changes may be one that the run did not make */
  require(api: string, plan: RequestPlan, fill: Fill): void {
    const { operation, effect } = plan;
    const writes = this.#writes.get(api);
    if (writes === undefined || operation === undefined || effect?.kind !== 'changes') return;
    const address = thingAddress(plan.target, fill);
    if (address === undefined || isNamedWrite(this.#fixtures, operation)) return;
    const key = keyOf(api, address);
    if (this.#at.has(key) || this.#absent.has(key)) return;
    const id = idIn(address);
    if (isBeyondGuessing(id) && !writes.isDocumented(id) && !this.#seen.has(id)) return;
    throw new NotExercised(
      `writes: ${operation}`,
      `${operation} of ${address} is withheld, because the run did not make it, and it may exist`,
    );
  }

  /** Notes what an exchange made, removed or did not find. */
  see(exchange: Exchange, plan: RequestPlan, fill: Fill): void {
    const { api, status, answer, scenario } = exchange;
    const writes = this.#writes.get(api);
    if (writes === undefined || plan.operation === undefined) return;
    const address = isOfOneThing(plan.target) ? thingAddress(plan.target, fill) : undefined;
    const isGone = status === 404 || status === 410;
    if (plan.method === 'GET' || plan.method === 'HEAD') {
      if (isGone && address !== undefined) this.#absent.add(keyOf(api, address));
      else if (isSuccess(exchange)) this.#note(exchange);
    } else if (plan.method === 'DELETE') {
      if (address !== undefined && (isSuccess(exchange) || isGone)) this.#remove(keyOf(api, address));
    } else if (answer === undefined) {
      if (plan.effect?.kind === 'creates')
        this.#add(thingOf(exchange, plan), scenario, 'the call had no answer, so it may exist');
    } else if (isSuccess(exchange)) {
      for (const thing of writes.madeBy(plan, fill, exchange))
        if (status === 201 || !this.#mayBeOfOthers(thing, plan, writes)) this.#add(thing, scenario);
    }
  }

  /** Whether a success may be about a thing that was there before: a replacement, or a creation that returns what it finds. */
  #mayBeOfOthers({ api, addresses }: MadeThing, { method }: RequestPlan, writes: ApiWrites): boolean {
    return addresses.some((address) => {
      if (this.#absent.has(keyOf(api, address))) return false;
      const id = idIn(address);
      return writes.isDocumented(id) || this.#seen.has(id) || (method === 'PUT' && !isBeyondGuessing(id));
    });
  }

  /** What is still there, the newest first: what is below another thing is removed before it. */
  remaining(scenario?: string): readonly MadeEntry[] {
    return [...this.#entries]
      .filter((entry) => scenario === undefined || entry.scenario === scenario)
      .toReversed();
  }

  #add(thing: MadeThing, scenario: string, why = ''): void {
    const { api, addresses } = thing;
    const keys = addresses.map((address) => keyOf(api, address));
    if (keys.some((key) => this.#at.has(key))) return;
    const entry: MadeEntry = { thing, scenario, why };
    this.#entries.add(entry);
    for (const key of keys) {
      this.#at.set(key, entry);
      this.#absent.delete(key);
    }
  }

  #remove(key: string): void {
    const entry = this.#at.get(key);
    this.#absent.add(key);
    if (entry === undefined) return;
    this.#entries.delete(entry);
    for (const address of entry.thing.addresses) {
      this.#at.delete(keyOf(entry.thing.api, address));
      this.#absent.add(keyOf(entry.thing.api, address));
    }
  }

  #note(exchange: Exchange): void {
    if (this.#seen.size > MOST_SEEN) return;
    let value: unknown;
    try {
      value = exchange.json;
    } catch {
      return;
    }
    for (const text of textsIn(value)) this.#seen.add(text);
  }
}

/** The thing that a call made, without an address. */
export function thingOf({ api, id }: Exchange, { operation = '', as }: RequestPlan): MadeThing {
  return { api, operation, as, exchange: id, addresses: [] };
}

// --- internal ---

/** The ids of a server without end cannot all be kept. */
const MOST_SEEN = 100_000;

function keyOf(api: string, address: string): string {
  return `${api} ${address}`;
}

function idIn(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}
