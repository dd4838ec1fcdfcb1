import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Faker } from '@faker-js/faker';
import { isRecord } from '../../contract/index.ts';
import type { Json, JsonObject, Schema } from '../../contract/model.ts';
import { CONTAINED, settledScalar, unmet } from '../../contract/schemas/conditions.ts';
import { holds, isMatch, memberSchemas } from '../../contract/schemas/holds.ts';
import { flattened, TAG, together } from './flat-schema.ts';
import { numberOfName } from './lifelike-number.ts';
import { textOfFormat, textOfName } from './lifelike-text.ts';
import { textOfPattern } from '../../contract/judge/pattern-text.ts';

/** The context of a value: its member, and the kind of the enclosing thing. */
interface Place {
  readonly name: string;
  readonly owner: string;
  readonly depth: number;
}

export interface LifelikeOptions {
  /** Equal seeds result in equal values. */
  readonly seed: string;
  /** The kind of the value, such as `Pet`. */
  readonly owner?: string;
  /** Existing members of the value. */
  readonly given?: JsonObject;
  /** Leaves out optional members. */
  readonly sparse?: boolean;
  /** Uses the example of a schema if there is one. */
  readonly asStated?: boolean;
  /** The index of the alternative that is used; the first one is 0. */
  readonly branch?: number;
}

/**
 * A realistic value for a schema, by the names of its members and by formats. The caller has to validate it, because
 * conditions and unusual patterns are ignored.
 *
 * @param root the document in which `$ref`s are resolved
 */
export function lifelike(schema: Schema | undefined, root: JsonObject, options: LifelikeOptions): Json {
  const { owner = '', given = {} } = options;
  return new Lifelike(root, options).made(schema, { name: '', owner, depth: 0 }, given);
}

// --- internal ---

/** The values of one sample. */
class Lifelike {
  readonly #root: JsonObject;
  readonly #options: LifelikeOptions;
  readonly #faker: Faker;
  #left = MOST_VALUES;

  constructor(root: JsonObject, options: LifelikeOptions) {
    this.#root = root;
    this.#options = options;
    this.#faker = seeded(options.seed);
  }

