import { isBytes } from '../../contract/judge/body-format.ts';
import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import type { NameTable } from '../names.ts';
import { isObject } from './read-schema.ts';
import { referenceTo, referredName, type TableEntry } from './table-entry.ts';

/**
 * Marks a schema of bytes where a value can be bytes, which is a Blob then. JSON cannot carry bytes, so elsewhere
 * `format: binary` describes a string.
 */
export const BYTES = 'x-bytes';

/**
 * Marks the bytes among the parts of multipart bodies. If a schema with such parts is also used elsewhere, the variant for
 * multipart bodies has a name of its own, such as `PhotoParts`.
 *
 * @param placed the schemas of bodies and similar places; those with `isMultipart` describe multipart bodies
 */
export function splitParts(
  entries: readonly TableEntry[],
  placed: readonly { readonly schema: Schema; readonly isMultipart: boolean }[],
  names: NameTable,
): { readonly entries: readonly TableEntry[]; readonly placed: readonly Schema[] } {
  const bodies = placed.filter(({ isMultipart }) => isMultipart);
  if (bodies.length === 0) return { entries, placed: placed.map(({ schema }) => schema) };
  const parts = new Parts(entries, names);
  const isUsed = parts.usedAsText(placed.flatMap(({ schema, isMultipart }) => (isMultipart ? [] : [schema])));
  const sent = placed.map(({ schema, isMultipart }) =>
    isMultipart ? parts.marked(schema, 'body', isUsed) : schema,
  );
  return { entries: parts.entries(), placed: sent };
}

// --- internal ---

/** What a schema describes: a multipart body, or one of its parts. */
type Level = 'body' | 'part';

const keyOf = (name: string, level: Level): string => `${level} ${name}`;

interface Variant {
  readonly from: string;
  schema: Schema;
}

class Parts {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #names: NameTable;
  /** Entries by level, as keys: those that are read, those with bytes, and what refers to each. */
  readonly #read = new Set<string>();
  readonly #withBytes = new Set<string>();
  readonly #users = new Map<string, string[]>();
  /** The variants, by the name of the original and the level. */
  readonly #variants = new Map<string, string>();
  readonly #made = new Map<string, Variant>();
  readonly #unmarked: { readonly made: Variant; readonly level: Level }[] = [];

  constructor(entries: readonly TableEntry[], names: NameTable) {
    this.#schemas = new Map(entries.map(({ name, schema }) => [name, schema]));
    this.#names = names;
  }

  /** The entries that other places than multipart bodies refer to. */
  usedAsText(roots: readonly Schema[]): (name: string) => boolean {
    const found = new Set(roots.flatMap(referencesIn));
    // Entries that are added during the loop are visited too.
    for (const name of found)
      referencesIn(this.#schemas.get(name) ?? true).forEach((other) => found.add(other));
    return (name) => found.has(name);
  }

  marked(schema: Schema, level: Level, isUsed: (name: string) => boolean): Schema {
    const changed = (each: Schema, at: Level): Schema =>
      this.#changed(each, at, (name, below) => this.#variant(name, below, isUsed));
    const marked = changed(schema, level);
    for (let next = this.#unmarked.pop(); next !== undefined; next = this.#unmarked.pop())
      next.made.schema = changed(next.made.schema, next.level);
    return marked;
  }

  /** All entries in their order, each variant after its original or in its place. */
  entries(): TableEntry[] {
    return [...this.#schemas].flatMap(([name, schema]) => {
      const variants = [...this.#made].filter(([, { from }]) => from === name);
      const own = variants.some(([variant]) => variant === name) ? [] : [{ name, schema }];
      return [...own, ...variants.map(([variant, made]) => ({ name: variant, schema: made.schema }))];
    });
  }

  #variant(name: string, level: Level, isUsed: (name: string) => boolean): string {
    const schema = this.#schemas.get(name);
    if (schema === undefined || !this.#contains(name, level)) return name;
    const key = keyOf(name, level);
    const known = this.#variants.get(key);
    if (known !== undefined) return known;
    const isFree = !isUsed(name) && !this.#made.has(name);
    const variant = isFree ? name : this.#names.claimType(`${this.#names.publicName(name)}Parts`);
    this.#variants.set(key, variant);
    // It is marked later, because a schema can refer to itself and chains of references can be long.
    const made = { from: name, schema };
    this.#made.set(variant, made);
    this.#unmarked.push({ made, level });
    return variant;
  }

  /** Whether an entry describes bytes at a level. Each entry is read once, whatever the number of bodies. */
  #contains(name: string, level: Level): boolean {
    const open: [name: string, level: Level][] = [[name, level]];
    // Entries that are added during the loop are visited too.
    for (const [each, at] of open) {
      const key = keyOf(each, at);
      if (this.#read.has(key)) continue;
      this.#read.add(key);
      const schema = this.#schemas.get(each) ?? true;
      const marked = this.#changed(schema, at, (other, below) => {
        open.push([other, below]);
        const used = keyOf(other, below);
        const users = this.#users.get(used) ?? [];
        this.#users.set(used, users);
        users.push(key);
        if (this.#withBytes.has(used)) this.#enter(key);
        return other;
      });
      if (JSON.stringify(marked) !== JSON.stringify(schema)) this.#enter(key);
    }
    return this.#withBytes.has(keyOf(name, level));
  }

  /** An entry has bytes, and so has all that refers to it. */
  #enter(found: string): void {
    const reached = new Set([found]);
    for (const key of reached) {
      if (this.#withBytes.has(key)) continue;
      this.#withBytes.add(key);
      this.#users.get(key)?.forEach((user) => reached.add(user));
    }
  }

  #changed(schema: Schema, level: Level, refer: (name: string, level: Level) => string): Schema {
    if (!isObject(schema)) return schema;
    const name = referredName(schema['$ref']);
    if (name !== undefined) return { ...schema, ...(referenceTo(refer(name, level)) as JsonObject) };
    const each = (value: Json, at: Level): Json =>
      Array.isArray(value)
        ? value.map((inner: Json) => this.#changed(inner as Schema, at, refer))
        : this.#changed(value as Schema, at, refer);
    const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
      if (HERE.has(keyword)) return [keyword, each(value, level)];
      // Parts can be members of the objects of a list.
      if (level === 'body' && keyword === 'items') return [keyword, each(value, level)];
      if (level === 'part') return [keyword, ITEMS.has(keyword) ? each(value, level) : value];
      if (keyword === 'additionalProperties') return [keyword, each(value, 'part')];
      if (!MEMBERS.has(keyword) || !isObject(value)) return [keyword, value];
      return [
        keyword,
        Object.fromEntries(Object.entries(value).map(([member, inner]) => [member, each(inner, 'part')])),
      ];
    });
    if (level === 'part' && isBytes(schema)) entries.push([BYTES, true]);
    return Object.fromEntries(entries);
  }
}

/** Keywords whose schemas describe the same value. */
const HERE = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not']);
/** A list is sent as one part for each of its items. */
const ITEMS = new Set(['items', 'prefixItems', 'contains']);
const MEMBERS = new Set(['properties', 'patternProperties']);

function referencesIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => referencesIn(item));
  if (!isObject(value)) return [];
  const name = referredName(value['$ref']);
  return [...(name === undefined ? [] : [name]), ...Object.values(value).flatMap(referencesIn)];
}
