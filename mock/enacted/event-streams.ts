import { findPolicy, isRecord, policyFor } from '../../contract/index.ts';
import { isJson } from '../../contract/body-format.ts';
import type { Contract, JsonObject, Operation, Schema } from '../../contract/model.ts';
import type { EventStreamPolicy } from '../../contract/policies/event-stream.ts';
import { isTerminal, waysCausedBy, type LifecyclePolicy } from '../../contract/policies/lifecycle.ts';
import { followed } from '../../contract/pointer.ts';
import { propertyAt } from '../../contract/schema-parts.ts';
import type { LooseReply, ServerEvent } from '../../engine/handler.ts';
import { lifelike } from '../samples/lifelike.ts';
import type { Clock } from '../state/clock.ts';
import type { Collection } from './collection.ts';
import type { Row, Table } from './tables.ts';
import { touched } from './thing.ts';

/** A thing whose events are sent. */
export interface WatchedThing {
  readonly collection: Collection;
  readonly table: Table;
  readonly row: Row;
}

/**
 * The live events of an operation whose document has no example of them: the present state of a thing, each later
 * one, and the end after a terminal one. While a stream is open, the thing makes the transitions that no call
 * causes. A stream that belongs to no collection shows a thing of the authority's schema on its way to the end.
 */
export class EventStreams {
  readonly #contract: Contract;
  readonly #lifecycle: LifecyclePolicy | undefined;
  readonly #isOfCalls: boolean;

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#lifecycle = findPolicy(contract, 'lifecycle');
    this.#isOfCalls = this.#lifecycle !== undefined && isWritten(contract, this.#lifecycle);
  }

  /** `undefined` for an operation without a stream, or one whose document has an example of it. */
  reply(
    operationId: string,
    parts: {
      readonly clock: Clock;
      readonly signal: AbortSignal;
      /** @throws {Refusal} if there is none */
      readonly thing: () => WatchedThing | undefined;
    },
  ): LooseReply | undefined {
    const operation = this.#contract.operations.find(({ id }) => id === operationId);
    const policy = operation && policyFor(operation, 'event-stream');
    const media = operation && mediaOf(operation);
    if (operation === undefined || policy === undefined || media === undefined) return undefined;
    if (media.examples.length > 0) return undefined;
    const thing = parts.thing();
    const shows = this.#viewsOf(policy, media.schema, thing?.collection);
    const events = thing === undefined ? this.#made(policy, shows) : this.#live(policy, shows, thing, parts);
    return { status: media.status, events };
  }

  async *#live(
    { events }: EventStreamPolicy,
    shows: Views,
    { collection, table, row: { within, id } }: WatchedThing,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): AsyncGenerator<ServerEvent> {
    const policy = this.#lifecycle;
    let last: unknown;
    for (let isFirst = true; ; isFirst = false) {
      const row = table.get(within, id);
      // The stream of a thing ends with it.
      if (row === undefined) return;
      const state = policy === undefined ? undefined : row.item[policy.property];
      if (isFirst || state !== last) yield { event: events.status, data: shows('status', row.item) };
      last = state;
      if (policy === undefined || isTerminal(policy, state)) return;
      const way = this.#ownWay(policy, state);
      const changed = changeOf(table, { within, id }, signal);
      try {
        if (way === undefined) {
          await changed.happened;
          continue;
        }
        if (await isFirstToEnd(clock, changed, PAUSE_MS / 2)) continue;
        for (const kind of ['progress', 'preview'] as const)
          if (events[kind] !== undefined) yield { event: events[kind], data: shows(kind, row.item) };
        if (await isFirstToEnd(clock, changed, PAUSE_MS / 2)) continue;
      } finally {
        changed.forget();
      }
      signal.throwIfAborted();
      const now = table.get(within, id);
      if (now === undefined || now.item[policy.property] !== state) continue;
      const moved = { ...now.item, [policy.property]: way.to };
      table.put({ ...now, item: touched(collection, moved, clock.now(), 'changed') });
    }
  }

  /** The events of a thing that is in no table. */
  async *#made({ authority, events }: EventStreamPolicy, shows: Views): AsyncGenerator<ServerEvent> {
    const policy = this.#lifecycle;
    const reader = this.#contract.operations.find(({ id }) => id === authority);
    const content = reader?.responses.find(({ status }) => status.startsWith('2'))?.content ?? [];
    const { schema, examples } = content.find(({ mediaType }) => isJson(mediaType)) ?? { examples: [] };
    const example = examples.map(({ value }) => value).find((value) => isRecord(value));
    const { root } = this.#contract.document;
    const made = example ?? lifelike(schema, root, { seed: authority, sparse: true });
    const item = isRecord(made) ? (made as JsonObject) : {};
    for (const state of policy === undefined ? [undefined] : lifeOf(policy)) {
      const now = policy === undefined || state === undefined ? item : { ...item, [policy.property]: state };
      yield { event: events.status, data: shows('status', now) };
      if (policy === undefined || state === policy.initial || isTerminal(policy, state)) continue;
      for (const kind of ['progress', 'preview'] as const)
        if (events[kind] !== undefined) yield { event: events[kind], data: shows(kind, now) };
    }
  }

  /** A transition that no call causes. */
  #ownWay(policy: LifecyclePolicy, state: unknown): LifecyclePolicy['transitions'][number] | undefined {
    if (this.#isOfCalls) return undefined;
    const calls = this.#contract.operations.filter(({ method }) => method !== 'get');
    return policy.transitions.find(
      (way) => way.from === state && !calls.some((call) => waysCausedBy(policy, call).includes(way)),
    );
  }

  /** The data of an event, by the schema of the stream if that describes objects. */
  #viewsOf(
    { events }: EventStreamPolicy,
    schema: Schema | undefined,
    collection: Collection | undefined,
  ): Views {
    const { root } = this.#contract.document;
    const branches = branchesOf(schema, root);
    const has = (branch: Schema, name: string): boolean => propertyAt(branch, name, root).length > 0;
    const state = this.#lifecycle?.property ?? '';
    const ofStatus = branches.find((branch) => has(branch, state)) ?? branches[0];
    const others = branches.filter((branch) => branch !== ofStatus);
    return (kind, item) => {
      const name = events[kind] ?? kind;
      const own = others.find((branch) => has(branch, name) || has(branch, kind)) ?? others[0];
      const form = kind === 'status' ? ofStatus : (own ?? ofStatus);
      if (form === undefined)
        return collection === undefined ? item : collection.shown(collection.schema, item, name);
      if (collection !== undefined) return collection.shown(form, item, name);
      return lifelike(form, root, { seed: name, given: item, sparse: true });
    };
  }
}

