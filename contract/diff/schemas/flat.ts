import type { Contract, Json, JsonObject, Schema } from '../../model.ts';
import { joinPointer, localPointer, parsePointer } from '../../pointer.ts';
import { isRecord } from '../../record.ts';

/** A schema with its pointer in the document. */
export interface Part {
  readonly schema: Schema;
  readonly pointer: string;
}

/** The description of a value: all of these parts together. */
export interface Node {
  readonly parts: readonly Part[];
  /** Name for messages, such as `Pet.owner`. */
  readonly label: string;
  /** The enclosing place, for a node without parts: such a node allows any value. */
  readonly around: string;
}

/** The types of JSON; numbers are split into integers and fractions. */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'string' | 'integer' | 'fraction';

export interface Placed {
  readonly value: Json;
  readonly pointer: string;
}

export interface Group {
  readonly keyword: 'oneOf' | 'anyOf';
  /** The alternatives, except those that only allow `null`. */
  readonly branches: readonly Node[];
  readonly pointer: string;
}

/**
 * A schema with everything that applies to each of its values: references followed, `allOf` merged, `null` separated.
 */
export interface FlatSchema {
  readonly label: string;
  /**
   * The name that prefixes the names of members; for a schema with `null` as its alternative, that of the
   * other schema.
   */
  readonly owner: string;
  readonly pointer: string;
  readonly types: ReadonlySet<JsonType>;
  /** The allowed values, if the schema lists them. */
  readonly values: readonly Json[] | undefined;
  /** All other assertions and annotations, by keyword. */
  readonly keywords: ReadonlyMap<string, readonly Placed[]>;
  readonly members: ReadonlyMap<string, readonly Part[]>;
  readonly required: ReadonlyMap<string, string>;
  /** The schema for members without their own description; `undefined` if any value is allowed. */
  readonly others: { readonly closed: boolean; readonly node: Node | undefined; readonly pointer: string };
  readonly groups: readonly Group[];
  readonly discriminator: Placed | undefined;
  /** The only alternative besides `null`. */
  readonly single: Node | undefined;
  /** Parts were left out, because the schema is composed of too many. */
  readonly isCut: boolean;
}

export const EVERY_TYPE: readonly JsonType[] = [
  'null',
  'boolean',
  'object',
  'array',
  'string',
  'integer',
  'fraction',
];

interface Target {
  readonly part: Part;
  readonly name: string;
}

/** Reads the schemas of one contract. */
export class Schemas {
  readonly #named: ReadonlyMap<string, Part>;
  readonly #flats = new Map<string, FlatSchema>();
  readonly #reading = new Set<string>();
  readonly #targets = new Map<string, Target | undefined>();

  constructor({ schemas }: Pick<Contract, 'schemas'>) {
    this.#named = new Map(schemas.map(({ name, schema, pointer }) => [name, { schema, pointer }]));
  }

  /** A node of one schema. If the schema is only a reference, its target is used. */
  node(schema: Schema | undefined, pointer: string, label: string): Node {
    if (schema === undefined) return { parts: [], label, around: pointer };
    return this.nodeOf([{ schema, pointer }], label, pointer);
  }

  nodeOf(parts: readonly Part[], label: string, around: string): Node {
    const [only, ...others] = parts;
    if (only === undefined || others.length > 0) return { parts, label, around };
    let part = only;
    let name = label;
    for (let hops = 0; hops < MOST_HOPS && isMereReference(part.schema); hops += 1) {
      const target = this.#target(part.schema);
      if (target === undefined) break;
      ({ part, name } = target);
    }
    return { parts: [part], label: name, around };
  }

  named(name: string): Node | undefined {
    const part = this.#named.get(name);
    return part && this.nodeOf([part], name, part.pointer);
  }

  flat(node: Node): FlatSchema {
    const key = keyOf(node);
    const known = this.#flats.get(key);
    if (known !== undefined) return known;
    // A schema is read a second time only if it is an alternative of itself. It then adds no constraint.
    if (this.#reading.has(key)) return anything(node);
    this.#reading.add(key);
    const flat = this.#read(node);
    this.#reading.delete(key);
    this.#flats.set(key, flat);
    return flat;
  }

  // --- internal ---

  #read(node: Node): FlatSchema {
    const { parts: atoms, isCut } = this.#atoms(node.parts);
    const read = new Reading(node);
    for (const atom of atoms) read.add(atom);
    for (const { schema, pointer } of atoms)
      for (const keyword of ['oneOf', 'anyOf'] as const) this.#addGroup(read, { schema, pointer }, keyword);
    return read.end(isCut);
  }

