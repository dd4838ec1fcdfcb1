import { isRecord, policyFor } from '../../contract/index.ts';
import { isJson } from '../../contract/judge/body-format.ts';
import type { Contract, JsonObject, MediaType, Operation, Schema } from '../../contract/model.ts';
import type { EventStreamPolicy } from '../../contract/policies/event-stream.ts';
import { isTerminal, type LifecyclePolicy } from '../../contract/policies/lifecycle.ts';
import { followed } from '../../contract/pointer.ts';
import { piecesOf } from '../../contract/sequential/pieces.ts';
import { propertyAt } from '../../contract/schemas/schema-parts.ts';
import type { LooseReply, ServerEvent } from '../../engine/handler.ts';
import { lifelike } from '../samples/lifelike.ts';
import type { Clock } from '../state/clock.ts';
import type { Collection } from './collection.ts';
import { type Lifecycles, PAUSE_MS } from './lifecycles.ts';
import type { Row, Table } from './tables.ts';

/** A thing whose events are sent. */
export interface WatchedThing {
  readonly collection: Collection;
  readonly table: Table;
  readonly row: Row;
}

/**
 * The live events of an operation whose document has no example of them: the present state of a thing, each later
 * one, and the end after a terminal one. While a stream is open, the thing makes its own transitions. A stream that belongs to no collection shows a thing of the authority's schema on its way to the end.
 */
export class EventStreams {
  readonly #contract: Contract;
  readonly #lifecycles: Lifecycles;

  constructor(contract: Contract, lifecycles: Lifecycles) {
    this.#contract = contract;
    this.#lifecycles = lifecycles;
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
    const reader = this.#contract.operations.find(({ id }) => id === policy.authority);
    const lifecycle = (thing && this.#lifecycles.of(thing.collection)) ?? this.#lifecycles.ofAnswer(reader);
    const shows = this.#viewsOf(policy, media, thing?.collection, lifecycle);
    const events =
      thing === undefined
        ? this.#made(policy, shows, reader, lifecycle)
        : this.#live(policy, shows, { ...thing, policy: lifecycle }, parts);
    return { status: media.status, events };
  }

  async *#live(
    { events }: EventStreamPolicy,
    shows: Views,
    {
      collection,
      table,
      row: { within, id },
      policy,
    }: WatchedThing & { readonly policy: LifecyclePolicy | undefined },
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): AsyncGenerator<ServerEvent> {
    let last: unknown;
    for (let isFirst = true; ; isFirst = false) {
      const row = table.get(within, id);
      // The stream of a thing ends with it.
      if (row === undefined) return;
      const state = policy === undefined ? undefined : row.item[policy.property];
      if (isFirst || state !== last) yield { event: events.status, data: shows('status', row.item) };
      last = state;
      if (policy === undefined || isTerminal(policy, state)) return;
      const way = this.#lifecycles.ownWay(policy, state);
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
      const { property } = policy;
      this.#lifecycles.move(collection, table, now, { property, way, now: clock.now() });
    }
  }

  /** The events of a thing that is in no table. */
  async *#made(
    { authority, events }: EventStreamPolicy,
    shows: Views,
    reader: Operation | undefined,
    policy: LifecyclePolicy | undefined,
  ): AsyncGenerator<ServerEvent> {
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

  /** The data of an event, by the schema of the stream if that describes objects. */
  #viewsOf(
    { events }: EventStreamPolicy,
    media: Pick<MediaType, 'mediaType' | 'schema'>,
    collection: Collection | undefined,
    lifecycle: LifecyclePolicy | undefined,
  ): Views {
    const { root } = this.#contract.document;
    const kinds = (piecesOf(media, this.#contract.document)?.kinds ?? []).filter(
      ({ form }) => form === 'json',
    );
    const branchesIn = (some: typeof kinds): readonly Schema[] =>
      some.flatMap(({ schema }) => branchesOf(schema, root));
    const branches = branchesIn(kinds);
    const has = (branch: Schema, name: string): boolean => propertyAt(branch, name, root).length > 0;
    const state = lifecycle?.property ?? '';
    const ofStatus = branches.find((branch) => has(branch, state)) ?? branches[0];
    const others = branches.filter((branch) => branch !== ofStatus);
    return (kind, item) => {
      const name = events[kind] ?? kind;
      const named = branchesIn(kinds.filter(({ names }) => names?.includes(name) === true));
      const own = others.find((branch) => has(branch, name) || has(branch, kind)) ?? others[0];
      const form = named[0] ?? (kind === 'status' ? ofStatus : (own ?? ofStatus));
      if (form === undefined)
        return collection === undefined ? item : collection.shown(collection.schema, item, name);
      if (collection !== undefined) return collection.shown(form, item, name);
      return lifelike(form, root, { seed: name, given: item, sparse: true });
    };
  }
}

// --- internal ---

type Views = (kind: keyof EventStreamPolicy['events'], item: JsonObject) => unknown;

function mediaOf({ responses }: Operation):
  | (Pick<MediaType, 'mediaType' | 'schema' | 'examples'> & {
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