// --- internal ---

type Views = (kind: keyof EventStreamPolicy['events'], item: JsonObject) => unknown;

/** The time after which a thing moves on by itself. */
const PAUSE_MS = 1000;

function mediaOf({ responses }: Operation):
  | (Pick<Operation['responses'][number]['content'][number], 'schema' | 'examples'> & {
      readonly status: number;
    })
  | undefined {
  for (const { status, content } of responses) {
    const found = content.find(({ mediaType }) => /^text\/event-stream\b/i.test(mediaType));
    if (found !== undefined && /^2/.test(status))
      return { ...found, status: /^\d+$/.test(status) ? Number(status) : 200 };
  }
  return undefined;
}

/** The alternatives of a schema of objects; none for a text, whose content the document does not describe. */
function branchesOf(schema: Schema | undefined, root: JsonObject): readonly Schema[] {
  const found = followed(root, schema);
  if (!isRecord(found)) return [];
  const alternatives = [found['oneOf'], found['anyOf']].find(Array.isArray) as readonly Schema[] | undefined;
  if (alternatives !== undefined) return alternatives;
  return found['type'] === 'object' || isRecord(found['properties']) || Array.isArray(found['allOf'])
    ? [found as Schema]
    : [];
}

/** The states from the first one to a terminal one, by the shortest way. */
function lifeOf({ initial, terminal, transitions }: LifecyclePolicy): readonly string[] {
  const ways: string[][] = [[initial]];
  const seen = new Set([initial]);
  for (const way of ways) {
    const last = way.at(-1) ?? '';
    if (terminal.includes(last)) return way;
    for (const { from, to } of transitions) {
      if (from !== last || seen.has(to)) continue;
      seen.add(to);
      ways.push([...way, to]);
    }
  }
  return [initial];
}

/** Whether callers write the state in the body of a change, so that it never changes by itself. */
function isWritten({ operations, sheet, document }: Contract, { property }: LifecyclePolicy): boolean {
  const changes = (sheet?.policies ?? []).flatMap((policy) =>
    policy.kind === 'resource' ? [policy.operations.patch, policy.operations.replace] : [],
  );
  return operations
    .filter(({ id }) => changes.includes(id))
    .flatMap(({ requestBody }) => requestBody?.content ?? [])
    .some(({ schema }) => propertyAt(schema, property, document.root).length > 0);
}

interface Change {
  readonly happened: Promise<void>;
  readonly signal: AbortSignal;
  readonly forget: () => void;
}

/** The next change of a thing. It rejects when the signal aborts. */
function changeOf(table: Table, { within, id }: Omit<Row, 'item'>, signal: AbortSignal): Change {
  const over = new AbortController();
  let forget = (): void => undefined;
  const happened = new Promise<void>((resolve, reject) => {
    const leave = (): void => {
      reject(signal.reason as Error);
    };
    const unwatch = table.watch((row) => {
      if (row === undefined || (row.id === id && JSON.stringify(row.within) === JSON.stringify(within)))
        resolve();
    });
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    forget = () => {
      unwatch();
      over.abort();
      signal.removeEventListener('abort', leave);
    };
  });
  happened.catch(() => undefined);
  return { happened, signal: over.signal, forget };
}

/** Whether a change happens before some time is over. */
async function isFirstToEnd(clock: Clock, { happened, signal }: Change, ms: number): Promise<boolean> {
  const slept = clock.sleep(ms, signal).then(
    () => false,
    () => false,
  );
  return Promise.race([happened.then(() => true), slept]);
}
