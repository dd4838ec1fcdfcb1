import type { Json, JsonObject } from '../../contract/model.ts';
import { singular } from '../../contract/text/singular.ts';
import { wordsOf } from '../samples/lifelike-text.ts';
import type { Collection } from './collection.ts';
import type { Lifecycles } from './lifecycles.ts';
import type { ResourceAccess } from './resource-access.ts';
import type { Row, Tables } from './tables.ts';

/** Members that count: the items of a list of the thing, such as `label_count`, or the things of a nested collection. */
export class Counters {
  readonly #lifecycles: Lifecycles;
  /** By collection: the member that counts, and the list that it counts. */
  readonly #lists: ReadonlyMap<Collection, readonly Counter[]>;
  /** By the collection that is counted: the members that count it. */
  readonly #nested: readonly NestedCounter[];

  constructor(collections: readonly Collection[], access: ResourceAccess, lifecycles: Lifecycles) {
    this.#lifecycles = lifecycles;
    this.#lists = new Map(
      collections.map((one) => {
        const lists = one.members.filter((name) => one.member(name)['type'] === 'array');
        return [one, countersOf(one, lists)] as const;
      }),
    );
    this.#nested = collections.flatMap((below) =>
      below.parents.names.flatMap((name) => {
        const parent = access.parentOf(below, name);
        const [found] = parent === undefined ? [] : countersOf(parent, [below.policy.collection]);
        return parent === undefined || found === undefined
          ? []
          : [{ below, parent, name, member: found.member }];
      }),
    );
  }

  /** A thing whose lists are counted. */
  counted(collection: Collection, item: JsonObject): JsonObject {
    const counts = (this.#lists.get(collection) ?? []).flatMap(({ member, what }): [string, Json][] =>
      Array.isArray(item[what]) ? [[member, item[what].length]] : [],
    );
    return { ...item, ...Object.fromEntries(counts) };
  }

  /** A thing below which there is nothing yet. */
  started(collection: Collection, item: JsonObject): JsonObject {
    const none = this.#nested.filter(
      ({ parent, member }) => parent === collection && Object.hasOwn(item, member),
    );
    return {
      ...this.counted(collection, item),
      ...Object.fromEntries(none.map(({ member }) => [member, 0])),
    };
  }

  /** Counts the things of a nested collection again, in all things above it. */
  recount(collection: Collection, tables: Tables): void {
    for (const { parent, name, member } of this.#nested.filter(({ below }) => below === collection)) {
      const placeOf = (within: Row['within']): string =>
        JSON.stringify(collection.parents.names.map((each) => within[each] ?? null));
      const counts = new Map<string, number>();
      for (const { within } of tables.table(collection.policy.collection).rows())
        counts.set(placeOf(within), (counts.get(placeOf(within)) ?? 0) + 1);
      const table = tables.table(parent.policy.collection);
      for (const row of table.rows()) {
        const count = counts.get(placeOf({ ...row.within, [name]: row.id })) ?? 0;
        const isCounting = Object.hasOwn(row.item, member) && row.item[member] !== count;
        if (isCounting) this.#lifecycles.rewrite(table, row, { ...row.item, [member]: count });
      }
    }
  }
}

// --- internal ---

interface Counter {
  readonly member: string;
  readonly what: string;
}

interface NestedCounter {
  readonly below: Collection;
  readonly parent: Collection;
  /** The path parameter with the id of the thing above. */
  readonly name: string;
  readonly member: string;
}

const COUNT = /^(?:(.+)_count|(?:count|number|num)_(?:of_)?(.+))$/;

/** The members that count one of the others, by their names. */
function countersOf(collection: Collection, others: readonly string[]): readonly Counter[] {
  return collection.members.flatMap((member): Counter[] => {
    const found = collection.member(member)['type'] === 'integer' ? COUNT.exec(wordsOf(member)) : null;
    const counted = found === null ? undefined : singular(found[1] ?? found[2] ?? '');
    const what = others.find((other) => singular(wordsOf(other)) === counted);
    return what === undefined ? [] : [{ member, what }];
  });
}
