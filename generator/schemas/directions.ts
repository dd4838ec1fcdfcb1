import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import type { NameTable } from '../names.ts';
import { isObject } from './read-schema.ts';
import { referenceTo, referredName, type TableEntry } from './table-entry.ts';

/**
 * The direction of a value: members that are `readOnly` are not sent, those that are `writeOnly` are not
 * returned.
 */
export type Direction = 'request' | 'response';

/**
 * Gives schemas with `readOnly` or `writeOnly` members a variant for each direction in which they are used.
 * In it, members of the other direction are neither required nor typed. If a schema is used in both
 * directions, the variant for requests has its own name, such as `PetInput`.
 *
 * @param placed the schemas of bodies and similar places, each with its direction
 */
export function splitDirections(
  entries: readonly TableEntry[],
  placed: readonly { readonly schema: Schema; readonly direction: Direction | undefined }[],
  names: NameTable,
): { readonly entries: readonly TableEntry[]; readonly placed: readonly Schema[] } {
  const byName = new Map(entries.map(({ name, schema }) => [name, schema]));
  const marked = markedEntries(entries);
  if (marked.size === 0) return { entries, placed: placed.map(({ schema }) => schema) };

  const usedIn = (wanted: Direction): ReadonlySet<string> =>
    reached(
      placed.flatMap(({ schema, direction }) => (direction === wanted ? [schema] : [])),
      byName,
    );
  const [sent, answered] = [usedIn('request'), usedIn('response')];
  const inputs = new Map(
    entries
      .filter(({ name }) => marked.has(name) && sent.has(name))
      .map(({ name }) => [
        name,
        answered.has(name) ? names.claimType(`${names.publicName(name)}Input`) : name,
      ]),
  );
  const forms = {
    request: new Form('readOnly', byName, inputs),
    response: new Form('writeOnly', byName, new Map()),
  };
  const isOnlySent = (name: string): boolean => inputs.get(name) === name;
  return {
    entries: entries.flatMap((entry): TableEntry[] => {
      const { name, schema } = entry;
      if (!marked.has(name)) return [entry];
      const input = inputs.get(name);
      const request = input === undefined ? [] : [{ name: input, schema: forms.request.of(schema) }];
      return isOnlySent(name) ? request : [{ name, schema: forms.response.of(schema) }, ...request];
    }),
    placed: placed.map(({ schema, direction }) =>
      direction === undefined ? schema : forms[direction].of(schema),
    ),
  };
}

// --- internal ---

type Mark = 'readOnly' | 'writeOnly';

/** Reads schemas without the members that have a mark. */
class Form {
  readonly #mark: Mark;
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #renamed: ReadonlyMap<string, string>;

  constructor(mark: Mark, schemas: ReadonlyMap<string, Schema>, renamed: ReadonlyMap<string, string>) {
    this.#mark = mark;
    this.#schemas = schemas;
    this.#renamed = renamed;
  }

  of(schema: Schema): Schema {
    return this.#read(schema, new Set()) as Schema;
  }

  /** @param outside names with the mark in an enclosing schema that describes the same value */
  #read(schema: Json, outside: ReadonlySet<string>): Json {
    if (!isObject(schema)) return schema;
    const name = referredName(schema['$ref']);
    if (name !== undefined)
      return { ...schema, ...(referenceTo(this.#renamed.get(name) ?? name) as JsonObject) };
    const gone = new Set([...outside, ...this.#marked(schema, 0)]);
    // A closed schema still has to list the member, so that it does not refuse a value that has it.
    const isClosed = schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
    const entries = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
      if (keyword === 'required' && Array.isArray(value)) {
        const kept = (value as Json[]).filter((member) => !gone.has(String(member)));
        return kept.length === 0 ? [] : [[keyword, kept]];
      }
      if (keyword === 'properties' && isObject(value)) {
        const kept = Object.entries(value).filter(([member]) => isClosed || !gone.has(member));
        return [
          [keyword, Object.fromEntries(kept.map(([member, inner]) => [member, this.#read(inner, NONE)]))],
        ];
      }
      if (HERE.has(keyword)) return [[keyword, this.#each(value, gone)]];
      if (keyword === 'patternProperties' && isObject(value))
        return [
          [
            keyword,
            Object.fromEntries(Object.entries(value).map(([at, inner]) => [at, this.#read(inner, NONE)])),
          ],
        ];
      return [[keyword, BELOW.has(keyword) ? this.#each(value, NONE) : value]];
    });
    return Object.fromEntries(entries);
  }

  #each(value: Json, outside: ReadonlySet<string>): Json {
    return Array.isArray(value)
      ? value.map((inner: Json) => this.#read(inner, outside))
      : this.#read(value, outside);
  }

  /** The names of members with the mark, including those of extended schemas. */
  #marked(schema: Json | undefined, depth: number): string[] {
    if (!isObject(schema) || depth > DEEPEST) return [];
    const name = referredName(schema['$ref']);
    if (name !== undefined) return this.#marked(this.#schemas.get(name), depth + 1);
    const { properties, allOf } = schema;
    const own = isObject(properties)
      ? Object.entries(properties).filter(([, member]) => isObject(member) && member[this.#mark] === true)
      : [];
    const inherited = Array.isArray(allOf)
      ? allOf.flatMap((member: Json) => this.#marked(member, depth + 1))
      : [];
    return [...own.map(([member]) => member), ...inherited];
  }
}

const NONE: ReadonlySet<string> = new Set();
const DEEPEST = 20;
const HERE = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not']);
const BELOW = new Set(['items', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedProperties']);

/** The entries with marks in them, and those that refer to such entries. */
function markedEntries(entries: readonly TableEntry[]): ReadonlySet<string> {
  const referrers = new Map<string, string[]>();
  const waiting: string[] = [];
  for (const { name, schema } of entries) {
    let hasMark = false;
    for (const object of objectsIn(schema)) {
      hasMark ||= object['readOnly'] === true || object['writeOnly'] === true;
      const target = referredName(object['$ref']);
      if (target === undefined) continue;
      const known = referrers.get(target);
      if (known === undefined) referrers.set(target, [name]);
      else known.push(name);
    }
    if (hasMark) waiting.push(name);
  }
  const marked = new Set(waiting);
  for (const name of marked) for (const from of referrers.get(name) ?? []) marked.add(from);
  return marked;
}

/** The entries that schemas refer to. */
function reached(roots: readonly Schema[], byName: ReadonlyMap<string, Schema>): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (schema: Schema | undefined): void => {
    for (const object of objectsIn(schema)) {
      const name = referredName(object['$ref']);
      if (name !== undefined) found.add(name);
    }
  };
  roots.forEach(look);
  // Entries that are added during the loop are visited too.
  for (const name of found) look(byName.get(name));
  return found;
}

function* objectsIn(value: Json | undefined): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value as Json[]) yield* objectsIn(item);
  if (!isObject(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}
