import { decoded } from '../../contract/text/decoded.ts';
import { Unreadable, isGone, isSuccess, parseJson } from '../exchanges/exchange.ts';
import type { Exchange } from '../exchanges/exchange.ts';
import { NotExercised } from '../scenarios/scenario.ts';
import type { Identity, RequestPlan, SendOptions } from '../scenarios/scenario.ts';
import type { Fixtures } from '../target/fixtures.ts';
import { idsIn, isBeyondGuessing, isLostInPath, showsFreshKey, textsIn } from './known-ids.ts';
import { collectionPath, isOfOneThing, thingAddress } from './made-thing.ts';
import type { ApiWrites, Fill, LedgerCall, MadeThing } from './made-thing.ts';
import { isNamedWrite, needOfWrite } from './withheld.ts';

/** A thing that the run made, and why it is still there. */
export interface MadeEntry {
  readonly thing: MadeThing;
  readonly scenario: string;
  why: string;
}

/**
 * What a run has made on the server, and what of it is still there. Each request that changes a thing is checked
 * against it, so that a run changes only what it made.
 */
export class WriteLedger {
  readonly #writes: ReadonlyMap<string, ApiWrites>;
  readonly #fixtures: Fixtures;
  readonly #given: ReadonlySet<string>;
  readonly #entries = new Set<MadeEntry>();
  /** By API and address; one thing can have several. */
  readonly #at = new Map<string, MadeEntry>();
  /** Addresses at which nothing is, as answers showed: to all callers, or to one caller. */
  readonly #absent = new Set<string>();
  /** What an answer called removed, by its addresses. */
  readonly #removed = new Map<string, MadeEntry>();
  /** Operations of which a read has shown that they remove. */
  readonly #proved = new Set<string>();
  /** Texts and numbers in answers: each may name a thing that was there before. */
  readonly #seen: Set<string>;
  /** The same by the collection that showed them: counted ids of two collections are often equal. */
  readonly #seenAt = new Map<string, Set<string>>();

  constructor(writes: ReadonlyMap<string, ApiWrites>, fixtures: Fixtures) {
    this.#writes = writes;
    this.#fixtures = fixtures;
    const given = [...writes.values()].map((one) => one.given?.(fixtures));
    this.#given = new Set(textsIn([fixtures.parameters, ...given]));
    this.#seen = new Set(this.#given);
  }

