import type { Json, JsonObject, Schema } from '../../contract/index.ts';
import { jsString, jsValue } from '../printing.ts';
import { formatFunctions } from './runtime-names.ts';
import type { Module } from './module.ts';
import { BYTES } from '../schemas/parts.ts';

/**
 * The place of a value: code for the value, and code for its pointer, either relative to the function's value
 * or passed in.
 */
export interface ValuePlace {
  readonly value: string;
  readonly pointer: string;
  /** The words of the path to it, for the names of functions. */
  readonly words: readonly string[];
}

/** The value of the function itself. */
export const OWN = { value: 'v', pointer: 'p' };

/** Functions of other schemas that these statements call. */
export interface Writer {
  readonly module: Module;
  /** The name of the function for a schema. */
  refer(schema: Schema, words: readonly string[]): string;
  /** The call of that function; nothing where every value is right. */
  judge(schema: Schema, words: readonly string[], ...given: readonly string[]): readonly string[];
}

export const TYPE_CHECKS: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'number'],
  ['integer', 'integer'],
  ['boolean', 'flag'],
  ['null', 'nothing'],
  ['array', 'list'],
  ['object', 'object'],
]);

/**
 * Keywords about the value itself, or about the items of an array. A member with only these needs no function
 * of its own.
 */
export const VALUE_KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', BYTES],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'items', 'prefixItems', 'contains'],
  ...['minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
]);

export function typesOf({ type }: JsonObject): readonly string[] {
  return (Array.isArray(type) ? (type as Json[]) : [type]).filter((name) => typeof name === 'string');
}

/** Statements for keywords about the value itself: type, numbers, texts, and allowed values. */
export function valueLines(schema: JsonObject, place: ValuePlace, writer: Writer): string[] {
  const { module } = writer;
  const { value, pointer } = place;
  const lines = typeLines(schema, place, writer);
  const format = formatOf(schema, module);
  if (typeof schema['pattern'] === 'string') {
    const typeLine = isType(schema, 'string') && format === undefined ? lines.pop() : undefined;
    lines.push(patternLine(schema['pattern'], typeLine, place, writer));
  }
  if (schema[BYTES] === true) lines.push(module.call('bytes', value, 'e', pointer));
  for (const [keyword, check] of BOUNDS) {
    const bound = schema[keyword];
    if (typeof bound !== 'number') continue;
    const line = module.call(check, value, 'e', pointer, jsValue(bound));
    // Most texts are far from the limit, which saves a call for each.
    const isLong = `typeof ${value} === 'string' && ${value}.length > ${String(bound)}`;
    lines.push(check === 'longest' ? `if (${isLong}) ${line}` : line);
  }
  if (format !== undefined && !isTextOf(schema))
    lines.push(module.call('formatted', value, 'e', pointer, ...format));
  if (schema['const'] !== undefined)
    lines.push(module.call('same', value, 'e', pointer, constant(schema['const'], module)));
  if (Array.isArray(schema['enum']))
    lines.push(
      module.call(
        'among',
        value,
        'e',
        pointer,
        schema['enum'].length === 0 ? '[]' : module.values(schema['enum'] as Json[]),
      ),
    );
  return lines;
}

/** Statements for keywords about arrays, except `unevaluatedItems`. */
export function itemLines(schema: JsonObject, place: ValuePlace, writer: Writer): string[] {
  const { module } = writer;
  const { value, pointer, words } = place;
  const lines: string[] = [];
  const { items, prefixItems, contains, minContains, maxContains } = schema;
  for (const [keyword, check] of SIZES) {
    const bound = schema[keyword];
    if (typeof bound === 'number') lines.push(module.call(check, value, 'e', pointer, jsValue(bound)));
  }
  const first = Array.isArray(prefixItems) ? (prefixItems as Schema[]) : [];
  first.forEach((schema, index) => {
    if (schema !== true)
      lines.push(
        module.call(
          ...(['item', value, 'e', pointer, String(index)] as const),
          writer.refer(schema, [...words, `item ${index}`]),
        ),
      );
  });
  if (items === false) lines.push(module.call('noFurther', value, 'e', pointer, String(first.length)));
  else if (items !== undefined && items !== true && !isListOf(schema)) {
    const from = first.length === 0 ? [] : [String(first.length)];
    const validate = writer.refer(items as Schema, [...words, 'item']);
    lines.push(module.call('each', value, 'e', pointer, validate, ...from));
  }
  if (contains !== undefined) {
    const validate = writer.refer(contains as Schema, [...words, 'contained']);
    const bounds = [minContains ?? 1, ...(maxContains === undefined ? [] : [maxContains])].map(jsValue);
    lines.push(module.call('containing', value, 'e', pointer, validate, ...bounds));
  }
  if (schema['uniqueItems'] === true) lines.push(module.call('unique', value, 'e', pointer));
  return lines;
}

