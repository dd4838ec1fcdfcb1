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
 * A nested collection begins empty.
 */
export function seededRows(collection: Collection): readonly Row[] {
  if (collection.parents.names.length > 0) return [];
  const { member } = collection.policy.id;
  const examples = exampleThings(collection);
  if (examples.length > 0)
    return examples.map((item, index) => {
      const id = item[member];
      const known =
        typeof id === 'string' || typeof id === 'number' ? String(id) : madeId(collection, index + 1);
      return rowOf(collection, known, item, index + 1);
    });
  if (collection.members.length === 0) return [];
  return Array.from({ length: MADE_UP }, (_, index) =>
    rowOf(collection, madeId(collection, index + 1), {}, index + 1),
  );
}

// --- internal ---

/** More than one page of most lists. */
const MADE_UP = 25;

function rowOf(collection: Collection, id: string, given: JsonObject, n: number): Row {
  const isGiven = Object.keys(given).length > 0;
  const item = collection.completed({ ...given, ...idOf(collection, id) }, n, { sparse: isGiven });
  return { within: {}, id, item };
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
      : collection.itemsOf(list, listed);
  if (Array.isArray(items)) return items.filter((item) => isRecord(item)) as JsonObject[];
  const { item: member } = collection.policy;
  const single = [...examplesOf(read), ...examplesOf(create)].map((value) =>
    member !== undefined && isRecord(value) ? value[member] : value,
  );
  return single.filter((value) => isRecord(value)).slice(0, 1) as JsonObject[];
}