  /** @throws {NotExercised} when the thing that a request changes may be one that the run did not make */
  require(api: string, sent: RequestPlan, options: Pick<SendOptions, 'fill' | 'body'>): void {
    const { writes, plan, fill } = this.#callOf(api, sent, options.fill ?? {}, options.body) ?? {};
    const { operation, effect } = plan ?? {};
    if (writes === undefined || fill === undefined || operation === undefined || effect === undefined) return;
    const lost = Object.entries(options.fill ?? {}).find(
      ([name, value]) => !name.startsWith('?') && isLostInPath(decoded(value)),
    );
    if (lost !== undefined && effect.kind !== 'reads')
      throw new NotExercised(
        '',
        `${operation} is withheld with ${JSON.stringify(lost[1])} for ${lost[0]}: a server may take its path for another one`,
      );
    if (effect.kind !== 'changes' && effect.kind !== 'creates') return;
    if (isNamedWrite(this.#fixtures, operation)) return;
    const named = effect.names === undefined ? [] : (writes.namedIn?.(operation, jsonOf(options.body)) ?? []);
    for (const { pointer, id, addresses } of named)
      if (!this.#isSafe(api, addresses, id, plan?.as))
        throw new NotExercised(
          needOfWrite(operation),
          `${operation} with ${JSON.stringify(id)} at ${pointer} of its body is withheld, because the run did not make what that names, and it may exist`,
        );
    const address = thingAddress(plan?.target ?? '', fill);
    if (address === undefined || this.#isSafe(api, [address], idIn(address), plan?.as)) return;
    // The fixtures say where things are made.
    if (effect.kind === 'creates' && this.#given.has(idIn(address))) return;
    throw new NotExercised(
      needOfWrite(operation),
      `${operation} of ${address} is withheld, because the run did not make it, and it may exist`,
    );
  }

  /** Whether the run made what is at these addresses, or nothing is there, or nothing can have that id. */
  #isSafe(api: string, addresses: readonly string[], id: string, as: Identity | undefined): boolean {
    const isKnown = addresses.some((address) => {
      const key = keyOf(api, address);
      return this.#at.has(key) || this.#isAbsent(key, as);
    });
    const isDocumented = this.#writes.get(api)?.isDocumented(id) === true;
    return isKnown || (isBeyondGuessing(id) && !isDocumented && !this.#seen.has(id));
  }

  /** Notes what an exchange made, removed or did not find. */
  see(exchange: Exchange, sent: RequestPlan, sentFill: Fill): void {
    const { api, status, answer, scenario } = exchange;
    const call = this.#callOf(api, sent, sentFill, exchange.request.body);
    if (call === undefined) return;
    const { writes, plan, fill } = call;
    const about = thingAddress(plan.target, fill);
    const address = isOfOneThing(plan.target) ? about : undefined;
    const removed = plan.method === 'DELETE' ? address : plan.takesBack === true ? about : undefined;
    if (about !== undefined && isOver(writes, exchange, idIn(about))) this.#remove(keyOf(api, about));
    else if (isGone(exchange) && removed !== undefined) this.#miss(keyOf(api, removed), plan.as);
    else if (plan.method === 'GET' || plan.method === 'HEAD') {
      if (isGone(exchange) && address !== undefined) this.#absent.add(keyFor(plan.as, keyOf(api, address)));
      else if (isSuccess(exchange)) this.#restore(address === undefined ? '' : keyOf(api, address));
      if (isSuccess(exchange)) this.#note(exchange, keyOf(api, collectionPath(plan.target, fill)));
    } else if (plan.method === 'DELETE') {
      if (address !== undefined && isSuccess(exchange)) this.#remove(keyOf(api, address), true);
    } else if (answer === undefined) {
      if (plan.effect?.kind === 'creates')
        this.#add(thingOf(exchange, plan), scenario, 'the call had no answer, so it may exist');
    } else if (isSuccess(exchange)) {
      let made: readonly MadeThing[];
      try {
        made = writes.madeBy(plan, fill, exchange);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        this.#add(thingOf(exchange, plan), scenario, 'its answer cannot be read');
        return;
      }
      for (const thing of made)
        if (showsFreshKey(exchange) || this.#isNew(thing, plan, status, writes)) this.#add(thing, scenario);
        else this.#doubt(thing, scenario, status);
      // What was called removed, and is changed after that, is there again.
      if (plan.effect?.kind === 'changes' && about !== undefined) this.#restore(keyOf(api, about));
      // What an answer shows beside that, such as an owner, was there before.
      this.#note(exchange);
    } else if (plan.effect?.kind === 'creates' && writes.mayExistAfter?.(status) === true)
      this.#add(thingOf(exchange, plan), scenario, `the call was answered with ${status}, so it may exist`);
  }

  /** A request as a call of an operation of an API whose writes are known. */
  #callOf(
    api: string,
    plan: RequestPlan,
    fill: Fill,
    body: unknown,
  ): (LedgerCall & { readonly writes: ApiWrites }) | undefined {
    const writes = this.#writes.get(api);
    const own = plan.operation === undefined ? undefined : { plan, fill };
    const call = writes?.callOf === undefined ? own : writes.callOf(plan, fill, () => jsonOf(body));
    return writes === undefined || call === undefined ? undefined : { ...call, writes };
  }

  /** Lists a thing that the run may not have made: it is neither changed nor removed. */
  #doubt({ removal: _, ...thing }: MadeThing, scenario: string, status: number): void {
    const { api, addresses } = thing;
    const isKnown = addresses.some(
      (address) =>
        this.#at.has(keyOf(api, address)) ||
        (status !== 201 && this.#isShown(api, address)) ||
        [...this.#entries].some(
          (entry) => entry.thing.api === api && entry.thing.addresses.includes(address),
        ),
    );
    if (!isKnown) this.#entries.add({ thing, scenario, why: 'it may have been there before' });
  }

  /** Whether a success is about a new thing, and not a replacement, or a creation that returns what it finds. */
  #isNew(
    { api, addresses, as }: MadeThing,
    { method }: RequestPlan,
    status: number,
    writes: ApiWrites,
  ): boolean {
    return addresses.every((address) => {
      if (this.#isAbsent(keyOf(api, address), as)) return true;
      const id = idIn(address);
      return (
        !writes.isDocumented(id) &&
        !this.#isShown(api, address) &&
        (method !== 'PUT' || status === 201 || isBeyondGuessing(id))
      );
    });
  }

  /** Whether an answer of the same collection, or of something below it, has the id at the end of an address. */
  #isShown(api: string, address: string): boolean {
    const collection = keyOf(api, address.slice(0, address.lastIndexOf('/')));
    return [...this.#seenAt].some(
      ([path, ids]) => (path === collection || path.startsWith(`${collection}/`)) && ids.has(idIn(address)),
    );
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
      this.#removed.delete(key);
    }
  }

  /** What its maker no longer finds is gone; what another caller does not find may be hidden from that caller. */
  #miss(key: string, as: Identity): void {
    if (this.#at.get(key)?.thing.as === as) this.#remove(key);
    else this.#absent.add(keyFor(as, key));
  }

  /** Whether nothing is there: for all callers, or as far as this caller sees. */
  #isAbsent(key: string, as: Identity | undefined): boolean {
    return this.#absent.has(key) || (as !== undefined && this.#absent.has(keyFor(as, key)));
  }

  /** @param isSaid whether only the answer to a deletion says so */
  #remove(key: string, isSaid = false): void {
    const entry = this.#at.get(key);
    this.#absent.add(key);
    if (entry === undefined) return;
    this.#entries.delete(entry);
    for (const address of entry.thing.addresses) {
      const own = keyOf(entry.thing.api, address);
      this.#at.delete(own);
      this.#absent.add(own);
      if (isSaid) this.#removed.set(own, entry);
    }
  }

  /** What is shown after it was called removed is still there. */
  #restore(key: string): void {
    const entry = this.#removed.get(key);
    if (entry === undefined) return;
    this.#entries.add(entry);
    for (const address of entry.thing.addresses) {
      const own = keyOf(entry.thing.api, address);
      this.#at.set(own, entry);
      this.#absent.delete(own);
      this.#removed.delete(own);
    }
  }