// --- internal ---

const BOUNDS = [
  ['maximum', 'highest'],
  ['minimum', 'lowest'],
  ['exclusiveMaximum', 'under'],
  ['exclusiveMinimum', 'over'],
  ['multipleOf', 'multiple'],
  ['maxLength', 'longest'],
  ['minLength', 'shortest'],
] as const;

const SIZES = [
  ['maxItems', 'mostItems'],
  ['minItems', 'leastItems'],
] as const;

function typeLines(schema: JsonObject, { value, pointer, words }: ValuePlace, writer: Writer): string[] {
  const { module } = writer;
  const types = typesOf(schema);
  const [first = '', second, ...others] = types;
  const check = TYPE_CHECKS.get(first);
  if (check === undefined) return [];
  const isNullable = second === 'null' && others.length === 0;
  if (second !== undefined && !isNullable)
    return [module.call('typed', value, 'e', pointer, module.names(types))];
  const or = isNullable ? [module.use('orNull')] : [];
  if (isListOf(schema)) {
    const validate = writer.refer(schema['items'] as Schema, [...words, 'item']);
    return [module.call('listOf', value, 'e', pointer, validate, ...or)];
  }
  const format = isTextOf(schema) ? formatOf(schema, module) : undefined;
  if (format !== undefined) return [module.call('textOf', value, 'e', pointer, ...format, ...or)];
  return [module.call(check, value, 'e', pointer, ...or)];
}

/** Statements for a pattern and, if present, for the type `string`. Valid texts cost no other call. */
function patternLine(
  source: string,
  typeLine: string | undefined,
  place: ValuePlace,
  { module }: Writer,
): string {
  const { value, pointer } = place;
  const mismatch = `!${module.matches(source)}(${value})`;
  const told = module.call('fail', 'e', pointer, jsString(`must match the pattern ${source}`));
  return typeLine === undefined
    ? `if (typeof ${value} === 'string' && ${mismatch}) ${told}`
    : `if (typeof ${value} !== 'string') ${typeLine}\n  else if (${mismatch}) ${told}`;
}

/** The function for a format, and its name; none if the format does not restrict values of the type. */
function formatOf(schema: JsonObject, module: Module): readonly [is: string, name: string] | undefined {
  const name = String(schema['format']);
  const is = formatFunctions.get(name);
  const types = typesOf(schema);
  const isEvery = name === 'int64' && types.includes('integer') && !types.includes('number');
  return is === undefined || isEvery ? undefined : [module.use(is), jsString(name)];
}

/** Whether one call checks both type and format. */
function isTextOf(schema: JsonObject): boolean {
  const format = String(schema['format']);
  return isType(schema, 'string') && formatFunctions.has(format) && !format.startsWith('int');
}

/** Whether a schema has exactly this type, or this type and `null`. */
function isType(schema: JsonObject, type: string): boolean {
  const [first, second = 'null', ...others] = typesOf(schema);
  return first === type && second === 'null' && others.length === 0;
}

/** Whether one call checks both type and items. */
function isListOf(schema: JsonObject): boolean {
  const { items, prefixItems } = schema;
  const isPlain = items !== undefined && typeof items !== 'boolean' && prefixItems === undefined;
  return isPlain && isType(schema, 'array');
}

function constant(value: Json, module: Module): string {
  return typeof value === 'object' && value !== null ? `${module.values([value])}[0]` : jsValue(value);
}
