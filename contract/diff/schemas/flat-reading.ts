import type { Json, JsonObject, Schema } from '../../model.ts';
import { joinPointer } from '../../pointer.ts';
import { isRecord } from '../../record.ts';
import { EVERY_TYPE, pointerOf } from './flat-schema.ts';
import type { FlatSchema, Group, JsonType, Node, Part, Placed } from './flat-schema.ts';

/** The intermediate result while the parts of a schema are read. */
export class FlatReading {
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
      if (!isAnnotation(keyword) && !READ_OTHERWISE.has(keyword) && !keyword.startsWith('x-'))
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

/** Whether a keyword does not constrain the values of a schema. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

// --- internal ---

const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$ref',
  'title',
  'description',
  '$comment',
  'externalDocs',
  'example',
  'examples',
  'xml',
]);
/** Keywords that are not kept as they are, because `FlatReading` or `Schemas` reads them. */
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
