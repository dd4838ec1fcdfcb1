import fc from 'fast-check';
import { seededRandom } from '../../conformance/schemas/seed.ts';

/** A schema with all keywords that guards know, but formats. */
export type RandomSchema = boolean | { readonly [keyword: string]: unknown };

/** References lead to the schema itself and to its `$defs`; `placed` says where that is. */
export function randomSchemas(): fc.Arbitrary<RandomSchema> {
  const defs = fc.tuple(...NAMES_OF_DEFS.map((_, index) => schemaAt({ depth: 2, at: index })));
  return fc.tuple(schemaAt({ depth: 3, at: -1 }), defs).map(([schema, parts]) => {
    if (typeof schema === 'boolean' || !JSON.stringify([schema, parts]).includes('"$ref"')) return schema;
    return { ...schema, $defs: Object.fromEntries(parts.map((part, index) => [NAMES_OF_DEFS[index], part])) };
  });
}

/** The schema as a component of a document. */
export function placed(schema: RandomSchema, name: string): RandomSchema {
  const text = JSON.stringify(schema).replaceAll(`"$ref":"${SELF}`, `"$ref":"#/components/schemas/${name}`);
  return JSON.parse(text) as RandomSchema;
}

/** Values that are near to a schema: made by its keywords, and then changed here and there. */
export function valuesNear(document: unknown, schema: unknown, count: number, seed: string): unknown[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) => {
    const value = new Near(document, random).by(schema, 4);
    return index % 3 === 0 ? value : changed(value, random);
  });
}

// --- internal ---

const SELF = '#self';
const NAMES_OF_DEFS = ['First', 'toString', 'x y~/'];

/** Names that documents have, that objects inherit, and that mean something elsewhere. */
const MEMBERS = ['a', 'b', 'c', 'toString', '__proto__', 'constructor', 'length', 'x-1', 'a/b~c', '', '0'];
const PATTERNS = ['^a', 'o', '^x-', '^[a-c]+$', '\\d', '^\\p{L}*$', '^.{2}$', '', '^(a|bc)*$', '^a{1,3}b?$'];
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'bc',
  'abc',
  'aaab',
  'x-1',
  'toString',
  'ß',
  '😀',
  '😀a',
  'word 7',
  '__proto__',
];
const NUMBERS = [0, 1, 2, 3, 4, 6, 7, -1, -2, 0.5, 1.5, 2.5, 1e21, 1e-7, -0];
const LEAVES: readonly unknown[] = [null, true, false, ...NUMBERS, ...TEXTS, [], {}, [[]], { a: 1 }, [1, 2]];

interface Place {
  readonly depth: number;
  /** The number of the `$defs` entry, -1 for the component itself: on the same value references lead only further down. */
  readonly at: number;
}

const count = fc.nat({ max: 3 });
const member = fc.constantFrom(...MEMBERS);
const leaf = fc.constantFrom(...LEAVES);
const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  fc.array(leaf, { maxLength: 3 }),
  mapOf(member, leaf, 3),
);

function mapOf<Value>(
  names: fc.Arbitrary<string>,
  values: fc.Arbitrary<Value>,
  maxLength: number,
): fc.Arbitrary<Record<string, Value>> {
  return fc
    .uniqueArray(fc.tuple(names, values), { selector: ([name]) => name, minLength: 1, maxLength })
    .map((entries) => Object.fromEntries(entries));
}

function schemaAt(place: Place, isSameValue = true): fc.Arbitrary<RandomSchema> {
  const references = referencesAt(place, isSameValue);
  const refer: fc.Arbitrary<RandomSchema> =
    references.length === 0 ? fc.constant(true) : fc.constantFrom(...references).map(($ref) => ({ $ref }));
  const boolean = fc.constantFrom(true, false);
  if (place.depth === 0)
    return fc.oneof({ weight: 6, arbitrary: keywords(valueKeywords()) }, boolean, {
      weight: 2,
      arbitrary: refer,
    });
  const deeper = { ...place, depth: place.depth - 1 };
  const all = {
    ...valueKeywords(),
    ...partKeywords(schemaAt(deeper, false)),
    ...wholeKeywords(schemaAt(deeper, isSameValue)),
  };
  return fc.oneof(
    { weight: 12, arbitrary: keywords(all, references) },
    { weight: 4, arbitrary: keywords(valueKeywords()) },
    { weight: 1, arbitrary: boolean },
    { weight: 2, arbitrary: refer },
  );
}

