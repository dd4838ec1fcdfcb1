import { isJson } from '../../contract/judge/body-format.ts';
import { isRecord } from '../../contract/index.ts';
import type { Json, JsonObject } from '../../contract/model.ts';
import type { Collection } from './collection.ts';
import type { Row } from './tables.ts';
import { idOf, madeId } from './thing.ts';

/** Whether the initial things of a collection are generated, because the document has no examples of them. */
export function isMadeUp(collection: Collection): boolean {
  return exampleThings(collection).length === 0;
}

/**
 * The initial things of a collection: those in the examples of its list, or things generated from its schema.
 *
 * @param place the values of the path parameters above them, and how many things there are already
 */
export function seededRows(
  collection: Collection,
  { within, made }: { readonly within: Row['within']; readonly made: number } = { within: {}, made: 0 },
): readonly Row[] {
  const parents = Object.entries(within).filter(([name]) => collection.members.includes(name));
  const rowOf = (id: string, given: JsonObject, n: number): Row =>
    initialRow(collection, { within, id, parents: Object.fromEntries(parents) }, given, n);
  const { member } = collection.policy.id;
  const examples = exampleThings(collection);
  if (examples.length > 0)
    return examples.map((item, index) => {
      const id = item[member];
      const known =
        typeof id === 'string' || typeof id === 'number' ? String(id) : madeId(collection, made + index + 1);
      return rowOf(known, item, made + index + 1);
    });
  if (collection.members.length === 0) return [];
  return Array.from({ length: MADE_UP }, (_, index) =>
    rowOf(madeId(collection, made + index + 1), {}, made + index + 1),
  );
}

// --- internal ---

/** More than one page of most lists. */
const MADE_UP = 25;

function initialRow(
  collection: Collection,
  { within, id, parents }: Pick<Row, 'within' | 'id'> & { readonly parents: JsonObject },
  given: JsonObject,
  n: number,
): Row {
  const sparse = Object.keys(given).length > 0;
  return {
    within,
    id,
    item: collection.completed({ ...given, ...parents, ...idOf(collection, id) }, n, { sparse }),
  };
}

/** The things of the first example of a list; else the example of one thing. */
function exampleThings(collection: Collection): readonly JsonObject[] {
  const { list, read, create } = collection.operations;
  const examplesOf = (operation: typeof list): readonly Json[] =>
    (operation?.responses ?? [])
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ content }) => content.filter(({ mediaType }) => isJson(mediaType)))
      .flatMap(({ examples }) => examples.map(({ value }) => value));
  const [listed] = examplesOf(list);
  const items = Array.isArray(listed)
    ? listed
    : list === undefined
      ? undefined
      : collection.lists.itemsOf(list, listed);
  if (Array.isArray(items)) return items.filter((item) => isRecord(item)) as JsonObject[];
  const { item: member } = collection.policy;
  const single = [...examplesOf(read), ...examplesOf(create)].map((value) =>
    member !== undefined && isRecord(value) ? value[member] : value,
  );
  return single.filter((value) => isRecord(value)).slice(0, 1) as JsonObject[];
}
