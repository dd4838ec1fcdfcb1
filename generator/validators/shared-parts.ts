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
 * @returns the schemas with references in place of the parts, and the parts, which refer to each other as well
 */
export function shareParts(
  schemas: readonly Schema[],
  idOf: (position: number) => string,
): { readonly schemas: readonly Schema[]; readonly parts: readonly SharedPart[] } {
  const counted = new Counting();
  schemas.forEach((schema) => counted.count(schema));
  const taking = new Taking(counted, (part) => idOf(schemas.length + part));
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
  readonly #taken = new Map<number, string>();

  constructor(counted: Counting, idOf: (part: number) => string) {
    this.#counted = counted;
    this.#idOf = idOf;
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
    return { schema: left, size };
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
