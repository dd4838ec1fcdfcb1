import { isRecord } from '../../contract/index.ts';
import type { Json, JsonObject, Operation, Schema } from '../../contract/model.ts';
import { propertiesOf, propertyAt } from '../../contract/schemas/schema-parts.ts';
import { flattened } from '../samples/flat-schema.ts';
import { wordsOf } from '../samples/lifelike-text.ts';
import { put } from '../samples/put.ts';
import type { Collection } from './collection.ts';
import { jsonOf } from './declared-answers.ts';
import type { Row } from './tables.ts';
import { idOf } from './thing.ts';

/** What became of one thing of a list. */
export type CreationResult =
  { readonly status: number; readonly row: Row } | { readonly status: number; readonly says: string };

/** The answer to a request that creates several things; `undefined` if the document declares one of another form. */
export function resultsBody(
  collection: Collection,
  operation: Operation,
  status: number,
  results: readonly CreationResult[],
): Json | undefined {
  const content = jsonOf(operation, status);
  if (content === undefined) return undefined;
  const { many = {} } = collection.policy;
  const { root } = collection;
  const list =
    many.results === undefined ? content.schema : propertyAt(content.schema, many.results, root)[0];
  const schema = flattened(list, root)['items'] as Schema | undefined;
  const shown = results.map((result, index) => resultOf(collection, schema, result, index));
  if (many.results === undefined) return shown;
  const counts = propertiesOf(content.schema, root).flatMap(([name, each]): [string, Json][] => {
    const count = flattened(each, root)['type'] === 'integer' ? countOf(name, results) : undefined;
    return count === undefined ? [] : [[name, count]];
  });
  const [first = '', ...deeper] = many.results.split('.');
  const given = deeper.length === 0 ? { [first]: shown } : {};
  const made = collection.made(content.schema, { ...Object.fromEntries(counts), ...given }, 'results', true);
  return put(made, many.results.split('.'), shown) as Json;
}

// --- internal ---

function resultOf(
  collection: Collection,
  schema: Schema | undefined,
  result: CreationResult,
  index: number,
): Json {
  const { many = {}, id } = collection.policy;
  const { root } = collection;
  const members = propertiesOf(schema, root);
  const has = (name: string): boolean => members.some(([each]) => each === name);
  const place = members.find(([name]) => /^(?:index|position|row|line)$/.test(wordsOf(name)))?.[0];
  const common = {
    ...(many.status === undefined
      ? {}
      : { [many.status]: statusIn(schema, many.status, result.status, root) }),
    ...(place === undefined ? {} : { [place]: index }),
  };
  const seed = `result ${String(index)}`;
  if ('says' in result) {
    const told = members.flatMap(([name, each]): [string, Json][] =>
      /^(?:error|errors|problem|message|detail|reason)$/.test(wordsOf(name))
        ? [[name, errorOf(collection, each, result)]]
        : [],
    );
    return collection.made(schema, { ...common, ...Object.fromEntries(told.slice(0, 1)) }, seed, true);
  }
  const { item } = result.row;
  if (many.item === undefined) return { ...collection.shown(schema, item, seed), ...common };
  const inner = propertyAt(schema, many.item, root)[0];
  const own = has(id.member) ? idOf(collection, result.row.id) : {};
  return collection.made(
    schema,
    { ...common, ...own, [many.item]: collection.shown(inner, item, seed) },
    seed,
    true,
  );
}

/** A status as a number, or as a text where the document says so. */
function statusIn(schema: Schema | undefined, path: string, status: number, root: JsonObject): Json {
  const declared = propertyAt(schema, path, root)[0];
  return flattened(declared, root)['type'] === 'string' ? String(status) : status;
}

/** An error with a message, in the form that the document gives it. */
function errorOf(
  collection: Collection,
  schema: Schema,
  result: { readonly status: number; readonly says: string },
): Json {
  const { status, says } = result;
  const flat = flattened(schema, collection.root);
  if (flat['type'] === 'string') return says;
  if (flat['type'] === 'array') return [errorOf(collection, flat['items'] as Schema, result)];
  const names = propertiesOf(schema, collection.root).map(([name]) => name);
  const text = ['message', 'detail', 'reason', 'description', 'title'].find((name) =>
    names.some((each) => wordsOf(each) === name),
  );
  const isProblem = names.includes('type') && names.includes('title');
  const given = {
    // RFC 9457, section 4.2.1: the type and the title of a problem that has no specific type.
    ...(isProblem ? { type: 'about:blank', title: 'Invalid' } : {}),
    ...(names.includes('status') ? { status: statusIn(schema, 'status', status, collection.root) } : {}),
    ...Object.fromEntries(names.filter((each) => wordsOf(each) === text).map((each) => [each, says])),
  };
  const made = collection.made(schema, given, 'error', true);
  return isRecord(made) ? (made as JsonObject) : made;
}

/** Of all things, of those that were created, or of those that were refused. */
function countOf(name: string, results: readonly CreationResult[]): number | undefined {
  const words = wordsOf(name).replace(/_?(?:count|items|things)$|^(?:count|number)_(?:of_)?/g, '');
  const created = results.filter((result) => 'row' in result).length;
  if (/^(?:created|imported|succeeded|accepted|ok|successful)$/.test(words)) return created;
  if (/^(?:failed|refused|rejected|errors|invalid)$/.test(words)) return results.length - created;
  return /^(?:total|processed|all|received)?$/.test(words) ? results.length : undefined;
}
