import { lifecycleOf, lifecyclesOf } from '../../contract/sheet/lifecycle-of.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { waysCausedBy, type LifecyclePolicy, type Transition } from '../../contract/policies/lifecycle.ts';
import { propertyAt } from '../../contract/schemas/schema-parts.ts';
import type { Collection } from './collection.ts';
import { History } from './history.ts';
import type { Row, TableView } from './tables.ts';
import { touched } from './thing.ts';

/** The time after which a thing moves on by itself, in milliseconds. */
export const PAUSE_MS = 1000;

/** The states of things, and what becomes of them without a call. */
export class Lifecycles {
  readonly #contract: Contract;
  /** When a thing came into its present state. Things that are not in here stay as they are. */
  readonly #since = new WeakMap<Row, number>();
  readonly #causes = new Map<LifecyclePolicy, Causes>();
  readonly #histories = new Map<Collection, History>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** The lifecycle of the things of a collection. */
  of({ schema, members }: Pick<Collection, 'schema' | 'members'>): LifecyclePolicy | undefined {
    const policy = lifecycleOf(this.#contract, schema);
    return policy !== undefined && members.includes(policy.property) ? policy : undefined;
  }

  /** The lifecycle of what an operation shows; the first one if the document does not say. */
  ofAnswer(operation: Operation | undefined): LifecyclePolicy | undefined {
    const schemas = (operation?.responses ?? [])
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ content }) => content.map(({ schema }) => schema));
    const found = schemas.flatMap((schema) => lifecycleOf(this.#contract, schema) ?? []);
    return found[0] ?? lifecyclesOf(this.#contract)[0];
  }

  /**
   * The transition that a thing makes without a call: the first one from its state. `undefined` if a call can cause a
   * transition from this state, or if callers write the state. What is created with 202 is not complete: the server goes
   * on with it by itself, although a call such as a cancellation can end this.
   */
  ownWay(policy: LifecyclePolicy, state: unknown): Transition | undefined {
    const ways = policy.transitions.filter(({ from }) => from === state);
    const { calls, hasOwnWays, isWritten } = this.#causesOf(policy);
    const isEnded = ways.some((way) => calls.includes(way)) && !hasOwnWays;
    return isEnded || isWritten ? undefined : ways.find((way) => !calls.includes(way));
  }

  /** Found once: each thing of a list asks. */
  #causesOf(policy: LifecyclePolicy): Causes {
    const known = this.#causes.get(policy);
    if (known !== undefined) return known;
    const contract = this.#contract;
    const causes = {
      calls: contract.operations.flatMap((call) => (call.method === 'get' ? [] : waysCausedBy(policy, call))),
      hasOwnWays: isAccepted(contract, policy),
      isWritten: isWritten(contract, policy),
    };
    this.#causes.set(policy, causes);
    return causes;
  }

  /** What the states of the things of a collection leave in other members; `undefined` without a lifecycle. */
  history(collection: Collection): History | undefined {
    const policy = this.of(collection);
    const known = this.#histories.get(collection);
    if (known !== undefined || policy === undefined) return known;
    const history = new History(this.#contract, collection, policy);
    this.#histories.set(collection, history);
    return history;
  }

  /** Stores a thing in another form, without a change of its state. */
  rewrite(table: Pick<TableView, 'put'>, row: Row, item: Row['item']): void {
    const since = this.#since.get(row);
    const next = { ...row, item };
    table.put(next);
    if (since !== undefined) this.#since.set(next, since);
  }

  /** Stores a thing that a call or its own way brought into its state. */
  put(table: Pick<TableView, 'put'>, row: Row, now: number): void {
    table.put(row);
    this.#since.set(row, now);
  }

  /** Stores and returns a thing after its own transition to a state. */
  move(
    collection: Collection,
    table: Pick<TableView, 'put'>,
    row: Row,
    { property, way, now }: { readonly property: string; readonly way: Transition; readonly now: number },
  ): Row {
    const moved = { ...row.item, [property]: way.to };
    const told = this.history(collection)?.after(moved, way, now) ?? moved;
    const item = touched(collection, told, now, 'changed');
    const next = { ...row, item };
    this.put(table, next, now);
    return next;
  }

  /** The thing as it is now: one transition after each pause. */
  settled(collection: Collection, table: Pick<TableView, 'put'>, row: Row, now: number): Row {
    const since = this.#since.get(row);
    const policy = since === undefined ? undefined : this.of(collection);
    if (since === undefined || policy === undefined) return row;
    let settled = row;
    for (let moves = 1; moves <= MOST_MOVES && since + moves * PAUSE_MS <= now; moves += 1) {
      const { property } = policy;
      const way = this.ownWay(policy, settled.item[property]);
      if (way === undefined) break;
      settled = this.move(collection, table, settled, {
        property,
        way,
        now: since + moves * PAUSE_MS,
      });
    }
    return settled;
  }
}

// --- internal ---

/** What changes the states of a lifecycle. */
interface Causes {
  /** The transitions that calls cause. */
  readonly calls: readonly Transition[];
  /** Whether the server continues by itself where a call can end this. */
  readonly hasOwnWays: boolean;
  /** Whether callers write the state. */
  readonly isWritten: boolean;
}

/** The most transitions between two looks at a thing, for clocks that leap. */
const MOST_MOVES = 100;

/** Whether things are created with 202: the request is accepted, and its processing continues (RFC 9110, section 15.3.3). */
function isAccepted(contract: Contract, policy: LifecyclePolicy): boolean {
  const creations = (contract.sheet?.policies ?? []).flatMap((one) =>
    one.kind === 'resource' ? [one.operations.create, one.operations.createMany] : [],
  );
  return contract.operations
    .filter(({ id }) => creations.includes(id))
    .flatMap(({ responses }) => responses.filter(({ status }) => status === '202'))
    .flatMap(({ content }) => content)
    .some(({ schema }) => lifecycleOf(contract, schema) === policy);
}

/** Whether callers write the state in the body of a change, so that it never changes by itself. */
function isWritten(contract: Contract, policy: LifecyclePolicy): boolean {
  const { operations, sheet, document } = contract;
  const changes = (sheet?.policies ?? []).flatMap((one) =>
    one.kind === 'resource' ? [one.operations.patch, one.operations.replace] : [],
  );
  return operations
    .filter(({ id }) => changes.includes(id))
    .flatMap(({ requestBody }) => requestBody?.content ?? [])
    .some(
      ({ schema }) =>
        propertyAt(schema, policy.property, document.root).length > 0 &&
        (lifecycleOf(contract, schema) ?? policy) === policy,
    );
}
