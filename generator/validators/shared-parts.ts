import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { isObject } from '../schemas/read-schema.ts';

/** A part of a schema that gets a validator of its own. */
export interface SharedPart {
  readonly schema: Schema;
  /** The position of the schema that it was found in, and the members that lead to it: what a name is made of. */
  readonly foundIn: number;
  readonly path: readonly string[];
}

/**
 * Takes parts out of schemas that are about members or items: those that are the same in several places, and those
 * without which the rest would be more than a compiler reads in one function. A document that repeats an object
 * everywhere would else become code of many times its size.
 *
 * @param idOf the reference to the schema at a position; the parts come behind the schemas
 * @param maySplit whether alternatives and groups of members can be taken out too: not where a schema looks at what others
 *   have looked at
 * @returns the schemas with references in place of the parts, and the parts, which refer to each other as well
 */
export function shareParts(
  schemas: readonly Schema[],
  idOf: (position: number) => string,
  maySplit: boolean,
): { readonly schemas: readonly Schema[]; readonly parts: readonly SharedPart[] } {
  const counted = new Counting();
  schemas.forEach((schema) => counted.count(schema));
  const taking = new Taking(counted, (part) => idOf(schemas.length + part), maySplit);
  schemas.forEach((schema, index) => taking.known(schema, idOf(index)));
  return { schemas: schemas.map((schema, index) => taking.root(schema, index)), parts: taking.parts };
}

// --- internal ---

/** Keywords by where their schemas look: at members and items, or at the value itself. */
const BELOW_MAPS = new Set(['properties', 'patternProperties']);
const BELOW = new Set(['items', 'contains', 'additionalProperties']);
const HERE_MAPS = new Set(['dependentSchemas']);
const HERE_LISTS = new Set(['allOf', 'anyOf', 'oneOf']);
const HERE = new Set(['not', 'if', 'then', 'else']);

/** A part that is repeated is taken out from this size on; a smaller one is cheaper where it stands. */
const WORTH_SHARING = 10;

/** A part that stands in one place is taken out from this size on. */
const TOO_LARGE = 150;

/** More named members than this are split into groups. */
const MOST_MEMBERS = 60;

/** An alternative of a schema that is too large is taken out from this size on. */
const WORTH_SPLITTING = 4;

type Change = (schema: Json, isBelow: boolean, path: readonly string[]) => Json;

/** A schema with each of its direct subschemas changed. */
function changed(schema: JsonObject, change: Change): JsonObject {
  const members = (value: Json, isBelow: boolean): Json =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [name, change(inner, isBelow, [name])]),
        )
      : value;
  const items = (value: Json, isBelow: boolean): Json =>
    Array.isArray(value) ? value.map((inner: Json) => change(inner, isBelow, [])) : value;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => {
      if (BELOW_MAPS.has(keyword)) return [keyword, members(value, true)];
      if (HERE_MAPS.has(keyword)) return [keyword, members(value, false)];
      if (keyword === 'prefixItems') return [keyword, items(value, true)];
      if (HERE_LISTS.has(keyword)) return [keyword, items(value, false)];
      if (BELOW.has(keyword)) return [keyword, change(value, true, ['item'])];
      return HERE.has(keyword) ? [keyword, change(value, false, [])] : [keyword, value];
    }),
  );
}

/** Numbers that are the same for schemas that say the same, and how many different places refer to each. */
class Counting {
  readonly #numbers = new Map<string, number>();
  readonly #ofObject = new Map<object, number>();
  readonly #uses: number[] = [];

  count(schema: Json): number {
    if (!isObject(schema)) return -1;
    const below: number[] = [];
    const shallow = changed(schema, (inner, isBelow) => {
      if (!isObject(inner)) return inner;
      const number = this.count(inner);
      if (isBelow) below.push(number);
      return number;
    });
    const key = JSON.stringify(shallow);
    const known = this.#numbers.get(key);
    const number = known ?? this.#numbers.size;
    this.#ofObject.set(schema, number);
    if (known === undefined) {
      this.#numbers.set(key, number);
      // What is repeated as a whole counts once for its parts.
      for (const part of below) this.#uses[part] = (this.#uses[part] ?? 0) + 1;
    }
    return number;
  }

  numberOf(schema: object): number {
    return this.#ofObject.get(schema) ?? -1;
  }

  uses(number: number): number {
    return this.#uses[number] ?? 0;
  }
}