function referencesAt({ at }: Place, isSameValue: boolean): string[] {
  const pointer = (part: string): string =>
    encodeURI(`${SELF}/$defs/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  const defs = NAMES_OF_DEFS.flatMap((part, index) => (isSameValue && index <= at ? [] : [pointer(part)]));
  return isSameValue ? defs : [SELF, ...defs];
}

/** Some of these keywords, most often few of them. */
function keywords(
  all: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  references: readonly string[] = [],
): fc.Arbitrary<RandomSchema> {
  const known = references.length === 0 ? all : { ...all, $ref: fc.constantFrom(...references) };
  return fc
    .subarray(Object.keys(known), { minLength: 1, maxLength: 4 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) => (known[name] as fc.Arbitrary<unknown>).map((value) => [name, value] as const)),
      ),
    )
    .map((entries) => Object.fromEntries(entries));
}

function valueKeywords(): Record<string, fc.Arbitrary<unknown>> {
  const number = fc.constantFrom(...NUMBERS.slice(0, 12));
  return {
    type: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...TYPES) },
      fc.subarray(TYPES, { minLength: 2, maxLength: 3 }),
    ),
    enum: fc.uniqueArray(json, { minLength: 1, maxLength: 4, comparator: 'SameValueZero' }),
    const: json,
    pattern: fc.constantFrom(...PATTERNS),
    minLength: count,
    maxLength: count,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(1, 2, 3, 0.5),
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    minProperties: count,
    maxProperties: count,
    required: fc.uniqueArray(member, { maxLength: 2 }),
    dependentRequired: mapOf(member, fc.uniqueArray(member, { maxLength: 2 }), 2),
  };
}

/** Keywords whose schemas judge parts of the value. */
function partKeywords(schema: fc.Arbitrary<RandomSchema>): Record<string, fc.Arbitrary<unknown>> {
  return {
    properties: mapOf(member, schema, 3),
    patternProperties: mapOf(fc.constantFrom(...PATTERNS), schema, 2),
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
    items: schema,
    prefixItems: fc.array(schema, { minLength: 1, maxLength: 3 }),
    contains: schema,
    minContains: count,
    maxContains: count,
    unevaluatedItems: schema,
  };
}

/** Keywords whose schemas judge the same value. */
function wholeKeywords(schema: fc.Arbitrary<RandomSchema>): Record<string, fc.Arbitrary<unknown>> {
  const several = fc.array(schema, { minLength: 1, maxLength: 3 });
  return {
    allOf: several,
    anyOf: several,
    oneOf: several,
    not: schema,
    if: schema,
    then: schema,
    else: schema,
    dependentSchemas: mapOf(member, schema, 2),
  };
}

type Keywords = Readonly<Record<string, unknown>>;

/** Makes values by the keywords of schemas, as far as each keyword goes; most of them are nearly right. */
class Near {
  readonly #document: unknown;
  readonly #random: () => number;

  constructor(document: unknown, random: () => number) {
    this.#document = document;
    this.#random = random;
  }

  by(schema: unknown, depth: number): unknown {
    if (typeof schema !== 'object' || schema === null || depth === 0) return pick(LEAVES, this.#random);
    const known = schema as Keywords;
    const ways = this.#ways(known, depth);
    return ways.length === 0 ? pick(LEAVES, this.#random) : pick(ways, this.#random)();
  }

  #ways(schema: Keywords, depth: number): (() => unknown)[] {
    const ways: (() => unknown)[] = [];
    const of = (keyword: string): unknown => (Object.hasOwn(schema, keyword) ? schema[keyword] : undefined);
    if (Object.hasOwn(schema, 'const')) ways.push(() => of('const'));
    if (Array.isArray(of('enum'))) ways.push(() => pick(of('enum') as unknown[], this.#random));
    const reference = of('$ref');
    if (typeof reference === 'string') ways.push(() => this.by(at(this.#document, reference), depth));
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      if (Array.isArray(of(keyword)))
        ways.push(() => this.#together((of(keyword) as unknown[]).map((part) => this.by(part, depth - 1))));
    for (const keyword of ['if', 'then', 'else'])
      if (of(keyword) !== undefined) ways.push(() => this.by(of(keyword), depth - 1));
    const keywords = Object.keys(schema);
    if (keywords.some((keyword) => OF_OBJECTS.test(keyword)) || of('type') === 'object')
      ways.push(...this.#twice(() => this.#object(of, depth)));
    if (keywords.some((keyword) => OF_ARRAYS.test(keyword)) || of('type') === 'array')
      ways.push(...this.#twice(() => this.#array(of, depth)));
    if (keywords.some((keyword) => /Length|pattern/.test(keyword)) || of('type') === 'string')
      ways.push(() => pick(TEXTS, this.#random));
    if (
      keywords.some((keyword) => /imum$|multipleOf/.test(keyword)) ||
      /number|integer/.test(String(of('type')))
    )
      ways.push(() => pick(NUMBERS, this.#random));
    return ways;
  }

  /** What combines schemas is often an object. */
  #together(values: readonly unknown[]): unknown {
    const objects = values.filter(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    );
    if (objects.length < 2 || this.#random() < 0.2) return pick(values, this.#random);
    return Object.fromEntries(objects.flatMap((value) => Object.entries(value as object)));
  }

  #twice<Way>(way: Way): Way[] {
    return [way, way];
  }

  #object(of: (keyword: string) => unknown, depth: number): unknown {
    const schemas = new Map(Object.entries((of('properties') ?? {}) as Keywords));
    for (const schema of Object.values((of('dependentSchemas') ?? {}) as Keywords))
      if (this.#random() < 0.3) return this.by(schema, depth - 1);
    const names = [
      ...((of('required') ?? []) as string[]),
      ...[...schemas.keys()].filter(() => this.#random() < 0.7),
      ...Object.keys((of('dependentRequired') ?? {}) as object),
      ...Object.keys((of('dependentSchemas') ?? {}) as object),
      ...(this.#random() < 0.4 ? [pick(MEMBERS, this.#random)] : []),
    ];
    const patterns = Object.entries((of('patternProperties') ?? {}) as Keywords);
    const rest = of('additionalProperties') ?? of('unevaluatedProperties');
    const schemaOf = (name: string): unknown =>
      schemas.get(name) ?? patterns.find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1] ?? rest;
    return Object.fromEntries(names.map((name) => [name, this.by(schemaOf(name), depth - 1)]));
  }

  #array(of: (keyword: string) => unknown, depth: number): unknown {
    const first = (of('prefixItems') ?? []) as unknown[];
    const length = Math.floor(this.#random() * 4);
    return Array.from({ length }, (_, index) => {
      const ways = [first[index] ?? of('items') ?? of('unevaluatedItems'), of('contains')];
      return this.by(
        pick(
          ways.filter((way) => way !== undefined),
          this.#random,
        ),
        depth - 1,
      );
    });
  }
}

const OF_OBJECTS = /ropert|required|dependent/;
const OF_ARRAYS = /tems|ontains/;

/** The value with one part replaced, added or taken out. */
function changed(value: unknown, random: () => number): unknown {
  if (random() < 0.2 || typeof value !== 'object' || value === null) return pick(LEAVES, random);
  if (Array.isArray(value)) {
    const index = Math.floor(random() * value.length);
    if (random() < 0.3 || value.length === 0)
      return [...(value as unknown[]), pick([...LEAVES, value[0]], random)];
    return random() < 0.5 ? value.toSpliced(index, 1) : value.with(index, changed(value[index], random));
  }
  const entries = Object.entries(value);
  const [name, inner] = pick(entries, random) ?? [pick(MEMBERS, random), null];
  if (random() < 0.3) return Object.fromEntries([...entries, [pick(MEMBERS, random), pick(LEAVES, random)]]);
  const others = entries.filter(([other]) => other !== name);
  return Object.fromEntries(random() < 0.4 ? others : [...others, [name, changed(inner, random)]]);
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

function at(document: unknown, reference: string): unknown {
  let found = document;
  for (const token of decodeURI(reference).split('/').slice(1))
    found = (found as Keywords)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  return found;
}