  /** Follows references and opens `allOf`: the result is the list of schemas that all apply. */
  #atoms(parts: readonly Part[]): {
    readonly parts: { schema: JsonObject; pointer: string }[];
    isCut: boolean;
  } {
    const seen = new Set<string>();
    const found: { schema: JsonObject; pointer: string }[] = [];
    const waiting = [...parts];
    for (const part of waiting) {
      if (seen.has(part.pointer)) continue;
      seen.add(part.pointer);
      if (seen.size > MOST_PARTS) return { parts: found, isCut: true };
      if (part.schema === true) continue;
      if (part.schema === false) {
        found.push({ schema: { enum: [] }, pointer: part.pointer });
        continue;
      }
      const { schema, pointer } = part;
      found.push({ schema, pointer });
      const target = this.#target(schema);
      if (target !== undefined) waiting.push(target.part);
      const { allOf } = schema;
      if (Array.isArray(allOf))
        (allOf as readonly Schema[]).forEach((inner, index) =>
          waiting.push({ schema: inner, pointer: joinPointer(pointer, 'allOf', index) }),
        );
    }
    return { parts: found, isCut: false };
  }

  #addGroup(
    read: Reading,
    { schema, pointer }: { schema: JsonObject; pointer: string },
    keyword: Group['keyword'],
  ): void {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) return;
    const at = joinPointer(pointer, keyword);
    const all = (branches as readonly Schema[])
      .slice(0, MOST_PARTS)
      .map((branch, index) => this.node(branch, joinPointer(at, index), read.label));
    if (all.length < branches.length) read.cut();
    const others = all.filter((branch) => !isNull(branch));
    const [only, second] = others;
    if (only !== undefined && second === undefined) {
      read.single = only;
      read.addFlat(this.flat(only), all.length > 1);
      return;
    }
    const types = new Set(others.flatMap((branch) => [...this.flat(branch).types]));
    if (others.length < all.length) types.add('null');
    read.narrow(types);
    if (others.length === 0) return;
    read.groups.push({ keyword, branches: others, pointer: at });
  }

  #target(schema: Schema): Target | undefined {
    const reference = typeof schema === 'boolean' ? undefined : schema['$ref'];
    if (typeof reference !== 'string') return undefined;
    if (!this.#targets.has(reference)) this.#targets.set(reference, this.#lookUp(reference));
    return this.#targets.get(reference);
  }

  #lookUp(reference: string): Target | undefined {
    const [components, schemas, name, ...more] = parsePointer(localPointer(reference) ?? '') ?? [];
    if (components !== 'components' || schemas !== 'schemas' || name === undefined || more.length > 0)
      return undefined;
    const part = this.#named.get(name);
    return part && { part, name };
  }
}

/** A key that is the same for the same parts of the same document. */
export function keyOf({ parts, around }: Node): string {
  const [only, second] = parts;
  if (only === undefined) return `- ${around}`;
  return second === undefined ? only.pointer : parts.map(({ pointer }) => pointer).join(' ');
}

/** The place of a node: its first part, or the place where it would be. */
export function pointerOf({ parts, around }: Node): string {
  return parts[0]?.pointer ?? around;
}

// --- internal ---

const MOST_HOPS = 100;
const MOST_PARTS = 1000;

/** Keywords that do not constrain the values of a schema. */
const WORDS: ReadonlySet<string> = new Set([
  '$ref',
  'title',
  'description',
  '$comment',
  'externalDocs',
  'example',
  'examples',
  'xml',
]);
const READ_OTHERWISE: ReadonlySet<string> = new Set([
  'allOf',
  'oneOf',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'type',
  'enum',
  'const',
  '$defs',
  'definitions',
]);

function isMereReference(schema: Schema): schema is JsonObject {
  return (
    typeof schema === 'object' &&
    '$ref' in schema &&
    Object.keys(schema).every((keyword) => WORDS.has(keyword))
  );
}