class Taking {
  readonly parts: SharedPart[] = [];
  readonly #counted: Counting;
  readonly #idOf: (part: number) => string;
  readonly #maySplit: boolean;
  readonly #taken = new Map<number, string>();
  readonly #split = new Map<string, string>();

  constructor(counted: Counting, idOf: (part: number) => string, maySplit: boolean) {
    this.#counted = counted;
    this.#idOf = idOf;
    this.#maySplit = maySplit;
  }

  /** A schema that is the same as a part stands for it. */
  known(schema: Schema, id: string): void {
    if (isObject(schema) && sizeOf(schema) >= WORTH_SHARING)
      this.#taken.set(this.#counted.numberOf(schema), id);
  }

  root(schema: Schema, index: number): Schema {
    return this.#inner(schema, index, []).schema as Schema;
  }

  /** The schema with its parts taken out, and the size of what is left. */
  #inner(
    schema: Json,
    index: number,
    path: readonly string[],
  ): { readonly schema: Json; readonly size: number } {
    if (!isObject(schema)) return { schema, size: 1 };
    let size = Object.keys(schema).length;
    const left = changed(schema, (inner, isBelow, step) => {
      const through = [...path, ...step];
      const number = isObject(inner) ? this.#counted.numberOf(inner) : -1;
      const id = this.#taken.get(number);
      if (isBelow && id !== undefined) {
        size += 1;
        return { $ref: id };
      }
      const result = this.#inner(inner, index, through);
      const isRepeated = this.#counted.uses(number) > 1 && result.size >= WORTH_SHARING;
      if (!isBelow || number < 0 || !(isRepeated || result.size >= TOO_LARGE)) {
        size += result.size;
        return result.schema;
      }
      size += 1;
      return { $ref: this.#take(number, { schema: result.schema as Schema, foundIn: index, path: through }) };
    });
    if (!this.#maySplit || size < TOO_LARGE) return { schema: left, size };
    const split = this.#splitAlternatives(this.#splitMembers(left, index, path), index, path);
    return { schema: split, size: sizeOf(split) };
  }

  /** Groups of members as schemas of their own, which hold together. */
  #splitMembers(schema: JsonObject, index: number, path: readonly string[]): JsonObject {
    const { properties, allOf, ...rest } = schema;
    if (!isObject(properties) || Object.keys(properties).length <= MOST_MEMBERS) return schema;
    const members = Object.entries(properties);
    const groups = Array.from({ length: Math.ceil(members.length / MOST_MEMBERS) }, (_, at) => {
      const group = Object.fromEntries(members.slice(at * MOST_MEMBERS, (at + 1) * MOST_MEMBERS));
      return this.#part({ properties: group }, index, [...path, 'members']);
    });
    // What other members may hold depends on which ones are named.
    const names = Object.fromEntries(members.map(([name]): [string, Json] => [name, true]));
    return {
      ...rest,
      ...(rest['additionalProperties'] === undefined ? {} : { properties: names }),
      allOf: [...(Array.isArray(allOf) ? (allOf as Json[]) : []), ...groups],
    };
  }

  #splitAlternatives(schema: JsonObject, index: number, path: readonly string[]): JsonObject {
    // A discriminator looks into its alternatives.
    if (schema['discriminator'] !== undefined) return schema;
    return Object.fromEntries(
      Object.entries(schema).map(([keyword, value]): [string, Json] => {
        if (!HERE_LISTS.has(keyword) || !Array.isArray(value)) return [keyword, value];
        const branches = (value as Json[]).map((branch) =>
          isObject(branch) && sizeOf(branch) >= WORTH_SPLITTING
            ? this.#part(branch, index, [...path, keyword === 'allOf' ? 'part' : 'alternative'])
            : branch,
        );
        return [keyword, branches];
      }),
    );
  }

  /** A reference to a part that is split off; to the same one where the same is split off again. */
  #part(schema: JsonObject, foundIn: number, path: readonly string[]): JsonObject {
    const key = JSON.stringify(schema);
    const id = this.#split.get(key) ?? this.#idOf(this.parts.push({ schema, foundIn, path }) - 1);
    this.#split.set(key, id);
    return { $ref: id };
  }

  #take(number: number, part: SharedPart): string {
    const id = this.#idOf(this.parts.push(part) - 1);
    this.#taken.set(number, id);
    return id;
  }
}

function sizeOf(schema: Json): number {
  if (!isObject(schema)) return 1;
  let size = Object.keys(schema).length;
  changed(schema, (inner) => {
    size += sizeOf(inner);
    return inner;
  });
  return size;
}