  made(inner: Schema | undefined, place: Place, given: JsonObject = {}): Json {
    // A schema may require itself without end, or more values than a list is shown with.
    this.#left -= 1;
    if (place.depth > FARTHEST || this.#left < 0) return {};
    const choice = place.depth > DEEPEST ? 'simplest' : (this.#options.branch ?? 0);
    let flat = flattened(inner, this.#root, choice);
    let value = this.#valueOf(flat, place, given);
    // What a condition adds can meet another condition.
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const parts = unmet(this.#root, flat, value).map((part) =>
        flattened(part as Schema, this.#root, choice),
      );
      if (parts.length === 0) break;
      flat = parts.reduce(together, flat);
      const touched = new Set(parts.flatMap((part) => Object.keys(recordOf(part['properties']))));
      const kept = Object.entries(recordOf(value)).filter(([name]) => !touched.has(name));
      value = this.#valueOf(flat, place, { ...(Object.fromEntries(kept) as JsonObject), ...given });
    }
    return isRecord(value) || Array.isArray(value) ? value : (settledScalar(this.#root, flat, value) as Json);
  }

  #valueOf(flat: JsonObject, place: Place, given: JsonObject): Json {
    const { const: only, enum: listed, example } = flat;
    if (only !== undefined) return only;
    if (this.#options.asStated === true && example !== undefined) return example;
    if (Array.isArray(listed) && listed.length > 0) {
      const values = listed.filter((value) => value !== null) as Json[];
      return this.#faker.helpers.arrayElement(values.length === 0 ? [null] : values);
    }
    if (typeof flat[TAG] === 'string') return flat[TAG];
    switch (typeOf(flat)) {
      case 'object':
        return this.#objectOf(flat, place, given);
      case 'array':
        return this.#listOf(flat, place);
      case 'integer':
      case 'number':
        return numberOfName(place.name, boundsOf(flat), this.#faker);
      case 'boolean':
        return this.#faker.datatype.boolean();
      case 'null':
        return null;
      default:
        return textOf(flat, place, this.#faker);
    }
  }

  #objectOf(flat: JsonObject, place: Place, given: JsonObject): JsonObject {
    const { name, owner, depth } = place;
    const properties = recordOf(flat['properties']);
    const required = namesOf(flat['required']);
    const value: Record<string, Json> = {};
    const kind = typeof flat['title'] === 'string' ? flat['title'] : name === '' ? owner : name;
    const least = numberAt(flat, 'minProperties') ?? 0;
    let spare = least - required.length;
    for (const member of new Set([
      ...Object.keys(properties),
      ...required,
      ...this.#namesFor(flat, least, place),
    ])) {
      const [only = { type: 'string' }, ...more] = memberSchemas(flat, member) as readonly Json[];
      const schemaOfMember: Json = more.length === 0 ? only : { allOf: [only, ...more] };
      if (schemaOfMember === false) continue;
      const isGiven = Object.hasOwn(given, member);
      const isNeeded = required.includes(member);
      const isLeftOut =
        !isNeeded &&
        spare <= 0 &&
        (this.#options.sparse === true || depth >= DEEPEST || isWriteOnly(schemaOfMember));
      if (!isGiven && isLeftOut) continue;
      if (!isNeeded) spare -= 1;
      const inner = { name: member, owner: kind, depth: depth + 1 };
      const content = isGiven ? given[member] : this.made(schemaOfMember as Schema, inner);
      Object.defineProperty(value, member, {
        value: content,
        ...{ enumerable: true, writable: true, configurable: true },
      });
    }
    return { ...given, ...value };
  }

  /** Names for members that a schema needs and does not list. */
  #namesFor(flat: JsonObject, least: number, place: Place): readonly string[] {
    const { properties, required, patternProperties, additionalProperties, propertyNames = {} } = flat;
    const known = new Set([...Object.keys(recordOf(properties)), ...namesOf(required)]);
    if (known.size >= least) return [];
    const [pattern] = Object.keys(recordOf(patternProperties));
    const form = pattern !== undefined && additionalProperties === false ? { pattern } : {};
    const items = { allOf: [{ type: 'string', ...form }, propertyNames, { not: { enum: [...known] } }] };
    const list = { type: 'array', items, uniqueItems: true, minItems: least - known.size };
    return namesOf(this.made(list as unknown as Schema, { ...place, name: 'names', depth: DEEPEST }));
  }

  #listOf(flat: JsonObject, { name, owner, depth }: Place): Json {
    const least = numberAt(flat, 'minItems') ?? 0;
    const firsts = schemasOf(flat['prefixItems']);
    const contained = (flat[CONTAINED] ?? []) as readonly JsonObject[];
    const parts = contained.flatMap((each) =>
      Array.from({ length: numberAt(each, 'minContains') ?? 1 }, () => each['contains'] as Schema),
    );
    const needed = parts.length;
    const isShort = depth >= DEEPEST;
    // A list that a request leaves out is empty.
    const some = this.#options.sparse === true ? 0 : 2;
    const usual = isShort ? Math.max(least, needed) : Math.max(least, firsts.length, needed, some);
    const most = flat['items'] === false || flat['unevaluatedItems'] === false ? firsts.length : Infinity;
    const count = Math.min(usual, numberAt(flat, 'maxItems') ?? usual, most, MOST_ITEMS);
    const place = { name: name.replace(/s$/, ''), owner, depth: depth + 1 };
    const items: Json[] = [];
    for (let tried = 0; items.length < count && tried < count * 5; tried += 1) {
      const schemaOfItem = firsts[items.length] ?? (flat['items'] as Schema | undefined);
      const part = parts[items.length - firsts.length];
      const full = contained.filter(({ contains, maxContains }) => {
        const found = items.filter((item) => holds(this.#root, contains, item)).length;
        return maxContains !== undefined && found >= Number(maxContains);
      });
      const more = [
        ...(part === undefined ? [] : [part]),
        ...full.map(({ contains }) => ({ not: contains })),
      ];
      const item = this.made(
        more.length === 0 ? schemaOfItem : ({ allOf: [schemaOfItem ?? {}, ...more] } as Schema),
        place,
      );
      const isTwice = items.some((other) => JSON.stringify(other) === JSON.stringify(item));
      if (flat['uniqueItems'] !== true || !isTwice) items.push(item);
    }
    return items;
  }
}

const DEEPEST = 4;
const FARTHEST = 12;
const MOST_ITEMS = 1_000;
const MOST_VALUES = 20_000;
const MOST_ROUNDS = 4;
const LONGEST = 10_000;

// Loaded when the first value is generated.
const require = createRequire(import.meta.url);

function seeded(seed: string): Faker {
  const { faker } = require('@faker-js/faker/locale/en') as { faker: Faker };
  faker.seed(createHash('sha256').update(seed).digest().readUInt32BE(0));
  return faker;
}

function textOf(flat: JsonObject, { name, owner }: Place, faker: Faker): string {
  const { pattern, example } = flat;
  const format = flat['format'] ?? (flat['contentEncoding'] === 'base64' ? 'byte' : undefined);
  const least = Math.min(numberAt(flat, 'minLength') ?? 0, LONGEST);
  const most = numberAt(flat, 'maxLength') ?? Infinity;
  const fits = (text: string): boolean =>
    text.length >= least && text.length <= most && (typeof pattern !== 'string' || isMatch(pattern, text));
  const candidates: (() => unknown)[] = [
    () => (typeof format === 'string' ? textOfFormat(format, name, faker) : undefined),
    () => (typeof format === 'string' ? undefined : textOfName(name, owner, faker)),
    () =>
      typeof pattern === 'string' ? textOfPattern(pattern, (most) => faker.number.int(most)) : undefined,
    () => example,
    () => (Array.isArray(flat['examples']) ? flat['examples'][0] : undefined),
    () => flat['default'],
  ];
  for (const candidate of candidates) {
    const text = candidate();
    if (typeof text === 'string' && fits(text)) return text;
  }
  return wordsWithin(least, most, faker);
}

function wordsWithin(least: number, most: number, faker: Faker): string {
  let text = faker.word.noun();
  while (text.length < least) text += ` ${faker.word.noun()}`;
  return text.length > most ? text.slice(0, Math.max(0, most)).replace(/ $/, 's') : text;
}

function boundsOf(flat: JsonObject): Parameters<typeof numberOfName>[1] {
  const isInteger = typeOf(flat) === 'integer';
  const step = numberAt(flat, 'multipleOf');
  const next = step ?? (isInteger ? 1 : 0.01);
  const above = numberAt(flat, 'exclusiveMinimum');
  const below = numberAt(flat, 'exclusiveMaximum');
  return {
    least: numberAt(flat, 'minimum') ?? (above === undefined ? undefined : above + next),
    most: numberAt(flat, 'maximum') ?? (below === undefined ? undefined : below - next),
    step,
    isInteger,
  };
}

function typeOf({
  type,
  properties,
  items,
  prefixItems,
  [CONTAINED]: contained,
  required,
}: JsonObject): unknown {
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type];
  const usual = types.find((each) => each !== 'null' && each !== undefined) ?? types[0];
  if (usual !== undefined) return usual;
  if (isRecord(properties) || Array.isArray(required)) return 'object';
  return [items, prefixItems, contained].every((each) => each === undefined) ? 'string' : 'array';
}

function isWriteOnly(schema: unknown): boolean {
  return isRecord(schema) && schema['writeOnly'] === true;
}

function schemasOf(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? (value as readonly Schema[]) : [];
}

function recordOf(value: unknown): JsonObject {
  return isRecord(value) ? (value as JsonObject) : {};
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function numberAt(schema: JsonObject, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
}