  /** What was called removed by an operation of which no read has shown yet that it removes. */
  saidRemoved(scenario?: string): readonly MadeEntry[] {
    return [...new Set(this.#removed.values())].filter(({ thing, scenario: own }) => {
      const isOpen = thing.removal?.shows !== undefined && !this.isProved(thing);
      return isOpen && (scenario === undefined || own === scenario);
    });
  }

  /** Whether a read has shown that the operation for things like this one removes what it says. */
  isProved(thing: MadeThing): boolean {
    return this.#proved.has(removalKey(thing));
  }

  prove(thing: MadeThing): void {
    this.#proved.add(removalKey(thing));
  }

  #note(exchange: Exchange, path?: string): void {
    if (this.#seen.size > MOST_SEEN) return;
    let value: unknown;
    try {
      value = exchange.json;
    } catch {
      return;
    }
    for (const text of textsIn(value)) this.#seen.add(text);
    if (path === undefined) return;
    const here = this.#seenAt.get(path) ?? new Set();
    this.#seenAt.set(path, here);
    for (const id of idsIn(value)) here.add(id);
  }
}

// --- internal ---

/** The thing that a call made, without an address. */
function thingOf({ api, id }: Exchange, { operation = '', as }: RequestPlan): MadeThing {
  return { api, operation, as, exchange: id, addresses: [] };
}

/** The JSON value of a body; `undefined` if it is not JSON. */
function jsonOf(body: unknown): unknown {
  if (body instanceof Uint8Array) return parseJson(new TextDecoder().decode(body));
  return typeof body === 'string' ? parseJson(body) : body;
}

/** Whether an answer shows that a thing has ended by itself, as far as it can be read. */
function isOver(writes: ApiWrites, exchange: Exchange, id: string): boolean {
  try {
    return writes.isOver?.(exchange, id) === true;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}

/** The ids of a server without end cannot all be kept. */
const MOST_SEEN = 100_000;

function keyOf(api: string, address: string): string {
  return `${api} ${address}`;
}

function removalKey({ api, removal }: MadeThing): string {
  return keyOf(api, removal?.plan.operation ?? '');
}

function keyFor(as: Identity, key: string): string {
  return `${as} ${key}`;
}

function idIn(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}