function isNull({ parts }: Node): boolean {
  const [only, second] = parts;
  if (only === undefined || second !== undefined || typeof only.schema === 'boolean') return false;
  const { type, enum: values } = only.schema;
  if (type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null')) return true;
  if ('const' in only.schema) return only.schema['const'] === null;
  return Array.isArray(values) && values.length === 1 && values[0] === null;
}

function anything(node: Node): FlatSchema {
  return new Reading(node).end(false);
}

/** The intermediate result while the parts of a schema are read. */
class Reading {
  readonly label: string;
  readonly groups: Group[] = [];
  single: Node | undefined;
  readonly #node: Node;
  #types: ReadonlySet<JsonType> = new Set(EVERY_TYPE);
  #values: readonly Json[] | undefined;
  readonly #keywords = new Map<string, Placed[]>();
  readonly #members = new Map<string, Part[]>();
  readonly #required = new Map<string, string>();
  #closed: string | undefined;
  readonly #others: Part[] = [];
  #isCut = false;

  constructor(node: Node) {
    this.#node = node;
    this.label = node.label;
  }

  add({ schema, pointer }: { readonly schema: JsonObject; readonly pointer: string }): void {
    const { type, properties, required } = schema;
    if (typeof type === 'string' || Array.isArray(type)) this.narrow(typesOf([type].flat()));
    if (Array.isArray(schema['enum'])) this.#only(schema['enum'] as readonly Json[]);
    if (schema['const'] !== undefined) this.#only([schema['const']]);
    if (isRecord(properties))
      for (const [name, inner] of Object.entries(properties as Record<string, Schema>))
        push(this.#members, name, { schema: inner, pointer: joinPointer(pointer, 'properties', name) });
    if (Array.isArray(required))
      for (const name of required)
        if (typeof name === 'string') this.#required.set(name, joinPointer(pointer, 'required'));
    const others = schema['additionalProperties'];
    const at = joinPointer(pointer, 'additionalProperties');
    if (others === false) this.#closed ??= at;
    else if (isRecord(others)) this.#others.push({ schema: others as JsonObject, pointer: at });
    for (const [keyword, value] of Object.entries(schema))
      if (!WORDS.has(keyword) && !READ_OTHERWISE.has(keyword) && !keyword.startsWith('x-'))
        push(this.#keywords, keyword, { value, pointer: joinPointer(pointer, keyword) });
  }

  /** The constraints of a single alternative; `orNull`: `null` is allowed beside it. */
  addFlat(flat: FlatSchema, orNull: boolean): void {
    this.narrow(orNull ? new Set([...flat.types, 'null']) : flat.types);
    if (flat.values !== undefined)
      this.#only(orNull && !flat.values.includes(null) ? [...flat.values, null] : flat.values);
    for (const [keyword, placed] of flat.keywords)
      for (const each of placed) push(this.#keywords, keyword, each);
    for (const [name, parts] of flat.members) for (const part of parts) push(this.#members, name, part);
    for (const [name, pointer] of flat.required) this.#required.set(name, pointer);
    if (flat.others.closed) this.#closed ??= flat.others.pointer;
    this.#others.push(...(flat.others.node?.parts ?? []));
    this.groups.push(...flat.groups);
    this.#isCut ||= flat.isCut;
  }

  narrow(types: ReadonlySet<JsonType>): void {
    this.#types = new Set([...this.#types].filter((type) => types.has(type)));
  }

  cut(): void {
    this.#isCut = true;
  }

  end(isCut: boolean): FlatSchema {
    const types = this.#types;
    const listed = this.#values?.filter((value) => types.has(typeOf(value)));
    // A list of both truth values is equivalent to the type `boolean`.
    const isBoolean =
      listed?.includes(true) === true && listed.includes(false) && listed.length === types.size + 1;
    const values = isBoolean && !types.has('string') ? undefined : listed;
    const { label } = this.#node;
    const pointer = pointerOf(this.#node);
    return {
      label,
      owner: this.single?.label ?? label,
      pointer,
      types: values === undefined ? types : new Set(values.map(typeOf)),
      values,
      keywords: this.#keywords,
      members: this.#members,
      required: this.#required,
      others: {
        closed: this.#closed !== undefined,
        node:
          this.#others.length === 0
            ? undefined
            : { parts: this.#others, label: `${label}[…]`, around: pointer },
        pointer: this.#closed ?? this.#others[0]?.pointer ?? pointer,
      },
      groups: this.groups,
      single: this.single,
      discriminator: this.#keywords.get('discriminator')?.[0],
      isCut: isCut || this.#isCut,
    };
  }

  #only(values: readonly Json[]): void {
    if (this.#values === undefined) this.#values = values;
    else {
      const texts = new Set(values.map((value) => JSON.stringify(value)));
      this.#values = this.#values.filter((value) => texts.has(JSON.stringify(value)));
    }
  }
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function typesOf(names: readonly unknown[]): Set<JsonType> {
  return new Set(
    names.flatMap((name): readonly JsonType[] =>
      name === 'number'
        ? ['integer', 'fraction']
        : EVERY_TYPE.filter((type) => type === name && type !== 'fraction'),
    ),
  );
}

function typeOf(value: Json): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction';
  return typeof value as 'boolean' | 'string' | 'object';
}
